// Package compile measures what generated code costs before it runs: the time that the
// Go compiler takes for a package of many messages, and the size of a program with them.
package compile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/flinkser/flinkser/internal/protocheck"
)

// root is the import path below which the generated packages seem to lie. There is
// nothing on disk: the go command gets them as an overlay.
const root = "github.com/flinkser/flinkser/bench/internal/compile/generated"

// Kind is a set of generators whose code shares a package.
type Kind struct {
	Name string
	// What says which operations the code has.
	What string

	plugins []plugin
	use     string // body of a function use(m proto.Message) error that calls every operation
	imports string // what the body imports beside package proto
}

// plugin is a generator.
type plugin struct {
	command   string // import path
	parameter string // beside paths=source_relative
	pool      bool   // the parameter also names every message for the pool
}

var golang = plugin{command: "google.golang.org/protobuf/cmd/protoc-gen-go"}

// The kinds.
var (
	// Ours has the operations of this project.
	Ours = Kind{
		Name:    "flinkser",
		What:    "protoc-gen-go and protoc-gen-flinkser: size, append, decode, reuse, clone, schema",
		plugins: []plugin{golang, {command: "github.com/flinkser/flinkser/cmd/protoc-gen-flinkser"}},
		imports: `flinkser "github.com/flinkser/flinkser/runtime"`,
		use: `
	s, err := flinkser.New[proto.Message](flinkser.WithReuse())
	if err != nil {
		return err
	}
	b, err := s.Append(nil, m)
	if err != nil {
		return err
	}
	if err := flinkser.Unmarshal(b[4:], m); err != nil {
		return err
	}
	c, err := s.Clone(m)
	if err != nil {
		return err
	}
	_, err = s.Decode(b, c)
	return err`,
	}
	// VTProto has those of vtprotobuf that are closest to ours. Its pool is its way to
	// decode into a message that is used again.
	VTProto = Kind{
		Name: "vtprotobuf",
		What: "protoc-gen-go and protoc-gen-go-vtproto: size, marshal, unmarshal, pool, clone",
		plugins: []plugin{golang, {
			command:   "github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto",
			parameter: ",features=size+marshal+unmarshal+pool+clone",
			pool:      true,
		}},
		use: `
	v := m.(interface {
		MarshalVT() ([]byte, error)
		UnmarshalVT([]byte) error
		SizeVT() int
		CloneMessageVT() proto.Message
		ReturnToVTPool()
	})
	b, err := v.MarshalVT()
	if err != nil {
		return err
	}
	if len(b) != v.SizeVT() {
		return errors.New("size")
	}
	v.CloneMessageVT()
	err = v.UnmarshalVT(b)
	v.ReturnToVTPool()
	return err`,
		imports: `"errors"`,
	}
	// Protobuf has the messages alone.
	Protobuf = Kind{
		Name:    "protobuf",
		What:    "protoc-gen-go alone",
		plugins: []plugin{golang},
		use: `
	b, err := proto.Marshal(m)
	if err != nil {
		return err
	}
	return proto.Unmarshal(b, proto.Clone(m))`,
	}
)

// Bench holds the generated packages, ready to be compiled.
type Bench struct {
	messages int
	module   string // folder of the bench module
	dir      string
	files    map[string][]string // by name of the kind
	tool     string              // path of the compiler
}

