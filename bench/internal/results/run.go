package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Lanes with a part of their own.
const (
	Native   = "ours"        // what is compared with all others
	Baseline = "protobuf-go" // its partner in parity.csv
)

// Names of the files of a run.
const (
	CompletedFile    = "completed-results.txt"
	ManifestFile     = "manifest.properties"
	LanesFile        = "lanes.csv"
	SizesFile        = "sizes.csv"
	UnsupportedFile  = "unsupported.csv"
	MeasurementsFile = "measurements.csv"
	ParityFile       = "parity.csv"
	PeersFile        = "peers.csv"
	GoalsFile        = "goals.csv"
	TargetsFile      = "targets.csv"
	SummaryFile      = "summary.csv"
	MemoryFile       = "memory.csv"
	IterationsFile   = "iterations.csv.gz"
	SumsFile         = "SHA256SUMS"
	ReportHTML       = "report.html"
	ReportMarkdown   = "report.md"
)

// Workloads returns the names of the workloads in the order of tables. A run may have others,
// which follow in the order in which they were measured.
func Workloads() []string {
	return []string{"scalar", "text", "nested", "collections", "large", "social", "traces", "wide"}
}

// Operations returns the names of the operations in the order of tables.
func Operations() []string {
	return []string{
		"serialize", "deserialize", "objectCopy", "streamCopy", "deserializeReuse", "objectCopyReuse",
		"serializeSameInstance", "buildAndSerialize", "decodeAndRead",
	}
}

// Result is what one process has measured: one lane, workload, operation and block.
type Result struct {
	Lane          string
	Workload      string
	Operation     string
	Block         int
	Deterministic bool      // the supplement with sorted maps
	NsPerOp       float64   // mean of Iterations
	Bytes         float64   // allocated per operation
	Allocs        float64   // allocations per operation; 0 where the runtime does not count them
	Iterations    []float64 // nanoseconds per operation of each
	GCShare       float64   // part of the time that the collector took
}

// FileName returns the name of the file of a result.
func (r *Result) FileName() string {
	kind := ""
	if r.Deterministic {
		kind = "-deterministic"
	}
	return fmt.Sprintf("%s-%s-%s%s-%d.json", r.Lane, r.Workload, r.Operation, kind, r.Block)
}

// maxMember is the size of the largest file of a run that is read, and maxIterations the largest
// number of timings in one result.
const (
	maxMember     = 64 << 20
	maxIterations = 100_000
)

// plain are the names of lanes, workloads and operations, which become names of files.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)

// ParseResult reads the JSON of one result. Members that it does not know are left to others.
func ParseResult(data []byte) (*Result, error) {
	var j struct {
		Lane          string    `json:"lane"`
		Workload      string    `json:"workload"`
		Operation     string    `json:"operation"`
		Block         *int      `json:"block"`
		Deterministic bool      `json:"deterministic"`
		NsPerOp       float64   `json:"ns_per_op"`
		Bytes         *float64  `json:"allocated_bytes_per_op"`
		Allocs        float64   `json:"allocations_per_op"`
		Iterations    []float64 `json:"iterations"`
		GCShare       float64   `json:"gc_share"`
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, err
	}
	for _, name := range []string{j.Lane, j.Workload, j.Operation} {
		if !plain.MatchString(name) {
			return nil, fmt.Errorf("%q is no name of a lane, workload or operation", name)
		}
	}
	switch {
	case j.Block == nil || *j.Block < 0 || *j.Block > 1000:
		return nil, errors.New("there is no block, or it is out of range")
	case !positive(j.NsPerOp):
		return nil, fmt.Errorf("ns_per_op is %v", j.NsPerOp)
	case j.Bytes == nil || !countable(*j.Bytes) || !countable(j.Allocs):
		return nil, errors.New("the allocation is missing or no number of bytes")
	case len(j.Iterations) == 0 || len(j.Iterations) > maxIterations || !all(j.Iterations, positive):
		return nil, errors.New("iterations are missing, too many, or no times")
	case !countable(j.GCShare) || j.GCShare > 1:
		return nil, fmt.Errorf("gc_share is %v", j.GCShare)
	}
	return &Result{
		Lane: j.Lane, Workload: j.Workload, Operation: j.Operation, Block: *j.Block, Deterministic: j.Deterministic,
		NsPerOp: j.NsPerOp, Bytes: *j.Bytes, Allocs: j.Allocs, Iterations: j.Iterations, GCShare: j.GCShare,
	}, nil
}

