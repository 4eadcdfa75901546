package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/results/fixture"
	"github.com/flinkser/flinkser/bench/internal/social"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// TestAddTable adds the social table to a run, and looks at what the other commands make of it.
func TestAddTable(t *testing.T) {
	var cells []social.Cell
	for _, d := range social.Directions() {
		cells = append(cells, social.Cell{
			Runtime: "go", Format: social.JSON, Lane: "json", Direction: d, Size: 1211, Calls: suite.Calls{Min: 1, Mean: 3, Median: 2, Calls: 4},
		})
	}
	if err := addTable(t.TempDir(), cells); err == nil {
		t.Error("a folder without a run is given a table")
	}
	dir := made(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	if err := addTable(dir, cells); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, social.File))
	if err != nil {
		t.Fatal(err)
	}
	mustContain(t, string(table), "\ngo,json,json,1211,1,3,2,1,3,2,4\n")
	if out, err := execute(auditCommand(), dir); err != nil {
		t.Errorf("the audit fails: %v: %s", err, out)
	}
	if out, err := execute(reportCommand(), dir); err != nil {
		t.Errorf("no report: %v: %s", err, out)
	}
	report, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	mustContain(t, string(report), "| go | json | json | 1211 |")
}
