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
)

// report is what a worker hands back.
type report struct {
	Core       int                // the core it ran on, or -1
	NotPinned  string             // why it did not stay on one
	Records    int                // that have passed the gate
	FrameBytes map[string]float64 // mean size by workload
	Series     []measure.Series
}

// add puts the report of another process beside rep. The records are counted where count
// says so: once for all operations on them.
func (rep *report) add(one report, count bool) {
	rep.Core, rep.NotPinned = one.Core, one.NotPinned
	if count {
		rep.Records += one.Records
	}
	maps.Copy(rep.FrameBytes, one.FrameBytes)
	rep.Series = append(rep.Series, one.Series...)
}

// work is the part of the command that measures, in a process of its own.
func work(o options, stdout, stderr io.Writer) error {
	rep := report{Core: -1, FrameBytes: map[string]float64{}}
	core, err := pin()
	if err != nil {
		rep.NotPinned = err.Error()
		fmt.Fprintln(stderr, "quick: not pinned to a core:", err)
	} else {
		rep.Core = core
	}
	runtime.GOMAXPROCS(1)
	err = profiled(o, func() error { return o.measure(&rep) })
	if err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(stdout).Encode(rep)
	}
	return printCells(stdout, summarize([]report{rep}))
}

// measure checks and measures what the options ask for.
func (o options) measure(rep *report) error {
	for _, w := range o.workloads {
		for i, op := range o.ops {
			lanes, records, err := o.prepare(rep, w, op, i == 0)
			if err != nil {
				return err
			}
			series, err := measure.Lanes(lanes, records, measure.Options{
				Slice: o.slice, Rounds: int(o.time / o.slice), Seed: o.seed,
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

// prepare checks the lanes of a workload and returns those of one operation. Nothing else
// of the workload stays alive: what the harness holds costs the collector time in every
// cycle, and the lanes would be charged for it by the byte that they allocate.
func (o options) prepare(rep *report, workload, op string, count bool) ([]*lane.Lane, int, error) {
	set, err := lane.New(workload)
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
	lanes := slices.DeleteFunc(set.Of(op), func(l *lane.Lane) bool { return !slices.Contains(o.lanes, l.Name) })
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
