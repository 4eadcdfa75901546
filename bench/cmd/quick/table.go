package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/flinkser/flinkser/bench/internal/lane"
	"github.com/flinkser/flinkser/bench/internal/measure"
)

// cell names what is measured.
type cell struct{ op, workload, lane string }

// summary is what all layouts came to for one cell.
type summary struct {
	cell
	ns            float64 // per record: median over the layouts of the median over the slices
	ratio         float64 // to the lane that it is compared with, likewise; NaN without it
	least, most   float64 // lowest and highest ratio of a layout
	bytes, allocs float64 // per record
}

// summarize takes the medians. The cells are in the order of the first report. base returns
// the lane that a lane is compared with.
func summarize(reports []*report, base func(lane string) string) []summary {
	type values struct{ ns, ratio, bytes, allocs []float64 }
	var cells []cell
	all := map[cell]*values{}
	for _, rep := range reports {
		ns := map[cell][]float64{}
		for _, s := range rep.Series {
			ns[cell{s.Op, s.Workload, s.Lane}] = s.Ns
		}
		for _, s := range rep.Series {
			c := cell{s.Op, s.Workload, s.Lane}
			v := all[c]
			if v == nil {
				v = &values{}
				all[c] = v
				cells = append(cells, c)
			}
			v.ns = append(v.ns, measure.Median(s.Ns))
			v.ratio = append(v.ratio, measure.Ratio(s.Ns, ns[cell{s.Op, s.Workload, base(s.Lane)}]))
			v.bytes = append(v.bytes, s.Bytes)
			v.allocs = append(v.allocs, s.Allocs)
		}
	}
	out := make([]summary, len(cells))
	for i, c := range cells {
		v := all[c]
		out[i] = summary{
			cell: c, ns: measure.Median(v.ns),
			ratio: measure.Median(v.ratio), least: slices.Min(v.ratio), most: slices.Max(v.ratio),
			bytes: measure.Median(v.bytes), allocs: measure.Median(v.allocs),
		}
	}
	return out
}

// printCells prints one line for each cell, operation by operation.
func printCells(w io.Writer, all []summary) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "operation\tworkload\tlane\tns/op\tratio\tof layouts\tB/op\tallocs/op\t")
	for _, op := range lane.Ops() {
		for _, s := range all {
			if s.op != op {
				continue
			}
			ratio, span := "-", "-"
			if !math.IsNaN(s.ratio) {
				ratio = fmt.Sprintf("%.3f", s.ratio)
				span = fmt.Sprintf("%.3f..%.3f", s.least, s.most)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%.1f\t%s\t%s\t%.0f\t%.2f\t\n", s.op, s.workload, s.lane, s.ns, ratio, span, s.bytes, s.allocs)
		}
	}
	return t.Flush()
}
