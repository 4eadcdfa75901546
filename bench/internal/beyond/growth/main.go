// This program measures how time and memory grow with the size of a message, for this project's code.
// It prints a table. Its exit code is 1 if something grows too fast.
package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/flinkser/flinkser/bench/internal/beyond/timing"
	"github.com/flinkser/flinkser/bench/internal/pin"
)

// slopeLimit is the largest slope, on logarithmic axes, over the upper two decades of a curve. 1 is in
// proportion, 2 with the square.
const slopeLimit = 1.15

// point is a point of a curve.
type point struct {
	size int
	cost timing.Cost
}

func main() {
	if _, err := pin.Pin(); err != nil {
		fmt.Fprintln(os.Stderr, "growth: not on one core:", err)
	}
	runtime.GOMAXPROCS(1)
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

func run() error {
	out := csv.NewWriter(os.Stdout)
	if err := out.Write([]string{"dimension", "operation", "size", "ns_per_op", "allocated_bytes_per_op"}); err != nil {
		return err
	}
	var steep []string
	for _, d := range dimensions() {
		curves, err := d.measure()
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		for _, operation := range []string{"serialize", "deserialize"} {
			points := curves[operation]
			if len(points) == 0 {
				continue
			}
			for _, p := range points {
				err := out.Write([]string{
					d.name, operation, strconv.Itoa(p.size), strconv.FormatFloat(p.cost.Ns, 'f', 1, 64), strconv.FormatFloat(p.cost.Bytes, 'f', 0, 64),
				})
				if err != nil {
					return err
				}
			}
			if s := slope(points); s > slopeLimit {
				steep = append(steep, fmt.Sprintf("%s, %s: %.2f", d.name, operation, s))
			} else {
				fmt.Fprintf(os.Stderr, "growth: %s, %s: slope %.2f\n", d.name, operation, s)
			}
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	if len(steep) > 0 {
		return fmt.Errorf("slopes above %v: %s", slopeLimit, strings.Join(steep, "; "))
	}
	return nil
}

// slope returns the slope over the upper two decades of a curve: that of the straight line through its
// points which has the smallest squares.
func slope(points []point) float64 {
	last := points[len(points)-1]
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		if p.size*100 < last.size {
			continue
		}
		x, y := math.Log(float64(p.size)), math.Log(p.cost.Ns)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// timings and each say how long a point is measured.
const (
	timings = 5
	each    = 10 * time.Millisecond
)

// measure measures the points of a dimension.
func (d dimension) measure() (map[string][]point, error) {
	curves := map[string][]point{}
	for _, size := range d.sizes {
		ops, err := d.at(size)
		if err != nil {
			return nil, err
		}
		for name, f := range ops {
			cost, err := timing.Of(timings, each, f)
			if err != nil {
				return nil, fmt.Errorf("size %d, %s: %w", size, name, err)
			}
			curves[name] = append(curves[name], point{size, cost})
		}
	}
	return curves, nil
}