// New builds the generators, runs them for so many messages and builds what their code
// imports. All files go to dir, which must exist. The working directory must be in the
// module of this package.
func New(ctx context.Context, dir string, messages int, kinds ...Kind) (*Bench, error) {
	b := &Bench{messages: messages, dir: dir, files: map[string][]string{}}
	var err error
	if b.module, err = output(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/flinkser/flinkser/bench"); err != nil {
		return nil, err
	}
	if b.tool, err = output(ctx, "go", "tool", "-n", "compile"); err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	for _, k := range kinds {
		if err := b.generate(ctx, k, overlay); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(b.path("overlay.json"), text, 0o666); err != nil {
		return nil, err
	}
	for _, k := range kinds {
		// The imports are built here, so that the compiler finds them.
		imports, err := output(ctx, "go", "list", "-C", b.module, "-overlay", b.path("overlay.json"), "-f", `{{join .Imports " "}}`, root+"/"+k.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		args := []string{"list", "-C", b.module, "-deps", "-export", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}"}
		config, err := output(ctx, "go", append(args, strings.Fields(imports)...)...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		if err := os.WriteFile(b.path(k.Name+".importcfg"), []byte(config+"\n"), 0o666); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *Bench) path(name string) string { return filepath.Join(b.dir, name) }

// generate writes the package of k, and a program that uses it, and enters them into
// the overlay.
func (b *Bench) generate(ctx context.Context, k Kind, overlay map[string]string) error {
	add := func(folder, file, text string) (string, error) {
		real := b.path(k.Name + "_" + file)
		overlay[filepath.Join(b.module, "internal", "compile", "generated", folder, file)] = real
		return real, os.WriteFile(real, []byte(text), 0o666)
	}
	files := map[string]string{"entries.proto": schema(root+"/"+k.Name, b.messages)}
	for _, p := range k.plugins {
		bin := b.path(path.Base(p.command))
		if _, err := output(ctx, "go", "build", "-o", bin, p.command); err != nil {
			return err
		}
		parameter := "paths=source_relative" + p.parameter
		if p.pool {
			for i := range b.messages {
				parameter += fmt.Sprintf(",pool=%s/%s.%s", root, k.Name, name(i))
			}
		}
		req, err := protocheck.Request(files, parameter)
		if err != nil {
			return err
		}
		resp, err := protocheck.Call(ctx, bin, req)
		if err != nil {
			return err
		}
		for _, f := range resp.GetFile() {
			real, err := add(k.Name, path.Base(f.GetName()), f.GetContent())
			if err != nil {
				return err
			}
			b.files[k.Name] = append(b.files[k.Name], real)
		}
	}
	_, err := add(k.Name+"main", "main.go", fmt.Sprintf(`package main

import (
	"os"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ %q
	%s
)

func use(m proto.Message) error {%s
}

func main() {
	typ, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(os.Args[1]))
	if err == nil {
		err = use(typ.New().Interface())
	}
	if err != nil {
		panic(err)
	}
}
`, root+"/"+k.Name, k.imports, k.use))
	return err
}

// Compile runs the compiler over the package of a kind, as "go build" would, and
// returns the processor time that it took.
func (b *Bench) Compile(ctx context.Context, k Kind) (time.Duration, error) {
	args := []string{
		"-o", b.path("out.a"), "-p", root + "/" + k.Name, "-lang=go1.25", "-complete", "-pack", "-nolocalimports",
		fmt.Sprintf("-c=%d", min(4, runtime.GOMAXPROCS(0))), "-importcfg", b.path(k.Name + ".importcfg"),
	}
	cmd := exec.CommandContext(ctx, b.tool, append(args, b.files[k.Name]...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// Size builds a program with the package of a kind, in which all operations can be
// called, without symbols for a debugger, runs it, and returns its size in bytes.
func (b *Bench) Size(ctx context.Context, k Kind) (int64, error) {
	bin := b.path(k.Name + "main")
	_, err := output(ctx, "go", "build", "-C", b.module, "-overlay", b.path("overlay.json"), "-ldflags=-s -w", "-o", bin, root+"/"+k.Name+"main")
	if err != nil {
		return 0, err
	}
	if _, err := output(ctx, bin, "bench.compile."+name(0)); err != nil {
		return 0, err
	}
	info, err := os.Stat(bin)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Lines returns the number of lines of the code of a kind.
func (b *Bench) Lines(k Kind) (int, error) {
	lines := 0
	for _, f := range b.files[k.Name] {
		text, err := os.ReadFile(f)
		if err != nil {
			return 0, err
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	return lines, nil
}

// output runs a command and returns what it prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	out, err := cmd.Output()
	if err != nil {
		return "", explain(cmd, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// explain adds the command and what it has printed as errors.
func explain(cmd *exec.Cmd, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(exit.Stderr))
	}
	return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
}
