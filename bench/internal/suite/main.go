package suite

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/flinkser/flinkser/bench/internal/clock"
	"github.com/flinkser/flinkser/bench/internal/pin"
)

// Result is what one process has measured: one operation of one lane on one workload.
type Result struct {
	Lane                string    `json:"lane"`
	Workload            string    `json:"workload"`
	Operation           string    `json:"operation"`
	Block               int       `json:"block"`
	Deterministic       bool      `json:"deterministic"`
	NsPerOp             float64   `json:"ns_per_op"` // mean of Iterations
	AllocatedBytesPerOp float64   `json:"allocated_bytes_per_op"`
	AllocationsPerOp    float64   `json:"allocations_per_op"`
	Iterations          []float64 `json:"iterations"` // nanoseconds per operation of each
	GCShare             float64   `json:"gc_share"`   // of the processor time, of 1
	OperationsMeasured  int       `json:"operations_measured"`
	Core                int       `json:"core"` // -1: not on one core
	Clock               string    `json:"clock"`
}

// Checked is what the gate has found out about one lane.
type Checked struct {
	Lane        string           `json:"lane"`
	Role        string           `json:"role"`
	Runtime     string           `json:"runtime"` // go or java
	Library     string           `json:"library"`
	Version     string           `json:"version"`
	Checks      Checks           `json:"checks"`
	SharesInput bool             `json:"shares_input"`
	OptIn       bool             `json:"opt_in"`
	Immutable   bool             `json:"immutable"`
	Core        bool             `json:"core"`
	Sizes       map[string]Sizes `json:"sizes"` // by workload

	// Deterministic is the lane that this one is a supplement of, or empty.
	Deterministic string `json:"deterministic"`

	Faults string `json:"faults"`

	// Unsupported gives the reason for each workload, or workload/operation, that is left out.
	Unsupported map[string]string `json:"unsupported"`
}

// work holds the flags of a worker.
type work struct {
	list, gate                bool
	lane, workload, operation string
	block, iterations, calls  int
	warmup, time              time.Duration
	cpuProfile, as            string
}

// Main is the main function of a worker. It answers one question and ends:
//
//	-list                             the lanes, as JSON, without their sizes
//	-gate -lane L [-workload W,...]   runs the gate on the workloads of a lane
//	-lane L -workload W -operation O -block N -warmup 50ms -time 50ms -iterations 5
//	the same with -calls N            the times of single calls
func Main(lanes []Lane) {
	var w work
	flag.BoolVar(&w.list, "list", false, "list the lanes")
	flag.BoolVar(&w.gate, "gate", false, "check a lane instead of timing it")
	flag.StringVar(&w.lane, "lane", "", "name of the lane")
	flag.StringVar(&w.workload, "workload", "", "name of the workload; with -gate a list, or all, if empty")
	flag.StringVar(&w.operation, "operation", "", "name of the operation")
	flag.IntVar(&w.block, "block", 0, "number that the result bears")
	flag.IntVar(&w.iterations, "iterations", 5, "number of timings")
	flag.DurationVar(&w.warmup, "warmup", 50*time.Millisecond, "time before the first timing")
	flag.DurationVar(&w.time, "time", 50*time.Millisecond, "length of a timing")
	flag.StringVar(&w.cpuProfile, "cpuprofile", "", "write a profile of the timings to this file")
	flag.StringVar(&w.as, "as", "", "name of the lane in the result, for programs that were built in another way")
	flag.IntVar(&w.calls, "calls", 0, "number of calls that are timed one by one, instead of the timings")
	flag.Parse()
	if err := w.run(lanes, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "lane %s, workload %s, %s: %v\n", w.lane, w.workload, w.operation, err)
		os.Exit(1)
	}
}

func (w *work) run(lanes []Lane, out io.Writer) error {
	enc := json.NewEncoder(out)
	if w.list {
		var all []Checked
		for i := range lanes {
			c, err := describe(&lanes[i])
			if err != nil {
				return fmt.Errorf("lane %s: %w", lanes[i].Name, err)
			}
			all = append(all, c)
		}
		return enc.Encode(all)
	}
	l := find(lanes, w.lane)
	if l == nil {
		return fmt.Errorf("no lane %q", w.lane)
	}
	if w.gate {
		c, err := w.check(l)
		if err != nil {
			return err
		}
		return enc.Encode(c)
	}
	if w.calls > 0 {
		c, err := w.times(l)
		if err != nil {
			return err
		}
		return enc.Encode(c)
	}
	r, err := w.measure(l)
	if err != nil {
		return err
	}
	return enc.Encode(r)
}

func find(lanes []Lane, name string) *Lane {
	for i := range lanes {
		if lanes[i].Name == name {
			return &lanes[i]
		}
	}
	return nil
}

