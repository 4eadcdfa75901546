// Package audit counts everything in a benchmark run again: that no file is missing or changed,
// that what was planned was measured, every lane in every block or with a reason why not, and that the tables follow from
// the single results.
//
// It shares no code with package results, which writes the tables, and calculates in other ways
// where there are some. A mistake would have to be made twice to go unnoticed.
package audit

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Check is something that was looked at.
type Check struct {
	What  string
	Count int
}

// Report is what an audit has found.
type Report struct {
	Checks   []Check
	Problems []string
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// largest is the size of the largest file that is read.
const largest = 64 << 20

// Run audits the files of a run.
func Run(files fs.FS) *Report {
	a := &auditor{files: files, found: map[cell]map[int]*result{}, lanes: map[string]lane{}, sizes: map[string]string{}, manifest: map[string]string{}}
	a.sums()
	a.properties()
	a.results()
	a.plan()
	a.tables()
	if len(a.order) > 0 {
		a.inventory()
		a.neighbours()
		a.measurements()
		a.iterations()
		a.parity()
		a.peers()
		a.goals()
		a.targets()
		a.means()
		a.growth()
	}
	return &a.Report
}

type auditor struct {
	Report
	files fs.FS
	names []string // of all files

	manifest  map[string]string
	completed []string // the lines of completed-results.txt

	order  []*result // in their order
	found  map[cell]map[int]*result
	blocks []int
	lanes  map[string]lane
	lined  []string          // names of lanes as lanes.csv lists them
	sizes  map[string]string // mean by lane/workload
}

type cell struct{ lane, workload, operation string }

type lane struct {
	role, runtime, version string
	sharesInput, optIn     bool
}

type result struct {
	Lane          string    `json:"lane"`
	Workload      string    `json:"workload"`
	Operation     string    `json:"operation"`
	Block         int       `json:"block"`
	Deterministic bool      `json:"deterministic"`
	Ns            float64   `json:"ns_per_op"`
	Bytes         float64   `json:"allocated_bytes_per_op"`
	Allocs        float64   `json:"allocations_per_op"`
	GC            float64   `json:"gc_share"`
	Iterations    []float64 `json:"iterations"`
}

func (a *auditor) bad(format string, args ...any) {
	a.Problems = append(a.Problems, fmt.Sprintf(format, args...))
}

func (a *auditor) checked(what string, count int) { a.Checks = append(a.Checks, Check{what, count}) }

func (a *auditor) read(name string) []byte {
	info, err := fs.Stat(a.files, name)
	if err == nil && info.Size() > largest {
		err = fmt.Errorf("%d bytes are too many", info.Size())
	}
	var data []byte
	if err == nil {
		data, err = fs.ReadFile(a.files, name)
	}
	if err != nil {
		a.bad("%s: %v", name, err)
	}
	return data
}

// csv returns the rows of a table as maps by column.
func (a *auditor) csv(name string, data []byte) []map[string]string {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) == 0 {
		a.bad("%s: no table: %v", name, err)
		return nil
	}
	var list []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, column := range rows[0] {
			m[column] = row[i]
		}
		list = append(list, m)
	}
	return list
}

// sums compares every file with SHA256SUMS.
func (a *auditor) sums() {
	err := fs.WalkDir(a.files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			a.bad("%s: not a regular file", name)
		}
		a.names = append(a.names, name)
		return nil
	})
	if err != nil {
		a.bad("the files cannot be listed: %v", err)
	}
	listed := map[string]bool{}
	last := ""
	for line := range strings.SplitSeq(strings.TrimSuffix(string(a.read("SHA256SUMS")), "\n"), "\n") {
		sum, name, ok := strings.Cut(line, "  ")
		if !ok || len(sum) != 64 || name <= last {
			a.bad("SHA256SUMS: line %q is malformed, or not in order", line)
			continue
		}
		last = name
		listed[name] = true
		h := sha256.Sum256(a.read(name))
		if hex.EncodeToString(h[:]) != sum {
			a.bad("%s: the SHA-256 is not that of SHA256SUMS", name)
		}
	}
	for _, name := range a.names {
		// A report may be made at any time.
		if !listed[name] && name != "SHA256SUMS" && name != "report.html" && name != "report.md" {
			a.bad("%s: SHA256SUMS does not list it", name)
		}
	}
	a.checked("files with the right SHA-256", len(listed))
}

