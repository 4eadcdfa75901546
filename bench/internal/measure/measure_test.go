package measure

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/flinkser/flinkser/bench/internal/lane"
)

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 100, 1, 2}, 3},
	} {
		before := slices.Clone(tt.values)
		if got := Median(tt.values); got != tt.want {
			t.Errorf("Median(%v) is %v, want %v", tt.values, got, tt.want)
		}
		if !slices.Equal(before, tt.values) {
			t.Errorf("Median has changed %v to %v", before, tt.values)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("Median of nothing is %v, want NaN", got)
	}
}

func TestRatio(t *testing.T) {
	// The median of the quotients .5, 2 and .25, not the quotient of the medians.
	if got := Ratio([]float64{1, 8, 1}, []float64{2, 4, 4}); got != .5 {
		t.Errorf("Ratio is %v, want .5", got)
	}
	if got := Ratio([]float64{1}, nil); !math.IsNaN(got) {
		t.Errorf("Ratio to nothing is %v, want NaN", got)
	}
}

func TestOrder(t *testing.T) {
	var lanes []*lane.Lane
	c := lane.Levels()
	for _, name := range c.Lanes {
		lanes = append(lanes, &lane.Lane{Name: name})
	}
	lanes = append(lanes, &lane.Lane{Name: lane.Memcpy})
	rnd := rand.New(rand.NewPCG(1, 2))
	first := map[string]int{}
	for range 1000 {
		got := order(lanes, c.Together, rnd)
		at := map[string]int{}
		for place, i := range got {
			at[lanes[i].Name] = place
		}
		if len(at) != len(lanes) || len(got) != len(lanes) {
			t.Fatalf("order %v has not every lane once", got)
		}
		for _, name := range c.Lanes {
			base := c.Base(name)
			if d := at[name] - at[base]; name != base && d != 1 && d != -1 {
				t.Fatalf("order %v: %s is %d places from %s", got, name, d, base)
			}
		}
		first[lanes[got[0]].Name]++
	}
	for _, l := range lanes {
		// What others are compared with is always between two of them.
		base := l.Name != lane.Memcpy && c.Base(l.Name) == l.Name
		if got := first[l.Name]; (got > 0) == base {
			t.Errorf("%s was first %d times out of 1000", l.Name, got)
		}
	}
	if got := order(lanes[:1], c.Together, rnd); !slices.Equal(got, []int{0}) {
		t.Errorf("the order of one lane is %v", got)
	}
}

var sink []byte

func TestLanes(t *testing.T) {
	const records, size = 16, 256
	seen := make([]int, records)
	l := &lane.Lane{Name: "some", Op: lane.Serialize, Run: func(from, to int) error {
		for i := from; i < to; i++ {
			seen[i]++
			sink = make([]byte, size)
		}
		return nil
	}}
	got, err := Lanes([]*lane.Lane{l}, records, Options{Slice: time.Millisecond, Rounds: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Lane != "some" || got[0].Op != lane.Serialize || len(got[0].Ns) != 3 {
		t.Fatalf("the series are %+v", got)
	}
	for _, ns := range got[0].Ns {
		if ns <= 0 || ns > float64(time.Millisecond) {
			t.Errorf("a record took %v ns", ns)
		}
	}
	// The test itself allocates a little in between.
	if got[0].Allocs < 1 || got[0].Allocs > 1.5 || got[0].Bytes < size || got[0].Bytes > 1.5*size {
		t.Errorf("%v allocations of %v bytes a record, want 1 of %d", got[0].Allocs, got[0].Bytes, size)
	}
	for i, n := range seen {
		if n != seen[0] || n == 0 {
			t.Errorf("record %d was handled %d times, record 0 %d times", i, n, seen[0])
		}
	}

	wrong := errors.New("wrong")
	l.Run = func(from, to int) error { return wrong }
	if _, err := Lanes([]*lane.Lane{l}, records, Options{Slice: time.Millisecond, Rounds: 1}); !errors.Is(err, wrong) {
		t.Errorf("error %v, want %v", err, wrong)
	}
}
