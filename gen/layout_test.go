package gen_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/internal/protocheck"
)

// layoutProto has a field for every way in which protoc-gen-go lays out one.
const layoutProto = `edition = "2023";
package layout;
option go_package = "example.com/layout";
message Row {
  int32 explicit = 1;
  string text = 2;
  bytes raw = 3;
  Mood mood = 4;
  int32 implicit = 5 [features.field_presence = IMPLICIT];
  string plain_text = 6 [features.field_presence = IMPLICIT];
  bytes plain_raw = 7 [features.field_presence = IMPLICIT];
  int32 needed = 8 [features.field_presence = LEGACY_REQUIRED];
  Sub child = 9;
  Sub group = 10 [features.message_encoding = DELIMITED];
  Sub late = 11 [lazy = true];
  repeated int32 numbers = 12;
  repeated string texts = 13;
  repeated bytes raws = 14;
  repeated Mood moods = 15;
  repeated Sub list = 16;
  repeated Sub late_list = 17 [lazy = true];
  map<string, Sub> named = 18;
  oneof choice {
    int32 number = 19;
    Sub chosen = 20;
  }
  extensions 1000 to max;
}
message Sub {
  int32 number = 1 [features.field_presence = IMPLICIT];
  Row row = 2;
}
message Only {
  oneof one {
    string member = 1;
  }
}
message Nothing {}
enum Mood {
  MOOD_NONE = 0;
  MOOD_GOOD = 1;
}
`

// The API levels, as protoc-gen-go's parameter default_api_level names them.
const (
	open   = "API_OPEN"
	hybrid = "API_HYBRID"
	opaque = "API_OPAQUE"
)

// checker type-checks packages in process.
type checker struct {
	fset    *token.FileSet
	imports types.Importer
}

// newChecker lets the go command compile what generated code imports.
func newChecker(t *testing.T) *checker {
	t.Helper()
	out := goTool(t, "list", "-export", "-deps", "-json=ImportPath,Export", "./runtime", "./runtime/wire", "google.golang.org/protobuf/runtime/protoimpl",
		"google.golang.org/protobuf/reflect/protoreflect", "reflect", "sync", "unsafe", "math")
	files := map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	return &checker{fset, importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("%s is not among the packages that generated code may import", path)
		}
		return os.Open(files[path])
	})}
}

// complaint is an error of the compiler.
type complaint struct {
	file string
	line int
	text string
}

