// Package sums adds up a data set, shard by shard.
package sums

import (
	"sync"

	"example.invalid/sums/shard"
)

// Result is what came of one shard.
type Result struct {
	Name  string
	Total int64
	Err   error
}

// All adds up each shard, all at once. The results stand in the order of the shards.
func All(shards []shard.Shard) []Result {
	var (
		mu      sync.Mutex
		wg      sync.WaitGroup
		results = make(map[int]Result)
	)
	for i, s := range shards {
		i, s := i, s
		wg.Add(1)
		go func() {
			defer wg.Done()
			total, err := shard.Sum(s)
			mu.Lock()
			defer mu.Unlock()
			results[i] = Result{s.Name, total, err}
		}()
	}
	wg.Wait()
	ordered := make([]Result, 0, len(shards))
	for i := range shards {
		ordered = append(ordered, results[i])
	}
	return ordered
}
