// Quick measures in a few minutes what writing and reading a record costs with this
// project, with google.golang.org/protobuf, with vtprotobuf and with a bare copy of the
// bytes, and compares the ratios with the limits that the project has set itself:
//
//	go run ./cmd/quick
//
// It builds itself several times with the functions of the program in another random
// order, because where the linker puts code alone changes results. Each of these
// programs runs as a process of its own, on one core, with the collector on. It first
// checks that every lane writes and reads every record right. Then the lanes take turns
// in short slices of time. What counts is the quotient of a lane's slice and the slice
// of google.golang.org/protobuf next to it: the median over the slices of a program,
// and then the median over the programs.
//
// In the same way it compares messages of the hybrid and the opaque API with open ones.
//
// It also compiles a package of 200 messages with the code of this project and with
// that of vtprotobuf.
//
// To look closer, measure in one process, with a profile if need be:
//
//	go run ./cmd/quick -worker -workload social -op deserialize -lane ours,protobuf -time 3s -cpuprofile cpu.out
//
// The exit code is 0 where all limits are met, 1 where one is not, and 2 where
// something else went wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/flinkser/flinkser/bench/internal/lane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are the flags.
type options struct {
	layouts               int
	compile               int
	size                  bool
	compare               []string // names of comparisons
	workloads, ops, lanes []string
	slice, time           time.Duration
	seed                  uint64

	worker, json           bool
	cpuProfile, memProfile string
}

// errAbove is the error of a run in which a limit was not met. What it was has been
// printed.
var errAbove = errors.New("a limit is not met")

// run is main for the given arguments; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err == nil && o.worker:
		err = work(o, stdout, stderr)
	case err == nil:
		err = drive(ctx, o, stdout, stderr)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errAbove):
		fmt.Fprintln(stderr, "quick:", err)
		return 1
	default:
		fmt.Fprintln(stderr, "quick:", err)
		return 2
	}
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var compare, workloads, ops, lanes string
	fs := flag.NewFlagSet("quick", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.layouts, "layouts", 5, "number of `programs` with different layouts; 0 leaves out the measurements of records")
	fs.DurationVar(&o.slice, "slice", 10*time.Millisecond, "`length` of one turn of a lane")
	fs.DurationVar(&o.time, "time", 300*time.Millisecond, "`length` of all turns of a lane in one program, for each workload and operation; half of it for API levels")
	fs.IntVar(&o.compile, "compile", 3, "number of `times` that the packages of 200 messages are compiled; 0 leaves that out")
	fs.BoolVar(&o.size, "size", false, "also print the size of a program with the 200 messages")
	fs.StringVar(&compare, "compare", "", fmt.Sprintf("make only these comparisons, a comma-separated `list` of %q: with other libraries, and between API levels", comparisonNames()))
	fs.StringVar(&workloads, "workload", "", fmt.Sprintf("measure only these workloads, a comma-separated `list` of %q", lane.Workloads()))
	fs.StringVar(&ops, "op", "", fmt.Sprintf("measure only these operations, a comma-separated `list` of %q", lane.Ops()))
	fs.StringVar(&lanes, "lane", "", fmt.Sprintf("measure only these lanes, a comma-separated `list` of %q", lane.Names()))
	fs.Uint64Var(&o.seed, "seed", 1, "`number` that the layouts and the order of the lanes come from, 1 or more")
	fs.BoolVar(&o.worker, "worker", false, "measure in this process, with the layout that it has, and compare nothing with limits")
	fs.StringVar(&o.cpuProfile, "cpuprofile", "", "with -worker: write a processor profile of all of it to this `file`")
	fs.StringVar(&o.memProfile, "memprofile", "", "with -worker: write an allocation profile of all of it to this `file`")
	fs.BoolVar(&o.json, "json", false, "with -worker: print the result as JSON, every slice of it")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q; -h lists the flags", fs.Arg(0))
	}
	var err error
	if o.compare, err = list("compare", compare, comparisonNames()); err != nil {
		return o, err
	}
	if o.workloads, err = list("workload", workloads, lane.Workloads()); err != nil {
		return o, err
	}
	if o.ops, err = list("op", ops, lane.Ops()); err != nil {
		return o, err
	}
	if o.lanes, err = list("lane", lanes, lane.Names()); err != nil {
		return o, err
	}
	switch {
	case o.slice <= 0 || o.time < o.slice:
		return o, errors.New("-slice must be above zero, and -time not below it")
	case o.seed == 0:
		return o, errors.New("-seed must be 1 or more: the linker takes 0 for its own order")
	case o.layouts < 0 || o.compile < 0:
		return o, errors.New("-layouts and -compile must not be negative")
	case !o.worker && (o.json || o.cpuProfile != "" || o.memProfile != ""):
		return o, errors.New("-json, -cpuprofile and -memprofile need -worker")
	}
	if len(o.comparisons()) == 0 {
		return o, errors.New("no comparison has all that -compare, -workload and -lane ask for")
	}
	return o, nil
}

func comparisonNames() []string {
	var names []string
	for _, c := range lane.Comparisons() {
		names = append(names, c.Name)
	}
	return names
}
