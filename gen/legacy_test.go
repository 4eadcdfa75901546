//go:build protolegacy

package gen_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/flinkser/flinkser/internal/protocheck"
)

// protoLegacy says whether the descriptor library takes message sets.
const protoLegacy = true

// TestMessageSetsCurrent is TestGoldenCurrent for the files that only a plugin with the tag
// protolegacy takes, and for what protoc-gen-go makes of them, which needs it as well.
func TestMessageSetsCurrent(t *testing.T) {
	files, err := protocheck.Read(os.DirFS(root), messageSets)
	if err != nil {
		t.Fatal(err)
	}
	want, have := overlay{}, map[string]string{}
	want.addCode(t, files, "paths=source_relative")
	err = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(messageSets)), func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, name)
		have[filepath.ToSlash(path)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != 4 {
		t.Errorf("%d files of code for 2 .proto files, want 4", len(want))
	}
	compare(t, maps.Clone(want), have)
}
