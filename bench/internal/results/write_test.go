package results_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/results/fixture"
)

// newRun makes a run with its tables.
func newRun(t *testing.T, o fixture.Options) string {
	t.Helper()
	dir := t.TempDir()
	if err := fixture.Write(dir, o); err != nil {
		t.Fatal(err)
	}
	if err := results.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// readRows returns the rows of a table without its header, which has to be the one given.
func readRows(t *testing.T, dir, name, header string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], ","); got != header {
		t.Errorf("%s: header %s, want %s", name, got, header)
	}
	return rows[1:]
}

func TestWrite(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 5, Java: true, Seed: 3})
	run, err := results.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}

	rows := readRows(t, dir, "measurements.csv", "lane,workload,operation,deterministic,block,ns_per_op,derived_ops_per_second,allocated_bytes_per_op")
	if len(rows) != len(run.Results) {
		t.Errorf("measurements.csv has %d rows for %d results", len(rows), len(run.Results))
	}
	supplements := 0
	for _, row := range rows {
		if row[3] == "true" {
			supplements++
		}
	}
	if supplements != 5 {
		t.Errorf("%d rows are deterministic, want 5", supplements)
	}

	cells := len(results.Workloads()) * len(results.Operations())
	rows = readRows(t, dir, "parity.csv", "workload,operation,native_over_baseline,lower95,upper95,verdict")
	if len(rows) != cells || rows[0][0] != "scalar" || rows[0][1] != "serialize" || rows[0][5] != "established" {
		t.Errorf("parity.csv has %d rows and begins with %q, want %d and an established one for scalar, serialize", len(rows), rows[0], cells)
	}

	rows = readRows(t, dir, "goals.csv", "workload,operation,native,verdict,best_safe_peer,native_over_best,lower95,upper95,"+
		"floor,native_over_floor,floor_lower95,floor_upper95,fastest,native_over_fastest,fastest_lower95,fastest_upper95,"+
		"native_over_baseline,baseline_lower95,baseline_upper95")
	if reuse := 2 * len(results.Workloads()); len(rows) != cells+reuse {
		t.Errorf("goals.csv has %d rows, want one for each of %d cells and %d for the mode that reuses messages", len(rows), cells, reuse)
	}
	byCell := map[string][]string{}
	for _, row := range rows {
		byCell[row[0]+"/"+row[1]+"/"+row[2]] = row
	}
	for cell, want := range map[string][]string{
		"scalar/serialize/ours":              {"inconclusive", "vtprotobuf"},
		"collections/deserialize/ours":       {"", "hyperpb"},
		"nested/deserializeReuse/ours":       {"ahead", "hyperpb"},
		"nested/deserializeReuse/ours-reuse": {"ahead", "hyperpb"},
		"social/objectCopyReuse/ours-reuse":  {"ahead", "protobuf-go-opaque"},
		"traces/buildAndSerialize/ours":      {"ahead", "easyproto"},
		"collections/decodeAndRead/ours":     {"", "hyperpb"},
	} {
		got := byCell[cell]
		if got == nil || want[0] != "" && got[3] != want[0] || got[4] != want[1] {
			t.Errorf("goals.csv, %s: %q, want %q", cell, got, want)
		}
	}
	for _, row := range readRows(t, dir, "peers.csv", "workload,operation,native,lane,safe,native_over_lane,lower95,upper95,verdict,lane_over_baseline,lane_lower95,lane_upper95") {
		if strings.HasPrefix(row[3], "java") {
			t.Errorf("peers.csv compares with another runtime: %q", row)
		}
		if unsafe := row[3] == "vtprotobuf-unsafe" || row[3] == "json" || row[3] == "memcpy" || strings.HasPrefix(row[3], "ours"); row[4] == "true" && unsafe {
			t.Errorf("peers.csv: %q counts as a safe peer", row)
		}
		if (row[8] == "") != (strings.HasPrefix(row[3], "ours") || strings.HasSuffix(row[3], "-pgo")) {
			t.Errorf("peers.csv: the verdict is wrong or missing in %q", row)
		}
	}
	checkProfiled(t, run)
	summary := readRows(t, dir, "summary.csv", "protobuf_major,lane,workload,operation,mean_ns_per_op,min_fork_ns,max_fork_ns,mean_allocated_bytes_per_op,corpus_encoded_mean_bytes")
	if first := summary[0]; first[0] != "1" || first[1] != "ours" || first[8] != "23.921875" {
		t.Errorf("summary.csv begins with %q", first)
	}
	targets := readRows(t, dir, "targets.csv", "workload,operation,lane,reference,reference_operation,at_most,lane_over_reference,lower95,upper95,verdict")
	if len(targets) < 40 {
		t.Errorf("targets.csv has %d rows, want one for each goal", len(targets))
	}
	checkSums(t, dir)
}

