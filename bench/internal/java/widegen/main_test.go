package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCurrent shows that the files in the tree are those that this program writes.
func TestCurrent(t *testing.T) {
	for name, text := range files {
		want, err := render(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../../java", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what widegen writes: run it again", name)
		}
	}
}
