package main

import (
	"math"
	"testing"
)

func TestBound(t *testing.T) {
	mean, upper := bound([]float64{0.8, 0.8, 0.8})
	if math.Abs(mean-0.8) > 1e-9 || math.Abs(upper-0.8) > 1e-9 {
		t.Errorf("%v, %v", mean, upper)
	}
	mean, upper = bound([]float64{0.5, 2})
	// The logarithms are ±0.693, their deviation 0.980, divided by the root of 2 0.693; times 6.314.
	if math.Abs(mean-1) > 1e-9 || math.Abs(math.Log(upper)-6.314*math.Ln2) > 1e-9 {
		t.Errorf("%v, %v", mean, upper)
	}
	if _, upper = bound([]float64{0.1}); !math.IsInf(upper, 1) {
		t.Errorf("a single round proves nothing, but the limit is %v", upper)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"x\nprism        0.48 s  20000 orders": "0.48",
		"flink      212.10 s  1 orders":        "212.10",
	} {
		if m := taken.FindStringSubmatch(text); m == nil || m[1] != want {
			t.Errorf("%q: %v", text, m)
		}
	}
	if m := accounted.FindStringSubmatch("File: totals\nShowing nodes accounting for 1.20s, 14.46% of 8.30s total"); m == nil || m[1] != "14.46" {
		t.Errorf("%v", m)
	}
}