// checkProfiled checks that a program with a profile is compared with one of its kind.
func checkProfiled(t *testing.T, run *results.Run) {
	peers, err := run.Peers()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, p := range peers {
		if p.Lane != "protobuf-go-pgo" {
			continue
		}
		rows++
		want, err := run.Estimate("ours-pgo", p.Lane, p.Workload, p.Operation)
		if err != nil || p.Native != "ours-pgo" || p.Ratio != want || !want.Bounded {
			t.Errorf("protobuf-go-pgo is compared with %s: %+v, want ours-pgo: %+v, %v", p.Native, p.Ratio, want, err)
		}
	}
	if want := 2 * len(results.Workloads()); rows != want {
		t.Errorf("protobuf-go-pgo has %d rows, want %d", rows, want)
	}
}

// TestAheadOfAll lets a safe lane scatter that is not the fastest: ours is ahead of the fastest, but
// not of all.
func TestAheadOfAll(t *testing.T) {
	dir := t.TempDir()
	if err := fixture.Write(dir, fixture.Options{Blocks: 5, Workloads: []string{"traces"}, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	const w, op = "traces", "buildAndSerialize"
	before := goal(t, dir, w, op)
	if before.Verdict != results.Ahead || before.Best == "gogo-faster" {
		t.Fatalf("%s, best safe peer %s: choose another cell", before.Verdict, before.Best)
	}
	for block, factor := range []float64{.02, 4, 4, 4, 4} {
		if err := fixture.Stretch(dir, fmt.Sprintf("gogo-faster-%s-%s-%d.json", w, op, block), factor); err != nil {
			t.Fatal(err)
		}
	}
	after := goal(t, dir, w, op)
	if after.Verdict != results.Inconclusive || after.Best != before.Best || after.ToBest.Upper >= 1 {
		t.Errorf("%s with a ratio of %+v to %s, want inconclusive: ours is not ahead of gogo-faster", after.Verdict, after.ToBest, after.Best)
	}
}

// goal returns the verdict of a cell.
func goal(t *testing.T, dir, workload, operation string) results.Goal {
	t.Helper()
	run, err := results.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	goals, err := run.Goals()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(goals, func(g results.Goal) bool {
		return g.Headline && g.Workload == workload && g.Operation == operation
	})
	if i < 0 {
		t.Fatalf("there is no goal for %s, %s", workload, operation)
	}
	return goals[i]
}

// checkSums lets sha256sum look, which knows nothing of this package.
func checkSums(t *testing.T, dir string) {
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Log("sha256sum is not here, so that SHA256SUMS is left to bench audit")
		return
	}
	cmd := exec.Command("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v: %s", err, out)
	}
}

// TestWriteAgain checks that a second call changes nothing, with a report beside the files.
func TestWriteAgain(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	before, err := os.ReadFile(filepath.Join(dir, results.SumsFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, results.ReportHTML), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := results.Write(dir); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, results.SumsFile)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("SHA256SUMS is another one, error %v", err)
	}
}

// TestParityRecomputed lets awk compute parity.csv from measurements.csv.
func TestParityRecomputed(t *testing.T) {
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip("awk is not here, so parity.csv is not recomputed by a second program")
	}
	for name, o := range map[string]fixture.Options{
		"run":   {Blocks: 5, Java: true, Seed: 5},
		"smoke": {Blocks: 1, Workloads: []string{"collections"}},
	} {
		dir := newRun(t, o)
		cmd := exec.Command("awk", "-f", filepath.Join("..", "..", "scripts", "parity.awk"), filepath.Join(dir, "measurements.csv"))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		got, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, &stderr)
		}
		want, err := os.ReadFile(filepath.Join(dir, "parity.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: awk says\n%s\nparity.csv says\n%s", name, got, want)
		}
	}
}

