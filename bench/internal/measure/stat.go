package measure

import (
	"math"
	"slices"
)

// Median returns the middle of values, or the mean of the two in the middle; NaN
// where there are none. It leaves values as they are.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(values))
	return (s[(n-1)/2] + s[n/2]) / 2
}

// Ratio returns the median of the quotients of two series, round by round, or NaN
// where there is no round that both have.
func Ratio(a, b []float64) float64 {
	n := min(len(a), len(b))
	quotients := make([]float64, n)
	for i := range n {
		quotients[i] = a[i] / b[i]
	}
	return Median(quotients)
}
