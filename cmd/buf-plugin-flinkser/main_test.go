package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"buf.build/go/bufplugin/check"
	"buf.build/go/bufplugin/check/checktest"

	"github.com/flinkser/flinkser/runtime/snapshot"
)

// TestSpec holds names, purposes and categories to what buf wants.
func TestSpec(t *testing.T) {
	spec := newSpec()
	checktest.SpecTest(t, spec)
	if len(spec.Rules) < 80 {
		t.Errorf("%d rules, want 80 at least", len(spec.Rules))
	}
}

// TestBuf runs buf breaking with the plugin on versions of the schema of the example restore, and compares
// what it prints with testdata. FLINKSER_UPDATE=testdata/* writes that, and the run fails.
func TestBuf(t *testing.T) {
	buf, err := exec.LookPath("buf")
	if err != nil {
		t.Skip("buf is not on PATH, so the plugin cannot be run by it")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "buf-plugin-flinkser"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, version := range []string{"base", "added", "widened", "zigzag"} {
		text, err := os.ReadFile(filepath.Join("../../example/restore", version, "shop/order.proto"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, version, "shop"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, version, "shop/order.proto"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// The messages moved to another package, and a type changed.
	text, err := os.ReadFile("../../example/restore/zigzag/shop/order.proto")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "renamed/shop"), 0o755); err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("package shop.v1;"), []byte("package shop.v2;"), 1)
	if err := os.WriteFile(filepath.Join(dir, "renamed/shop/order.proto"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, new, use, options, format string
		exit                                 int
	}{
		{"strict.text", "base", "zigzag", "STATE_STRICT", "roots: [shop.v1.Order]", "text", 100},
		{"strict.github-actions", "base", "zigzag", "STATE_STRICT", "roots: [shop.v1.Order]", "github-actions", 100},
		{"added.text", "base", "added", "STATE_STRICT", "direction: both", "text", 0},
		{"widened-strict.text", "base", "widened", "STATE_STRICT", "direction: restore", "text", 100},
		{"widened-wire.text", "base", "widened", "STATE_WIRE", "direction: restore", "text", 0},
		{"widened-rollback.text", "base", "widened", "STATE_WIRE", "direction: rollback", "text", 100},
		{"widened-rollback.github-actions", "base", "widened", "STATE_WIRE", "direction: rollback", "github-actions", 100},
		{"removed.text", "added", "base", "STATE_WIRE", "fail_on: warning", "text", 100},
		{"gone.text", "base", "added", "STATE_WIRE", "renames: [shop.v1.Order=shop.v2.Order]", "text", 100},
		{"renamed.text", "base", "renamed", "STATE_WIRE", "roots: [shop.v2.Order]\n      renames: [shop.v1.Order=shop.v2.Order, shop.v1.Status=shop.v2.Status]", "text", 100},
		{"option.text", "base", "added", "STATE_WIRE", "direction: sideways", "text", 1},
		{"root.text", "base", "added", "STATE_WIRE", "roots: [shop.v1.Ordre]", "text", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := "version: v2\nbreaking:\n  use: [" + c.use + "]\nplugins:\n  - plugin: buf-plugin-flinkser\n    options:\n      " + c.options + "\n"
			if err := os.WriteFile(filepath.Join(dir, c.new, "buf.yaml"), []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, c.old, "buf.yaml")); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(buf, "breaking", ".", "--against", "../"+c.old, "--error-format", c.format)
			cmd.Dir = filepath.Join(dir, c.new)
			cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			code := 0
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if code != c.exit {
				t.Errorf("exit code %d, want %d\n%s", code, c.exit, out)
			}
			golden(t, "testdata/"+c.name, out)
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(name)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	if match, err := filepath.Match(os.Getenv("FLINKSER_UPDATE"), name); err == nil && match {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Errorf("%s: got\n%swant\n%s", name, got, strings.TrimSpace(string(want)))
}

// TestNoSnapshot has an old message of which no snapshot can be made: that is a finding of both policies.
func TestNoSnapshot(t *testing.T) {
	for _, c := range categories {
		rule := c.id + "_" + string(unusable("shop.v1.Order", errors.New("too large")).Code)
		if !slices.ContainsFunc(newSpec().Rules, func(r *check.RuleSpec) bool { return r.ID == rule }) {
			t.Errorf("no rule %s reports it", rule)
		}
	}
}

// TestMessage is about texts that come from files.
func TestMessage(t *testing.T) {
	f := snapshot.Finding{Type: "shop.v1.Order", Why: "Moved.", Old: "a\n::error::x.proto", New: "\x1b[31m.proto"}
	if got, want := message(f), "shop.v1.Order: Moved. Was `a\\n::error::x.proto`, is `\\x1b[31m.proto`."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
