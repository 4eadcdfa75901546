package wholefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/wholefile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, text := range []string{"one", "two"} {
		if err := wholefile.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("the file holds %q, error %v, want %q", got, err, text)
		}
	}
	// A folder of that name cannot be replaced: nothing is left behind.
	if err := wholefile.Write(dir, nil); err == nil {
		t.Error("a folder has become a file")
	}
	if err := os.WriteFile(filepath.Join(dir, ".new-1"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := wholefile.Clean(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v are there, error %v, want the file alone", entries, err)
	}
}
