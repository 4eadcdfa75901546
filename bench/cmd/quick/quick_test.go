//go:build !worker

package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/lane"
	"github.com/flinkser/flinkser/bench/internal/measure"
)

// series makes a series of the ratios to a baseline whose slices take 100, 200, ... ns.
func series(op, workload, name string, ratios ...float64) measure.Series {
	s := measure.Series{Op: op, Workload: workload, Lane: name, Bytes: 8, Allocs: 1}
	for i, r := range ratios {
		s.Ns = append(s.Ns, r*float64(100*(i+1)))
	}
	return s
}

func TestSummarize(t *testing.T) {
	layout := func(ratios ...float64) *report {
		return &report{Series: []measure.Series{
			series(lane.Serialize, "scalar", lane.Ours, ratios...),
			series(lane.Serialize, "scalar", lane.Protobuf, 1, 1, 1),
			// Another cell, whose baseline must not be taken for the first.
			series(lane.Serialize, "text", lane.Protobuf, 50, 50, 50),
			series(lane.Deserialize, "scalar", lane.Ours, 1, 1, 1),
		}}
	}
	got := summarize([]*report{layout(.5, .25, 4), layout(.125, .125, .125), layout(8, 1, .5)}, lane.Libraries())
	var cells []cell
	for _, s := range got {
		cells = append(cells, s.cell)
	}
	if want := []cell{
		{lane.Serialize, "scalar", lane.Ours},
		{lane.Serialize, "scalar", lane.Protobuf},
		{lane.Serialize, "text", lane.Protobuf},
		{lane.Deserialize, "scalar", lane.Ours},
	}; !slices.Equal(cells, want) {
		t.Fatalf("the cells are %v, want %v", cells, want)
	}
	// Layouts: .5, .125 and 1. The slices of the layouts have medians of 50, 25 and 200 ns.
	if s := got[0]; s.ratio != .5 || s.least != .125 || s.most != 1 || s.ns != 50 || s.bytes != 8 || s.allocs != 1 {
		t.Errorf("the summary is %+v", s)
	}
	if s := got[3]; !math.IsNaN(s.ratio) {
		t.Errorf("the ratio of a lane without a baseline is %v, want NaN", s.ratio)
	}
}

func TestReportAdd(t *testing.T) {
	rep := report{FrameBytes: map[string]float64{}}
	one := func(op string) *report {
		return &report{
			Core: 1, Records: 64, FrameBytes: map[string]float64{"scalar": 30},
			Series: []measure.Series{series(op, "scalar", lane.Protobuf, 1)},
		}
	}
	rep.add(one(lane.Serialize), true)
	rep.add(one(lane.Deserialize), false)
	if rep.Core != 1 || rep.Records != 64 || rep.FrameBytes["scalar"] != 30 {
		t.Errorf("the report is %+v, want core 1, 64 records, 30 bytes", rep)
	}
	if len(rep.Series) != 2 || rep.Series[0].Op != lane.Serialize || rep.Series[1].Op != lane.Deserialize {
		t.Errorf("the series are %+v, want one of each operation", rep.Series)
	}
}

