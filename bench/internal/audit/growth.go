package audit

import (
	"io/fs"
	"math"
)

// steepest is the largest slope of a curve of growth that a run may have.
const steepest = 1.15

// growth calculates the slopes over the upper two decades of growth.csv, which a run may leave out.
func (a *auditor) growth() {
	if _, err := fs.Stat(a.files, "growth.csv"); err != nil {
		return
	}
	type key struct{ dimension, operation string }
	curves := map[key][][2]float64{}
	for i, row := range a.csv("growth.csv", a.read("growth.csv")) {
		size, ns := value(row["size"]), value(row["ns_per_op"])
		if !(size > 0) || !(ns > 0) {
			a.bad("growth.csv: line %d has no size or no time", i+2)
			continue
		}
		k := key{row["dimension"], row["operation"]}
		curves[k] = append(curves[k], [2]float64{math.Log2(size), math.Log2(ns)})
	}
	for k, points := range curves {
		if s := steepness(points); !(s <= steepest) {
			a.bad("growth.csv: %s, %s: the slope is %.3f, and may be %v at most", k.dimension, k.operation, s, steepest)
		}
	}
	a.checked("curves of growth.csv that are not too steep", len(curves))
}

// steepness returns the covariance of the logarithms over the variance of those of the sizes, among
// the points of the upper two decades.
func steepness(points [][2]float64) float64 {
	last := math.Inf(-1)
	for _, p := range points {
		last = math.Max(last, p[0])
	}
	var n, meanX, meanY, xx, xy float64
	for _, p := range points {
		if p[0] < last-math.Log2(100)-1e-9 {
			continue
		}
		n++
		dx := p[0] - meanX
		meanX += dx / n
		meanY += (p[1] - meanY) / n
		xx += dx * (p[0] - meanX)
		xy += dx * (p[1] - meanY)
	}
	return xy / xx
}
