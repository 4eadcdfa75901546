package results

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/wholefile"
)

// Write adds the tables and the checksums to a run. It replaces those of an earlier call.
func Write(dir string) error {
	r, err := Read(os.DirFS(dir))
	if err != nil {
		return err
	}
	tables, err := r.tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		var b bytes.Buffer
		if err := writeCSV(&b, t.rows); err != nil {
			return err
		}
		if err := wholefile.Write(filepath.Join(dir, t.name), b.Bytes()); err != nil {
			return err
		}
	}
	if err := r.writeIterations(filepath.Join(dir, IterationsFile)); err != nil {
		return err
	}
	return WriteSums(dir)
}

type table struct {
	name string
	rows [][]string
}

// tables returns the contents of the tables that Write makes.
func (r *Run) tables() ([]table, error) {
	list := []table{{MeasurementsFile, r.measurementRows()}, {SummaryFile, r.summaryRows()}, {MemoryFile, r.memoryRows()}}
	for _, t := range []struct {
		name string
		rows func() ([][]string, error)
	}{{ParityFile, r.parityRows}, {PeersFile, r.peerRows}, {GoalsFile, r.goalRows}, {TargetsFile, r.targetRows}} {
		rows, err := t.rows()
		if err != nil {
			return nil, err
		}
		list = append(list, table{t.name, rows})
	}
	return list, nil
}

func header(s string) [][]string { return [][]string{strings.Split(s, ",")} }

func (r *Run) measurementRows() [][]string {
	rows := header("lane,workload,operation,deterministic,block,ns_per_op,derived_ops_per_second,allocated_bytes_per_op")
	for _, res := range r.Results {
		rows = append(rows, []string{
			res.Lane, res.Workload, res.Operation, strconv.FormatBool(res.Deterministic), strconv.Itoa(res.Block),
			number(res.NsPerOp), number(1e9 / res.NsPerOp), number(res.Bytes),
		})
	}
	return rows
}

// cells returns the cells of a ratio and its limits, empty where there are none.
func (e Estimate) cells() []string {
	switch {
	case !e.Measured:
		return []string{"", "", ""}
	case !e.Bounded:
		return []string{ratio(e.Ratio), "", ""}
	default:
		return []string{ratio(e.Ratio), ratio(e.Lower), ratio(e.Upper)}
	}
}

func (r *Run) parityRows() ([][]string, error) {
	list, err := r.Parity()
	rows := header("workload,operation,native_over_baseline,lower95,upper95,verdict")
	for _, p := range list {
		rows = append(rows, slices.Concat([]string{p.Workload, p.Operation}, p.Ratio.cells(), []string{p.Verdict}))
	}
	return rows, err
}

func (r *Run) peerRows() ([][]string, error) {
	list, err := r.Peers()
	rows := header("workload,operation,native,lane,safe,native_over_lane,lower95,upper95,verdict,lane_over_baseline,lane_lower95,lane_upper95")
	for _, p := range list {
		rows = append(rows, slices.Concat(
			[]string{p.Workload, p.Operation, p.Native, p.Lane, strconv.FormatBool(p.Safe)},
			p.Ratio.cells(), []string{p.Verdict}, p.ToBaseline.cells(),
		))
	}
	return rows, err
}

func (r *Run) goalRows() ([][]string, error) {
	list, err := r.Goals()
	rows := header("workload,operation,native,verdict,best_safe_peer,native_over_best,lower95,upper95," +
		"floor,native_over_floor,floor_lower95,floor_upper95,fastest,native_over_fastest,fastest_lower95,fastest_upper95," +
		"native_over_baseline,baseline_lower95,baseline_upper95")
	for _, g := range list {
		rows = append(rows, slices.Concat(
			[]string{g.Workload, g.Operation, g.Native, g.Verdict, g.Best}, g.ToBest.cells(),
			[]string{g.Floor}, g.ToFloor.cells(), []string{g.Fastest}, g.ToFastest.cells(), g.ToBaseline.cells(),
		))
	}
	return rows, err
}