// results reads the results in the order of their list.
func (a *auditor) results() {
	listed := map[string]bool{}
	timings := 0
	for name := range strings.FieldsSeq(string(a.read("completed-results.txt"))) {
		if listed[name] {
			a.bad("completed-results.txt: %s is there twice", name)
			continue
		}
		listed[name] = true
		a.completed = append(a.completed, name)
		r := new(result)
		if err := json.Unmarshal(a.read(name), r); err != nil {
			a.bad("%s: %v", name, err)
			continue
		}
		a.one(name, r)
		timings += len(r.Iterations)
	}
	for _, name := range a.names {
		if stem, ok := strings.CutSuffix(name, ".json"); ok && !listed[name] && !strings.Contains(name, "/") {
			if i := strings.LastIndexByte(stem, '-'); i > 0 && strings.Trim(stem[i+1:], "0123456789") == "" && strings.Count(stem, "-") >= 3 {
				a.bad("%s: completed-results.txt does not list it", name)
			}
		}
	}
	slices.Sort(a.blocks)
	a.checked("results", len(a.order))
	a.checked("timings, whose mean is that of their result", timings)
}

// one checks a result by itself.
func (a *auditor) one(name string, r *result) {
	parts := []string{r.Lane, r.Workload, r.Operation}
	if r.Deterministic {
		parts = append(parts, "deterministic")
	}
	if want := strings.Join(append(parts, strconv.Itoa(r.Block)), "-") + ".json"; want != name {
		a.bad("%s: it holds the result %s", name, want)
	}
	sum := 0.0
	for _, ns := range r.Iterations {
		if !(ns > 0) {
			a.bad("%s: an iteration took %v ns", name, ns)
		}
		sum += ns
	}
	// Timings of unequal length would have another mean; the driver makes them of one length.
	if mean := sum / float64(len(r.Iterations)); !nearly(mean, r.Ns, 1e-6) {
		a.bad("%s: the mean of the iterations is %v, not %v", name, mean, r.Ns)
	}
	if !(r.Ns > 0) || !(r.Bytes >= 0) || !(r.Allocs >= 0) || !(r.GC >= 0 && r.GC <= 1) {
		a.bad("%s: a figure is out of range", name)
	}
	a.order = append(a.order, r)
	if r.Deterministic {
		return
	}
	c := cell{r.Lane, r.Workload, r.Operation}
	if a.found[c] == nil {
		a.found[c] = map[int]*result{}
	}
	if a.found[c][r.Block] != nil {
		a.bad("%s: block %d is there twice", name, r.Block)
	}
	a.found[c][r.Block] = r
	if !slices.Contains(a.blocks, r.Block) {
		a.blocks = append(a.blocks, r.Block)
	}
}

// published are mean, least and most bytes of the frames that the contract publishes.
var published = map[string][3]string{
	"scalar":      {"23.921875", "15", "35"},
	"text":        {"1663.765625", "1655", "1675"},
	"nested":      {"46.4375", "38", "58"},
	"collections": {"498.140625", "485", "510"},
	"large":       {"65563.921875", "65555", "65575"},
}

// tables reads what the driver says of lanes and sizes, and compares the sizes with the published ones.
func (a *auditor) tables() {
	for _, row := range a.csv("lanes.csv", a.read("lanes.csv")) {
		a.lined = append(a.lined, row["lane"])
		a.lanes[row["lane"]] = lane{row["role"], row["runtime"], row["version"], row["shares_input"] == "true", row["opt_in"] == "true"}
	}
	compared := 0
	for _, row := range a.csv("sizes.csv", a.read("sizes.csv")) {
		name, workload := row["lane"], row["workload"]
		a.sizes[name+"/"+workload] = row["mean_bytes"]
		want, ok := published[workload]
		if role := a.lanes[name].role; !ok || role != "native" && role != "baseline" {
			continue
		}
		compared++
		if got := [3]string{row["mean_bytes"], row["min_bytes"], row["max_bytes"]}; got != want || row["records"] != "64" {
			a.bad("sizes.csv: lane %s, %s: %v bytes of %s records, published are %v of 64", name, workload, got, row["records"], want)
		}
	}
	a.checked("sizes, equal to the published ones", compared)
}

