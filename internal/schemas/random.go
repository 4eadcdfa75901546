package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flinkser/flinkser/internal/randschema"
	"github.com/flinkser/flinkser/internal/randschema/roundtrip"
)

// level is a setting of default_api_level for both plugins.
type level struct{ name, parameter, letter string }

var levels = []level{
	{"written", "", "w"},
	{"hybrid", "default_api_level=API_HYBRID", "h"},
	{"opaque", "default_api_level=API_OPAQUE", "o"},
}

// random is the code for a random schema at a level.
type random struct {
	schema  *randschema.Schema
	level   level
	without func(part int) bool
}

func (r *random) dir() string { return fmt.Sprintf("s%d%s", r.schema.Seed, r.level.letter) }

func (r *random) files() []randschema.File {
	number := int(r.schema.Seed%(1<<22))*len(levels) + slices.Index(levels, r.level)
	return r.schema.Files(randschema.Place{Dir: r.dir(), GoPath: roundtrip.Module, Number: number}, r.without)
}

func (r *random) imports() []string {
	var list []string
	for _, f := range r.files() {
		list = append(list, f.Go)
	}
	return list
}

// generate runs protoc.
func (r *random) generate(b *batch, u *unit) error {
	root, ours := filepath.Join(b.dir, "proto"), filepath.Join(b.dir, "ours", r.dir())
	parameter := "paths=source_relative"
	if r.level.parameter != "" {
		parameter += "," + r.level.parameter
	}
	goArgs := []string{"-I" + root, "--go_out=" + b.module(), "--go_opt=" + parameter}
	ourArgs := []string{"--flinkser_out=" + ours, "--flinkser_opt=" + parameter}
	if r.schema.Seed%2 == 1 { // messages of other packages are called directly
		ourArgs = append(ourArgs, "--flinkser_opt=known="+roundtrip.Module+"/"+r.dir())
	}
	var files []string
	for _, f := range r.files() {
		if err := write(filepath.Join(root, filepath.FromSlash(f.Path)), f.Text); err != nil {
			return err
		}
		files = append(files, f.Path)
	}
	if len(files) == 0 {
		u.refused = "there are no files"
		return nil
	}
	if err := os.MkdirAll(ours, 0o755); err != nil {
		return err
	}
	args := slices.Concat(goArgs, ourArgs, files)
	if !b.plugin {
		args = slices.Concat(goArgs, files)
	}
	if _, err := b.run(root, "protoc", args...); err != nil {
		if _, err := b.run(root, "protoc", slices.Concat(goArgs, files)...); err != nil {
			u.refused = withoutWarnings(err)
			return nil
		}
		// If what protoc-gen-go wrote does not compile, then this is no failure after all.
		u.fail(generate, withoutWarnings(err))
		return nil
	}
	return b.adopt(u, ours)
}

func withoutWarnings(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if !strings.Contains(line, "warning:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// random goes through the schemas.
func (s *settings) random(t *tools, sum *totals) error {
	version, err := t.protoc()
	if err != nil {
		return err
	}
	fmt.Printf("seeds %d to %d, syntaxes %v, %s\n", s.first, s.first+s.n-1, s.syntaxes, version)
	start := time.Now()
	for done := uint64(0); done < s.n; done += uint64(s.batch) {
		var units []*unit
		for seed := s.first + done; seed < min(s.first+done+uint64(s.batch), s.first+s.n); seed++ {
			schema := randschema.New(seed, s.syntaxes...)
			for _, l := range s.levels {
				units = append(units, &unit{code: &random{schema: schema, level: l}})
			}
		}
		if err := t.batch("batch", units, complete); err != nil {
			return err
		}
		for _, u := range units {
			if r := u.code.(*random); sum.add(u, fmt.Sprintf("seed %d, %s", r.schema.Seed, r.level.name)) {
				s.failed(t, u, sum.failed <= mostReduced)
			}
		}
		fmt.Printf("%4d schemas after %v: %v\n", min(done+uint64(s.batch), s.n), time.Since(start).Round(time.Second), sum)
	}
	return nil
}

// mostReduced is the number of failing schemas that are made smaller: one cause has many.
const mostReduced = 3

// failed keeps a schema that failed, and makes it smaller before.
func (s *settings) failed(t *tools, u *unit, reduce bool) {
	r := u.code.(*random)
	if reduce {
		u = t.reduce(u, s.reduceTime)
		fmt.Printf("made smaller: %s: %s\n%s", u.failure.stage, firstLines(u.failure.text, 30), randschema.Print(u.code.(*random).files()))
	}
	name := fmt.Sprintf("seed-%d-%s", r.schema.Seed, r.level.name)
	if err := keep(filepath.Join(s.keep, name), u.code.(*random).files(), u.failure); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
	}
	syntaxes := make([]string, len(s.syntaxes))
	for i, syntax := range s.syntaxes {
		syntaxes[i] = syntax.String()
	}
	fmt.Printf("again: go run ./internal/schemas -seed %d -n 1 -level %s -syntax %s\n", r.schema.Seed, r.level.name, strings.Join(syntaxes, ","))
}

// reduce makes the schema of a unit that failed smaller, as long as it fails at the same stage.
func (t *tools) reduce(u *unit, most time.Duration) *unit {
	r := u.code.(*random)
	deadline := time.Now().Add(most)
	small := *u
	r.schema.Reduce(func(without func(int) bool) bool {
		try := &unit{code: &random{r.schema, r.level, without}}
		if err := t.batch("reduce", []*unit{try}, u.failure.stage); err != nil || try.failure == nil || try.failure.stage != u.failure.stage {
			return false
		}
		small = *try
		return true
	}, func() bool { return time.Now().After(deadline) })
	return &small
}