// check returns the errors in the given files that belong to a build with the tag protoopaque
// or without, sorted by place as the compiler prints them.
func (c *checker) check(t *testing.T, code map[string]string, protoopaque bool) []complaint {
	t.Helper()
	var list []*ast.File
	for _, name := range slices.Sorted(maps.Keys(code)) {
		f, err := parser.ParseFile(c.fset, name, code[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if line := buildLine(f); line != "" {
			expr, err := constraint.Parse(line)
			if err != nil {
				t.Fatal(err)
			}
			if !expr.Eval(func(tag string) bool { return protoopaque && tag == "protoopaque" }) {
				continue
			}
		}
		list = append(list, f)
	}
	var got []complaint
	conf := types.Config{Importer: c.imports, Error: func(err error) {
		e := err.(types.Error)
		at := c.fset.Position(e.Pos)
		got = append(got, complaint{at.Filename, at.Line, e.Msg})
	}}
	_, err := conf.Check("example.com/layout", c.fset, list, nil)
	if (err == nil) != (len(got) == 0) {
		t.Fatal(err)
	}
	slices.SortStableFunc(got, func(a, b complaint) int {
		if a.file != b.file {
			return strings.Compare(a.file, b.file)
		}
		return a.line - b.line
	})
	return got
}

func buildLine(f *ast.File) string {
	for _, group := range f.Comments {
		for _, line := range group.List {
			if constraint.IsGoBuild(line.Text) && line.Pos() < f.Package {
				return line.Text
			}
		}
	}
	return ""
}

// layoutCode returns what this generator, or protoc-gen-go, makes of layoutProto at an API
// level.
func layoutCode(t *testing.T, ours bool, level string) map[string]string {
	t.Helper()
	req, err := protocheck.Request(map[string]string{"layout.proto": layoutProto}, "paths=source_relative,default_api_level="+level)
	if err != nil {
		t.Fatal(err)
	}
	if ours {
		return mustRun(t, req)
	}
	return protocGenGo(t, req)
}

// both returns the files of two maps.
func both(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// explained checks that the errors show their reader what to do: the first one in a file of
// this generator stands below a comment that says it, right below where guard is set.
func explained(t *testing.T, code map[string]string, errs []complaint, guard bool) {
	t.Helper()
	for _, e := range errs {
		if !strings.Contains(e.file, "_flinkser") {
			continue // the rest of protoc-gen-go's file does not fit to the change either
		}
		lines := strings.Split(code[e.file], "\n")[:e.line]
		if guard {
			// The comment of the guard, and no other function, is in between.
			last := max(0, lastLine(lines, "If "))
			if last == 0 || slices.ContainsFunc(lines[last:e.line-1], func(l string) bool { return strings.HasPrefix(l, "func (") || strings.HasPrefix(l, "}") }) {
				t.Errorf("%s:%d: %s: the error is not in a guard", e.file, e.line, e.text)
			}
			lines = lines[last:]
		}
		text := strings.ReplaceAll(strings.Join(lines, "\n"), "\n// ", " ")
		for _, want := range []string{"enerate", "anew, with the same options", "default_api_level and apilevelM", "versions of both plugins that belong together", "docs/compatibility.md"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s:%d: %s: above it nothing says %q", e.file, e.line, e.text, want)
			}
		}
		return
	}
	t.Errorf("no error in the generated file: %v", errs)
}

// lastLine returns the index of the last line that is a comment beginning with text, or -1.
func lastLine(lines []string, text string) int {
	for i, l := range slices.Backward(lines) {
		if strings.HasPrefix(l, "// "+text) {
			return i
		}
	}
	return -1
}

// layoutChange is one change of protoc-gen-go's code: the first match of a pattern between two
// lines that begin a struct and end it is replaced.
type layoutChange struct{ name, in, pattern, with string }

// openChanges has a change for each row of the table of fields, and of each other field that
// generated code uses, in the open and the hybrid API.
var openChanges = []layoutChange{
	{"explicit scalar by value", "Row", `Explicit +\*int32`, `Explicit int32`},
	{"explicit scalar of another type", "Row", `Explicit +\*int32`, `Explicit *int64`},
	{"explicit string by value", "Row", `Text +\*string`, `Text string`},
	{"explicit bytes behind a pointer", "Row", `Raw +\[\]byte`, `Raw *[]byte`},
	{"explicit enum by value", "Row", `Mood +\*Mood`, `Mood Mood`},
	{"explicit enum as a number", "Row", `Mood +\*Mood`, `Mood *int32`},
	{"implicit scalar as a pointer", "Row", `Implicit +int32`, `Implicit *int32`},
	{"implicit scalar of another type", "Row", `Implicit +int32`, `Implicit int64`},
	{"implicit string as bytes", "Row", `PlainText +string`, `PlainText []byte`},
	{"implicit bytes as a string", "Row", `PlainRaw +\[\]byte`, `PlainRaw string`},
	{"required scalar by value", "Row", `Needed +\*int32`, `Needed int32`},
	{"message by value", "Row", `Child +\*Sub`, `Child Sub`},
	{"message of another type", "Row", `Child +\*Sub`, `Child *Only`},
	{"group of another type", "Row", `Group +\*Sub`, `Group *Only`},
	{"lazy message of another type", "Row", `Late +\*Sub`, `Late *Only`},
	{"list of another type", "Row", `Numbers +\[\]int32`, `Numbers []int64`},
	{"list behind a pointer", "Row", `Numbers +\[\]int32`, `Numbers *[]int32`},
	{"list of bytes for strings", "Row", `Texts +\[\]string`, `Texts [][]byte`},
	{"list of strings for bytes", "Row", `Raws +\[\]\[\]byte`, `Raws []string`},
	{"list of numbers for enums", "Row", `Moods +\[\]Mood`, `Moods []int32`},
	{"list of messages behind a pointer", "Row", `List +\[\]\*Sub`, `List *[]*Sub`},
	{"list of messages by value", "Row", `List +\[\]\*Sub`, `List []Sub`},
	{"lazy list of messages behind a pointer", "Row", `LateList +\[\]\*Sub`, `LateList *[]*Sub`},
	{"map with values of another type", "Row", `Named +map\[string\]\*Sub`, `Named map[string]Sub`},
	{"map with keys of another type", "Row", `Named +map\[string\]\*Sub`, `Named map[int32]*Sub`},
	{"oneof of another name", "Row", `\tChoice +isRow_Choice`, "\tOther isRow_Choice"},
	{"oneof of another type", "Row", `\tChoice +isRow_Choice`, "\tChoice *Row_Number"},
	{"wrapper with another field", "Row_Number", `Number +int32`, `Value int32`},
	{"wrapper with a field of another type", "Row_Number", `Number +int32`, `Number int64`},
	{"wrapper with a message by value", "Row_Chosen", `Chosen +\*Sub`, `Chosen Sub`},
	{"wrapper of another name", "Row_Number", `type Row_Number struct`, `type Row_Number_ struct`},
	{"field of another name", "Row", `\tExplicit +`, "\tExplicit_ "},
	{"first field of a small message", "Sub", `\tNumber +`, "\tNumber_ "},
	{"unknown fields of another name", "Row", `unknownFields`, `unknown`},
	{"unknown fields of another type", "Row", `unknownFields +protoimpl.UnknownFields`, `unknownFields *[]byte`},
	{"extension fields missing", "Row", `\textensionFields +protoimpl.ExtensionFields\n`, ""},
	{"extension fields of another type", "Row", `extensionFields +protoimpl.ExtensionFields`, `extensionFields []byte`},
}

// opaqueChanges are those of the opaque API, where order counts as well.
var opaqueChanges = []layoutChange{
	{"explicit scalar as a pointer", "Row", `hidden_Explicit +int32`, `hidden_Explicit *int32`},
	{"explicit scalar of another type", "Row", `hidden_Explicit +int32`, `hidden_Explicit int64`},
	{"explicit string by value", "Row", `hidden_Text +\*string`, `hidden_Text string`},
	{"explicit bytes behind a pointer", "Row", `hidden_Raw +\[\]byte`, `hidden_Raw *[]byte`},
	{"explicit enum as a number", "Row", `hidden_Mood +Mood`, `hidden_Mood int32`},
	{"implicit scalar as a pointer", "Row", `hidden_Implicit +int32`, `hidden_Implicit *int32`},
	{"implicit string as a pointer", "Row", `hidden_PlainText +string`, `hidden_PlainText *string`},
	{"implicit bytes as a string", "Row", `hidden_PlainRaw +\[\]byte`, `hidden_PlainRaw string`},
	{"required scalar as a pointer", "Row", `hidden_Needed +int32`, `hidden_Needed *int32`},
	{"message by value", "Row", `hidden_Child +\*Sub`, `hidden_Child Sub`},
	{"group of another type", "Row", `hidden_Group +\*Sub`, `hidden_Group *Only`},
	{"lazy message of another type", "Row", `hidden_Late +\*Sub`, `hidden_Late *Only`},
	{"list behind a pointer", "Row", `hidden_Numbers +\[\]int32`, `hidden_Numbers *[]int32`},
	{"list of bytes for strings", "Row", `hidden_Texts +\[\]string`, `hidden_Texts [][]byte`},
	{"list of strings for bytes", "Row", `hidden_Raws +\[\]\[\]byte`, `hidden_Raws []string`},
	{"list of numbers for enums", "Row", `hidden_Moods +\[\]Mood`, `hidden_Moods []int32`},
	{"list of messages without a pointer", "Row", `hidden_List +\*\[\]\*Sub`, `hidden_List []*Sub`},
	{"lazy list of messages without a pointer", "Row", `hidden_LateList +\*\[\]\*Sub`, `hidden_LateList []*Sub`},
	{"map with values of another type", "Row", `hidden_Named +map\[string\]\*Sub`, `hidden_Named map[string]Sub`},
	{"oneof of another name", "Row", `xxx_hidden_Choice`, `xxx_hidden_Other`},
	{"oneof of another type", "Row", `hidden_Choice +isRow_Choice`, `hidden_Choice any`},
	{"wrapper with another field", "row_Number", `Number +int32`, `Value int32`},
	{"wrapper with a field of another type", "row_Number", `Number +int32`, `Number int64`},
	{"wrapper with a message by value", "row_Chosen", `Chosen +\*Sub`, `Chosen Sub`},
	{"wrapper with one field more", "row_Number", `\tNumber +int32`, "\tNumber int32\n\tmore int32"},
	{"wrapper of another name", "row_Number", `type row_Number struct`, `type row_number struct`},
	{"field of another name", "Row", `xxx_hidden_Explicit`, `xxx_explicit`},
	{"fields in another order", "Row", `(\txxx_hidden_Numbers .*\n)(\txxx_hidden_Texts .*\n)`, "$2$1"},
	{"unknown fields in front", "Row", `(\tstate .*\n)((?s:.*))(\tunknownFields .*\n)`, "$1$3$2"},
	{"a field more", "Row", `(\tstate .*\n)`, "$1\tmore int32\n"},
	{"presence bits of another length", "Row", `XXX_presence +\[1\]uint32`, `XXX_presence [2]uint32`},
	{"presence bits of another size", "Row", `XXX_presence +\[1\]uint32`, `XXX_presence [1]uint64`},
	{"presence bits missing", "Row", `\tXXX_presence .*\n`, ""},
	{"hook of the race detector missing", "Row", `\tXXX_raceDetectHookData .*\n`, ""},
	{"lazy information missing", "Row", `\tXXX_lazyUnmarshalInfo .*\n`, ""},
	{"lazy information of another type", "Row", `XXX_lazyUnmarshalInfo .*`, "XXX_lazyUnmarshalInfo []byte"},
	{"lazy information behind the presence bits", "Row", `(\tXXX_lazy.*\n)(\tXXX_race.*\n)(\tXXX_presence.*\n)`, "$2$3$1"},
	{"extension fields missing", "Row", `\textensionFields .*\n`, ""},
	{"extension fields of another type", "Row", `extensionFields .*`, "extensionFields []byte"},
	{"unknown fields of another name", "Row", `unknownFields`, `unknown`},
	{"unknown fields of another type", "Row", `unknownFields .*`, `unknownFields *[]byte`},
	{"size cache missing", "Row", `\tsizeCache .*\n`, ""},
	{"a small message without presence bits gets some", "Sub", `(\tunknownFields )`, "\tXXX_presence [1]uint32\n$1"},
	{"an empty message gets a field", "Nothing", `(\tunknownFields )`, "\tmore int32\n$1"},
}

// change applies c to code, the file of protoc-gen-go.
func (c layoutChange) change(t *testing.T, code string) string {
	t.Helper()
	start := strings.Index(code, "\ntype "+c.in+" struct {") + 1
	if start == 0 {
		t.Fatalf("there is no struct %s", c.in)
	}
	end := start + strings.Index(code[start:], "\n}") + 1
	pattern := regexp.MustCompile(c.pattern)
	body := code[start:end]
	m := pattern.FindStringSubmatchIndex(body)
	if m == nil {
		t.Fatalf("%s has no %s:\n%s", c.in, c.pattern, body)
	}
	body = body[:m[0]] + string(pattern.ExpandString(nil, c.with, body, m)) + body[m[1]:]
	return code[:start] + body + code[end:]
}

// TestLayoutGuards changes one thing after the other in the structs of protoc-gen-go, a test
// for each row of the table of how it lays out fields, and checks that the package does not
// compile, that this is seen in the generated file, and that it says there what to do.
func TestLayoutGuards(t *testing.T) {
	c := newChecker(t)
	for _, api := range []struct {
		level       string
		protoopaque bool
		file        string // of protoc-gen-go
		changes     []layoutChange
	}{
		{open, false, "layout.pb.go", openChanges},
		{hybrid, false, "layout.pb.go", openChanges},
		{hybrid, true, "layout_protoopaque.pb.go", opaqueChanges},
		{opaque, false, "layout.pb.go", opaqueChanges},
	} {
		t.Run(fmt.Sprintf("%s/protoopaque=%t", api.level, api.protoopaque), func(t *testing.T) {
			code := both(layoutCode(t, true, api.level), layoutCode(t, false, api.level))
			if errs := c.check(t, code, api.protoopaque); len(errs) > 0 {
				t.Fatalf("unchanged: %v", errs)
			}
			for _, change := range api.changes {
				t.Run(change.name, func(t *testing.T) {
					changed := maps.Clone(code)
					changed[api.file] = change.change(t, code[api.file])
					isOpaque := api.protoopaque || api.level == opaque
					explained(t, changed, c.check(t, changed, api.protoopaque), isOpaque)
				})
			}
		})
	}
}

// TestOpenOrderIsFree shows that open structs need no guard of their order: code names their
// fields, and nothing counts them.
func TestOpenOrderIsFree(t *testing.T) {
	c := newChecker(t)
	code := both(layoutCode(t, true, open), layoutCode(t, false, open))
	change := layoutChange{"", "Row", `(\tNumbers .*\n)(\tTexts .*\n)`, "$2$1"}
	code["layout.pb.go"] = change.change(t, code["layout.pb.go"])
	if errs := c.check(t, code, false); len(errs) > 0 {
		t.Error(errs)
	}
}

// TestAPILevels gives the two plugins API levels in all combinations. What fits compiles: what
// is open lies as what is hybrid does without the build tag, and what is opaque as what is
// hybrid with it. What does not is refused by a guard.
func TestAPILevels(t *testing.T) {
	c := newChecker(t)
	levels := []string{open, hybrid, opaque}
	isOpaque := func(level string, protoopaque bool) bool { return level == opaque || level == hybrid && protoopaque }
	refused := 0
	for _, ours := range levels {
		for _, theirs := range levels {
			for _, protoopaque := range []bool{false, true} {
				t.Run(fmt.Sprintf("ours=%s/theirs=%s/protoopaque=%t", ours, theirs, protoopaque), func(t *testing.T) {
					code := both(layoutCode(t, true, ours), layoutCode(t, false, theirs))
					errs := c.check(t, code, protoopaque)
					if isOpaque(ours, protoopaque) == isOpaque(theirs, protoopaque) {
						if len(errs) > 0 {
							t.Errorf("the structs are the same: %v", errs[0])
						}
						return
					}
					refused++
					explained(t, code, errs, true)
				})
			}
		}
	}
	if refused != 8 {
		t.Errorf("%d combinations are refused, want 8", refused)
	}
}
