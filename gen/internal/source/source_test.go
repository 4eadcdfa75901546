package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/compiler/protogen"
)

const header = "// Header.\n"

func mustBytes(t *testing.T, p *Printer) string {
	t.Helper()
	b, err := p.Bytes(header)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestBytes(t *testing.T) {
	p := New("order", "example.com/order", nil)
	p.L("const _ = flinkser.IsAtLeastVersion1")
	p.L()
	p.F("func f(m *%s) float64 {", p.Type(protogen.GoIdent{GoName: "Item", GoImportPath: "example.com/item"}, "item"))
	p.L("if m != nil {")
	p.L("return math.", "Float64frombits(", 7, ")")
	p.L("}")
	p.L("return 0 // slices.Clone is not used, nor is wire.Put")
	p.L("}")
	p.F("var x %s", p.Type(protogen.GoIdent{GoName: "Order", GoImportPath: "example.com/order"}, "order"))
	want := `// Header.

package order

import (
	"math"

	"example.com/item"
	flinkser "github.com/flinkser/flinkser/runtime"
)

const _ = flinkser.IsAtLeastVersion1

func f(m *item.Item) float64 {
	if m != nil {
		return math.Float64frombits(7)
	}
	return 0 // slices.Clone is not used, nor is wire.Put
}

var x Order
`
	if diff := cmp.Diff(want, mustBytes(t, p)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestBytesEmpty(t *testing.T) {
	if got, want := mustBytes(t, New("p", "example.com/p", nil)), header+"\npackage p\n"; got != want {
		t.Errorf("file is %q, want %q", got, want)
	}
}

func TestBytesError(t *testing.T) {
	p := New("p", "example.com/p", nil)
	p.L("func {")
	if b, err := p.Bytes(header); err == nil || b != nil {
		t.Errorf("code that does not parse gives %q and error %v", b, err)
	}
}

// TestImport gives packages names that nothing else has: not the variables of generated
// code, not its own imports, not keywords, not each other.
func TestImport(t *testing.T) {
	p := New("p", "example.com/p", []string{"m", "v"})
	for _, tt := range []struct {
		path protogen.GoImportPath
		want string
		name string
	}{
		{"example.com/item", "item", "item"},
		{"example.com/other/item", "item", "item1"},
		{"example.com/third/item", "item", "item2"},
		{"example.com/item", "item", "item"}, // again
		{"example.com/m", "m", "m1"},
		{"example.com/type", "type", "type1"},
		{"example.com/wire", "wire", "wire1"},
		{"example.com/flinkser", "flinkser", "flinkser1"},
		{"example.com/math", "math", "math1"},
		{"example.com/item1", "item1", "item11"},
	} {
		if got := p.Import(tt.path, tt.want); got != tt.name {
			t.Errorf("%s is imported as %s, want %s", tt.path, got, tt.name)
		}
	}
	text := mustBytes(t, p)
	for _, line := range []string{`	item1 "example.com/other/item"`, `	"example.com/item"`, `	wire1 "example.com/wire"`, `	item11 "example.com/item1"`} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%s is not in\n%s", line, text)
		}
	}
	if strings.Contains(text, "flinkser/runtime") {
		t.Errorf("the runtime is imported though nothing uses it:\n%s", text)
	}
}
