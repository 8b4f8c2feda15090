// Command sums prints the sum of each file that it is given.
package main

import (
	"fmt"
	"io"
	"os"

	"example.invalid/sums/shard"
	"example.invalid/sums/sums"
)

func main() {
	var shards []shard.Shard
	for _, name := range os.Args[1:] {
		open := func() (io.ReadCloser, error) { return os.Open(name) }
		shards = append(shards, shard.Shard{Name: name, Open: open})
	}
	failed := false
	for _, result := range sums.All(shards) {
		if result.Err != nil {
			fmt.Fprintln(os.Stderr, result.Err)
			failed = true
			continue
		}
		fmt.Printf("%s\t%d\n", result.Name, result.Total)
	}
	if failed {
		os.Exit(1)
	}
}
