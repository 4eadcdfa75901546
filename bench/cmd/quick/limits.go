package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/flinkser/flinkser/bench/internal/lane"
)

// limits are the largest ratios to google.golang.org/protobuf that the project accepts,
// in the order of lane.Workloads. The reuse of messages is compared with decoding into
// new ones, which is what google.golang.org/protobuf can do. Zero stands for no limit.
var limits = []struct {
	name, op, lane string
	most           [8]float64
}{
	{"serialize", lane.Serialize, lane.Ours, [8]float64{.15, .13, .20, .12, 1.0, .28, .11, .22}},
	{"deserialize", lane.Deserialize, lane.Ours, [8]float64{.55, .45, .55, .27, 1.08, .60, .50, .50}},
	{"reuse", lane.Deserialize, lane.OursReuse, [8]float64{.22, .25, .32, .19, .45, .50, .20, 0}},
}

// levelLimit is the largest ratio that the project accepts of what it takes for hybrid and
// opaque messages to what it takes for open ones.
const levelLimit = 1.10

// levelLimits are those of single cells, where a profile shows what the difference is spent
// on, at most 1.25.
var levelLimits = map[cell]float64{}

// dynamicLimits are the largest ratios of this project to google.golang.org/protobuf, both with
// dynamic messages. Records of the workload large are one copy of 64 KiB, which neither can do without.
var dynamicLimits = []struct {
	name, op    string
	most, large float64
}{
	{"dynamic serialize", lane.Serialize, .7, 1.0},
	{"dynamic deserialize", lane.Deserialize, .8, 1.08},
}

// compileLimit is the largest ratio to vtprotobuf of the time that the Go compiler takes.
const compileLimit = 1.3

// verdict is one ratio beside its limit.
type verdict struct {
	name        string
	ratio       float64 // NaN where it was not measured
	limit       float64
	least, most float64 // of the layouts or repetitions
}

// met reports whether the ratio, as it is printed, is not above the limit.
func (v verdict) met() bool { return !(math.Round(v.ratio*1000) > math.Round(v.limit*1000)) }

// verdicts looks up what each limit is about among the cells of the comparisons.
func verdicts(libraries, levels, dynamic []summary) []verdict {
	var out []verdict
	for _, l := range limits {
		for i, w := range lane.Workloads() {
			if l.most[i] > 0 {
				out = append(out, find(libraries, cell{l.op, w, l.lane}, l.name+" "+w, l.most[i]))
			}
		}
	}
	for _, level := range []string{lane.Hybrid, lane.Opaque} {
		for _, l := range limits {
			for _, w := range lane.Levels().Workloads {
				c := cell{l.op, w, lane.At(l.lane, level)}
				most := levelLimit
				if m, ok := levelLimits[c]; ok {
					most = m
				}
				out = append(out, find(levels, c, level+" "+l.name+" "+w, most))
			}
		}
	}
	for _, l := range dynamicLimits {
		for _, w := range lane.Dynamic().Workloads {
			most := l.most
			if w == "large" {
				most = l.large
			}
			out = append(out, find(dynamic, cell{l.op, w, lane.OursDynamic}, l.name+" "+w, most))
		}
	}
	return out
}

// find returns the verdict on a cell.
func find(all []summary, c cell, name string, limit float64) verdict {
	v := verdict{name: name, ratio: math.NaN(), limit: limit}
	for _, s := range all {
		if s.cell == c {
			v.ratio, v.least, v.most = s.ratio, s.least, s.most
		}
	}
	return v
}

// printVerdicts prints one line for each limit that something was measured for, and
// returns errAbove if one is not met. Where everything was to be measured, complete is
// true, and a limit that nothing was measured for is not met either.
func printVerdicts(w io.Writer, all []verdict, complete bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "limit of\tat most\tmedian\tlowest..highest\t\t")
	measured, above := 0, 0
	for _, v := range all {
		if math.IsNaN(v.ratio) {
			continue
		}
		measured++
		word := "met"
		if !v.met() {
			above++
			word = "ABOVE"
		}
		fmt.Fprintf(t, "%s\t%.2f\t%.3f\t%.3f..%.3f\t%s\t\n", v.name, v.limit, v.ratio, v.least, v.most, word)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d of %d limits measured, %d met, %d not met\n", measured, len(all), measured-above, above)
	if above > 0 || complete && measured < len(all) {
		return errAbove
	}
	return nil
}
