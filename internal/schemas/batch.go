package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/flinkser/flinkser/internal/randschema/roundtrip"
)

// unit is what is generated, compiled and compared by itself.
type unit struct {
	code

	ours     []string // files that protoc-gen-flinkser wrote, below the module
	tagged   bool     // there is code for the build tag protoopaque
	refused  string   // why protoc-gen-go does not take it
	failure  *failure
	messages int
	// As in roundtrip.Result.
	inputs, overlooked int
}

// code is where the code of a unit comes from.
type code interface {
	// dir returns the unit's folder in the module for generated code, which is also its name in what
	// the go command prints.
	dir() string
	// imports returns the Go packages.
	imports() []string
	// generate runs the plugins. The error says why nothing could be done at all; what else goes
	// wrong is noted in the unit.
	generate(b *batch, u *unit) error
}

// failure says at which stage a unit failed, and how.
type failure struct {
	stage stage
	text  string
}

type stage int

const (
	generate stage = iota
	formatted
	compiled
	vetted
	compared
	complete = compared
)

func (s stage) String() string {
	return [...]string{"protoc-gen-flinkser", "gofmt", "go build", "go vet", "comparison"}[s]
}

// fail notes a failure, the first one if there are several.
func (u *unit) fail(s stage, text string) {
	if u.failure == nil {
		u.failure = &failure{s, text}
	}
}

func (u *unit) done() bool { return u.refused != "" || u.failure != nil }

// batch takes units up to a stage, in a module of its own in the folder name. What becomes of
// them is noted in them; the error says why nothing could be done at all.
func (t *tools) batch(name string, units []*unit, last stage) error {
	b, err := t.generate(name, units)
	if err != nil {
		return err
	}
	return b.through(last)
}

// generate makes a module with the code of units in the folder name.
func (t *tools) generate(name string, units []*unit) (*batch, error) {
	b := &batch{tools: t, dir: filepath.Join(t.dir, name), units: units}
	if err := os.RemoveAll(b.dir); err != nil {
		return nil, err
	}
	for file, text := range map[string]string{"go.mod": t.goMod, "go.sum": t.goSum} {
		if err := write(filepath.Join(b.module(), file), text); err != nil {
			return nil, err
		}
	}
	return b, b.generate()
}

