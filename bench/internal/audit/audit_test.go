package audit_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/audit"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/results/fixture"
	"github.com/flinkser/flinkser/bench/internal/rundir"
)

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

func TestRun(t *testing.T) {
	for name, o := range map[string]fixture.Options{
		"run":   {Blocks: 5, Java: true, Seed: 9},
		"smoke": {Blocks: 1, Workloads: []string{"collections"}},
	} {
		dir := newRun(t, o)
		got := audit.Run(os.DirFS(dir))
		if !got.OK() {
			t.Errorf("%s: %d problems: %q", name, len(got.Problems), got.Problems[:min(len(got.Problems), 3)])
		}
		for _, c := range got.Checks {
			if c.Count == 0 {
				t.Errorf("%s: nothing was checked of: %s", name, c.What)
			}
		}
	}
}

// TestPacked audits a run that was packed into one file, and checks that the file is always the same.
func TestPacked(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	var one, two bytes.Buffer
	for _, b := range []*bytes.Buffer{&one, &two} {
		if err := rundir.Pack(b, dir, results.ReportHTML); err != nil {
			t.Fatal(err)
		}
		// Not one of the packed files.
		if err := os.WriteFile(filepath.Join(dir, results.ReportHTML), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the packed file is another one each time")
	}
	name := filepath.Join(t.TempDir(), "run"+rundir.Suffix)
	if err := os.WriteFile(name, one.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	files, err := rundir.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := audit.Run(files); !got.OK() {
		t.Errorf("%q", got.Problems)
	}
}

// TestFound changes one thing in a run, with and without new checksums, and looks whether it is found.
func TestFound(t *testing.T) {
	const file = "protobuf-go-scalar-deserialize-2.json"
	for _, tt := range []struct {
		name, file, old, new, want string
	}{
		{"result gone", file, "", "", file},
		{"result changed", file, `"ns_per_op":2`, `"ns_per_op":1`, "the mean of the iterations"},
		{"list shortened", "completed-results.txt", file + "\n", "", "does not list it"},
		{"listed twice", "completed-results.txt", file + "\n", file + "\n" + file + "\n", "there twice"},
		{"lane left out of the list", "lanes.csv", "\nvtprotobuf,", "\nvt,", "does not know lane vtprotobuf"},
		{"reason removed", "unsupported.csv", "memcpy,,objectCopy,", "memcpy,,streamCopy,", "no reason is given"},
		{"size", "sizes.csv", "ours,scalar,64,23.921875", "ours,scalar,64,23.9", "published are"},
		{"measurement", "measurements.csv", "protobuf-go,scalar,deserialize,false,2,2", "protobuf-go,scalar,deserialize,false,2,1", "is not the result of protobuf-go"},
		{"verdict", "parity.csv", "established", "missed", "parity.csv: scalar, serialize"},
		{"ratio", "parity.csv", "scalar,serialize,0.", "scalar,serialize,1.", "parity.csv: scalar, serialize"},
		{"row", "parity.csv", "scalar,serialize,", "scalar,deserialize,", "for 9 cells"},
		{"peer", "peers.csv", "vtprotobuf,true", "vtprotobuf,false", "peers.csv"},
		{"best peer", "goals.csv", ",vtprotobuf,", ",gogo-faster,", "goals.csv"},
		{"goal", "goals.csv", ",ahead,", ",behind,", "goals.csv"},
		{"target", "targets.csv", "0.11", "0.31", "targets.csv"},
		{"target dropped", "targets.csv", "scalar,serialize,ours,tuple,", "text,serialize,ours,tuple,", "tuple serialize} is at most 1.50 is missing"},
		{"plan gone", "plan.txt", "", "", "plan.txt"},
		{"plan shortened", "plan.txt", file + "\n", "", file + ": measured, and not planned"},
		{"more planned", "plan.txt", file + "\n", file + "\nmore.json\n", "more.json: planned, and not measured"},
		{"planned in another order", "plan.txt", "# made up for tests\n", "# made up for tests\n" + file + "\n", "in another order"},
		{"fewer blocks said", "manifest.properties", "blocks=5", "blocks=4", "there is a block 4"},
		{"more blocks said", "manifest.properties", "blocks=5", "blocks=6", "5 blocks were measured"},
		{"no blocks said", "manifest.properties", "blocks=5", "blocks=", "no number of blocks"},
		{"more timings said", "manifest.properties", "iterations=5", "iterations=6", "5 timings"},
		{"workload said", "manifest.properties", "workloads=scalar", "workloads=scalar text", "text, serialize: not measured"},
		{"operation not said", "manifest.properties", " streamCopy", "", "does not list scalar, streamCopy"},
		{"summary", "summary.csv", "1,ours,scalar,serialize,3", "1,ours,scalar,serialize,4", "summary.csv"},
		{"memory", "memory.csv", "ours,scalar,deserialize,1", "ours,scalar,deserialize,2", "memory.csv"},
		{"growth", "growth.csv", "list,serialize,1000000,", "list,serialize,1000000,99", "the slope is"},
		{"no timings", "iterations.csv.gz", "\x1f", "\x1e", "iterations.csv.gz"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}, Seed: 2})
			damage(t, filepath.Join(dir, tt.file), tt.old, tt.new)
			got := audit.Run(os.DirFS(dir))
			sum := func(p string) bool { return strings.Contains(p, tt.file) }
			if !slices.ContainsFunc(got.Problems, sum) {
				t.Errorf("the checksum has found nothing: %q", got.Problems)
			}
			sign(t, dir)
			got = audit.Run(os.DirFS(dir))
			if !slices.ContainsFunc(got.Problems, func(p string) bool { return strings.Contains(p, tt.want) }) {
				t.Errorf("with new checksums: %q, want one that says %q", got.Problems, tt.want)
			}
		})
	}
}

