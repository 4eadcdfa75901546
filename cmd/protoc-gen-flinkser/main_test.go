package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/internal/protocheck"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"protoc-gen-flinkser": main})
}

// TestScript runs testdata/script/*.txtar. Beside the usual commands a script has
//
//	request PARAMETER FILE...   writes what protoc would hand to the plugin to the
//	                            file request, for these .proto files
//	response DIR                reads the answer that the last command printed: its
//	                            files and the files error and features go to DIR
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// buf keeps a cache, and finds no home directory here.
			env.Setenv("BUF_CACHE_DIR", filepath.Join(env.WorkDir, ".cache"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"request":  request,
			"response": response,
		},
	})
}

func request(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: request PARAMETER FILE...")
	}
	files, err := protocheck.Read(os.DirFS(ts.MkAbs(".")))
	ts.Check(err)
	req, err := protocheck.Request(files, args[0], args[1:]...)
	ts.Check(err)
	b, err := proto.Marshal(req)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("request"), b, 0o644))
}

func response(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: response DIR")
	}
	resp := &pluginpb.CodeGeneratorResponse{}
	ts.Check(proto.Unmarshal([]byte(ts.ReadFile("stdout")), resp))
	out := map[string]string{
		"error": resp.GetError() + "\n",
		"features": fmt.Sprintf("features %d\nminimum %d\nmaximum %d\nfiles %d\n", resp.GetSupportedFeatures(),
			resp.GetMinimumEdition(), resp.GetMaximumEdition(), len(resp.GetFile())),
	}
	for _, f := range resp.GetFile() {
		out[f.GetName()] = f.GetContent()
	}
	for name, text := range out {
		full := filepath.Join(ts.MkAbs(args[0]), filepath.FromSlash(name))
		ts.Check(os.MkdirAll(filepath.Dir(full), 0o755))
		ts.Check(os.WriteFile(full, []byte(text), 0o644))
	}
}

// TestManual keeps what the package comment shows in step with the options.
func TestManual(t *testing.T) {
	b, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	manual, _, _ := strings.Cut(string(b), "\npackage main")
	for _, want := range []string{"--flinkser_out", "--flinkser_opt=paths=source_relative", "buf.gen.yaml", "_flinkser.pb.go", "--help"} {
		if !strings.Contains(manual, want) {
			t.Errorf("the package comment does not mention %s", want)
		}
	}
	if n := strings.Count(string(b), "\n"); n >= 80 {
		t.Errorf("main.go has %d lines: what is more than reading flags belongs into gen", n)
	}
}