func TestVerdicts(t *testing.T) {
	var all, levels []summary
	for _, v := range []struct {
		op, workload, lane string
		ratio              float64
	}{
		{lane.Serialize, "scalar", lane.Ours, .15},
		{lane.Serialize, "social", lane.Ours, .281},
		{lane.Deserialize, "large", lane.Ours, 1.0804},
		{lane.Deserialize, "collections", lane.OursReuse, .1},
		{lane.Deserialize, "text", lane.VTProto, 9},
	} {
		all = append(all, summary{cell: cell{v.op, v.workload, v.lane}, ratio: v.ratio})
	}
	for name, ratio := range map[string]float64{
		lane.At(lane.Ours, lane.Opaque): 1.1, lane.At(lane.Ours, lane.Hybrid): 1.101, lane.At(lane.Protobuf, lane.Hybrid): 9,
	} {
		levels = append(levels, summary{cell: cell{lane.Serialize, "nested", name}, ratio: ratio})
	}
	dynamic := []summary{
		{cell: cell{lane.Serialize, "text", lane.OursDynamic}, ratio: .71},
		{cell: cell{lane.Serialize, "large", lane.OursDynamic}, ratio: .71},
		{cell: cell{lane.Deserialize, "traces", lane.OursDynamic}, ratio: .8},
	}
	got := map[string]verdict{}
	for _, v := range verdicts(all, levels, dynamic) {
		got[v.name] = v
	}
	if want := 3*7 + 2 + 2*3*6 + 2*7; len(got) != want {
		t.Errorf("there are %d limits, want %d", len(got), want)
	}
	for c, most := range levelLimits {
		if most <= levelLimit || most > 1.25 {
			t.Errorf("the limit of %v is %v, want more than %v and at most 1.25", c, most, levelLimit)
		}
	}
	for _, tt := range []struct {
		name     string
		limit    float64
		met      bool
		measured bool
	}{
		{"serialize scalar", .15, true, true}, // exactly at the limit
		{"serialize social", .28, false, true},
		{"deserialize large", 1.08, true, true}, // as it is printed: 1.080
		{"reuse collections", .19, true, true},
		{"deserialize collections", .27, true, false},
		{"deserialize text", .45, true, false},
		{"reuse nested", .32, true, false},
		{"serialize traces", .11, true, false},
		{"deserialize traces-external", .50, true, false},
		{"opaque serialize nested", levelLimit, true, true},
		{"hybrid serialize nested", levelLimit, false, true},
		{"hybrid reuse social", levelLimit, true, false},
		{"dynamic serialize text", .7, false, true},
		{"dynamic serialize large", 1, true, true},
		{"dynamic deserialize traces", .8, true, true},
	} {
		v, ok := got[tt.name]
		if !ok || v.limit != tt.limit || v.met() != tt.met || !math.IsNaN(v.ratio) != tt.measured {
			t.Errorf("%s: the verdict is %+v, met %v; want limit %v, met %v, measured %v", tt.name, v, v.met(), tt.limit, tt.met, tt.measured)
		}
	}
}

// TestBeside prints the column of the second ratio where a comparison has one.
func TestBeside(t *testing.T) {
	rep := &report{Series: []measure.Series{
		series(lane.Serialize, "scalar", lane.Ours, .25, .25, .25),
		series(lane.Serialize, "scalar", lane.OursDynamic, .5, .5, .5),
		series(lane.Serialize, "scalar", lane.ProtobufDynamic, 1, 1, 1),
	}}
	for _, tt := range []struct {
		c    lane.Comparison
		want []string
		not  string
	}{
		{lane.Dynamic(), []string{"to generated", "0.500  0.500..0.500     8       1.00          2.00"}, "NaN"},
		{lane.Libraries(), []string{"allocs/op\n"}, "generated"},
	} {
		var out strings.Builder
		if err := printCells(&out, tt.c, summarize([]*report{rep}, tt.c)); err != nil {
			t.Fatal(err)
		}
		for _, w := range tt.want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s: %q is not in\n%s", tt.c.Name, w, out.String())
			}
		}
		if strings.Contains(out.String(), tt.not) {
			t.Errorf("%s: %q is in\n%s", tt.c.Name, tt.not, out.String())
		}
	}
}

func TestPrintVerdicts(t *testing.T) {
	good := verdict{name: "good", ratio: .1, limit: .2}
	none := verdict{name: "none", ratio: math.NaN(), limit: .2}
	bad := verdict{name: "bad", ratio: .3, limit: .2}
	for _, tt := range []struct {
		verdicts []verdict
		want     error
		text     string
	}{
		{[]verdict{good, none}, nil, "1 of 2 limits measured, 1 met, 0 not met"},
		{[]verdict{good, none, bad}, errAbove, "2 of 3 limits measured, 1 met, 1 not met"},
	} {
		var out bytes.Buffer
		if err := printVerdicts(&out, tt.verdicts, false); !errors.Is(err, tt.want) {
			t.Errorf("error %v, want %v", err, tt.want)
		}
		if err := printVerdicts(io.Discard, tt.verdicts, true); !errors.Is(err, errAbove) {
			t.Errorf("complete, with a limit that was not measured: error %v", err)
		}
		if !strings.Contains(out.String(), tt.text) || strings.Contains(out.String(), "none") {
			t.Errorf("the text is\n%swant it to say %q and nothing of the limit that was not measured", &out, tt.text)
		}
		if strings.Contains(out.String(), "ABOVE") != (tt.want != nil) {
			t.Errorf("the text is\n%s", &out)
		}
	}
}

