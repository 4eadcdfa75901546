package randschema

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/protocheck"
)

func place(seed uint64) Place {
	return Place{Dir: fmt.Sprintf("s%d", seed), GoPath: "example.com/x", Number: int(seed)}
}

func TestSameSeedSameFiles(t *testing.T) {
	different := map[string]bool{}
	for seed := range uint64(50) {
		at := Place{Dir: "s", GoPath: "example.com/x"}
		a, b := Print(New(seed).Files(at, nil)), Print(New(seed).Files(at, nil))
		if a != b {
			t.Fatalf("seed %d gives two schemas", seed)
		}
		different[a] = true
	}
	if len(different) != 50 {
		t.Errorf("50 seeds give %d schemas", len(different))
	}
}

// TestPlaces checks that the place of a schema changes nothing but names.
func TestPlaces(t *testing.T) {
	for seed := range uint64(20) {
		a := Print(New(seed).Files(Place{Dir: "aaa1", GoPath: "example.com/x"}, nil))
		b := Print(New(seed).Files(Place{Dir: "bbb2", GoPath: "example.com/x"}, nil))
		if got := strings.ReplaceAll(b, "bbb2", "aaa1"); got != a {
			t.Errorf("seed %d: the place changes\n%s\ninto\n%s", seed, a, got)
		}
	}
}

// texts returns the files of a schema by path.
func texts(files []File) map[string]string {
	m := map[string]string{}
	for _, f := range files {
		m[f.Path] = f.Text
	}
	return m
}

// TestLegal compiles the schemas without protoc, which knows edition 2024 alone.
func TestLegal(t *testing.T) {
	for seed := range uint64(300) {
		files := texts(New(seed, Proto2, Proto3, Edition2023).Files(place(seed), nil))
		if hasGoFeatures(files) {
			files[goFeatures] = goFeaturesText
		}
		req, err := protocheck.Request(files, "")
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, Print(New(seed, Proto2, Proto3, Edition2023).Files(place(seed), nil)))
			continue
		}
		if _, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: req.GetProtoFile()}); err != nil {
			t.Logf("seed %d: google.golang.org/protobuf refuses what is legal: %v", seed, err)
		}
	}
}

func hasGoFeatures(files map[string]string) bool {
	for _, text := range files {
		if strings.Contains(text, goFeatures) {
			return true
		}
	}
	return false
}

// goFeaturesText is enough of the file that protoc brings.
const goFeaturesText = `syntax = "proto2";
package pb;
import "google/protobuf/descriptor.proto";
option go_package = "google.golang.org/protobuf/types/gofeaturespb";
extend google.protobuf.FeatureSet { optional GoFeatures go = 1002; }
message GoFeatures {
  optional bool legacy_unmarshal_json_enum = 1 [
    targets = TARGET_TYPE_ENUM, targets = TARGET_TYPE_FILE,
    edition_defaults = { edition: EDITION_LEGACY, value: "true" }, edition_defaults = { edition: EDITION_PROTO3, value: "false" }];
  enum APILevel { API_LEVEL_UNSPECIFIED = 0; API_OPEN = 1; API_HYBRID = 2; API_OPAQUE = 3; }
  optional APILevel api_level = 2 [
    targets = TARGET_TYPE_MESSAGE, targets = TARGET_TYPE_FILE,
    edition_defaults = { edition: EDITION_LEGACY, value: "API_LEVEL_UNSPECIFIED" },
    edition_defaults = { edition: EDITION_2024, value: "API_OPAQUE" }];
}
`

// TestProtoc compiles schemas of all syntaxes with protoc.
func TestProtoc(t *testing.T) {
	for seed := range uint64(24) {
		if set := compile(t, New(seed).Files(place(seed), nil)); set == nil {
			t.Errorf("seed %d:\n%s", seed, Print(New(seed).Files(place(seed), nil)))
		}
	}
}

