package main

import (
	"math"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/beyond/timing"
)

func TestSlope(t *testing.T) {
	curve := func(f func(n float64) float64, sizes []int) []point {
		var all []point
		for _, n := range sizes {
			all = append(all, point{n, timing.Cost{Ns: f(float64(n))}})
		}
		return all
	}
	for _, tt := range []struct {
		name string
		f    func(n float64) float64
		want float64
	}{
		{"in proportion", func(n float64) float64 { return 7 * n }, 1},
		{"with the square", func(n float64) float64 { return n * n }, 2},
		{"not at all", func(float64) float64 { return 3 }, 0},
		// What is below the upper two decades does not count.
		{"late", func(n float64) float64 { return math.Max(1e4, n) }, 1},
	} {
		got := slope(curve(tt.f, decades(1_000_000)))
		if math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: slope %v, want %v", tt.name, got, tt.want)
		}
	}
	if s := slope(curve(func(n float64) float64 { return n * math.Log(n) * math.Log(n) }, decades(1_000_000))); s <= slopeLimit {
		t.Errorf("n log² n has slope %v, which would pass", s)
	}
}

// TestDimensions runs every dimension at a small size: it has to be possible, and each has to say what
// it times.
func TestDimensions(t *testing.T) {
	for _, d := range dimensions() {
		ops, err := d.at(d.sizes[2])
		if err != nil {
			t.Errorf("%s: %v", d.name, err)
			continue
		}
		if len(ops) == 0 {
			t.Errorf("%s times nothing", d.name)
		}
		for name, f := range ops {
			for range 3 {
				if err := f(); err != nil {
					t.Errorf("%s, %s: %v", d.name, name, err)
				}
			}
		}
		if last := d.sizes[len(d.sizes)-1]; last < 100*d.sizes[0] {
			t.Errorf("%s spans less than two decades", d.name)
		}
	}
}
