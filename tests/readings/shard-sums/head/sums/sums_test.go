package sums

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.invalid/sums/shard"
)

func given(name, text string) shard.Shard {
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	return shard.Shard{Name: name, Open: open}
}

func TestResultsStandInTheOrderOfTheShards(t *testing.T) {
	var shards []shard.Shard
	for i := range 100 {
		shards = append(shards, given(fmt.Sprint(i), fmt.Sprintf("%d\n1\n", i)))
	}
	for i, result := range All(shards) {
		if want := (Result{fmt.Sprint(i), int64(i) + 1, nil}); result != want {
			t.Errorf("got %v, want %v", result, want)
		}
	}
}

func TestNoShards(t *testing.T) {
	if results := All(nil); len(results) != 0 {
		t.Errorf("got %v", results)
	}
}

func TestAShardThatFailsLeavesTheOthers(t *testing.T) {
	gone := errors.New("gone")
	broken := shard.Shard{Name: "b", Open: func() (io.ReadCloser, error) { return nil, gone }}
	results := All([]shard.Shard{given("a", "1\n"), broken, given("c", "3\n")})
	if results[0].Total != 1 || !errors.Is(results[1].Err, gone) || results[2].Total != 3 {
		t.Errorf("got %v", results)
	}
}