// compile returns what protoc makes of files, or nil after an error.
func compile(t *testing.T, files []File) *descriptorpb.FileDescriptorSet {
	t.Helper()
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		if protoc, err = filepath.Abs("../../.bin/protoc"); err == nil {
			_, err = os.Stat(protoc)
		}
	}
	if err != nil {
		t.Skip("protoc is neither on PATH nor in .bin: tools/install.sh protoc puts it there")
	}
	dir := t.TempDir()
	args := []string{"-I" + dir, "--include_imports", "--descriptor_set_out=" + filepath.Join(dir, "set")}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, f.Path)
	}
	cmd := exec.Command(protoc, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("protoc: %v\n%s", err, errs.String())
		return nil
	}
	b, err := os.ReadFile(filepath.Join(dir, "set"))
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil {
		t.Fatal(err)
	}
	return set
}

// TestCoverage checks that 200 seeds hold every combination of kind and shape in every syntax,
// and every other thing that a schema can have.
func TestCoverage(t *testing.T) {
	seen := map[string]int{}
	var all strings.Builder
	for seed := uint64(1); seed <= 4*Cycle; seed++ {
		s := New(seed)
		for syntax, combos := range s.Combos() {
			for _, c := range combos {
				seen[syntax.String()+": "+c.String()]++
			}
		}
		all.WriteString(Print(s.Files(place(seed), nil)))
	}
	missing, total := 0, 0
	for _, syntax := range Syntaxes {
		for _, c := range Combos(syntax) {
			total++
			if name := syntax.String() + ": " + c.String(); seen[name] == 0 {
				missing++
				t.Errorf("no seed has %s", name)
			}
		}
	}
	t.Logf("%d of %d combinations of syntax, shape and kind", total-missing, total)

	text := all.String()
	for _, s := range []string{
		`syntax = "proto2"`, `syntax = "proto3"`, `edition = "2023"`, `edition = "2024"`,
		"import public ", "import option ", "google/protobuf/struct.proto", "export ", "local ",
		"option features.field_presence = IMPLICIT", "option features.field_presence = EXPLICIT",
		"option features.enum_type = CLOSED", "option features.enum_type = OPEN",
		"option features.repeated_field_encoding = EXPANDED", "option features.repeated_field_encoding = PACKED",
		"option features.utf8_validation = NONE", "option features.utf8_validation = VERIFY",
		"option features.message_encoding = DELIMITED", "option features.message_encoding = LENGTH_PREFIXED",
		", features.field_presence = LEGACY_REQUIRED", "[features.field_presence = EXPLICIT", "[features.field_presence = IMPLICIT",
		"[features.repeated_field_encoding = EXPANDED", "[features.repeated_field_encoding = PACKED",
		"[features.utf8_validation = NONE", "[features.utf8_validation = VERIFY",
		"features.message_encoding = DELIMITED]", "features.message_encoding = LENGTH_PREFIXED]",
		"\noption features.(pb.go).api_level = API_OPEN", "\noption features.(pb.go).api_level = API_HYBRID", "\noption features.(pb.go).api_level = API_OPAQUE",
		"\n  option features.(pb.go).api_level = API_OPEN", "\n  option features.(pb.go).api_level = API_HYBRID", "\n  option features.(pb.go).api_level = API_OPAQUE",
		"extensions 1000;", "extensions 20000 to max;", "verification = UNVERIFIED", "reserved \"gone", "reserved gone", "allow_alias",
		"= -2147483648;", "= -1;", "= 536870911", "= 19999", "= nan", "lazy = true", "json_name = ", "option deprecated = true",
		"extend google.protobuf.FieldOptions", "service ", "map<string, ", " type = ", " func = ", " m = ", " reset = ", " a__b = ", " _lead = ", " err = ", "oneof ",
		" seen = ", " tag = ", " proto_message = ", "deprecated_legacy_json_field_conflicts",
	} {
		if s == "= 19999" { // protobuf keeps these numbers for itself
			for n := reservedOne; n <= reservedEnd; n++ {
				if strings.Contains(text, fmt.Sprintf(" = %d;", n)) {
					t.Errorf("a field has the number %d", n)
				}
			}
			continue
		}
		if !strings.Contains(text, s) {
			t.Errorf("no seed has %q", s)
		}
	}
}