// positive reports whether f is a time in nanoseconds, or a part of one: not of weeks, nor of less
// than light takes for the width of an atom.
func positive(f float64) bool { return f >= 1e-9 && f < 1e15 }

// countable reports whether f is a number of bytes, or of anything else that there is.
func countable(f float64) bool { return f >= 0 && f < 1e18 }

func all(values []float64, ok func(float64) bool) bool {
	return !slices.ContainsFunc(values, func(f float64) bool { return !ok(f) })
}

// Property is a line of the manifest.
type Property struct{ Key, Value string }

// Run is a run that was read back.
type Run struct {
	Results     []*Result // in the order in which they were measured
	Manifest    []Property
	Lanes       []Lane
	Sizes       []Size
	Unsupported []Reason
	Blocks      int // of every result but those of the supplement, which may have fewer

	series map[seriesKey][]*Result // by block
	lanes  map[string]*Lane
	sizes  map[[2]string]*Size
}

type seriesKey struct {
	lane, workload, operation string
	deterministic             bool
}

// Read reads the files that the driver has written. A run that is not complete, or in which one
// file contradicts another, is an error.
func Read(fsys fs.FS) (*Run, error) {
	r := &Run{series: map[seriesKey][]*Result{}, lanes: map[string]*Lane{}, sizes: map[[2]string]*Size{}}
	if err := r.readResults(fsys); err != nil {
		return nil, err
	}
	if err := r.checkBlocks(); err != nil {
		return nil, err
	}
	data, err := readFile(fsys, ManifestFile)
	if err != nil {
		return nil, err
	}
	if r.Manifest, err = parseProperties(data); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	return r, r.readTables(fsys)
}

// readFile reads one file of a run, unless it is larger than any such file may be.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxMember {
		return nil, fmt.Errorf("%s: not a regular file of at most %d bytes", name, maxMember)
	}
	return fs.ReadFile(fsys, name)
}

// readResults reads the results that completed-results.txt lists, which are all there are.
func (r *Run) readResults(fsys fs.FS) error {
	data, err := readFile(fsys, CompletedFile)
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	for name := range strings.Lines(string(data)) {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		if listed[name] || path.Base(name) != name {
			return fmt.Errorf("%s: %q is listed twice, or no name of a file", CompletedFile, name)
		}
		listed[name] = true
		res, err := readResult(fsys, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		k := seriesKey{res.Lane, res.Workload, res.Operation, res.Deterministic}
		r.Results = append(r.Results, res)
		r.series[k] = append(r.series[k], res)
	}
	if len(r.Results) == 0 {
		return fmt.Errorf("%s: no result is listed", CompletedFile)
	}
	there, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return err
	}
	for _, name := range there {
		if !listed[name] && resultName.MatchString(name) {
			return fmt.Errorf("%s: %s does not list it", name, CompletedFile)
		}
	}
	return nil
}

// resultName matches the names of results. Other JSON files may lie beside them.
var resultName = regexp.MustCompile(`^.+-.+-.+-[0-9]+\.json$`)

func readResult(fsys fs.FS, name string) (*Result, error) {
	data, err := readFile(fsys, name)
	if err != nil {
		return nil, err
	}
	res, err := ParseResult(data)
	if err != nil {
		return nil, err
	}
	if want := res.FileName(); want != name {
		return nil, fmt.Errorf("what is in it belongs into %s", want)
	}
	return res, nil
}

