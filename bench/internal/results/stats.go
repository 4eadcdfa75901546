package results

import (
	"fmt"
	"math"
)

// Blocks is the number of blocks that an interval needs.
const Blocks = 5

const (
	student4 = 2.7764451051977987 // 97.5 % quantile of Student's t with 4 degrees of freedom
	student8 = 2.3060041350333704 // with 8
)

// Limit is the ratio up to which Native counts as no slower than its partner.
const Limit = 1.10

// FloorLimit is the ratio to a bare copy of the bytes up to which a lane counts as being
// at the floor.
const FloorLimit = 1.05

// Interval is a ratio of times with its 95 % interval.
type Interval struct {
	Ratio, Lower, Upper float64
}

// Paired returns the interval of a ratio from the logarithms of the ratios that five blocks
// have given. Any other number of values is an error, and so is one that is not finite.
func Paired(logs []float64) (Interval, error) {
	mean, squares, err := moments(logs)
	if err != nil {
		return Interval{}, err
	}
	margin := student4 * math.Sqrt(squares/(Blocks-1)/Blocks)
	return interval(mean, margin), nil
}

// Pooled returns the interval of the ratio of b to a, both given as the logarithms of the ratios to
// a control that five blocks have given. Both are assumed to scatter alike, so that they have 8
// degrees of freedom together.
func Pooled(a, b []float64) (Interval, error) {
	meanA, squaresA, err := moments(a)
	if err != nil {
		return Interval{}, err
	}
	meanB, squaresB, err := moments(b)
	if err != nil {
		return Interval{}, err
	}
	variance := (squaresA + squaresB) / (2 * (Blocks - 1))
	margin := student8 * math.Sqrt(variance*2/Blocks)
	return interval(meanB-meanA, margin), nil
}

func interval(mean, margin float64) Interval {
	return Interval{Ratio: math.Exp(mean), Lower: math.Exp(mean - margin), Upper: math.Exp(mean + margin)}
}

// moments returns the mean and the sum of the squares of the distances from it.
func moments(values []float64) (mean, squares float64, err error) {
	if len(values) != Blocks {
		return 0, 0, fmt.Errorf("an interval needs %d blocks, there are %d", Blocks, len(values))
	}
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, fmt.Errorf("the logarithm of a ratio is %v", v)
		}
		mean += v
	}
	mean /= Blocks
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, squares, nil
}

// logRatios returns the logarithms of a[i]/b[i].
func logRatios(a, b []float64) []float64 {
	logs := make([]float64, len(a))
	for i := range a {
		logs[i] = math.Log(a[i] / b[i])
	}
	return logs
}

// Verdicts of parity.csv and targets.csv.
const (
	Established  = "established"  // the upper limit is at most the threshold
	Missed       = "missed"       // the lower limit is above it
	Inconclusive = "inconclusive" // the threshold is inside of the interval
	Unsupported  = "unsupported"  // one of the two lanes has no such operation
	NoInterval   = "no interval"  // the run has fewer than five blocks
)

// Verdicts of goals.csv and peers.csv.
const (
	Ahead   = "ahead"        // the upper limit is below 1
	AtFloor = "at the floor" // the upper limit is at most FloorLimit of a bare copy
	Behind  = "behind"       // the lower limit is above 1
)

// against compares an interval with the largest ratio that is accepted.
func (i Interval) against(threshold float64) string {
	switch {
	case i.Upper <= threshold:
		return Established
	case i.Lower > threshold:
		return Missed
	default:
		return Inconclusive
	}
}

// beside compares an interval with 1.
func (i Interval) beside() string {
	switch {
	case i.Upper < 1:
		return Ahead
	case i.Lower > 1:
		return Behind
	default:
		return Inconclusive
	}
}