// through takes the units, whose code is there, up to a stage.
func (b *batch) through(last stage) error {
	for _, tags := range []string{"", "protoopaque"} {
		for _, stage := range []stage{compiled, vetted, compared} {
			if stage > last {
				continue
			}
			do := b.check
			if stage == compared {
				do = b.compare
			}
			if err := do(stage, tags); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch is a folder with the .proto files in proto, and a module for the generated code.
type batch struct {
	*tools
	dir   string
	units []*unit
}

func (b *batch) module() string { return filepath.Join(b.dir, "module") }

// left returns the units that can go on, with a tag those that it changes.
func (b *batch) left(tags string) []*unit {
	var list []*unit
	for _, u := range b.units {
		if !u.done() && (tags == "" || u.tagged) {
			list = append(list, u)
		}
	}
	return list
}

// generate runs the plugins for all units.
func (b *batch) generate() error {
	var failed error
	var mu sync.Mutex
	var workers sync.WaitGroup
	next := make(chan *unit)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for u := range next {
				if err := u.generate(b, u); err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	for _, u := range b.units {
		next <- u
	}
	close(next)
	workers.Wait()
	return failed
}

// adopt moves the files of protoc-gen-flinkser to those of protoc-gen-go, and checks their form.
func (b *batch) adopt(u *unit, ours string) error {
	return filepath.WalkDir(ours, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		code, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(ours, path)
		if err != nil {
			return err
		}
		pretty, err := format.Source(code)
		switch {
		case err != nil:
			u.fail(formatted, fmt.Sprintf("%s: %v", name, err))
		case string(pretty) != string(code):
			u.fail(formatted, name+" is not formatted")
		}
		u.ours = append(u.ours, name)
		u.tagged = u.tagged || strings.HasSuffix(name, "_protoopaque.pb.go")
		return os.Rename(path, filepath.Join(b.module(), name))
	})
}

// apart calls do while the files of protoc-gen-flinkser are away.
func (b *batch) apart(u *unit, do func() error) (err error) {
	for _, name := range u.ours {
		path := filepath.Join(b.module(), name)
		if err := os.Rename(path, path+".away"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Rename(path+".away", path)) }()
	}
	return do()
}

// check runs go build or go vet. A unit that fails is taken out: without the files of
// protoc-gen-flinkser it shows who is to blame.
func (b *batch) check(s stage, tags string) error {
	command := map[stage]string{compiled: "build", vetted: "vet"}[s]
	goTool := func(units []*unit) (string, error) {
		args := []string{command, "-tags=" + tags}
		for _, u := range units {
			args = append(args, "./"+u.dir()+"/...")
		}
		_, err := b.run(b.module(), "go", args...)
		if err == nil {
			return "", nil
		}
		if errors.Is(err, errTime) {
			return "", err
		}
		return err.Error(), nil
	}
	if s == compiled && tags == "" {
		if err := b.refusals(goTool); err != nil {
			return err
		}
	}
	for {
		units := b.left(tags)
		if len(units) == 0 {
			return nil
		}
		text, err := goTool(units)
		if err != nil || text == "" {
			return err
		}
		texts := byUnit(text, units)
		found := false
		for _, u := range units {
			if texts[u.dir()] == "" {
				continue
			}
			found = true
			if err := b.apart(u, func() error {
				alone, err := goTool([]*unit{u})
				if alone != "" {
					u.refused = "the code of protoc-gen-go alone fails " + s.String() + ": " + alone
				} else {
					u.fail(s, texts[u.dir()])
				}
				return err
			}); err != nil {
				return err
			}
		}
		if !found {
			return fmt.Errorf("%s fails, not in the code of a schema: %s", s, text)
		}
	}
}

// refusals looks at the units that protoc-gen-flinkser refuses: it may, where the code of
// protoc-gen-go does not compile.
func (b *batch) refusals(goBuild func([]*unit) (string, error)) error {
	for _, u := range b.units {
		if u.failure == nil || u.failure.stage != generate {
			continue
		}
		text, err := goBuild([]*unit{u})
		if err != nil {
			return err
		}
		if text != "" {
			u.failure, u.refused = nil, "the code of protoc-gen-go does not compile: "+text
		}
	}
	return nil
}

// byUnit splits what go build and go vet print, which is in parts with a title per package.
func byUnit(text string, units []*unit) map[string]string {
	dirs := map[string]bool{}
	for _, u := range units {
		dirs[u.dir()] = true
	}
	texts := map[string]string{}
	current := ""
	for line := range strings.Lines(text) {
		for _, word := range pathElement.FindAllString(line, -1) {
			if dirs[word] {
				current = word
				break
			}
		}
		if current != "" {
			texts[current] += line
		}
	}
	return texts
}

var pathElement = regexp.MustCompile(`[\w.-]+`)

// compare links the code of all units and runs the comparison.
func (b *batch) compare(_ stage, tags string) error {
	units := b.left(tags)
	if len(units) == 0 {
		return nil
	}
	results, err := b.link("run", units, tags)
	if err != nil && len(units) == 1 {
		return b.crashed(units[0], tags, err)
	}
	for _, u := range units {
		r, ok := results[u.dir()]
		if !ok { // what went wrong may be another unit's fault
			alone, err := b.link("run_"+u.dir(), []*unit{u}, tags)
			if r, ok = alone[u.dir()]; !ok {
				if err := b.crashed(u, tags, err); err != nil {
					return err
				}
				continue
			}
		}
		u.inputs += r.Inputs
		u.overlooked += r.Overlooked
		if tags == "" {
			u.messages = r.Messages
		}
		for _, f := range r.Failures {
			text := f.Message + ": " + f.Error
			if tags != "" {
				text = "with the build tag " + tags + ": " + text
			}
			u.fail(compared, text)
		}
	}
	return nil
}

// crashed notes a program that ended for no difference: a panic while it starts, a stack
// overflow, a type that takes too long.
func (b *batch) crashed(u *unit, tags string, why error) error {
	if why == nil {
		why = errors.New("the program ended without a result")
	}
	if !b.plugin {
		u.fail(compared, why.Error())
		return nil
	}
	return b.apart(u, func() error {
		alone := *b.tools
		alone.plugin = false
		_, err := (&batch{&alone, b.dir, b.units}).link("run_"+u.dir(), []*unit{u}, tags)
		if err != nil {
			u.refused = "the code of protoc-gen-go alone ends the program: " + err.Error()
		} else {
			u.fail(compared, why.Error())
		}
		return nil
	})
}

// link makes a program of the code of units, runs it and returns the results by unit.
func (b *batch) link(name string, units []*unit, tags string) (map[string]roundtrip.Result, error) {
	imports := map[string]bool{}
	var dirs []string
	for _, u := range units {
		dirs = append(dirs, u.dir())
		for _, path := range u.imports() {
			imports[path] = true
		}
	}
	text := "package main\n\nimport (\n\t\"" + rootPath + "/internal/randschema/roundtrip\"\n\n"
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		text += fmt.Sprintf("\t_ %q\n", path)
	}
	text += ")\n\nfunc main() { roundtrip.Main() }\n"
	if err := write(filepath.Join(b.module(), name, "main.go"), text); err != nil {
		return nil, err
	}
	program := filepath.Join(b.dir, name+".program")
	if _, err := b.run(b.module(), "go", "build", "-tags="+tags, "-ldflags=-w", "-o", program, "./"+name); err != nil {
		return nil, err
	}
	defer os.Remove(program)
	out, err := b.run(b.dir, program, append([]string{fmt.Sprintf("-generated=%t", b.plugin)}, dirs...)...)
	results := map[string]roundtrip.Result{}
	for line := range strings.Lines(out) {
		var r roundtrip.Result
		if json.Unmarshal([]byte(line), &r) == nil {
			results[r.Schema] = r
		}
	}
	return results, err
}
