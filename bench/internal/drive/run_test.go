package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// fake is a family of two lanes that measures nothing.
type fake struct {
	text     string            // of its program
	wrong    map[string][]byte // what it prints for a cell instead
	measured map[string]int    // by name of the cell
	after    int               // it calls stop when so many cells have been measured
	stop     context.CancelFunc
	gateErr  error
	tables   measureFunc // where it is set, all tables of bench beyond are asked of it
}

func (*fake) name() string { return "fake" }

func (f *fake) build(_ context.Context, dir string, block int, _ string) (program, error) {
	bin := filepath.Join(dir, "fake")
	return &fakeProgram{f, bin}, os.WriteFile(bin, []byte(fmt.Sprint(f.text, block)), 0o666)
}

type fakeProgram struct {
	*fake
	bin string
}

func (p *fakeProgram) file() string { return p.bin }

func (p *fakeProgram) lanes(context.Context) ([]suite.Checked, error) {
	var all []suite.Checked
	for i, name := range []string{"ours", "protobuf-go"} {
		all = append(all, suite.Checked{
			Lane: name, Role: []string{"native", "baseline"}[i], Runtime: "go", Core: true,
			Sizes: map[string]suite.Sizes{}, Unsupported: map[string]string{},
		})
	}
	return all, nil
}

func (p *fakeProgram) gate(ctx context.Context, lane string, workloads []string) (suite.Checked, error) {
	all, err := p.lanes(ctx)
	if err = errors.Join(err, p.gateErr); err != nil {
		return suite.Checked{}, err
	}
	c := all[0]
	if lane != c.Lane {
		c = all[1]
	}
	for _, w := range workloads {
		c.Sizes[w] = suite.Sizes{Records: 64, Mean: 1, Min: 1, Max: 1}
	}
	return c, nil
}

func (p *fakeProgram) measure(_ context.Context, c Cell, _ Effort) (stdout, stderr []byte, err error) {
	p.measured[c.Name()]++
	if p.after--; p.after == 0 {
		p.stop()
	}
	if b, ok := p.wrong[c.Name()]; ok {
		return b, nil, nil
	}
	out, err := json.Marshal(suite.Result{
		Lane: c.Lane, Workload: c.Workload, Operation: c.Operation, Block: c.Block, Deterministic: c.Deterministic,
		NsPerOp: float64(10 + len(c.Lane)), Iterations: []float64{float64(10 + len(c.Lane))},
	})
	return out, nil, err
}

func (*fakeProgram) profile(context.Context, Cell, time.Duration, string) error { return nil }

// measuring runs the fake family.
func measuring(t *testing.T, dir string, f *fake) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f.stop = cancel
	if f.measured == nil {
		f.measured = map[string]int{}
	}
	var beyond []string
	if f.tables != nil {
		beyond = Beyond()
	}
	return Run(ctx, dir, Options{
		Beyond: beyond, tables: f.tables,
		Workloads: []string{"scalar", "text"}, Operations: []string{"serialize", "deserialize"}, Blocks: 5,
		Effort: Effort{Time: time.Millisecond, Iterations: 1}, watch: time.Millisecond, source: []family{f},
	}, io.Discard)
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const cellsOfRun = 5 * 2 * 2 * 2

// TestResume kills a run in the middle and lets it go on: the inventory is that of a run without an
// interruption, and nothing is measured twice but what was not yet listed.
func TestResume(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	if err := measuring(t, whole, &fake{}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	f := &fake{after: 13}
	if err := measuring(t, dir, f); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the same command goes on") {
		t.Fatalf("an interrupted run says %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, results.SumsFile)); err == nil {
		t.Error("an interrupted run has been completed")
	}
	// What a kill leaves in the worst case: a result that is not listed, half a line, half a file.
	completed := read(t, dir, results.CompletedFile)
	lines := strings.SplitAfter(completed, "\n")
	last := strings.TrimSpace(lines[len(lines)-2])
	half := strings.Join(lines[:len(lines)-2], "") + last[:5]
	for name, text := range map[string]string{results.CompletedFile: half, ".new-123": "{", "ours-text-serialize-4.json": "{}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := measuring(t, dir, f); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, dir, results.CompletedFile), read(t, whole, results.CompletedFile); got != want {
		t.Errorf("the inventory is\n%s\nwant\n%s", got, want)
	}
	for name, n := range f.measured {
		if want := 1; n != want && name+".json" != last {
			t.Errorf("%s was measured %d times", name, n)
		}
	}
	if len(f.measured) != cellsOfRun {
		t.Errorf("%d cells were measured, want %d", len(f.measured), cellsOfRun)
	}
	if read(t, dir, results.ParityFile) != read(t, whole, results.ParityFile) {
		t.Error("the tables differ from those without an interruption")
	}
	if _, err := os.Stat(filepath.Join(dir, ".new-123")); err == nil {
		t.Error("half a file is still there")
	}
	if err := measuring(t, dir, f); err == nil || !strings.Contains(err.Error(), "complete") {
		t.Errorf("a complete run is measured again: %v", err)
	}
}

// TestResumeBeyond interrupts a run in a table that is not about the time of a record. It is not complete, and
// goes on with that table.
func TestResumeBeyond(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	f := &fake{}
	asked := map[string]int{}
	f.tables = func(ctx context.Context, _, name string, _ *progress) ([]byte, error) {
		asked[name]++
		if name == "parallel" && asked[name] == 1 {
			f.stop()
			return []byte("half a ta"), ctx.Err()
		}
		if name == "heldout" && asked[name] == 1 {
			return []byte("half a ta"), errors.New("failed")
		}
		if name == growth {
			return growthTable(1), nil
		}
		return []byte("whole\n"), nil
	}
	if err := measuring(t, dir, f); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the same command goes on") {
		t.Fatalf("an interrupted run says %v", err)
	}
	for _, name := range []string{results.SumsFile, "parallel.csv", "retention.csv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("the interrupted run has written %s", name)
		}
	}
	// What fails by itself is reported, and the rest is completed.
	if err := measuring(t, dir, f); err == nil || !strings.Contains(err.Error(), "heldout: failed") || errors.Is(err, context.Canceled) {
		t.Errorf("the rest of the run says %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "heldout.csv")); err == nil {
		t.Error("what a failed program has printed is a table")
	}
	if got := read(t, dir, results.SumsFile); !strings.Contains(got, "  parallel.csv\n") || strings.Contains(got, "heldout") {
		t.Errorf("the hashes are\n%s", got)
	}
	for name, n := range asked {
		if want := map[string]int{"parallel": 2}[name]; n != max(want, 1) {
			t.Errorf("the table %s was measured %d times", name, n)
		}
	}
	if len(f.measured) != cellsOfRun {
		t.Errorf("%d cells were measured, want %d", len(f.measured), cellsOfRun)
	}
}

