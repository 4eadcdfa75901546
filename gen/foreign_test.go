package gen_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/golden/kinds"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/protocheck"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// foreignFiles has a field of another package's message in every shape.
var foreignFiles = map[string]string{
	"a/a.proto": `syntax = "proto3";
package a;
import "b/b.proto";
import "google/protobuf/duration.proto";
option go_package = "example.com/a";
message A {
  b.B one = 1;
  repeated b.B list = 2;
  map<string, b.B> entries = 3;
  oneof choice {
    b.B chosen = 4;
  }
  google.protobuf.Duration took = 5;
  A self = 6;
  b.E kind = 7;
}
`,
	"b/b.proto": `syntax = "proto3";
package b;
option go_package = "example.com/b";
message B {
  int32 n = 1;
}
enum E {
  E_ZERO = 0;
}
`,
}

func foreignCode(t *testing.T, parameter string) string {
	t.Helper()
	return generate(t, foreignFiles, "paths=source_relative"+parameter, "a/a.proto")["a/a_flinkser.pb.go"]
}

// calls counts what the code calls for fields of foreign types, by function, and the
// calls of methods.
func calls(code string) map[string]int {
	n := map[string]int{}
	for _, name := range regexp.MustCompile(`wire\.\w+Message\(|\.\w+Flinkser\(`).FindAllString(code, -1) {
		n[strings.Trim(name, ".(")]++
	}
	return n
}

// TestForeignRuntime finds out at run time whether messages of other packages have code
// where nothing is said about them.
func TestForeignRuntime(t *testing.T) {
	code := foreignCode(t, "")
	if explicit := foreignCode(t, ",foreign=runtime"); explicit != code {
		t.Error("foreign=runtime is not the default")
	}
	// Five fields: one, list, entries, chosen, took. A part of a message that occurs again
	// is merged while the message is reused, which takes a second call for single fields.
	got := calls(code)
	want := map[string]int{"wire.SizeMessage": 5, "wire.AppendMessage": 5, "wire.CloneMessage": 5, "wire.ReuseMessage": 4, "wire.DecodeMessage": 5 + 3}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%d calls of %s, want %d", got[name], name, n)
		}
	}
}

// TestForeignError lists all fields of other packages' messages with foreign=error, and
// those only.
func TestForeignError(t *testing.T) {
	for _, tt := range []struct {
		parameter string
		want      []string
	}{
		{"", []string{"one", "list", "entries", "chosen", "took"}},
		{",known=example.com/b", []string{"took"}},
		{",known=google.golang.org/protobuf", []string{"one", "list", "entries", "chosen"}},
		{",known=example.com/bb,known=example.co", []string{"one", "list", "entries", "chosen", "took"}},
	} {
		t.Run(tt.parameter, func(t *testing.T) {
			req, err := protocheck.Request(foreignFiles, "foreign=error"+tt.parameter, "a/a.proto")
			if err != nil {
				t.Fatal(err)
			}
			text := refusal(t, req)
			checkPlaces(t, text)
			var got []string
			for line := range strings.SplitSeq(text, "\n") {
				for _, name := range tt.want {
					// The value of a map is named after the type of the entries.
					if strings.Contains(line, "a.A."+name+": ") || name == "entries" && strings.Contains(line, "EntriesEntry") {
						got = append(got, name)
					}
				}
			}
			if !slices.Equal(got, tt.want) || strings.Count(text, "\n")+1 != len(tt.want) {
				t.Errorf("error lists %v, want %v:\n%s", got, tt.want, text)
			}
		})
	}
}

// TestForeignErrorAllKnown accepts what known= covers, and messages of the own package.
func TestForeignErrorAllKnown(t *testing.T) {
	code := foreignCode(t, ",foreign=error,known=example.com/b,known=google.golang.org/protobuf")
	if got := calls(code)["wire.AppendMessage"]; got != 0 {
		t.Errorf("%d calls through the runtime", got)
	}
}

// TestKnown calls the code of packages that known= covers directly: the package itself
// and those below it, no others. That the code compiles and works is the case known in
// testdata/compiles.
func TestKnown(t *testing.T) {
	for _, tt := range []struct {
		parameter string
		direct    bool // the four fields of type b.B
	}{
		{"", false},
		{",known=example.com/b", true},
		{",known=example.com/b/", true},
		{",known=example.com", true},
		{",known=example.org,known=example.com/b", true},
		{",known=example.com/b/c", false},
		{",known=example.com/a", false},
		{",known=example.co", false},
	} {
		t.Run(tt.parameter, func(t *testing.T) {
			code := foreignCode(t, tt.parameter)
			foreign, direct := 5, 1 // took, self
			if tt.direct {
				foreign, direct = 1, 5
			}
			got := calls(code)
			if got["wire.AppendMessage"] != foreign || got["AppendFlinkser"] != direct {
				t.Errorf("%d calls through the runtime and %d direct ones, want %d and %d",
					got["wire.AppendMessage"], got["AppendFlinkser"], foreign, direct)
			}
			if got["wire.CloneMessage"] != foreign || got["wire.SizeMessage"] != foreign || got["SizeFlinkser"] != direct {
				t.Errorf("calls: %v", got)
			}
		})
	}
}

// TestRequireGenerated refuses a serializer for messages that are without generated
// code somewhere, with the list of types, and accepts one where all have it.
func TestRequireGenerated(t *testing.T) {
	if _, err := flinkser.New[*kinds.Lists](flinkser.RequireGenerated()); err != nil {
		t.Errorf("all types have code: %v", err)
	}
	if _, err := flinkser.New[*wellknown.Fields](); err != nil {
		t.Errorf("not asked for: %v", err)
	}
	_, err := flinkser.New[*wellknown.Fields](flinkser.RequireGenerated())
	var missing *flinkser.NotGeneratedError
	if !errors.As(err, &missing) || !errors.Is(err, flinkser.ErrNotGenerated) {
		t.Fatalf("error is %v", err)
	}
	for _, want := range []string{"google.protobuf.Any", "google.protobuf.Timestamp", "google.protobuf.Value", "google.protobuf.ListValue"} {
		if !slices.Contains(missing.Types, want) {
			t.Errorf("%s is not in the list %v", want, missing.Types)
		}
	}
	if !slices.IsSorted(missing.Types) {
		t.Errorf("list %v is not sorted", missing.Types)
	}

	// A serializer for any message looks at each.
	s, err := flinkser.New[proto.Message](flinkser.RequireGenerated())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(nil, &kinds.Lists{}); err != nil {
		t.Errorf("all types have code: %v", err)
	}
	dst := []byte("before")
	if got, err := s.Append(dst, &wellknown.Fields{}); !errors.Is(err, flinkser.ErrNotGenerated) || string(got) != "before" {
		t.Errorf("error is %v, bytes are %q", err, got)
	}
	frame := []byte{0, 0, 0, 0}
	if _, err := s.Decode(frame, &wellknown.Fields{}); !errors.Is(err, flinkser.ErrNotGenerated) {
		t.Errorf("error is %v", err)
	}
}
