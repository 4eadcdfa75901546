package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/gen"
	"github.com/flinkser/flinkser/internal/protocheck"
)

// place is what every line of a refusal begins with.
var place = regexp.MustCompile(`^\S+\.proto:[0-9]+:[0-9]+: \S`)

// checkPlaces checks that every refusal says where.
func checkPlaces(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if !place.MatchString(line) {
			t.Errorf("no file, line and column: %s", line)
		}
	}
}

// TestErrors runs golden/errors/*.txtar: .proto files that are refused. Further parts
// of an archive are
//
//	parameter  the options of the plugin
//	generate   the files to generate, a line each; without it all
//	want       lines that must be part of the error each
//	error      the whole error; one of the two is enough
func TestErrors(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(root, "golden", "errors", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(archives) < 6 {
		t.Fatalf("found %d archives, expected at least 6", len(archives))
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var parameter, want, whole string
			var names []string
			files := map[string]string{}
			for _, f := range txtar.Parse(b).Files {
				switch text := string(f.Data); {
				case strings.HasSuffix(f.Name, ".proto"):
					files[f.Name] = text
				case f.Name == "parameter":
					parameter = strings.TrimSpace(text)
				case f.Name == "generate":
					names = strings.Fields(text)
				case f.Name == "want":
					want = text
				case f.Name == "error":
					whole = text
				default:
					t.Fatalf("unknown part %s", f.Name)
				}
			}
			req, err := protocheck.Request(files, parameter, names...)
			if err != nil {
				t.Fatal(err)
			}
			got := refusal(t, req)
			checkPlaces(t, got)
			if want == "" && whole == "" {
				t.Fatal("the archive says nothing about the error")
			}
			for line := range strings.Lines(want) {
				if line = strings.TrimSpace(line); !strings.Contains(got, line) {
					t.Errorf("%q is not in the error\n%s", line, got)
				}
			}
			if whole != "" && got != strings.TrimSuffix(whole, "\n") {
				t.Errorf("error (-want +got):\n%s", cmp.Diff(strings.Split(whole, "\n"), strings.Split(got+"\n", "\n")))
			}
		})
	}
}

// newer returns the request for a file of edition 2023 that pretends to be of another:
// the compiler of these tests ends there.
func newer(t *testing.T, edition descriptorpb.Edition) *pluginpb.CodeGeneratorRequest {
	t.Helper()
	const text = "// An edition.\nedition = \"2023\";\noption go_package = \"example.com/a\";\nmessage M {\n  int32 a = 1;\n}\n"
	req, err := protocheck.Request(map[string]string{"a.proto": text}, "")
	if err != nil {
		t.Fatal(err)
	}
	protocheck.File(req, "a.proto").Edition = edition.Enum()
	return req
}

// TestErrorFutureEdition gets an error from the descriptor library, and no code.
func TestErrorFutureEdition(t *testing.T) {
	resp, err := gen.Answer(newer(t, descriptorpb.Edition_EDITION_99999_TEST_ONLY))
	if err == nil {
		t.Fatalf("no error, but %v", resp)
	}
	if !strings.Contains(err.Error(), "edition") {
		t.Errorf("error %q does not mention the edition", err)
	}
}

// TestErrorMessageSet names the message, and says what to do: the descriptor library refuses
// it before the generator sees the file, unless it is built with support.
func TestErrorMessageSet(t *testing.T) {
	req, err := protocheck.Request(map[string]string{
		"a.proto": "syntax = \"proto2\";\npackage p;\noption go_package = \"example.com/a\";\nmessage Outer {\n  message Set {\n    option message_set_wire_format = true;\n    extensions 4 to max;\n  }\n}\n",
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := gen.Answer(req)
	if err != nil {
		t.Fatal(err)
	}
	if protoLegacy {
		if resp.Error != nil || len(resp.GetFile()) != 1 {
			t.Errorf("response is %v", resp)
		}
		return
	}
	for _, want := range []string{"a.proto:5:3: p.Outer.Set: message_set_wire_format", "-tags protolegacy"} {
		if !strings.Contains(resp.GetError(), want) {
			t.Errorf("error %q does not have %q", resp.GetError(), want)
		}
	}
}

// TestErrorWithoutSourceInfo still names the file when the request has no positions.
func TestErrorWithoutSourceInfo(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"field", "syntax = \"proto3\";\nmessage M { int32 size_flinkser = 1; }\n", "a.proto: M.size_flinkser: its Go name SizeFlinkser"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req, err := protocheck.Request(map[string]string{"a.proto": tt.text}, "Ma.proto=example.com/a")
			if err != nil {
				t.Fatal(err)
			}
			protocheck.File(req, "a.proto").SourceCodeInfo = nil
			if got := refusal(t, req); !strings.Contains(got, tt.want) {
				t.Errorf("error %q, want one with %q", got, tt.want)
			}
		})
	}
}

// TestErrorsOfAllFiles names what is wrong in every file of a run, in the order in
// which protoc hands them over, not only the first.
func TestErrorsOfAllFiles(t *testing.T) {
	files := map[string]string{
		"a.proto": "syntax = \"proto2\";\noption go_package = \"example.com/a\";\nmessage A {\n  optional int32 clone_flinkser = 1;\n}\n",
		"b.proto": "syntax = \"proto3\";\noption go_package = \"example.com/a\";\n",
		"c.proto": "edition = \"2023\";\noption go_package = \"example.com/a\";\nmessage C {\n  int32 reset_flinkser = 1;\n}\n",
		"d.proto": "syntax = \"proto3\";\noption go_package = \"example.com/a\";\nmessage M {\n  int32 size_flinkser = 1;\n}\n",
	}
	req, err := protocheck.Request(files, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.SplitSeq(refusal(t, req), "\n") {
		got = append(got, line[:strings.IndexByte(line, ':')])
	}
	if want := []string{"a.proto", "c.proto", "d.proto"}; !slices.Equal(got, want) {
		t.Errorf("errors are for %v, want %v", got, want)
	}
}
