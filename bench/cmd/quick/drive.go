//go:build !worker

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/flinkser/flinkser/bench/internal/clock"
	"github.com/flinkser/flinkser/bench/internal/compile"
	"github.com/flinkser/flinkser/bench/internal/lane"
	"github.com/flinkser/flinkser/bench/internal/measure"
)

// self is the import path of this command.
const self = "github.com/flinkser/flinkser/bench/cmd/quick"

// compileMessages is the number of messages in the packages that are compiled.
const compileMessages = 200

// drive builds and runs the workers, compiles the packages, and prints the tables.
func drive(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "flinkser-quick-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	start := time.Now()
	progress := func(format string, args ...any) {
		fmt.Fprintf(stderr, "%4.0fs  %s\n", time.Since(start).Seconds(), fmt.Sprintf(format, args...))
	}
	var all []reports
	for i := range o.layouts {
		seed := o.seed + uint64(i)
		progress("layout %d of %d: building", i+1, o.layouts)
		programs, err := buildAll(ctx, dir, o, seed)
		if err != nil {
			return err
		}
		progress("layout %d of %d: measuring", i+1, o.layouts)
		layout := reports{}
		for _, c := range o.comparisons() {
			// Each cell has a process of its own: the time of a lane that allocates depends on
			// what others have left in the heap.
			for _, w := range c.Workloads {
				bin := programs[c.Tag(w)]
				for i, op := range o.ops {
					one, err := runWorker(ctx, bin, o, c, w, op, seed, stderr)
					if err != nil {
						return err
					}
					layout.of(c).add(one, i == 0)
				}
			}
		}
		all = append(all, layout)
	}
	var compiled []compiledKind
	if o.compile > 0 {
		if compiled, err = compileAll(ctx, filepath.Join(dir, "compile"), o, progress); err != nil {
			return err
		}
	}

	var found []verdict
	if len(all) > 0 {
		printHead(stdout, o, len(all), all[0])
		sums := map[string][]summary{}
		for _, c := range o.comparisons() {
			var layouts []*report
			for _, layout := range all {
				layouts = append(layouts, layout.of(c))
			}
			sums[c.Name] = summarize(layouts, c)
			rounds := 0
			for _, s := range layouts[0].Series {
				rounds = len(s.Ns)
			}
			fmt.Fprintf(stdout, "ratio: to %s, in the same turns; %d slices for each lane and layout\n\n", c.What, rounds)
			if err := printCells(stdout, c, sums[c.Name]); err != nil {
				return err
			}
			fmt.Fprintln(stdout)
		}
		found = verdicts(sums[lane.Libraries().Name], sums[lane.Levels().Name], sums[lane.Dynamic().Name])
	}
	if len(compiled) > 0 {
		if err := printCompiled(stdout, compiled); err != nil {
			return err
		}
		fmt.Fprintln(stdout)
		found = append(found, compileVerdict(compiled))
	}
	complete := o.layouts > 0 && len(o.compare) == len(lane.Comparisons()) && len(o.workloads) == len(lane.Workloads()) &&
		len(o.ops) == len(lane.Ops()) && len(o.lanes) == len(lane.Names())
	return printVerdicts(stdout, found, complete)
}

// buildAll builds the programs of a layout, by build tag.
func buildAll(ctx context.Context, dir string, o options, seed uint64) (map[string]string, error) {
	programs := map[string]string{}
	for _, c := range o.comparisons() {
		for _, w := range c.Workloads {
			tag := c.Tag(w)
			if programs[tag] != "" {
				continue
			}
			bin, err := build(ctx, dir, tag, seed)
			if err != nil {
				return nil, err
			}
			programs[tag] = bin
		}
	}
	return programs, nil
}

// build builds this command with the functions in a random order, as a program that can
// only be a worker.
func build(ctx context.Context, dir, tag string, seed uint64) (string, error) {
	bin := filepath.Join(dir, fmt.Sprintf("layout-%d-%s", seed, tag))
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", "worker,"+tag, "-o", bin, fmt.Sprintf("-ldflags=-randlayout=%d", seed), self)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(out))
	}
	return bin, nil
}

