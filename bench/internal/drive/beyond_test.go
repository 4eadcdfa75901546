package drive

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBeyond measures the table that takes least time, and leaves one that is there as it is.
func TestBeyond(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "growth.csv")
	if err := os.WriteFile(there, []byte("there\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := MeasureBeyond(t.Context(), dir, []string{"growth", "retention"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "growth.csv"); got != "there\n" {
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
	if _, err := measureTable(t.Context(), t.TempDir(), "nothing", nil); err == nil {
		t.Error("a program that does not exist has printed a table")
	}
}
