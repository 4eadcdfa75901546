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
	beside        float64 // ratio to the second lane that it is compared with, likewise
	bytes, allocs float64 // per record
}

// summarize takes the medians of a comparison. The cells are in the order of the first report.
func summarize(reports []*report, c lane.Comparison) []summary {
	type values struct{ ns, ratio, beside, bytes, allocs []float64 }
	var cells []cell
	all := map[cell]*values{}
	for _, rep := range reports {
		ns := map[cell][]float64{}
		for _, s := range rep.Series {
			ns[cell{s.Op, s.Workload, s.Lane}] = s.Ns
		}
		for _, s := range rep.Series {
			at := cell{s.Op, s.Workload, s.Lane}
			v := all[at]
			if v == nil {
				v = &values{}
				all[at] = v
				cells = append(cells, at)
			}
			v.ns = append(v.ns, measure.Median(s.Ns))
			v.ratio = append(v.ratio, measure.Ratio(s.Ns, ns[cell{s.Op, s.Workload, c.Base(s.Lane)}]))
			if c.Beside != nil {
				v.beside = append(v.beside, measure.Ratio(s.Ns, ns[cell{s.Op, s.Workload, c.Beside(s.Lane)}]))
			}
			v.bytes = append(v.bytes, s.Bytes)
			v.allocs = append(v.allocs, s.Allocs)
		}
	}
	out := make([]summary, len(cells))
	for i, at := range cells {
		v := all[at]
		out[i] = summary{
			cell: at, ns: measure.Median(v.ns),
			ratio: measure.Median(v.ratio), least: slices.Min(v.ratio), most: slices.Max(v.ratio),
			beside: measure.Median(v.beside),
			bytes:  measure.Median(v.bytes), allocs: measure.Median(v.allocs),
		}
	}
	return out
}

// printCells prints one line for each cell of a comparison, operation by operation.
func printCells(w io.Writer, c lane.Comparison, all []summary) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "operation\tworkload\tlane\tns/op\tratio\tof layouts\tB/op\tallocs/op\t"+columnBeside(c))
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
			fmt.Fprintf(t, "%s\t%s\t%s\t%.1f\t%s\t%s\t%.0f\t%.2f\t", s.op, s.workload, s.lane, s.ns, ratio, span, s.bytes, s.allocs)
			if c.Beside != nil {
				fmt.Fprintf(t, "%.2f\t", s.beside)
			}
			fmt.Fprintln(t)
		}
	}
	return t.Flush()
}

// columnBeside is the head of the column of ratios to the second lane, where there is one.
func columnBeside(c lane.Comparison) string {
	if c.Beside == nil {
		return ""
	}
	return "to " + c.WhatBeside + "\t"
}