// TestCombosAreTrue compares the combinations that a schema says it has with its descriptors.
func TestCombosAreTrue(t *testing.T) {
	for seed := range uint64(100) {
		s := New(seed, Proto2, Proto3, Edition2023)
		files := texts(s.Files(place(seed), nil))
		files[goFeatures] = goFeaturesText
		req, err := protocheck.Request(files, "")
		if err != nil {
			t.Fatal(err)
		}
		registry, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: req.GetProtoFile()})
		if err != nil {
			continue
		}
		var want, got []string
		for syntax, combos := range s.Combos() {
			for _, c := range combos {
				want = append(want, syntax.String()+": "+c.String())
			}
		}
		got = described(registry, place(seed).Dir)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("seed %d: (-says +has):\n%s", seed, cmp.Diff(want, got))
		}
	}
}

// described returns the combinations of the files in a folder.
func described(registry *protoregistry.Files, dir string) []string {
	var list []string
	registry.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(f.Path(), dir+"/") {
			return true
		}
		syntax := map[protoreflect.Syntax]Syntax{protoreflect.Proto2: Proto2, protoreflect.Proto3: Proto3, protoreflect.Editions: Edition2023}[f.Syntax()]
		add := func(fd protoreflect.FieldDescriptor) {
			if !strings.HasPrefix(string(fd.ContainingMessage().FullName()), "google.protobuf.") {
				list = append(list, syntax.String()+": "+comboOf(fd).String())
			}
		}
		var walk func(protoreflect.MessageDescriptors)
		extensions := func(xs protoreflect.ExtensionDescriptors) {
			for i := range xs.Len() {
				add(xs.Get(i))
			}
		}
		walk = func(ms protoreflect.MessageDescriptors) {
			for i := range ms.Len() {
				m := ms.Get(i)
				if m.IsMapEntry() {
					continue
				}
				for k := range m.Fields().Len() {
					add(m.Fields().Get(k))
				}
				extensions(m.Extensions())
				walk(m.Messages())
			}
		}
		walk(f.Messages())
		extensions(f.Extensions())
		return true
	})
	return list
}

func comboOf(fd protoreflect.FieldDescriptor) Combo {
	kind := func(fd protoreflect.FieldDescriptor) Kind {
		switch {
		case fd.Enum() != nil && fd.Enum().IsClosed():
			return closed
		case fd.Enum() != nil:
			return openEnum
		}
		return Kind(fd.Kind().String())
	}
	lazy := fd.Options().(*descriptorpb.FieldOptions).GetLazy()
	c := Combo{kind: kind(fd), extension: fd.IsExtension(), lazy: lazy, preset: fd.HasDefault()}
	switch o := fd.ContainingOneof(); {
	case fd.IsMap():
		c.shape, c.key, c.kind = aMap, kind(fd.MapKey()), kind(fd.MapValue())
	case fd.IsList() && fd.IsPacked():
		c.shape = packed
	case fd.IsList():
		c.shape = unpacked
	case fd.Cardinality() == protoreflect.Required:
		c.shape = required
	case o != nil && !o.IsSynthetic():
		c.shape = inOneof
	case fd.HasPresence():
		c.shape = explicit
	default:
		c.shape = implicit
	}
	return c
}

// TestReduce looks for what is planted: the smallest schema with a certain field.
func TestReduce(t *testing.T) {
	for seed := range uint64(20) {
		s := New(seed)
		at := place(seed)
		var want string
		s.files[len(s.files)-1].eachMessage(func(m *message) {
			for _, f := range m.fields {
				if f.oneof == nil && f.message == nil && f.shape != aMap {
					want = fmt.Sprintf(" %s = %d", f.name, f.number)
				}
			}
		})
		if want == "" {
			continue
		}
		tries := 0
		without := s.Reduce(func(without func(int) bool) bool {
			tries++
			return strings.Contains(Print(s.Files(at, without)), want)
		}, func() bool { return tries > 2000 })
		small := s.Files(at, without)
		text := Print(small)
		if !strings.Contains(text, want) {
			t.Fatalf("seed %d: what is looked for, %q, is lost:\n%s", seed, want, text)
		}
		if fields := strings.Count(text, " = ") - strings.Count(text, "option ") - strings.Count(text, "edition ") - strings.Count(text, "syntax ") - strings.Count(text, "[") + strings.Count(text, "[]"); len(small) > 1 || fields > 3 {
			t.Errorf("seed %d: %d files, %d fields are left after %d tries:\n%s", seed, len(small), fields, tries, text)
		}
	}
}
