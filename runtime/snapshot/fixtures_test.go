package snapshot

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFixtures reads the snapshots that Java wrote, and writes them again.
func TestFixtures(t *testing.T) {
	names, err := filepath.Glob("testdata/flink-*/*.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("testdata/flink-*/*/*.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, more...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, rest, err := Parse(b)
		if err != nil || len(rest) > 0 {
			t.Errorf("%s: %v, %d bytes left", name, err, len(rest))
			continue
		}
		got, err := s.Append(nil)
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s: %v, other bytes", name, err)
		}
		t.Logf("%s: %s, %s, %v, %d, %d", name, s.JavaClass(), s.MessageName(), s.Deterministic(), s.MaxMessageSize(), s.RecursionLimit())
	}
}
