// Package curves reads growth.csv, and says which of its curves are too steep.
package curves

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Limit is the largest slope, on logarithmic axes, over the upper two decades of a curve. 1 is in
// proportion, 2 with the square.
const Limit = 1.15

// ExitTooSteep is the exit code of the program growth if its table is whole, but has a curve above the limit.
const ExitTooSteep = 3

// ErrTooSteep is wrapped by the error of a table with a curve above the limit.
var ErrTooSteep = errors.New("something grows too fast")

// Header is that of the table.
func Header() []string {
	return []string{"dimension", "operation", "size", "ns_per_op", "allocated_bytes_per_op"}
}

// Curve is an operation over the sizes of a dimension.
type Curve struct {
	Dimension, Operation string
	Points               []Point
}

// Point is the time at a size.
type Point struct{ Size, Ns float64 }

// Read reads a table.
func Read(table []byte) ([]*Curve, error) {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) < 2 || !slices.Equal(rows[0], Header()) {
		return nil, errors.New("this is no table of growth")
	}
	var all []*Curve
	for _, row := range rows[1:] {
		var p Point
		for i, to := range []*float64{&p.Size, &p.Ns} {
			if *to, err = strconv.ParseFloat(row[2+i], 64); err != nil || !(*to > 0) {
				return nil, fmt.Errorf("%s, %s: %q is no size or time", row[0], row[1], row[2+i])
			}
		}
		i := slices.IndexFunc(all, func(c *Curve) bool { return c.Dimension == row[0] && c.Operation == row[1] })
		if i < 0 {
			i, all = len(all), append(all, &Curve{Dimension: row[0], Operation: row[1]})
		}
		all[i].Points = append(all[i].Points, p)
	}
	return all, nil
}

// Slope returns that over the upper two decades: of the straight line through the points which has the
// smallest squares.
func (c *Curve) Slope() float64 {
	last := c.Points[len(c.Points)-1]
	var n, sx, sy, sxx, sxy float64
	for _, p := range c.Points {
		if p.Size*100 < last.Size {
			continue
		}
		x, y := math.Log(p.Size), math.Log(p.Ns)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// Check fails if a table cannot be read or has a curve above the limit.
func Check(table []byte) error {
	all, err := Read(table)
	if err != nil {
		return err
	}
	var steep []string
	for _, c := range all {
		if s := c.Slope(); !(s <= Limit) {
			steep = append(steep, fmt.Sprintf("%s, %s: %.2f", c.Dimension, c.Operation, s))
		}
	}
	if len(steep) > 0 {
		return fmt.Errorf("%w: slopes above %v: %s", ErrTooSteep, Limit, strings.Join(steep, "; "))
	}
	return nil
}
