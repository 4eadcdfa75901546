package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/report"
	"github.com/flinkser/flinkser/bench/internal/results/fixture"
	"github.com/flinkser/flinkser/bench/internal/rundir"
)

// packed makes a packed run in a folder.
func packed(t *testing.T, dir string) {
	t.Helper()
	var b bytes.Buffer
	if err := rundir.Pack(&b, newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar", "text"}, Java: true, Seed: 8})); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "run"+rundir.Suffix), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestFillTables(t *testing.T) {
	dir := t.TempDir()
	packed(t, dir)
	file := filepath.Join(dir, "doc.md")
	text := "before\n\n<!-- bench summary run.tar.gz -->\nold\n<!-- /bench -->\n\nbetween\n\n" +
		"<!-- bench java run.tar.gz -->\n<!-- /bench -->\n\n<!-- bench goals run.tar.gz -->\n<!-- /bench -->\n\n<!-- bench lanes run.tar.gz -->\n<!-- /bench -->\nafter\n"
	got, err := report.FillTables(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"before\n\n<!-- bench summary run.tar.gz -->\n\n| workload | write |", "\n| scalar | 0.", " vtprotobuf |", "[run.tar.gz](run.tar.gz): Example CPU",
		"\n<!-- /bench -->\n\nbetween\n", "| workload | ours | java-native-peer | java-chill |", "| text | objectCopyReuse |", "| memcpy | analogue |", "<!-- /bench -->\nafter\n",
	} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if bytes.Contains(got, []byte("old")) {
		t.Error("the old table is still there")
	}
	again, err := report.FillTables(file, got)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("made anew, it is another text, error %v:\n%s", err, again)
	}
}

func TestFillTablesRefused(t *testing.T) {
	dir := t.TempDir()
	packed(t, dir)
	for text, want := range map[string]string{
		"no table":                               "no table is marked",
		"<!-- bench summary run.tar.gz -->\n| a": "not closed",
		"<!-- bench summary run.tar.gz -->\n<!-- /bench -->\n<!-- /bench -->": "not closed",
		"<!-- bench summary other.tar.gz -->\n<!-- /bench -->":                "other.tar.gz",
		"<!-- bench colours run.tar.gz -->\n<!-- /bench -->":                  `no table "colours"`,
	} {
		if _, err := report.FillTables(filepath.Join(dir, "doc.md"), []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		}
	}
}