// describe says what a lane is and what it leaves out. A workload that is missing without a reason
// is an error.
func describe(l *Lane) (Checked, error) {
	c := Checked{
		Lane: l.Name, Role: l.Role, Runtime: "go", Library: l.Library, Version: version(l), Checks: l.Checks, SharesInput: l.SharesInput,
		OptIn: l.OptIn, Immutable: l.Immutable, Deterministic: l.Deterministic, Core: l.Core, Faults: l.Faults,
		Sizes: map[string]Sizes{}, Unsupported: map[string]string{},
	}
	for _, workload := range Workloads() {
		b, ok := l.Workloads[workload]
		if !ok {
			reason := l.Unsupported[workload]
			if reason == "" {
				return c, fmt.Errorf("workload %s is left out without a reason", workload)
			}
			c.Unsupported[workload] = reason
			continue
		}
		for _, op := range Operations() {
			reason, ok, err := b.Supported(op)
			if err != nil {
				return c, fmt.Errorf("workload %s: %w", workload, err)
			}
			if !ok {
				c.Unsupported[workload+"/"+op] = reason
			}
		}
	}
	return c, nil
}

// version returns that of the library of a lane, which this program was built with.
func version(l *Lane) string {
	info, ok := debug.ReadBuildInfo()
	if l.Version != "" || !ok {
		return l.Version
	}
	for _, m := range info.Deps {
		if m.Path == l.Library {
			return m.Version
		}
	}
	return ""
}

// check runs the gate.
func (w *work) check(l *Lane) (Checked, error) {
	c, err := describe(l)
	if err != nil {
		return c, err
	}
	for _, workload := range Workloads() {
		b, ok := l.Workloads[workload]
		if !ok || w.workload != "" && !slices.Contains(strings.Split(w.workload, ","), workload) {
			continue
		}
		if c.Sizes[workload], err = b.Gate(l); err != nil {
			return c, fmt.Errorf("workload %s: %w", workload, err)
		}
	}
	return c, nil
}

// measure times one operation.
func (w *work) measure(l *Lane) (*Result, error) {
	b, ok := l.Workloads[w.workload]
	if !ok {
		return nil, fmt.Errorf("no such workload: %s", l.Unsupported[w.workload])
	}
	core, err := pin.Pin()
	if err != nil {
		core = -1
	}
	runtime.GOMAXPROCS(1)
	run, err := b.Operation(w.operation)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Lane: l.Name, Workload: w.workload, Operation: w.operation, Block: w.block, Deterministic: l.Deterministic != "",
		Core: core, Clock: clock.Name,
	}
	switch {
	case w.as != "":
		r.Lane = w.as
	case r.Deterministic:
		r.Lane = l.Deterministic
	}
	return r, w.profiled(func() error { return w.clocked(run, r) })
}

// clocked warms up and measures.
func (w *work) clocked(run *Runner, r *Result) error {
	n, err := warmUp(run, w.warmup, w.time)
	if err != nil {
		return err
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	gc, begin := gcSeconds(), clock.Now()
	for range w.iterations {
		start := clock.Now()
		if err := run.Run(n); err != nil {
			return err
		}
		r.Iterations = append(r.Iterations, float64(clock.Now()-start)/float64(n))
	}
	spent := float64(clock.Now()-begin) / 1e9
	runtime.ReadMemStats(&after)
	// The counters of the collector move at the end of a cycle.
	r.GCShare = min(1, (gcSeconds()-gc)/spent)
	r.OperationsMeasured = n * w.iterations
	r.AllocatedBytesPerOp = float64(after.TotalAlloc-before.TotalAlloc) / float64(r.OperationsMeasured)
	r.AllocationsPerOp = float64(after.Mallocs-before.Mallocs) / float64(r.OperationsMeasured)
	for _, ns := range r.Iterations {
		r.NsPerOp += ns / float64(len(r.Iterations))
	}
	return nil
}

// warmUp runs for a while and returns how many operations fill the time of one timing. It is a
// multiple of the number of records, so that each is timed as often as the others.
func warmUp(run *Runner, warm, timing time.Duration) (int, error) {
	n := run.Records
	begin := clock.Now()
	for {
		start := clock.Now()
		if err := run.Run(n); err != nil {
			return 0, err
		}
		now := clock.Now()
		if now-begin < int64(warm) {
			if now-start < int64(warm)/8 {
				n *= 2
			}
			continue
		}
		// The last pass is the warmest one.
		passes := float64(timing) * float64(n) / float64(max(1, now-start)) / float64(run.Records)
		return max(1, int(passes+.5)) * run.Records, nil
	}
}

// gcSeconds returns the processor time that the collector has taken so far.
func gcSeconds() float64 {
	sample := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64()
}

// profiled calls f, with a profile where one is asked for.
func (w *work) profiled(f func() error) error {
	if w.cpuProfile == "" {
		return f()
	}
	file, err := os.Create(w.cpuProfile)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	err = f()
	pprof.StopCPUProfile()
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
