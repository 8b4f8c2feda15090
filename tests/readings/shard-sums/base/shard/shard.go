// Package shard reads the parts of a data set.
package shard

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Shard is a part of a data set: a number in each line.
type Shard struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Sum adds the numbers of a shard up.
func Sum(s Shard) (total int64, err error) {
	in, err := s.Open()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.Name, err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		n, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", s.Name, err)
		}
		total += n
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("%s: %w", s.Name, err)
	}
	return total, nil
}