// runWorker runs one of the programs, for one operation on one workload.
func runWorker(ctx context.Context, bin string, o options, c lane.Comparison, workload, op string, seed uint64, stderr io.Writer) (*report, error) {
	cmd := exec.CommandContext(ctx, bin, "-worker", "-json",
		"-slice", o.slice.String(), "-time", o.time.String(), "-seed", fmt.Sprint(seed),
		"-compare", c.Name, "-workload", workload, "-op", op, "-lane", strings.Join(c.Lanes, ","))
	// The collector is to run as it does by default.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GOGC=") || strings.HasPrefix(v, "GOMEMLIMIT=") || strings.HasPrefix(v, "GODEBUG=")
	})
	cmd.Stderr = stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the worker has failed: %w", err)
	}
	all := reports{}
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, fmt.Errorf("the worker has printed no report: %w", err)
	}
	return all.of(c), nil
}

func printHead(w io.Writer, o options, layouts int, first reports) {
	fmt.Fprintf(w, "%s %s/%s, %d layouts, slices of %v\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, layouts, o.slice)
	rep := first.of(o.comparisons()[0])
	where := fmt.Sprintf("core %d", rep.Core)
	if rep.NotPinned != "" {
		where = "no fixed core (" + rep.NotPinned + ")"
	}
	fmt.Fprintf(w, "%s, on %s, GOMAXPROCS=1, collector on\n", clock.Name, where)
	// Whatever is compared, every lane of the workload passes the gate.
	fmt.Fprintf(w, "%d records have passed the gate in every lane; mean frame:", rep.Records)
	for _, workload := range o.comparisons()[0].Workloads {
		fmt.Fprintf(w, " %s %.0f", workload, rep.FrameBytes[workload])
	}
	fmt.Fprint(w, " bytes\n\n")
}

// compiledKind is what was measured for the package of one kind.
type compiledKind struct {
	kind    compile.Kind
	seconds []float64 // of each repetition
	lines   int
	size    int64 // 0: not measured
}

// compileAll compiles the packages in turns.
func compileAll(ctx context.Context, dir string, o options, progress func(string, ...any)) ([]compiledKind, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	progress("compile time: generating %d messages", compileMessages)
	kinds := []compile.Kind{compile.Ours, compile.VTProto, compile.Protobuf}
	b, err := compile.New(ctx, dir, compileMessages, kinds...)
	if err != nil {
		return nil, err
	}
	all := make([]compiledKind, len(kinds))
	order := make([]int, len(kinds))
	for i, k := range kinds {
		order[i] = i
		all[i].kind = k
		if all[i].lines, err = b.Lines(k); err != nil {
			return nil, err
		}
	}
	for r := range o.compile {
		progress("compile time: repetition %d of %d", r+1, o.compile)
		for _, i := range order {
			d, err := b.Compile(ctx, kinds[i])
			if err != nil {
				return nil, err
			}
			all[i].seconds = append(all[i].seconds, d.Seconds())
		}
		slices.Reverse(order)
	}
	if o.size {
		progress("size of programs")
		for i, k := range kinds {
			if all[i].size, err = b.Size(ctx, k); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// compileVerdict compares the first kind, ours, with the second.
func compileVerdict(all []compiledKind) verdict {
	ours, peer := all[0].seconds, all[1].seconds
	ratios := make([]float64, len(ours))
	for i := range ratios {
		ratios[i] = ours[i] / peer[i]
	}
	return verdict{
		name: "compile time to vtprotobuf", limit: compileLimit,
		ratio: measure.Ratio(ours, peer), least: slices.Min(ratios), most: slices.Max(ratios),
	}
}

// printCompiled prints one line for each package.
func printCompiled(w io.Writer, all []compiledKind) error {
	fmt.Fprintf(w, "package of %d messages\n", compileMessages)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "generated by\tcompiler, processor time\tlines")
	if all[0].size > 0 {
		fmt.Fprint(t, "\tprogram, bytes")
	}
	fmt.Fprintln(t)
	for _, k := range all {
		fmt.Fprintf(t, "%s\t%.2f s\t%d", k.kind.What, measure.Median(k.seconds), k.lines)
		if k.size > 0 {
			fmt.Fprintf(t, "\t%d", k.size)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
