// Schemas makes random .proto files, generates code for them with protoc, protoc-gen-go and
// protoc-gen-flinkser, compiles and vets it, and compares all messages with
// google.golang.org/protobuf:
//
//	go run ./internal/schemas [-seed FIRST] [-n COUNT] [-syntax LIST] [-level LIST] [-keep DIR]
//	go run ./internal/schemas -published DIR [-keep DIR] [MODULE]...
//
// Each schema is generated once as it is written and once with default_api_level set to
// API_HYBRID and API_OPAQUE; code that has a form for the build tag protoopaque is compiled
// and compared in that form, too. A schema that protoc or protoc-gen-go refuses, or for which
// the code of protoc-gen-go alone does not compile, is counted as refused. Anything else that
// goes wrong is a failure: the schema is made as small as it fails, printed, and kept.
//
// With -published it does the same, as they are written, for all packages with a .pb.go file in
// modules that others have published, in the versions of the module in the folder DIR: by
// default genproto and OpenTelemetry's. The .proto files are read out of the code.
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
	published  string
	modules    []string
}

func flags() (*settings, error) {
	s := &settings{syntaxes: randschema.Syntaxes, levels: levels}
	flag.Uint64Var(&s.first, "seed", 1, "the first `seed`")
	flag.Uint64Var(&s.n, "n", 20, "the number of schemas, with seeds one after the other")
	flag.IntVar(&s.batch, "batch", 40, "schemas that are compiled and linked together")
	flag.StringVar(&s.keep, "keep", "failures", "`folder` for schemas that fail")
	flag.DurationVar(&s.reduceTime, "reduce", 3*time.Minute, "time for making one failing schema smaller")
	flag.BoolVar(&s.reference, "reference", false, "leave protoc-gen-flinkser out: only the codec for messages without generated code is compared")
	flag.StringVar(&s.published, "published", "", "compare published packages, in the versions of the module in this `folder`")
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
	s.modules = flag.Args()
	switch {
	case s.published == "" && len(s.modules) > 0:
		return nil, fmt.Errorf("unknown argument %q", s.modules[0])
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
	t, err := newTools(dir, !s.reference, s.n > 100 || s.published != "")
	if err != nil {
		return err
	}
	do := s.random
	if s.published != "" {
		do = s.publishedModules
	}
	var sum totals
	if err := do(t, &sum); err != nil {
		return err
	}
	fmt.Printf("processor time: %s\ndifferential inputs: %d\n", t.times(), sum.inputs)
	if sum.units == 0 || sum.refused*5 > sum.units+sum.refused {
		return errors.New("too many were refused: what is refused by protoc-gen-go shows nothing")
	}
	if sum.failed > 0 {
		return fmt.Errorf("%d failed, see above; they are kept in %s", sum.failed, s.keep)
	}
	return nil
}

// totals are numbers of units.
type totals struct {
	units, refused, failed, messages, inputs, overlooked int
}

func (t *totals) String() string {
	return fmt.Sprintf("%d generated, compiled, vetted and compared, %d message types, %d differential inputs (%d lack a required field that google.golang.org/protobuf overlooks), %d refused by protoc-gen-go, %d failed",
		t.units, t.messages, t.inputs, t.overlooked, t.refused, t.failed)
}

// add counts a unit and prints what is wrong with it; it reports whether it failed. name is for
// people.
func (t *totals) add(u *unit, name string) bool {
	t.messages += u.messages
	t.inputs += u.inputs
	t.overlooked += u.overlooked
	switch {
	case u.refused != "":
		t.refused++
		fmt.Printf("refused by protoc-gen-go: %s: %s\n", name, firstLines(u.refused, 5))
	case u.failure != nil:
		t.failed++
		fmt.Printf("FAILED: %s: %s: %s\n", name, u.failure.stage, firstLines(u.failure.text, 8))
		return true
	default:
		t.units++
	}
	return false
}

// keep writes how a unit fails, and the .proto files if they are of our making.
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
