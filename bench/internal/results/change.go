package results

import (
	"errors"
	"fmt"
	"math"
)

// Verdicts of a comparison of two versions.
const (
	Faster = "faster" // the upper limit is below 1
	Slower = "slower" // the lower limit is above 1
)

// Change compares a lane in two runs, both times by way of Baseline.
type Change struct {
	Workload, Operation string
	Old, New            Estimate // ratio to Baseline in either run
	Ratio               Interval // of New to Old
	Control             float64  // time of Baseline in the new run to that in the old one
	Verdict             string
}

// Compare compares a lane in all cells that two runs have in common.
func Compare(older, newer *Run, lane string) ([]Change, error) {
	if older.Blocks != Blocks || newer.Blocks != Blocks {
		return nil, errors.New("a comparison needs five blocks on both sides")
	}
	var list []Change
	err := newer.eachCell(func(w, op string) error {
		for _, r := range []*Run{older, newer} {
			if !r.Has(lane, w, op) || !r.Has(Baseline, w, op) {
				return nil
			}
		}
		c, err := change(older, newer, lane, w, op)
		list = append(list, c)
		return err
	})
	return list, err
}

// conditions are the properties of runs that have to be equal, or the versions are not all that is compared.
var conditions = []string{
	"go.version", "os", "arch", "cpu", "cpu.cores", "clock", "corpus.seed", "layout.seeds", "warmup", "iteration.time", "iterations",
}

// Unlike says in which conditions two runs differ, a line for each.
func Unlike(older, newer *Run) []string {
	var list []string
	for _, key := range conditions {
		if a, b := older.Property(key), newer.Property(key); a != b {
			list = append(list, fmt.Sprintf("%s is %q in the old run and %q in the new one", key, a, b))
		}
	}
	return list
}

func change(older, newer *Run, lane, w, op string) (Change, error) {
	c := Change{Workload: w, Operation: op, Verdict: Inconclusive}
	var err error
	if c.Old, err = older.Estimate(lane, Baseline, w, op); err != nil {
		return c, err
	}
	if c.New, err = newer.Estimate(lane, Baseline, w, op); err != nil {
		return c, err
	}
	if c.Ratio, err = Pooled(older.Logs(lane, Baseline, w, op), newer.Logs(lane, Baseline, w, op)); err != nil {
		return c, err
	}
	c.Control = math.Exp(logMean(newer.times(Baseline, w, op)) - logMean(older.times(Baseline, w, op)))
	switch {
	case c.Ratio.Upper < 1:
		c.Verdict = Faster
	case c.Ratio.Lower > 1:
		c.Verdict = Slower
	}
	return c, nil
}

func logMean(times []float64) float64 {
	sum := 0.0
	for _, t := range times {
		sum += math.Log(t)
	}
	return sum / float64(len(times))
}
