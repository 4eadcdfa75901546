package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/beyond/curves"
	"github.com/flinkser/flinkser/bench/internal/results"
)

// growthTable has a curve whose times grow with that power of the size.
func growthTable(power int) []byte {
	table := strings.Join(curves.Header(), ",") + "\n"
	for size, ns := 1, 1; size <= 1000; size *= 10 {
		table += fmt.Sprintf("list,serialize,%d,%d.0,0\n", size, ns)
		for range power {
			ns *= 10
		}
	}
	return []byte(table)
}

// TestSteep shows that the table of a growth that is too steep is kept, and fails whenever it is asked for.
func TestSteep(t *testing.T) {
	dir := t.TempDir()
	measured := 0
	measure := func(context.Context, string, string, *progress) ([]byte, error) {
		measured++
		return growthTable(2), curves.Check(growthTable(2))
	}
	for range 2 {
		if err := beyondTables(t.Context(), dir, []string{growth}, measure, newProgress(io.Discard)); !errors.Is(err, curves.ErrTooSteep) {
			t.Errorf("a growth that is too steep: %v", err)
		}
	}
	if got := read(t, dir, "growth.csv"); measured != 1 || got != string(growthTable(2)) {
		t.Errorf("measured %d times, and kept is\n%s", measured, got)
	}
}

// TestBeyond measures the table that takes least time, and leaves one that is there as it is.
func TestBeyond(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "growth.csv")
	if err := os.WriteFile(there, growthTable(1), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := MeasureBeyond(t.Context(), dir, []string{"growth", "retention"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "growth.csv"); got != string(growthTable(1)) {
		t.Errorf("a table that is there has become %q", got)
	}
	lines := strings.Split(strings.TrimSpace(read(t, dir, "retention.csv")), "\n")
	if len(lines) < 30 || !strings.HasPrefix(lines[0], "message,payload_bytes,kept,") {
		t.Errorf("the table is %d lines long and begins with %q", len(lines), lines[0])
	}
	for _, l := range lines {
		if strings.Count(l, ",") < 6 {
			t.Errorf("line %q has too few columns", l)
		}
	}
	if err := MeasureBeyond(t.Context(), dir, []string{"other"}, io.Discard); err == nil || !strings.Contains(err.Error(), "no table") {
		t.Errorf("an unknown table: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, results.SumsFile)); err == nil {
		t.Error("a folder without a run is given hashes")
	}
	if _, err := measureTable(t.Context(), t.TempDir(), "nothing", nil); err == nil {
		t.Error("a program that does not exist has printed a table")
	}
}
