package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/results/fixture"
)

// TestBeyondInRun adds a table to a run, as bench beyond does: the run is still one that the audit accepts.
func TestBeyondInRun(t *testing.T) {
	dir := made(t, fixture.Options{Blocks: 1, Workloads: []string{"scalar"}})
	// It is there, so that nothing is measured.
	if err := os.WriteFile(filepath.Join(dir, "retention.csv"), []byte("message\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := execute(beyondCommand(), dir, "--only", "retention"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := execute(auditCommand(), dir); err != nil {
		t.Errorf("the audit fails: %v: %s", err, out)
	}
}
