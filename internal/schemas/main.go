// Schemas makes random .proto files, generates code for them with protoc, protoc-gen-go and
// protoc-gen-flinkser, compiles and vets it, and compares all messages with
// google.golang.org/protobuf:
//
//	go run ./internal/schemas [-seed FIRST] [-n COUNT] [-syntax LIST] [-level LIST] [-keep DIR]
//
// Each schema is generated once as it is written and once with default_api_level set to
// API_HYBRID and API_OPAQUE; code that has a form for the build tag protoopaque is compiled
// and compared in that form, too. A schema that protoc or protoc-gen-go refuses, or for which
// the code of protoc-gen-go alone does not compile, is counted as refused. Anything else that
// goes wrong is a failure: the schema is made as small as it fails, printed, and kept.
//
// It is run in the checkout; protoc comes from PATH, both plugins are built.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flinkser/flinkser/internal/randschema"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

type settings struct {
	first, n   uint64
	syntaxes   []randschema.Syntax
	levels     []level
	batch      int
	keep       string
	reduceTime time.Duration
	reference  bool
}

func flags() (*settings, error) {
	s := &settings{syntaxes: randschema.Syntaxes, levels: levels}
	flag.Uint64Var(&s.first, "seed", 1, "the first `seed`")
	flag.Uint64Var(&s.n, "n", 20, "the number of schemas, with seeds one after the other")
	flag.IntVar(&s.batch, "batch", 25, "schemas that are compiled and linked together")
	flag.StringVar(&s.keep, "keep", "failures", "`folder` for schemas that fail")
	flag.DurationVar(&s.reduceTime, "reduce", 3*time.Minute, "time for making one failing schema smaller")
	flag.BoolVar(&s.reference, "reference", false, "leave protoc-gen-flinkser out: only the codec for messages without generated code is compared")
	flag.Func("syntax", "`list` of syntaxes of files: proto2,proto3,2023,2024 (all)", func(v string) error {
		s.syntaxes = nil
		for _, name := range strings.Split(v, ",") {
			syntax, err := randschema.ParseSyntax(name)
			if err != nil {
				return err
			}
			s.syntaxes = append(s.syntaxes, syntax)
		}
		return nil
	})
	flag.Func("level", "`list` of API levels: written,hybrid,opaque (all)", func(v string) error {
		s.levels = nil
		for _, name := range strings.Split(v, ",") {
			i := slices.IndexFunc(levels, func(l level) bool { return l.name == name })
			if i < 0 {
				return fmt.Errorf("%q is none of written, hybrid, opaque", name)
			}
			s.levels = append(s.levels, levels[i])
		}
		return nil
	})
	flag.Parse()
	switch {
	case flag.NArg() > 0:
		return nil, fmt.Errorf("unknown argument %q", flag.Arg(0))
	case s.n == 0 || s.batch < 1:
		return nil, errors.New("-n and -batch must be at least 1")
	}
	return s, nil
}

func run() error {
	s, err := flags()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "schemas")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		os.RemoveAll(dir)
		os.Exit(1)
	}()
	t, err := newTools(dir, !s.reference, s.n > 100)
	if err != nil {
		return err
	}
	fmt.Printf("seeds %d to %d, syntaxes %v, %s\n", s.first, s.first+s.n-1, s.syntaxes, t.version)
	start := time.Now()
	var sum totals
	for done := uint64(0); done < s.n; done += uint64(s.batch) {
		var units []*unit
		for seed := s.first + done; seed < min(s.first+done+uint64(s.batch), s.first+s.n); seed++ {
			schema := randschema.New(seed, s.syntaxes...)
			for i := range s.levels {
				units = append(units, &unit{schema: schema, level: s.levels[i]})
			}
		}
		if err := t.batch("batch", units, complete); err != nil {
			return err
		}
		s.report(t, units, &sum)
		fmt.Printf("%4d schemas after %v: %v\n", min(done+uint64(s.batch), s.n), time.Since(start).Round(time.Second), &sum)
	}
	fmt.Printf("processor time: %s\n", t.times())
	if sum.schemas == 0 || sum.refused*5 > sum.schemas+sum.refused {
		return errors.New("too many schemas were refused: the generator of schemas makes what is not legal")
	}
	if sum.failed > 0 {
		return fmt.Errorf("%d schemas failed, see above; they are kept in %s", sum.failed, s.keep)
	}
	return nil
}

// totals are numbers of schemas, each at each level.
type totals struct {
	schemas, refused, failed, messages, inputs, overlooked int
}

func (t *totals) String() string {
	return fmt.Sprintf("%d generated, compiled, vetted and compared, %d message types, %d differential inputs (%d lack a required field that google.golang.org/protobuf overlooks), %d refused by protoc-gen-go, %d failed",
		t.schemas, t.messages, t.inputs, t.overlooked, t.refused, t.failed)
}

// mostReduced is the number of failing schemas that are made smaller: one cause has many.
const mostReduced = 3

// report prints what became of the units, and makes those that failed smaller.
func (s *settings) report(t *tools, units []*unit, sum *totals) {
	for _, u := range units {
		sum.messages += u.messages
		sum.inputs += u.inputs
		sum.overlooked += u.overlooked
		switch {
		case u.refused != "":
			sum.refused++
			fmt.Printf("refused by protoc-gen-go: seed %d, %s: %s\n", u.schema.Seed, u.level.name, firstLines(u.refused, 5))
		case u.failure != nil:
			sum.failed++
			fmt.Printf("FAILED: seed %d, %s: %s: %s\n", u.schema.Seed, u.level.name, u.failure.stage, firstLines(u.failure.text, 8))
			files := u.files()
			name := fmt.Sprintf("seed-%d-%s", u.schema.Seed, u.level.name)
			if sum.failed <= mostReduced {
				small := t.reduce(u, s.reduceTime)
				files = small.files()
				fmt.Printf("made smaller: %s: %s\n%s", small.failure.stage, firstLines(small.failure.text, 30), randschema.Print(files))
				u = small
			}
			if err := keep(filepath.Join(s.keep, name), files, u.failure); err != nil {
				fmt.Fprintln(os.Stderr, "schemas:", err)
			}
			syntaxes := make([]string, len(s.syntaxes))
			for i, syntax := range s.syntaxes {
				syntaxes[i] = syntax.String()
			}
			fmt.Printf("again: go run ./internal/schemas -seed %d -n 1 -level %s -syntax %s\n", u.schema.Seed, u.level.name, strings.Join(syntaxes, ","))
		default:
			sum.schemas++
		}
	}
}

// keep writes a schema that fails, and how.
func keep(dir string, files []randschema.File, f *failure) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, file := range files {
		if err := write(filepath.Join(dir, filepath.FromSlash(file.Path)), file.Text); err != nil {
			return err
		}
	}
	return write(filepath.Join(dir, "failure.txt"), f.stage.String()+"\n"+f.text+"\n")
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	more := ""
	if len(lines) > n {
		lines, more = lines[:n], " ..."
	}
	for i, l := range lines {
		if len(l) > 600 {
			lines[i] = l[:600] + "..."
		}
	}
	return strings.Join(lines, "\n    ") + more
}