// TestSmoke checks a run of one block: there are ratios and no intervals, and no verdict.
func TestSmoke(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 1, Workloads: []string{"collections"}})
	for _, row := range readRows(t, dir, "parity.csv", "workload,operation,native_over_baseline,lower95,upper95,verdict") {
		if row[0] != "collections" || row[2] == "" || row[3] != "" || row[4] != "" || row[5] != results.NoInterval {
			t.Errorf("parity.csv: %q", row)
		}
	}
}

// TestRefused damages a run in one way after the other.
func TestRefused(t *testing.T) {
	const file = "ours-scalar-serialize-3.json"
	for _, tt := range []struct {
		name, file, old, new, want string // old "": the file is removed
	}{
		{"no result", file, "", "", file},
		{"not listed", "completed-results.txt", file + "\n", "", "does not list it"},
		{"listed twice", "completed-results.txt", file + "\n", file + "\n" + file + "\n", "listed twice"},
		{"a path", "completed-results.txt", file + "\n", "../" + file + "\n", "no name of a file"},
		{"no JSON", file, "{", "[", "invalid character"},
		{"wrong name", file, `"block":3`, `"block":2`, "belongs into ours-scalar-serialize-2.json"},
		{"no block", file, `"block":3,`, "", "no block"},
		{"no allocation", file, `"allocated_bytes_per_op"`, `"allocated"`, "allocation"},
		{"no time", file, `"ns_per_op":`, `"ns_per_op":-`, "ns_per_op is -"},
		{"not finite", file, `"ns_per_op":`, `"ns_per_op":1e999,"x":`, "cannot unmarshal"},
		{"no iterations", file, `"iterations":[`, `"iterations":[],"x":[`, "iterations"},
		{"no manifest", "manifest.properties", "", "", "manifest.properties"},
		{"no property", "manifest.properties", "mode=run", "mode", "not key=value"},
		{"no lanes", "lanes.csv", "", "", "lanes.csv"},
		{"unknown lane", "lanes.csv", "\nours,", "\ntheirs,", "does not know lane ours"},
		{"unknown role", "lanes.csv", ",native,", ",leader,", `no role "leader"`},
		{"no bool", "lanes.csv", "true,true", "yes,true", `"yes"`},
		{"header", "sizes.csv", "records", "count", "the header is not"},
		{"no size", "sizes.csv", "23.921875", "NaN", "NaN is no number of bytes"},
		{"no reason", "unsupported.csv", "the library has no call for it", "", "no reason"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := fixture.Write(dir, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}}); err != nil {
				t.Fatal(err)
			}
			damage(t, filepath.Join(dir, tt.file), tt.old, tt.new)
			err := results.Write(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "parity.csv")); err == nil {
				t.Error("there is a parity.csv")
			}
		})
	}
}

// TestBlockMissing takes one block of one lane out of the run and out of its list.
func TestBlockMissing(t *testing.T) {
	const file = "ours-scalar-serialize-3.json"
	dir := t.TempDir()
	if err := fixture.Write(dir, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}}); err != nil {
		t.Fatal(err)
	}
	damage(t, filepath.Join(dir, file), "", "")
	damage(t, filepath.Join(dir, "completed-results.txt"), file+"\n", "")
	if err := results.Write(dir); err == nil || !strings.Contains(err.Error(), "4 of 5 blocks were measured") {
		t.Errorf("error %v, want one that counts the blocks", err)
	}
}

// damage replaces a part of a file, or removes it.
func damage(t *testing.T, name, from, to string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if from == "" {
		err = os.Remove(name)
	} else {
		if !bytes.Contains(data, []byte(from)) {
			t.Fatalf("%s does not contain %q", name, from)
		}
		err = os.WriteFile(name, bytes.Replace(data, []byte(from), []byte(to), 1), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