// TestMissing removes a whole workload, operation, block, lane or supplement from a run, makes all tables anew, and
// looks whether it is missed.
func TestMissing(t *testing.T) {
	for _, tt := range []struct{ pattern, want string }{
		{"*-text-*", "planned, and not measured"},
		{"*-text-*", "text, serialize: not measured"},
		{"*-streamCopy-*", "streamCopy: not measured"},
		{"*-4.json", "4 blocks were measured"},
		{"vtprotobuf-*", "not measured, and no reason is given"},
		{"*-deterministic-*", "planned, and not measured"},
		{"*-deterministic-3.json", "with sorted maps: 4 blocks of 5"},
	} {
		dir := newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"text", "collections"}, Seed: 3})
		gone, err := filepath.Glob(filepath.Join(dir, tt.pattern))
		if err != nil || len(gone) == 0 {
			t.Fatalf("%s: %d files, error %v", tt.pattern, len(gone), err)
		}
		for _, name := range gone {
			damage(t, filepath.Join(dir, "completed-results.txt"), filepath.Base(name)+"\n", "")
			damage(t, name, "", "")
		}
		if err := results.Write(dir); err != nil {
			t.Fatal(err)
		}
		got := audit.Run(os.DirFS(dir))
		if !slices.ContainsFunc(got.Problems, func(p string) bool { return strings.Contains(p, tt.want) }) {
			t.Errorf("without %s: %q, want one that says %q", tt.pattern, got.Problems, tt.want)
		}
	}
}

// TestTargets shows that the audit and the tables have the same goals, each a list of its own, and that an
// empty table is found.
func TestTargets(t *testing.T) {
	theirs, err := os.ReadFile(filepath.Join("..", "results", "targets.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if own, err := os.ReadFile("targets.csv"); err != nil || !bytes.Equal(own, theirs) {
		t.Errorf("the goals of the audit are not those of the tables, error %v", err)
	}
	dir := newRun(t, fixture.Options{Blocks: 1, Workloads: []string{"scalar"}})
	name := filepath.Join(dir, results.TargetsFile)
	table, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := bytes.Cut(table, []byte("\n"))
	if err := os.WriteFile(name, append(header, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := results.WriteSums(dir); err != nil {
		t.Fatal(err)
	}
	if got := audit.Run(os.DirFS(dir)); len(got.Problems) < 5 || !strings.Contains(got.Problems[0], "is missing") {
		t.Errorf("an empty table: %q", got.Problems)
	}
}

// TestAheadOfAll changes the verdict of a cell in which ours is ahead of the fastest safe lane, but
// not of one that scatters.
func TestAheadOfAll(t *testing.T) {
	dir := t.TempDir()
	if err := fixture.Write(dir, fixture.Options{Blocks: 5, Workloads: []string{"traces"}, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	for block, factor := range []float64{.02, 4, 4, 4, 4} {
		if err := fixture.Stretch(dir, fmt.Sprintf("gogo-faster-traces-buildAndSerialize-%d.json", block), factor); err != nil {
			t.Fatal(err)
		}
	}
	if err := results.Write(dir); err != nil {
		t.Fatal(err)
	}
	if got := audit.Run(os.DirFS(dir)); !got.OK() {
		t.Errorf("%q", got.Problems)
	}
	const cell = "traces,buildAndSerialize,ours,"
	damage(t, filepath.Join(dir, results.GoalsFile), cell+"inconclusive", cell+"ahead")
	sign(t, dir)
	got := audit.Run(os.DirFS(dir))
	if !slices.ContainsFunc(got.Problems, func(p string) bool { return strings.Contains(p, "goals.csv: traces, buildAndSerialize") }) {
		t.Errorf("%q, want one of goals.csv", got.Problems)
	}
}

// sign makes new checksums, as somebody would who has changed a figure.
func sign(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("sha256sum is not here, so that no new checksums can be made")
	}
	cmd := exec.Command("sh", "-c", "rm SHA256SUMS; LC_ALL=C; export LC_ALL; sha256sum * > /dev/null && sha256sum $(ls) > .sums; mv .sums SHA256SUMS")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
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
			t.Fatalf("%s does not contain %q:\n%.500s", name, from, data)
		}
		err = os.WriteFile(name, bytes.Replace(data, []byte(from), []byte(to), 1), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestExtraFile(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 1, Workloads: []string{"scalar"}})
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := audit.Run(os.DirFS(dir))
	if len(got.Problems) != 1 || !strings.Contains(got.Problems[0], "notes.txt") {
		t.Errorf("%q, want the extra file", got.Problems)
	}
	if got := audit.Run(os.DirFS(t.TempDir())); got.OK() {
		t.Error("an empty folder is all right")
	}
}
