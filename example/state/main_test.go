package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStory copies the folder as a module of its own, builds a program for each version of the schema, and lets them
// share a file.
func TestStory(t *testing.T) {
	dir := copied(t)
	for _, version := range []string{"v1", "v2", "v3"} {
		command(t, dir, "go", "build", "-buildvcs=false", "-tags", version, "-o", version+".exe", ".")
	}
	file := filepath.Join(dir, "orders.db")
	const (
		first  = "order 001: customer 1, 100\n"
		second = "order 002: customer 2, 200\n"
		third  = "order 003: customer 3, 300\n"
	)
	for i, step := range []struct {
		version string
		says    []string
		refused bool
	}{
		{"v1", []string{"added order 001\n"}, false},
		{"v1", []string{first + "added order 002\n"}, false},
		{"v2", []string{first + second + "added order 003\n"}, false},
		{"v3", []string{"break FIELD_TYPE_CHANGED at shop.v1.Order number 2 (amount)", "break RESERVED_NUMBER_USED at shop.v1.Order number 3 (due)"}, true},
		{"v1", []string{"break FIELD_REMOVED at shop.v1.Order number 4 (coupon)"}, true},
		{"v2", []string{first + second + third + "added order 004\n"}, false},
	} {
		before, _ := os.ReadFile(file)
		out, err := exec.Command(filepath.Join(dir, step.version+".exe"), file).CombinedOutput()
		var exit *exec.ExitError
		if step.refused != (errors.As(err, &exit) && exit.ExitCode() == 1) || !step.refused && err != nil {
			t.Fatalf("step %d, %s: %v\n%s", i, step.version, err, out)
		}
		for _, text := range step.says {
			if step.refused && !strings.Contains(string(out), text) || !step.refused && string(out) != text {
				t.Errorf("step %d, %s: %q is not in\n%s", i, step.version, text, out)
			}
		}
		if after, _ := os.ReadFile(file); step.refused && string(before) != string(after) {
			t.Errorf("step %d, %s: refused, and the file has changed", i, step.version)
		}
	}
}

// copied copies the module to a folder of its own.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/flinkser/flinkser"
	command(t, dir, "go", "mod", "edit", "-replace="+module+"="+root, "-replace="+module+"/integration/bbolt="+filepath.Join(root, "integration", "bbolt"))
	return dir
}

func command(t *testing.T, dir string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}
