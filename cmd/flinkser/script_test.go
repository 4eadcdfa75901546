package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/inputs"
	"github.com/flinkser/flinkser/internal/protocheck"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// programs can be run by tests.
var programs = map[string]func(){"flinkser": main}

func TestMain(m *testing.M) {
	testscript.Main(m, programs)
}

// TestScripts runs every command, in right and in wrong use.
func TestScripts(t *testing.T) {
	docs, err := filepath.Abs("../../docs/json")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := filepath.Abs("../../runtime/snapshot/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("DOCS", docs)
			env.Setenv("FIXTURES", fixtures)
			// The folder with nothing but the tool.
			env.Setenv("TOOL", filepath.SplitList(env.Getenv("PATH"))[0])
			// Names that no script can write down.
			env.Setenv("STRANGE", filepath.Join("strange", "a\n::error::\x1b[31mb.snapshot"))
			env.Setenv("CLASS", "a\n::error::b\x1b[31m")
			// Commits of a script need a name, and nothing of the machine's configuration.
			for _, variable := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"} {
				env.Setenv(variable, "script")
			}
			for _, variable := range []string{"GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"} {
				env.Setenv(variable, "script@example.com")
			}
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"descriptors": writeDescriptors,
			"frames":      writeFrames,
			"validate":    validate,
			"exits":       exits,
		},
	})
}

// exits CODE COMMAND... runs the tool and compares its exit code; stdout and stderr are those of the tool.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE ARGUMENT...")
	}
	err := ts.Exec("flinkser", args[1:]...)
	code := 0
	if err != nil {
		if _, scanErr := fmt.Sscanf(err.Error(), "exit status %d", &code); scanErr != nil {
			ts.Fatalf("%v", err)
		}
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// descriptors OUTPUT FILE... writes a descriptor set of .proto files, in JSON if the output says so.
func writeDescriptors(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: descriptors OUTPUT FILE...")
	}
	files := map[string]string{}
	for _, name := range args[1:] {
		files[name] = ts.ReadFile(name)
	}
	req, err := protocheck.Request(files, "")
	ts.Check(err)
	set := &descriptorpb.FileDescriptorSet{File: req.GetProtoFile()}
	b, err := proto.Marshal(set)
	if strings.HasSuffix(args[0], ".json") {
		b, err = protojson.Marshal(set)
	}
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}

// frames OUTPUT SCHEMA MESSAGE JSON... writes frames of messages that are given as JSON, or as the name of a payload that has
// no JSON.
func writeFrames(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: frames OUTPUT SCHEMA MESSAGE JSON...")
	}
	in, err := inputs.Read(ts.MkAbs(args[1]), inputs.Options{})
	ts.Check(err)
	s, err := flinkser.New[proto.Message]()
	ts.Check(err)
	var frames []byte
	for _, text := range args[3:] {
		if payload, ok := payloads[text]; ok {
			frames = append(frames, 0, 0, 0, byte(len(payload)))
			frames = append(frames, payload...)
			continue
		}
		m := dynamicpb.NewMessage(in.Message(protoreflect.FullName(args[2])))
		ts.Check(protojson.Unmarshal([]byte(text), m))
		frames, err = s.Append(frames, m)
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), frames, 0o644))
}

var payloads = map[string]string{
	"bad":     "\x0f",                                 // no field has wire type 7
	"late":    "\x0a\x07\x08\xff\xff\xff\xff\xff\x7f", // a time behind the last year that JSON has
	"unknown": "\x98\x06\x07",                         // field 99 is 7
}

// validate SCHEMA FILE compares JSON with a published schema.
func validate(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: validate SCHEMA FILE")
	}
	compiler := jsonschema.NewCompiler()
	schema, err := compiler.Compile(ts.MkAbs(args[0]))
	ts.Check(err)
	text := ts.ReadFile(args[1])
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	ts.Check(err)
	err = schema.Validate(value)
	if (err != nil) != neg {
		ts.Fatalf("%s against %s: %v", args[1], args[0], err)
	}
}

// TestRunWritesNowhereElse calls the tool in process, as main does.
func TestRunWritesNowhereElse(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"--version"}, strings.NewReader(""), &out, &errs); code != exitOK || !strings.HasPrefix(out.String(), "flinkser ") || errs.Len() > 0 {
		t.Errorf("--version: %d, %q, %q", code, out.String(), errs.String())
	}
	out.Reset()
	code := run([]string{"check", "--against", "-", "--format", "json", "-"}, io.MultiReader(), &out, &errs)
	if code != exitInput || json.Valid(out.Bytes()) {
		t.Errorf("empty input: %d, %q, %q", code, out.String(), errs.String())
	}
}

// FuzzCompact compares appendCompact with json.Compact, on JSON whose only white space is that of protojson.
func FuzzCompact(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a": 1, "b": [true, null]}`, `{"a": " \\\\", "b\\"": "\\\\\\" ,"}`, `" , "`, `12`, `{"": ""}`, `["\\\\", " "]`, `"open`, `"open\\`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got := appendCompact([]byte("x"), in)
		var want bytes.Buffer
		want.WriteByte('x')
		if json.Compact(&want, in) != nil || bytes.ContainsAny(in, "\t\r\n") {
			return // no JSON, or not of protojson: it has only to come to an end
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%q becomes %q, want %q", in, got, want.Bytes())
		}
	})
}
