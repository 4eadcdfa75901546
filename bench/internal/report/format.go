package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/flinkser/flinkser/bench/internal/results"
)

// digits prints a number with three significant digits at most, and never an exponent.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= .995 || a == 0:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return three(v)
	}
}

// three prints three significant digits without the zeros behind them: 0.5, 0.0042.
func three(v float64) string {
	s := strconv.FormatFloat(v, 'g', 3, 64)
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}

// nanoseconds prints a time with a unit that suits it.
func nanoseconds(ns float64) string { return scaled(ns, []string{"ns", "µs", "ms", "s"}) }

// byteCount prints a number of bytes with a unit that suits it.
func byteCount(n float64) string {
	if n < 1000 {
		return trimmed(n, 1) + " B"
	}
	return scaled(n/1000, []string{"kB", "MB", "GB"})
}

func scaled(v float64, units []string) string {
	i := 0
	for v >= 999.5 && i < len(units)-1 {
		v /= 1000
		i++
	}
	return three(v) + " " + units[i]
}

// trimmed prints a number with at most so many digits behind the point.
func trimmed(v float64, places int) string {
	p := math.Pow(10, float64(places))
	return strconv.FormatFloat(math.Round(v*p)/p, 'f', -1, 64)
}

// ratioText prints a ratio: 0.034, 0.34, 3.4, 34.
func ratioText(r float64) string {
	switch {
	case r < .0995:
		return strconv.FormatFloat(r, 'f', 3, 64)
	case r < 9.95:
		return strconv.FormatFloat(r, 'f', 2, 64)
	default:
		return strconv.FormatFloat(r, 'f', 1, 64)
	}
}

// estimateText prints a ratio with its interval.
func estimateText(e results.Estimate) string {
	switch {
	case !e.Measured:
		return "–"
	case !e.Bounded:
		return ratioText(e.Ratio)
	default:
		return fmt.Sprintf("%s [%s, %s]", ratioText(e.Ratio), ratioText(e.Lower), ratioText(e.Upper))
	}
}

// count prints a number of things: 1 cell, 2 cells.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
