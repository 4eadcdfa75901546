package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flinkser/flinkser/internal/randschema/roundtrip"
)

// tools are the programs that are needed, and the folder to work in.
type tools struct {
	dir    string
	root   string // of the checkout
	plugin bool   // protoc-gen-flinkser takes part
	env    []string
	goMod  string // of a module for generated code
	goSum  string

	mu    *sync.Mutex
	spent map[string]time.Duration // of processor time, by program
}

const rootPath = "github.com/flinkser/flinkser"

// newTools builds the plugins. A large run gets a build cache of its own, which goes away
// with dir: it takes gigabytes.
func newTools(dir string, plugin, ownCache bool) (*tools, error) {
	t := &tools{dir: dir, plugin: plugin, mu: new(sync.Mutex), spent: map[string]time.Duration{}}
	root, err := t.run("", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	t.root = strings.TrimSpace(root)
	bin := filepath.Join(dir, "bin")
	// Compiling takes most of the time, and that is a good deal of it: the compiler's garbage,
	// and what only debuggers need.
	flags := strings.TrimSpace(os.Getenv("GOFLAGS") + " -gcflags=" + roundtrip.Module + "/...=-dwarf=false")
	t.env = append(os.Environ(), "GOGC=400", "GOFLAGS="+flags, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if ownCache {
		t.env = append(t.env, "GOCACHE="+filepath.Join(dir, "cache"))
	}
	if _, err := t.run(t.root, "go", "build", "-buildvcs=false", "-o", bin+string(filepath.Separator),
		"./cmd/protoc-gen-flinkser", "google.golang.org/protobuf/cmd/protoc-gen-go"); err != nil {
		return nil, fmt.Errorf("building the plugins: %w", err)
	}
	return t, t.module()
}

// protoc returns the version of protoc.
func (t *tools) protoc() (string, error) {
	version, err := t.run(t.dir, "protoc", "--version")
	if err != nil {
		return "", fmt.Errorf("protoc has to be on PATH, as tools/install.sh puts it into .bin: %w", err)
	}
	return strings.TrimSpace(version), nil
}

// program returns the path of a program that newTools has built.
func (t *tools) program(name string) string { return filepath.Join(t.dir, "bin", name) }

var requirement = regexp.MustCompile(`(?ms)^require \(.*?^\)`)

// module makes the go.mod and go.sum of modules for generated code from those of the checkout.
func (t *tools) module() error {
	mod, err := os.ReadFile(filepath.Join(t.root, "go.mod"))
	if err != nil {
		return err
	}
	version := regexp.MustCompile(`(?m)^go .*$`).Find(mod)
	t.goMod = fmt.Sprintf("module %s\n\n%s\n\n%s\n\nrequire %s v0.0.0\n\nreplace %[4]s => %s\n",
		roundtrip.Module, version, bytes.Join(requirement.FindAll(mod, -1), []byte("\n\n")), rootPath, t.root)
	sum, err := os.ReadFile(filepath.Join(t.root, "go.sum"))
	t.goSum = string(sum)
	return err
}

// longest is the time after which a program is stopped.
const longest = 20 * time.Minute

// errTime is the error of a program that was stopped.
var errTime = errors.New("stopped, as it took too long")

// run returns what a program prints to standard output. The error has what it prints to
// standard error, which is all of it for protoc, go build and go vet.
func (t *tools) run(dir, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, t.env
	// The program of a command is looked up on this process's PATH, except for protoc, whose
	// plugins are looked up on its own.
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if s := cmd.ProcessState; s != nil {
		t.mu.Lock()
		t.spent[programName(name, args)] += s.UserTime() + s.SystemTime()
		t.mu.Unlock()
	}
	if ctx.Err() != nil {
		err = errTime
	}
	if err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), args[0], err, errs.String())
	}
	return out.String(), nil
}

// programName returns the name of a program for people: "go build" and not "go".
func programName(name string, args []string) string {
	switch {
	case name == "go":
		return "go " + args[0]
	case filepath.IsAbs(name):
		return "comparison"
	}
	return name
}

// times returns the processor time of each program.
func (t *tools) times() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(t.spent)) {
		list = append(list, fmt.Sprintf("%s %v", name, t.spent[name].Round(time.Second)))
	}
	return strings.Join(list, ", ")
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