func TestCompileVerdict(t *testing.T) {
	got := compileVerdict([]compiledKind{{seconds: []float64{3, 2, 8}}, {seconds: []float64{2, 2, 4}}})
	if got.ratio != 1.5 || got.least != 1 || got.most != 2 || got.met() {
		t.Errorf("the verdict is %+v, met %v; want 1.5 of 1..2, not met", got, got.met())
	}
}

func TestFlags(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-workload scalar,strange", `-workload: no "strange"`},
		{"-op encode", `-op: no "encode"`},
		{"-lane theirs", `-lane: no "theirs"`},
		{"-compare prices", `-compare: no "prices"`},
		{"-compare levels -lane ours,vtprotobuf", "no comparison has"},
		{"-compare levels -workload traces", "no comparison has"},
		{"-slice 1s -time 1ms", "-slice must be"},
		{"-slice 0s", "-slice must be"},
		{"-seed 0", "-seed must be"},
		{"-layouts -1", "must not be negative"},
		{"-cpuprofile x", "need -worker"},
		{"extra", `unexpected argument "extra"`},
		{"-unknown", "flag provided but not defined"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), strings.Fields(tt.args), &stdout, &stderr); code != 2 {
			t.Errorf("%s: exit code %d, want 2", tt.args, code)
		}
		if !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
			t.Errorf("%s: standard error is %q, want it to say %q", tt.args, &stderr, tt.want)
		}
	}
	if code := run(t.Context(), []string{"-h"}, &bytes.Buffer{}, &bytes.Buffer{}); code != 0 {
		t.Errorf("-h: exit code %d, want 0", code)
	}
}

// TestMeasure measures two lanes in this process, which is not pinned.
func TestMeasure(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "mem.out")
	o, err := parse([]string{
		"-worker", "-workload", "nested", "-lane", "ours,protobuf", "-slice", "1ms", "-time", "3ms", "-memprofile", profile,
	}, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	all := reports{}
	if err := profiled(o, func() error { return o.measure(all) }); err != nil {
		t.Fatal(err)
	}
	rep := all.of(lane.Libraries())
	if len(all) != 1 {
		t.Errorf("there are %d comparisons, want that of the two lanes alone", len(all))
	}
	if rep.Records != 64 || rep.FrameBytes["nested"] != 46.4375 || len(rep.Series) != 4 {
		t.Fatalf("the report is %+v", rep)
	}
	for _, s := range rep.Series {
		if s.Workload != "nested" || len(s.Ns) != 3 {
			t.Errorf("the series is %+v, want one of 3 slices of nested", s)
		}
	}
	if info, err := os.Stat(profile); err != nil || info.Size() == 0 {
		t.Errorf("the profile is %v, error %v", info, err)
	}
}

// TestQuick runs the command as it is used, for a short time. What it measures in that
// time is no ground for a verdict, so either one will do.
func TestQuick(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := strings.Fields("-layouts 2 -slice 1ms -time 2ms -compile 0 -workload scalar,social")
	code := run(t.Context(), args, &stdout, &stderr)
	if code != 0 && code != 1 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	for _, want := range []string{
		"2 layouts", "128 records have passed the gate", "scalar 24 social 768 bytes",
		"vtprotobuf", "memcpy+alloc", "serialize social", "reuse scalar", "ours-reuse-opaque", "protobuf-hybrid",
		"opaque reuse scalar", "22 of 73 limits measured",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the output does not say %q:\n%s", want, &stdout)
		}
	}
	if said := strings.Contains(stdout.String(), "ABOVE"); said != (code == 1) {
		t.Errorf("exit code %d with the output\n%s", code, &stdout)
	}
}
