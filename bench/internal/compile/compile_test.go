package compile

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/protocheck"
)

func TestSchema(t *testing.T) {
	const messages = 200
	req, err := protocheck.Request(map[string]string{"a.proto": schema("example.com/a", messages)}, "")
	if err != nil {
		t.Fatal(err)
	}
	file := protocheck.File(req, "a.proto")
	if got := len(file.GetMessageType()); got != messages {
		t.Errorf("the schema has %d messages, want %d", got, messages)
	}
	fields := 0
	shapes := map[string]bool{}
	for _, m := range file.GetMessageType() {
		fields += len(m.GetField())
		for _, f := range m.GetField() {
			shape := protoreflect.Cardinality(f.GetLabel()).String() + " " + protoreflect.Kind(f.GetType()).String()
			if f.GetProto3Optional() {
				shape += " with presence"
			} else if f.OneofIndex != nil {
				shape += " in a oneof"
			}
			shapes[shape] = true
		}
		for _, nested := range m.GetNestedType() {
			if nested.GetOptions().GetMapEntry() {
				shapes["map"] = true
			}
		}
	}
	if fields < 6*messages || fields > 8*messages {
		t.Errorf("%d messages have %d fields, want about seven each", messages, fields)
	}
	for _, want := range []string{
		"optional string", "optional string with presence", "optional string in a oneof", "optional message",
		"repeated string", "repeated int64", "repeated message", "repeated enum", "map",
	} {
		if !shapes[want] {
			t.Errorf("the schema has no %s field", want)
		}
	}
}

// TestCompile compiles a small package of each kind and runs the program with it.
func TestCompile(t *testing.T) {
	kinds := []Kind{Ours, VTProto, Protobuf}
	b, err := New(t.Context(), t.TempDir(), 8, kinds...)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		d, err := b.Compile(t.Context(), k)
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		if d <= 0 {
			t.Errorf("%s: the compiler took %v", k.Name, d)
		}
		lines, err := b.Lines(k)
		if err != nil || lines < 8 {
			t.Errorf("%s: %d lines of code, error %v", k.Name, lines, err)
		}
		size, err := b.Size(t.Context(), k)
		if err != nil || size < 1<<20 {
			t.Errorf("%s: the program has %d bytes, error %v", k.Name, size, err)
		}
	}
}

func TestCompileReportsTheReason(t *testing.T) {
	broken := Kind{Name: "broken", plugins: []plugin{{command: golang.command, parameter: ",nonsense=1"}}}
	_, err := New(t.Context(), t.TempDir(), 1, broken)
	if err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("error %v, want one that names the parameter", err)
	}
}
