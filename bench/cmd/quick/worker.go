package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/lane"
	"github.com/flinkser/flinkser/bench/internal/measure"
	"github.com/flinkser/flinkser/bench/internal/pin"
)

// report is what a worker hands back.
type report struct {
	Core       int                // the core it ran on, or -1
	NotPinned  string             // why it did not stay on one
	Records    int                // that have passed the gate
	FrameBytes map[string]float64 // mean size by workload
	Series     []measure.Series
}

// reports are those of one program, by name of the comparison.
type reports map[string]*report

// of returns the report of a comparison, which is an empty one at first.
func (all reports) of(c lane.Comparison) *report {
	rep := all[c.Name]
	if rep == nil {
		rep = &report{Core: -1, FrameBytes: map[string]float64{}}
		all[c.Name] = rep
	}
	return rep
}

// add puts the report of another process beside rep. The records are counted where count
// says so: once for all operations on them.
func (rep *report) add(one *report, count bool) {
	rep.Core, rep.NotPinned = one.Core, one.NotPinned
	if count {
		rep.Records += one.Records
	}
	maps.Copy(rep.FrameBytes, one.FrameBytes)
	rep.Series = append(rep.Series, one.Series...)
}

// work is the part of the command that measures, in a process of its own.
func work(o options, stdout, stderr io.Writer) error {
	core, err := pin.Pin()
	notPinned := ""
	if err != nil {
		core, notPinned = -1, err.Error()
		fmt.Fprintln(stderr, "quick: not pinned to a core:", err)
	}
	runtime.GOMAXPROCS(1)
	all := reports{}
	err = profiled(o, func() error { return o.measure(all) })
	if err != nil {
		return err
	}
	for _, rep := range all {
		rep.Core, rep.NotPinned = core, notPinned
	}
	if o.json {
		return json.NewEncoder(stdout).Encode(all)
	}
	for _, c := range o.comparisons() {
		fmt.Fprintf(stdout, "ratio: to %s\n", c.What)
		if err := printCells(stdout, c, summarize([]*report{all.of(c)}, c)); err != nil {
			return err
		}
	}
	return nil
}

// measure checks and measures what the options ask for.
func (o options) measure(all reports) error {
	for _, c := range o.comparisons() {
		if err := o.measureOne(all.of(c), c); err != nil {
			return fmt.Errorf("comparison of %s: %w", c.Name, err)
		}
	}
	return nil
}

// comparisons returns the comparisons that are asked for, with the lanes and workloads that
// are.
func (o options) comparisons() []lane.Comparison {
	var all []lane.Comparison
	for _, c := range lane.Comparisons() {
		if !slices.Contains(o.compare, c.Name) {
			continue
		}
		c.Lanes = c.Pick(o.lanes)
		c.Workloads = slices.DeleteFunc(c.Workloads, func(w string) bool { return !slices.Contains(o.workloads, w) })
		if len(c.Lanes) > 0 && len(c.Workloads) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// measureOne measures one comparison.
func (o options) measureOne(rep *report, c lane.Comparison) error {
	rounds := max(1, int(c.Share*float64(o.time)/float64(o.slice)))
	for _, w := range c.Workloads {
		for i, op := range o.ops {
			lanes, records, err := prepare(rep, c, w, op, i == 0)
			if err != nil {
				return err
			}
			series, err := measure.Lanes(lanes, records, measure.Options{
				Slice: o.slice, Rounds: rounds, Seed: o.seed, Together: c.Together,
			})
			if err != nil {
				return fmt.Errorf("workload %s: %w", w, err)
			}
			for i := range series {
				series[i].Workload = w
			}
			rep.Series = append(rep.Series, series...)
		}
	}
	return nil
}

// prepare checks the lanes of a workload and returns those of one operation and comparison.
// Nothing else of the workload stays alive: what the harness holds costs the collector time in every
// cycle, and the lanes would be charged for it by the byte that they allocate.
func prepare(rep *report, c lane.Comparison, workload, op string, count bool) ([]*lane.Lane, int, error) {
	set, err := lane.New(c, workload)
	if err != nil {
		return nil, 0, err
	}
	if err := set.Check(); err != nil {
		return nil, 0, err
	}
	if count {
		rep.Records += set.Records()
		rep.FrameBytes[workload] = set.FrameBytes()
	}
	all := set.Of(op)
	var lanes []*lane.Lane
	for _, name := range c.Lanes {
		if i := slices.IndexFunc(all, func(l *lane.Lane) bool { return l.Name == name }); i >= 0 {
			lanes = append(lanes, all[i])
		}
	}
	return lanes, set.Records(), nil
}

// profiled calls f and writes the profiles that were asked for.
func profiled(o options, f func() error) error {
	if o.memProfile != "" {
		// One sample for so many bytes: fine enough for small records.
		runtime.MemProfileRate = 4096
	}
	if o.cpuProfile != "" {
		file, err := os.Create(o.cpuProfile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return errors.Join(err, file.Close())
		}
		err = f()
		pprof.StopCPUProfile()
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	} else if err := f(); err != nil {
		return err
	}
	if o.memProfile == "" {
		return nil
	}
	file, err := os.Create(o.memProfile)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
}

// list splits the value of a flag and checks it against what there is. An empty value
// gives all.
func list(name, value string, all []string) ([]string, error) {
	if value == "" {
		return all, nil
	}
	names := strings.Split(value, ",")
	for _, n := range names {
		if !slices.Contains(all, n) {
			return nil, fmt.Errorf("-%s: no %q; there are %s", name, n, strings.Join(all, ", "))
		}
	}
	return names, nil
}
