package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/results/fixture"
)

// made makes a run that looks like a real one.
func made(t *testing.T, o fixture.Options) string {
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

// execute runs a command as main does.
func execute(cmd *cobra.Command, args ...string) (string, error) {
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs(args)
	err := cmd.Execute()
	return out.String(), err
}

func mustContain(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in\n%s", w, text)
		}
	}
}

func TestReportAuditPack(t *testing.T) {
	dir := made(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	if out, err := execute(reportCommand(), dir); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{results.ReportHTML, results.ReportMarkdown} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Contains(data, []byte("Where it stands")) {
			t.Errorf("%s: %d bytes, error %v", name, len(data), err)
		}
	}
	file := filepath.Join(t.TempDir(), "run.tar.gz")
	if out, err := execute(packCommand(), dir, file); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, run := range []string{dir, file} {
		out, err := execute(auditCommand(), run)
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
		mustContain(t, out, "rows of parity.csv", "nothing is wrong")
	}
	if _, err := execute(reportCommand(), file); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("a report of a packed run without --out: error %v", err)
	}
	out := t.TempDir()
	if text, err := execute(reportCommand(), file, "--out", out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	one, err := os.ReadFile(filepath.Join(dir, results.ReportHTML))
	if err != nil {
		t.Fatal(err)
	}
	if two, err := os.ReadFile(filepath.Join(out, results.ReportHTML)); err != nil || !bytes.Equal(one, two) {
		t.Errorf("the report of the packed run is another one, error %v", err)
	}
}

func TestAuditFails(t *testing.T) {
	dir := made(t, fixture.Options{Blocks: 1, Workloads: []string{"scalar"}})
	if err := os.WriteFile(filepath.Join(dir, results.ParityFile), []byte("workload\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := execute(auditCommand(), dir)
	if err == nil {
		t.Errorf("no error: %s", out)
	}
	mustContain(t, out, "WRONG: parity.csv: the SHA-256")
	if strings.Contains(out, "nothing is wrong") {
		t.Errorf("it says that nothing is wrong: %s", out)
	}
}

func TestCompareCommand(t *testing.T) {
	older := made(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}, Seed: 1})
	newer := made(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}, Seed: 2, Native: .5})
	out, err := execute(compareCommand(), older, newer)
	if err != nil {
		t.Fatal(err)
	}
	mustContain(t, out, "scalar    serialize", "9 faster, 0 slower, 0 without")
	if strings.Contains(out, "Not the versions alone") {
		t.Errorf("runs of the same conditions are told apart: %s", out)
	}
	manifest := filepath.Join(newer, results.ManifestFile)
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, bytes.Replace(b, []byte("go.version=go1."), []byte("go.version=go9."), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err = execute(compareCommand(), "--markdown", newer, older)
	if err != nil {
		t.Fatal(err)
	}
	mustContain(t, out, "| workload | operation |", "|---|---|", "| slower |", "0 faster, 9 slower", "Not the versions alone: go.version is \"go9.")
	if out, err := execute(compareCommand(), older, older, "--lane", "nothing"); err == nil {
		t.Errorf("a lane that is not there was compared: %s", out)
	}
}

func TestTables(t *testing.T) {
	dir := made(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	doc := filepath.Join(dir, "doc.md")
	if err := os.WriteFile(doc, []byte("<!-- bench summary . -->\n<!-- /bench -->\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := execute(tablesCommand(), "--check", doc); err == nil || !strings.Contains(err.Error(), "not what its run says") {
		t.Errorf("the empty table: error %v", err)
	}
	if out, err := execute(tablesCommand(), doc); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := execute(tablesCommand(), "--check", doc); err != nil {
		t.Errorf("the table that was just made: %v: %s", err, out)
	}
	data, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(data, []byte("| scalar | 0."), []byte("| scalar | 1."), 1)
	if bytes.Equal(changed, data) {
		t.Fatalf("no ratio in\n%s", data)
	}
	if err := os.WriteFile(doc, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := execute(tablesCommand(), "--check", doc); err == nil {
		t.Error("a changed ratio is current")
	}
}
