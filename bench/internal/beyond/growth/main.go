// This program measures how time and memory grow with the size of a message, for this project's code.
// It prints a table. Its exit code is 3 if something grows too fast, and 1 if there is no table.
package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/flinkser/flinkser/bench/internal/beyond/curves"
	"github.com/flinkser/flinkser/bench/internal/beyond/timing"
	"github.com/flinkser/flinkser/bench/internal/pin"
)

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
		if errors.Is(err, curves.ErrTooSteep) {
			os.Exit(curves.ExitTooSteep)
		}
		os.Exit(1)
	}
}

// run prints the table when it is whole.
func run() error {
	var table bytes.Buffer
	out := csv.NewWriter(&table)
	if err := out.Write(curves.Header()); err != nil {
		return err
	}
	for _, d := range dimensions() {
		measured, err := d.measure()
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		for _, operation := range []string{"serialize", "deserialize"} {
			for _, p := range measured[operation] {
				err := out.Write([]string{
					d.name, operation, strconv.Itoa(p.size), strconv.FormatFloat(p.cost.Ns, 'f', 1, 64), strconv.FormatFloat(p.cost.Bytes, 'f', 0, 64),
				})
				if err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	if _, err := os.Stdout.Write(table.Bytes()); err != nil {
		return err
	}
	return curves.Check(table.Bytes())
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
