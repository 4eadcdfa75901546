package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestRecipes runs the shell lines of the recipes in docs/ci.md, in a repository with a schema and snapshots:
// first as it is, then with a change that must be refused.
func TestRecipes(t *testing.T) {
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not here, and the recipes need it", program)
		}
	}
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range yamlBlock.FindAllStringSubmatch(string(text), -1) {
		var recipe any
		if err := yaml.Unmarshal([]byte(block[1]), &recipe); err != nil {
			t.Fatalf("%v in\n%s", err, block[1])
		}
		lines = append(lines, shellLines(recipe)...)
	}
	checks := 0
	dir := repository(t)
	for _, broken := range []bool{false, true} {
		if broken {
			order := strings.Replace(recipeSchema, "int32 amount = 2;", "sint32 amount = 2;", 1)
			if err := os.WriteFile(filepath.Join(dir, "proto/order.proto"), []byte(order), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, line := range lines {
			if target, ok := strings.CutPrefix(line, "go install github.com/flinkser/flinkser/"); ok {
				// A release is not at hand: what would be installed must be there.
				folder, _, _ := strings.Cut(target, "@")
				if _, err := os.Stat(filepath.Join("../..", folder, "main.go")); err != nil {
					t.Errorf("%s: %v", line, err)
				}
				continue
			}
			checks++
			cmd := exec.Command("sh", "-e", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if (err != nil) != broken {
				t.Errorf("broken is %v, but %s: %v\n%s", broken, line, err, out)
			}
		}
	}
	if checks != 8 {
		t.Errorf("%d lines were run, want 8: %q", checks, lines)
	}
}

// shellLines collects what GitHub, GitLab and pre-commit run.
func shellLines(recipe any) []string {
	var lines []string
	switch v := recipe.(type) {
	case map[string]any:
		for _, key := range []string{"run", "entry"} {
			if line, ok := v[key].(string); ok {
				lines = append(lines, line)
			}
		}
		if script, ok := v["script"].([]any); ok {
			for _, line := range script {
				lines = append(lines, line.(string))
			}
		}
		for _, value := range v {
			lines = append(lines, shellLines(value)...)
		}
	case []any:
		for _, value := range v {
			lines = append(lines, shellLines(value)...)
		}
	}
	return lines
}

const recipeSchema = "syntax = \"proto3\";\npackage shop.v1;\nmessage Order {\n  int64 id = 1;\n  int32 amount = 2;\n}\n"

// repository makes a repository as the recipes expect it, with the tool in its folder bin.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	tool := filepath.Join(dir, "bin", "flinkser")
	if runtime.GOOS == "windows" {
		tool += ".exe"
	}
	for _, folder := range []string{"proto", "snapshots/billing/orders"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "proto/order.proto"), []byte(recipeSchema), 0o644); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"go", "build", "-buildvcs=false", "-o", tool, here},
		{tool, "snapshot", "write", "--message", "shop.v1.Order", "-o", "snapshots/billing/orders/2026-11-30T09-00.snapshot", "proto"},
		{"git", "init", "-q", "."},
		{"git", "add", "proto"},
		{"git", "-c", "user.name=recipes", "-c", "user.email=recipes@example.com", "commit", "-q", "-m", "schema"},
		{"git", "update-ref", "refs/remotes/origin/main", "HEAD"},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		if command[0] == "go" {
			cmd.Dir = here
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	return dir
}
