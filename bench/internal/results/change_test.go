package results_test

import (
	"math"
	"os"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/results/fixture"
)

func read(t *testing.T, o fixture.Options) *results.Run {
	t.Helper()
	dir := t.TempDir()
	if err := fixture.Write(dir, o); err != nil {
		t.Fatal(err)
	}
	run, err := results.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestCompare compares runs of which one has a version of ours that takes .7 of the time.
func TestCompare(t *testing.T) {
	workloads := []string{"scalar", "social"}
	older := read(t, fixture.Options{Blocks: 5, Workloads: workloads, Seed: 1})
	newer := read(t, fixture.Options{Blocks: 5, Workloads: workloads[:1], Seed: 2, Native: .7})
	for _, tt := range []struct {
		name         string
		older, newer *results.Run
		want         string
		ratio        float64
	}{
		{"faster", older, newer, results.Faster, .7},
		{"slower", newer, older, results.Slower, 1 / .7},
		{"the same run", older, older, results.Inconclusive, 1},
	} {
		list, err := results.Compare(tt.older, tt.newer, results.Native)
		if err != nil {
			t.Fatal(err)
		}
		// Only what both have.
		cells := len(results.Operations())
		if tt.older == tt.newer {
			cells *= 2
		}
		if len(list) != cells {
			t.Errorf("%s: %d cells, want %d", tt.name, len(list), cells)
		}
		for _, c := range list {
			if c.Verdict != tt.want || math.Abs(math.Log(c.Ratio.Ratio/tt.ratio)) > .1 || c.Control < .9 || c.Control > 1.1 {
				t.Errorf("%s: %+v, want %s and a ratio near %v", tt.name, c, tt.want, tt.ratio)
			}
			if math.Abs(c.New.Ratio/c.Old.Ratio-c.Ratio.Ratio) > 1e-9 {
				t.Errorf("%s: %v to %v is not %v", tt.name, c.New.Ratio, c.Old.Ratio, c.Ratio.Ratio)
			}
		}
	}
	smoke := read(t, fixture.Options{Blocks: 1, Workloads: workloads})
	if _, err := results.Compare(older, smoke, results.Native); err == nil {
		t.Error("a run of one block is compared")
	}
}