func (r *Run) targetRows() ([][]string, error) {
	list, err := r.Targets()
	rows := header("workload,operation,lane,reference,reference_operation,at_most,lane_over_reference,lower95,upper95,verdict")
	for _, t := range list {
		rows = append(rows, slices.Concat(
			[]string{t.Workload, t.Operation, t.Lane, t.Reference, t.ReferenceOperation, number(t.AtMost)}, t.Ratio.cells(), []string{t.Verdict},
		))
	}
	return rows, err
}

// summaryRows are means over the blocks, lane by lane in the order of lanes.csv.
func (r *Run) summaryRows() [][]string {
	rows := header("protobuf_major,lane,workload,operation,mean_ns_per_op,min_fork_ns,max_fork_ns,mean_allocated_bytes_per_op,corpus_encoded_mean_bytes")
	r.eachSeries(func(l *Lane, w, op string) {
		size := ""
		if s := r.Size(l.Name, w); s != nil {
			size = number(s.Mean)
		}
		times := r.times(l.Name, w, op)
		ns, bytes, _ := r.Mean(l.Name, w, op)
		rows = append(rows, []string{
			r.protobufMajor(l), l.Name, w, op, number(ns), number(slices.Min(times)), number(slices.Max(times)), number(bytes), size,
		})
	})
	return rows
}

// protobufMajor returns the major version of the protobuf library that is the reference in the
// runtime of a lane, or "".
func (r *Run) protobufMajor(l *Lane) string {
	if l.Runtime == "java" {
		major, _, _ := strings.Cut(r.Property("protobuf-java.version"), ".")
		return major
	}
	if b := r.Lane(Baseline); b != nil {
		major, _, _ := strings.Cut(strings.TrimPrefix(b.Version, "v"), ".")
		return major
	}
	return ""
}

// memoryRows are what summary.csv has no column for.
func (r *Run) memoryRows() [][]string {
	rows := header("lane,workload,operation,mean_allocated_bytes_per_op,mean_allocations_per_op,mean_gc_share")
	r.eachSeries(func(l *Lane, w, op string) {
		_, bytes, allocs := r.Mean(l.Name, w, op)
		rows = append(rows, []string{l.Name, w, op, number(bytes), number(allocs), number(r.GCShare(l.Name, w, op))})
	})
	return rows
}

// eachSeries calls do for whatever was measured, lane by lane in the order of lanes.csv.
func (r *Run) eachSeries(do func(l *Lane, workload, operation string)) {
	for i := range r.Lanes {
		for _, w := range r.Workloads() {
			for _, op := range r.Operations() {
				if r.Has(r.Lanes[i].Name, w, op) {
					do(&r.Lanes[i], w, op)
				}
			}
		}
	}
}

// writeIterations writes every timing, compressed.
func (r *Run) writeIterations(name string) error {
	rows := header("lane,workload,operation,deterministic,block,iteration,ns_per_op")
	for _, res := range r.Results {
		for i, ns := range res.Iterations {
			rows = append(rows, []string{
				res.Lane, res.Workload, res.Operation, strconv.FormatBool(res.Deterministic), strconv.Itoa(res.Block), strconv.Itoa(i), number(ns),
			})
		}
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := writeCSV(z, rows); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return wholefile.Write(name, b.Bytes())
}

// WriteSums writes SHA256SUMS: the hash and the name of every file, sorted by name. A run that has it is
// complete.
func WriteSums(dir string) error {
	if err := wholefile.Clean(dir); err != nil {
		return err
	}
	var lines strings.Builder
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s: not a regular file", name)
		}
		if name == SumsFile || name == ReportHTML || name == ReportMarkdown {
			return nil
		}
		sum, err := hashFile(file)
		fmt.Fprintf(&lines, "%s  %s\n", sum, name)
		return err
	})
	if err != nil {
		return err
	}
	return wholefile.Write(filepath.Join(dir, SumsFile), []byte(sortLines(lines.String())))
}

// sortLines sorts the lines of SHA256SUMS by the name behind the hash.
func sortLines(s string) string {
	lines := slices.Collect(strings.Lines(s))
	slices.SortFunc(lines, func(a, b string) int {
		return strings.Compare(a[hex.EncodedLen(sha256.Size):], b[hex.EncodedLen(sha256.Size):])
	})
	return strings.Join(lines, "")
}

func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
