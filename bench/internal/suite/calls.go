package suite

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/flinkser/flinkser/bench/internal/pin"
)

// Calls are the times of single calls, in nanoseconds. What it takes to look at the clock is in
// them.
type Calls struct {
	Min    float64 `json:"min_ns"`
	Mean   float64 `json:"avg_ns"`
	Median float64 `json:"median_ns"`
	Calls  int     `json:"calls"`
}

// times times a number of calls one by one. The clock is one that always runs: that of the
// processor time takes too long to read.
func (w *work) times(l *Lane) (*Calls, error) {
	b, ok := l.Workloads[w.workload]
	if !ok {
		return nil, fmt.Errorf("no such workload: %s", l.Unsupported[w.workload])
	}
	if _, err := pin.Pin(); err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(1)
	run, err := b.Operation(w.operation)
	if err != nil {
		return nil, err
	}
	if _, err := warmUp(run, w.warmup, w.time); err != nil {
		return nil, err
	}
	runtime.GC()
	all := make([]int64, w.calls)
	for i := range all {
		start := time.Now()
		err := run.Run(1)
		all[i] = int64(time.Since(start))
		if err != nil {
			return nil, err
		}
	}
	return summary(all)
}

// summary sums times up, which it sorts.
func summary(all []int64) (*Calls, error) {
	if len(all) == 0 {
		return nil, errors.New("no call has been timed")
	}
	slices.Sort(all)
	sum := 0.0
	for _, ns := range all {
		sum += float64(ns)
	}
	n := len(all)
	return &Calls{
		Min: float64(all[0]), Mean: sum / float64(n), Median: float64(all[(n-1)/2]+all[n/2]) / 2, Calls: n,
	}, nil
}