// checkBlocks sorts every series by block and fails unless all have the same blocks.
func (r *Run) checkBlocks() error {
	blocks := map[int]bool{}
	for k, series := range r.series {
		slices.SortFunc(series, func(a, b *Result) int { return a.Block - b.Block })
		if !k.deterministic {
			for _, res := range series {
				blocks[res.Block] = true
			}
		}
	}
	r.Blocks = len(blocks)
	if r.Blocks > Blocks {
		return fmt.Errorf("there are %d blocks, and an interval has %d", r.Blocks, Blocks)
	}
	for k, series := range r.series {
		if len(series) != r.Blocks && !k.deterministic {
			return fmt.Errorf("lane %s, %s, %s: %d of %d blocks were measured", k.lane, k.workload, k.operation, len(series), r.Blocks)
		}
		for i, res := range series {
			if i > 0 && res.Block == series[i-1].Block {
				return fmt.Errorf("lane %s, %s, %s: block %d is there twice", k.lane, k.workload, k.operation, res.Block)
			}
		}
	}
	return nil
}

// parseProperties reads key=value lines. Lines that begin with # are comments.
func parseProperties(data []byte) ([]Property, error) {
	var list []Property
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not key=value", line)
		}
		list = append(list, Property{strings.TrimSpace(key), strings.TrimSpace(value)})
	}
	return list, lines.Err()
}

// Property returns the value of a key of the manifest, or "".
func (r *Run) Property(key string) string {
	for _, p := range r.Manifest {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// Lane returns what lanes.csv says of a lane.
func (r *Run) Lane(name string) *Lane { return r.lanes[name] }

// Size returns the encoded sizes of a workload in a lane, or nil.
func (r *Run) Size(lane, workload string) *Size { return r.sizes[[2]string{lane, workload}] }

// Has reports whether a lane was measured in a cell.
func (r *Run) Has(lane, workload, operation string) bool {
	return len(r.series[seriesKey{lane, workload, operation, false}]) > 0
}

// Series returns the results of a lane in a cell, by block, without those of the supplement.
func (r *Run) Series(lane, workload, operation string) []*Result {
	return r.series[seriesKey{lane, workload, operation, false}]
}

// times returns the block means of a lane in a cell.
func (r *Run) times(lane, workload, operation string) []float64 {
	series := r.Series(lane, workload, operation)
	times := make([]float64, len(series))
	for i, res := range series {
		times[i] = res.NsPerOp
	}
	return times
}

// Mean returns the means over the blocks of what a lane took in a cell.
func (r *Run) Mean(lane, workload, operation string) (ns, bytes, allocs float64) {
	series := r.Series(lane, workload, operation)
	for _, res := range series {
		ns += res.NsPerOp
		bytes += res.Bytes
		allocs += res.Allocs
	}
	n := float64(len(series))
	return ns / n, bytes / n, allocs / n
}

// GCShare returns the mean part of the time that the collector took.
func (r *Run) GCShare(lane, workload, operation string) float64 {
	series := r.Series(lane, workload, operation)
	sum := 0.0
	for _, res := range series {
		sum += res.GCShare
	}
	return sum / float64(len(series))
}

// Logs returns the logarithms of the ratios, block by block, of a lane to another in a cell.
func (r *Run) Logs(lane, other, workload, operation string) []float64 {
	return logRatios(r.times(lane, workload, operation), r.times(other, workload, operation))
}

// Workloads returns the workloads of the run in the order of tables.
func (r *Run) Workloads() []string {
	return r.names(Workloads(), func(res *Result) string { return res.Workload })
}

// Operations returns the operations of the run in the order of tables.
func (r *Run) Operations() []string {
	return r.names(Operations(), func(res *Result) string { return res.Operation })
}

// names returns the names that occur, those of order first.
func (r *Run) names(order []string, name func(*Result) string) []string {
	var measured []string
	for _, res := range r.Results {
		if n := name(res); !res.Deterministic && !slices.Contains(measured, n) {
			measured = append(measured, n)
		}
	}
	var list []string
	for _, n := range order {
		if slices.Contains(measured, n) {
			list = append(list, n)
		}
	}
	for _, n := range measured {
		if !slices.Contains(order, n) {
			list = append(list, n)
		}
	}
	return list
}
