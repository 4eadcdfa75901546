package curves_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/beyond/curves"
)

// sizes are those of a curve over six decades.
var sizes = []int{1, 10, 100, 1000, 10_000, 100_000, 1_000_000}

func TestSlope(t *testing.T) {
	curve := func(f func(n float64) float64) *curves.Curve {
		c := new(curves.Curve)
		for _, n := range sizes {
			c.Points = append(c.Points, curves.Point{Size: float64(n), Ns: f(float64(n))})
		}
		return c
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
		if got := curve(tt.f).Slope(); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: slope %v, want %v", tt.name, got, tt.want)
		}
	}
	if s := curve(func(n float64) float64 { return n * math.Log(n) * math.Log(n) }).Slope(); s <= curves.Limit {
		t.Errorf("n log² n has slope %v, which would pass", s)
	}
}

func TestCheck(t *testing.T) {
	table := strings.Join(curves.Header(), ",") + "\n"
	for _, n := range sizes {
		table += fmt.Sprintf("list,serialize,%d,%d.0,0\nlist,deserialize,%d,%d.5,0\n", n, 3*n, n, 7*n)
	}
	if err := curves.Check([]byte(table)); err != nil {
		t.Error(err)
	}
	err := curves.Check([]byte(strings.Replace(table, ",3000000.0", ",30000000.0", 1)))
	if !errors.Is(err, curves.ErrTooSteep) || !strings.Contains(err.Error(), "list, serialize: ") || strings.Contains(err.Error(), "deserialize") {
		t.Errorf("a steep curve: %v", err)
	}
	if all, err := curves.Read([]byte(table)); err != nil || len(all) != 2 || len(all[1].Points) != len(sizes) {
		t.Errorf("%d curves, error %v, want 2", len(all), err)
	}
	for _, bad := range []string{"", "there\n", strings.Join(curves.Header(), ",") + "\n", strings.Replace(table, ",7.5", ",NaN", 1), strings.Replace(table, ",7.5", ",-1", 1)} {
		if err := curves.Check([]byte(bad)); err == nil || errors.Is(err, curves.ErrTooSteep) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	// One point has no slope.
	if err := curves.Check([]byte(strings.Join(curves.Header(), ",") + "\nlist,serialize,1,1,0\n")); !errors.Is(err, curves.ErrTooSteep) {
		t.Errorf("a single point: %v", err)
	}
}