// inventory looks for what is missing: each lane has to have every block of every cell, or a reason.
func (a *auditor) inventory() {
	reasons := map[cell]bool{}
	for _, row := range a.csv("unsupported.csv", a.read("unsupported.csv")) {
		if row["reason"] == "" {
			a.bad("unsupported.csv: no reason for lane %s", row["lane"])
		}
		reasons[cell{row["lane"], row["workload"], row["operation"]}] = true
	}
	workloads, operations := strings.Fields(a.manifest["workloads"]), strings.Fields(a.manifest["operations"])
	for c := range a.found {
		if _, ok := a.lanes[c.lane]; !ok {
			a.bad("lanes.csv does not know lane %s", c.lane)
		}
		if !slices.Contains(workloads, c.workload) || !slices.Contains(operations, c.operation) {
			a.bad("manifest.properties does not list %s, %s, which lane %s was measured with", c.workload, c.operation, c.lane)
		}
	}
	excused := 0
	for _, name := range a.lined {
		for _, w := range workloads {
			for _, op := range operations {
				blocks := len(a.found[cell{name, w, op}])
				reason := reasons[cell{name, w, op}] || reasons[cell{name, "", op}] || reasons[cell{name, w, ""}] || reasons[cell{name, "", ""}]
				switch {
				case blocks > 0 && reason:
					a.bad("lane %s, %s, %s: measured, and unsupported", name, w, op)
				case blocks == 0 && !reason:
					a.bad("lane %s, %s, %s: not measured, and no reason is given", name, w, op)
				case blocks > 0 && blocks != len(a.blocks):
					a.bad("lane %s, %s, %s: %d blocks of %d", name, w, op, blocks, len(a.blocks))
				case reason:
					excused++
				}
			}
		}
	}
	a.checked("cells of lanes with all blocks", len(a.found))
	a.checked("cells of lanes with a reason why they are missing", excused)
}

// neighbours checks that both lanes of parity.csv were measured one after the other, in an order that
// changes from block to block.
func (a *auditor) neighbours() {
	pairs := 0
	at := map[cell]map[int]int{}
	n := 0
	for _, r := range a.order {
		if r.Deterministic {
			continue
		}
		c := cell{r.Lane, r.Workload, r.Operation}
		if at[c] == nil {
			at[c] = map[int]int{}
		}
		at[c][r.Block] = n
		n++
	}
	for c, places := range at {
		if c.lane != "ours" || at[cell{"protobuf-go", c.workload, c.operation}] == nil {
			continue
		}
		for block, place := range places {
			want := 1
			if block%2 == 1 {
				want = -1
			}
			if d := at[cell{"protobuf-go", c.workload, c.operation}][block] - place; d != want {
				a.bad("%s, %s, block %d: protobuf-go comes %d places behind ours, want %d", c.workload, c.operation, block, d, want)
			}
			pairs++
		}
	}
	a.checked("pairs of ours and protobuf-go, measured side by side", pairs)
}

func (a *auditor) measurements() {
	rows := a.csv("measurements.csv", a.read("measurements.csv"))
	if len(rows) != len(a.order) {
		a.bad("measurements.csv has %d rows for %d results", len(rows), len(a.order))
		return
	}
	for i, row := range rows {
		r := a.order[i]
		same := row["lane"] == r.Lane && row["workload"] == r.Workload && row["operation"] == r.Operation &&
			row["deterministic"] == strconv.FormatBool(r.Deterministic) && row["block"] == strconv.Itoa(r.Block) &&
			value(row["ns_per_op"]) == r.Ns && value(row["allocated_bytes_per_op"]) == r.Bytes &&
			nearly(value(row["derived_ops_per_second"]), 1e9/r.Ns, 1e-12)
		if !same {
			a.bad("measurements.csv: line %d is not the result of %s, %s, %s, block %d", i+2, r.Lane, r.Workload, r.Operation, r.Block)
		}
	}
	a.checked("rows of measurements.csv", len(rows))
}

func (a *auditor) iterations() {
	z, err := gzip.NewReader(bytes.NewReader(a.read("iterations.csv.gz")))
	if err != nil {
		a.bad("iterations.csv.gz: %v", err)
		return
	}
	data, err := io.ReadAll(io.LimitReader(z, 4*largest))
	if err != nil {
		a.bad("iterations.csv.gz: %v", err)
		return
	}
	rows := a.csv("iterations.csv.gz", data)
	n := 0
	for _, r := range a.order {
		for i, ns := range r.Iterations {
			if n >= len(rows) {
				a.bad("iterations.csv.gz ends after %d rows", len(rows))
				return
			}
			row := rows[n]
			n++
			if row["lane"] != r.Lane || row["workload"] != r.Workload || row["operation"] != r.Operation ||
				row["block"] != strconv.Itoa(r.Block) || row["iteration"] != strconv.Itoa(i) || value(row["ns_per_op"]) != ns {
				a.bad("iterations.csv.gz: line %d is not iteration %d of %s, %s, %s, block %d", n+1, i, r.Lane, r.Workload, r.Operation, r.Block)
			}
		}
	}
	if n != len(rows) {
		a.bad("iterations.csv.gz has %d rows for %d timings", len(rows), n)
	}
	a.checked("rows of iterations.csv.gz", n)
}

// value reads a number; NaN where there is none.
func value(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// nearly reports whether two numbers are the same but for rounding.
func nearly(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b))
}