// TestResumeEarly lets a run go on that was killed before its plan was written, in whatever state.
func TestResumeEarly(t *testing.T) {
	for _, files := range [][]string{{".new-1"}, {results.ManifestFile}, {results.ManifestFile, ".new-2"}} {
		dir := t.TempDir()
		for _, name := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := measuring(t, dir, &fake{}); err != nil {
			t.Errorf("%v: %v", files, err)
			continue
		}
		if got := read(t, dir, results.SumsFile); strings.Contains(got, ".new-") {
			t.Errorf("half a file is a part of the run:\n%s", got)
		}
		if got := read(t, dir, results.ManifestFile); !strings.HasPrefix(got, "format.version=1\n") {
			t.Errorf("the manifest is\n%s", got)
		}
	}
}

// TestResumeRefused shows that a run goes on with the same programs and the same plan only.
func TestResumeRefused(t *testing.T) {
	begun := func() string {
		dir := filepath.Join(t.TempDir(), "run")
		if err := measuring(t, dir, &fake{after: 3}); !errors.Is(err, context.Canceled) {
			t.Fatalf("an interrupted run says %v", err)
		}
		return dir
	}
	for _, tt := range []struct {
		name, want string
		prepare    func(dir string) (*fake, error)
	}{
		{"another program", "another program", func(string) (*fake, error) { return &fake{text: "changed"}, nil }},
		{"another plan", "another plan", func(dir string) (*fake, error) {
			return &fake{}, os.WriteFile(filepath.Join(dir, planFile), []byte("ours-x-y-0.json\n"), 0o666)
		}},
		{"another source", "another source", func(dir string) (*fake, error) {
			return &fake{}, os.WriteFile(filepath.Join(dir, results.ManifestFile), []byte("source.revision=0\n"), 0o666)
		}},
		{"something else", "holds no run", func(dir string) (*fake, error) { return &fake{}, os.Remove(filepath.Join(dir, planFile)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := begun()
			f, err := tt.prepare(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := measuring(t, dir, f); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the run says %v, want %q", err, tt.want)
			}
		})
	}
}

// TestFailures shows that a run does not go on with what is wrong.
func TestFailures(t *testing.T) {
	const cell = "ours-text-serialize-1"
	for _, tt := range []struct {
		name, want string
		fake       *fake
	}{
		{"a lane that has not passed the gate", "has not passed the gate", &fake{gateErr: errors.New("wrong value")}},
		{"no result", "has printed no result", &fake{wrong: map[string][]byte{cell: []byte("oops")}}},
		{"no allocation", "allocation is missing", &fake{wrong: map[string][]byte{
			cell: []byte(`{"lane":"ours","workload":"text","operation":"serialize","block":1,"ns_per_op":1,"iterations":[1]}`),
		}}},
		{"another cell", "instead of", &fake{wrong: map[string][]byte{
			cell: []byte(`{"lane":"ours","workload":"text","operation":"serialize","block":2,"ns_per_op":1,"allocated_bytes_per_op":0,"iterations":[1]}`),
		}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if err := measuring(t, dir, tt.fake); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the run says %v, want %q", err, tt.want)
			}
			if _, err := os.Stat(filepath.Join(dir, cell+".json")); err == nil {
				t.Error("the result is there")
			}
		})
	}
}

// TestBusyBlocks reads back what the start gate has noted.
func TestBusyBlocks(t *testing.T) {
	s := &session{dir: t.TempDir()}
	text := quietHeader + quiet{Block: 0, Passed: true}.row() + quiet{Block: 1}.row() + quiet{Block: 1, Attempt: 1, Passed: true}.row() +
		quiet{Block: 2, Load: 3}.row() + quiet{Block: 4, Idle: .5}.row()
	if err := os.WriteFile(s.path(quietFile), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := s.busyBlocks(); err != nil || got != "2 4" {
		t.Errorf("busy blocks are %q, %v, want 2 and 4", got, err)
	}
}

func TestPropertiesOfGate(t *testing.T) {
	dir := t.TempDir()
	c := suite.Checked{
		Lane: "some", Role: "native", Checks: suite.Checks{UTF8: true}, Sizes: map[string]suite.Sizes{"text": {Records: 64, Mean: 1.5, Min: 1, Max: 2}},
		Unsupported: map[string]string{"large": "too\nlarge"},
	}
	if err := properties(dir, &c); err != nil {
		t.Fatal(err)
	}
	got := read(t, dir, "some-plain.properties")
	for _, want := range []string{"lane=some\n", "status=supported\n", "checks.utf8=true\n", "checks.depth=false\n", "text.encoded.mean=1.5\n", "unsupported.large=too large\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
