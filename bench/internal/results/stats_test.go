package results

import (
	"math"
	"testing"
)

// The examples that the published contract gives.
func TestPaired(t *testing.T) {
	got, err := Paired([]float64{0, 0, 0, 0, 0})
	if want := (Interval{1, 1, 1}); err != nil || got != want {
		t.Errorf("five zeros: %v, error %v, want exactly %v", got, err, want)
	}
	got, err = Paired([]float64{-.2, .2, -.1, .1, 0})
	if err != nil || got.Ratio != 1 || !near(got.Lower, 0.82174569, 1e-8) || !near(got.Upper, 1.21692151, 1e-8) {
		t.Errorf("scattered: %v, error %v, want 1, 0.82174569, 1.21692151", got, err)
	}
	if got.Lower >= Limit || got.Upper <= Limit || got.against(Limit) != Inconclusive {
		t.Errorf("scattered: %v is %s, want the threshold inside", got, got.against(Limit))
	}
	for _, logs := range [][]float64{{0}, nil, {0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, math.NaN()}, {math.Inf(-1), 0, 0, 0, 0}} {
		if got, err := Paired(logs); err == nil {
			t.Errorf("Paired(%v) = %v, want an error", logs, got)
		}
	}
}

func TestPooled(t *testing.T) {
	zeros := make([]float64, Blocks)
	got, err := Pooled(zeros, zeros)
	if want := (Interval{1, 1, 1}); err != nil || got != want {
		t.Errorf("no difference: %v, error %v, want %v", got, err, want)
	}
	// Sum of squares .1 in a and 0 in b: the margin is 2.3060041350333704 * sqrt(.1/8*2/5).
	a := []float64{-.2, .2, -.1, .1, 0}
	b := []float64{-.5, -.5, -.5, -.5, -.5}
	got, err = Pooled(a, b)
	margin := 0.16305911613263152
	if err != nil || !near(got.Ratio, math.Exp(-.5), 1e-12) || !near(got.Lower, math.Exp(-.5-margin), 1e-12) || !near(got.Upper, math.Exp(-.5+margin), 1e-12) {
		t.Errorf("half: %v, error %v", got, err)
	}
	// The other way round it is the reciprocal.
	back, err := Pooled(b, a)
	if err != nil || !near(back.Ratio*got.Ratio, 1, 1e-12) || !near(back.Lower*got.Upper, 1, 1e-12) {
		t.Errorf("back: %v of %v, error %v", back, got, err)
	}
	if _, err := Pooled(a, b[:4]); err == nil {
		t.Error("four blocks are accepted")
	}
	if _, err := Pooled([]float64{math.NaN(), 0, 0, 0, 0}, b); err == nil {
		t.Error("NaN is accepted")
	}
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		lower, upper     float64
		against, besides string
	}{
		{.8, .99, Established, Ahead},
		{.8, 1, Established, Inconclusive},
		{1.01, 1.1, Established, Behind},
		{1.05, 1.1000001, Inconclusive, Behind},
		{1.1, 1.2, Inconclusive, Behind},
		{1.1000001, 1.2, Missed, Behind},
		{.9, 1.2, Inconclusive, Inconclusive},
	} {
		i := Interval{1, tt.lower, tt.upper}
		if got := i.against(Limit); got != tt.against {
			t.Errorf("%v against 1.1: %s, want %s", i, got, tt.against)
		}
		if got := i.beside(); got != tt.besides {
			t.Errorf("%v beside 1: %s, want %s", i, got, tt.besides)
		}
	}
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*math.Abs(want) }
