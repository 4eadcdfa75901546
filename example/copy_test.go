package example_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCopies copies each example to a module of its own, as a reader might, and runs it there. The one called
// state is a module already, and has a test of that kind itself.
func TestCopies(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{
		"frames":  "A file of frames, read record by record:",
		"strict":  "orders: generated code for all types",
		"dynamic": "The frames hold example.orders.v1.Order",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(name)); err != nil {
				t.Fatal(err)
			}
			sums, err := os.ReadFile("../go.sum")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{
				{"mod", "init", "example.com/copied"},
				{"mod", "edit", "-require=github.com/flinkser/flinkser@v0.0.0", "-replace=github.com/flinkser/flinkser=" + root},
				{"run", "-mod=mod", "."},
			} {
				cmd := exec.Command("go", args...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOWORK=off")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("go %v: %v\n%s", args, err, out)
				}
				if args[0] == "run" && !strings.Contains(string(out), says) {
					t.Errorf("it prints\n%s", out)
				}
			}
		})
	}
}
