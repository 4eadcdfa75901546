// Package measure times the lanes of one operation side by side, in one process.
package measure

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/flinkser/flinkser/bench/internal/clock"
	"github.com/flinkser/flinkser/bench/internal/lane"
)

// Options says how long to measure.
type Options struct {
	Slice  time.Duration // length of one timing: a number of passes over all records
	Rounds int           // number of slices of each lane
	Seed   uint64        // of the order of the lanes

	// Together are names of lanes that are measured next to each other, a lane between those
	// that are compared with it.
	Together [][]string
}

// Series is what was measured for one lane.
type Series struct {
	Workload string // left to the caller
	Op       string
	Lane     string
	Ns       []float64 // nanoseconds per record, one for each round
	Bytes    float64   // allocated per record
	Allocs   float64   // allocations per record
}

// Lanes measures lanes, all of one operation and one workload with that many records.
// In each round, every lane gets one slice. The order changes from round to round, but lanes
// that are compared stay next to each other, so that both see the machine in the same
// state. The collector runs as the process has it.
func Lanes(lanes []*lane.Lane, records int, o Options) ([]Series, error) {
	series := make([]Series, len(lanes))
	passes := make([]int, len(lanes))
	for i, l := range lanes {
		series[i] = Series{Op: l.Op, Lane: l.Name}
		var err error
		if passes[i], err = calibrate(l, records, o.Slice); err != nil {
			return nil, fail(l, err)
		}
	}
	for i, l := range lanes {
		if err := allocation(l, records, passes[i], &series[i]); err != nil {
			return nil, fail(l, err)
		}
	}
	rnd := rand.New(rand.NewPCG(o.Seed, uint64(records)))
	for range o.Rounds {
		for _, i := range order(lanes, o.Together, rnd) {
			t, err := slice(lanes[i], records, passes[i])
			if err != nil {
				return nil, fail(lanes[i], err)
			}
			series[i].Ns = append(series[i].Ns, float64(t)/float64(passes[i]*records))
		}
	}
	return series, nil
}

func fail(l *lane.Lane, err error) error {
	return fmt.Errorf("%s, lane %s: %w", l.Op, l.Name, err)
}

// slice returns how many nanoseconds a number of passes takes.
func slice(l *lane.Lane, records, passes int) (int64, error) {
	start := clock.Now()
	for range passes {
		if err := l.Run(0, records); err != nil {
			return 0, err
		}
	}
	return clock.Now() - start, nil
}

// calibrate returns how many passes fill a slice, and warms the lane up.
func calibrate(l *lane.Lane, records int, d time.Duration) (int, error) {
	passes := 1
	for {
		t, err := slice(l, records, passes)
		if err != nil {
			return 0, err
		}
		if t >= int64(d)/2 {
			return max(1, int(float64(passes)*float64(d)/float64(t))), nil
		}
		passes *= 2
	}
}

// allocation counts what a number of passes allocates.
func allocation(l *lane.Lane, records, passes int, s *Series) error {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := slice(l, records, passes); err != nil {
		return err
	}
	runtime.ReadMemStats(&after)
	n := float64(passes * records)
	s.Bytes = float64(after.TotalAlloc-before.TotalAlloc) / n
	s.Allocs = float64(after.Mallocs-before.Mallocs) / n
	return nil
}

// order returns a random order of the lanes in which those that belong together follow one
// another, as they are listed or the other way round.
func order(lanes []*lane.Lane, together [][]string, rnd *rand.Rand) []int {
	var groups [][]int
	grouped := map[int]bool{}
	for _, names := range together {
		var group []int
		for _, name := range names {
			if i := slices.IndexFunc(lanes, func(l *lane.Lane) bool { return l.Name == name }); i >= 0 {
				group = append(group, i)
				grouped[i] = true
			}
		}
		if rnd.IntN(2) == 0 {
			slices.Reverse(group)
		}
		groups = append(groups, group)
	}
	for i := range lanes {
		if !grouped[i] {
			groups = append(groups, []int{i})
		}
	}
	rnd.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	return slices.Concat(groups...)
}
