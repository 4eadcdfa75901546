// Package lanetest runs the gate over the lanes of a family.
package lanetest

import (
	"slices"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Gate fails unless the lanes have the names that are wanted, take part in every workload or say
// why they do not, and pass the gate. Of the workloads of one type it takes the one that has most
// in it; the command bench check takes all.
func Gate(t *testing.T, lanes []suite.Lane, names ...string) {
	t.Helper()
	var got []string
	for _, l := range lanes {
		got = append(got, l.Name)
		t.Run(l.Name, func(t *testing.T) { gate(t, &l) })
	}
	Listed(t, lanes)
	if !slices.Equal(got, names) {
		t.Errorf("the lanes are %q, want %q", got, names)
	}
}

// Listed fails unless the safe ones of the lanes are those that reports know to be.
func Listed(t *testing.T, lanes []suite.Lane) {
	t.Helper()
	for _, l := range lanes {
		row := results.Lane{Role: l.Role, SharesInput: l.SharesInput, OptIn: l.OptIn}
		if row.Safe() != slices.Contains(results.SafeLanes, l.Name) {
			t.Errorf("lane %s is safe: %t; correct results.SafeLanes", l.Name, row.Safe())
		}
	}
}

func gate(t *testing.T, l *suite.Lane) {
	for _, w := range suite.Workloads() {
		bound, ok := l.Workloads[w]
		if reason := l.Unsupported[w]; ok == (reason != "") {
			t.Errorf("%s: supported is %t, and the reason why not is %q", w, ok, reason)
		}
		if !ok || slices.Contains(suite.RecordWorkloads(), w) && w != suite.Collections {
			continue
		}
		sizes, err := bound.Gate(l)
		if err != nil {
			t.Errorf("%s: %v", w, err)
		}
		t.Logf("%s: mean %.1f bytes", w, sizes.Mean)
		operations(t, w, bound)
	}
}

// operations runs each operation over more records than there are.
func operations(t *testing.T, workload string, b suite.Bound) {
	for _, op := range suite.Operations() {
		if _, ok, err := b.Supported(op); err != nil || !ok {
			continue // the gate has seen whether there is a reason
		}
		r, err := b.Operation(op)
		if err != nil {
			t.Errorf("%s, %s: %v", workload, op, err)
			continue
		}
		if err := r.Run(2*r.Records + 1); err != nil {
			t.Errorf("%s, %s: %v", workload, op, err)
		}
	}
}
