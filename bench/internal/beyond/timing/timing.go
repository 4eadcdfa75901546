// Package timing times single functions, for the programs that look at more than the time of a record.
package timing

import (
	"runtime"
	"slices"
	"time"

	"github.com/flinkser/flinkser/bench/internal/clock"
)

// Cost is what one call of a function takes.
type Cost struct {
	Ns    float64 // the shortest of several timings, which others on the machine have disturbed least
	Bytes float64 // allocated
}

// Of calls f for about so long in each of the timings, and at least once.
func Of(timings int, d time.Duration, f func() error) (Cost, error) {
	calls := 1
	for {
		ns, err := times(calls, f)
		if err != nil {
			return Cost{}, err
		}
		if ns >= int64(d)/2 {
			calls = max(1, int(float64(calls)*float64(d)/float64(ns)))
			break
		}
		calls *= 2
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all []float64
	for range timings {
		ns, err := times(calls, f)
		if err != nil {
			return Cost{}, err
		}
		all = append(all, float64(ns)/float64(calls))
	}
	runtime.ReadMemStats(&after)
	return Cost{
		Ns:    slices.Min(all),
		Bytes: float64(after.TotalAlloc-before.TotalAlloc) / float64(calls*timings),
	}, nil
}

func times(calls int, f func() error) (int64, error) {
	start := clock.Now()
	for range calls {
		if err := f(); err != nil {
			return 0, err
		}
	}
	return clock.Now() - start, nil
}
