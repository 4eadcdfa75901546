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
// new ones, which is what google.golang.org/protobuf can do.
var limits = []struct {
	name, op, lane string
	most           [6]float64
}{
	{"serialize", lane.Serialize, lane.Ours, [6]float64{.15, .13, .20, .12, 1.0, .28}},
	{"deserialize", lane.Deserialize, lane.Ours, [6]float64{.55, .45, .55, .27, 1.08, .60}},
	{"reuse", lane.Deserialize, lane.OursReuse, [6]float64{.22, .25, .32, .19, .45, .50}},
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

// verdicts looks up what each limit is about.
func verdicts(all []summary) []verdict {
	var out []verdict
	for _, l := range limits {
		for i, w := range lane.Workloads() {
			v := verdict{name: l.name + " " + w, ratio: math.NaN(), limit: l.most[i]}
			for _, s := range all {
				if s.cell == (cell{l.op, w, l.lane}) {
					v.ratio, v.least, v.most = s.ratio, s.least, s.most
				}
			}
			out = append(out, v)
		}
	}
	return out
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
