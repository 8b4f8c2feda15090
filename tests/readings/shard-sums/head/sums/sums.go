// Package sums adds up a data set, shard by shard.
package sums

import (
	"runtime"
	"sync"

	"example.invalid/sums/shard"
)

// Result is what came of one shard.
type Result struct {
	Name  string
	Total int64
	Err   error
}

// All adds up each shard, as many at once as there are processors. The results stand in the order of
// the shards.
func All(shards []shard.Shard) []Result {
	var (
		wg      sync.WaitGroup
		results = make([]Result, len(shards))
		next    = make(chan int)
	)
	for range min(runtime.GOMAXPROCS(0), len(shards)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				// Each element is written by the one worker that was given its index.
				results[i] = one(shards[i])
			}
		}()
	}
	for i := range shards {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

func one(s shard.Shard) Result {
	total, err := shard.Sum(s)
	return Result{s.Name, total, err}
}
