package kind

import (
	"go/ast"
	"go/parser"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// allKinds returns every kind that there is.
func allKinds() []protoreflect.Kind {
	var list []protoreflect.Kind
	for k := protoreflect.Kind(0); k < 64; k++ {
		if k.IsValid() {
			list = append(list, k)
		}
	}
	return list
}

// TestEveryKind checks that each kind has exactly one row, or is known to have none.
func TestEveryKind(t *testing.T) {
	kinds := allKinds()
	if len(kinds) != 18 {
		t.Errorf("there are %d kinds, want 18", len(kinds))
	}
	for _, k := range kinds {
		n := 0
		for _, row := range rows {
			if row.Kind == k {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%v has %d rows, want 1", k, n)
		}
		if row := Of(k); row == nil || row.Kind != k {
			t.Errorf("Of(%v) is %v", k, row)
		}
	}
	if len(rows) != len(kinds) {
		t.Errorf("%d rows, but %d kinds", len(rows), len(kinds))
	}
}

// wireTypes is how protobuf's encoding writes each kind, said once more.
var wireTypes = map[protowire.Type][]protoreflect.Kind{
	protowire.VarintType: {
		protoreflect.BoolKind, protoreflect.EnumKind, protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Uint32Kind,
		protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Uint64Kind,
	},
	protowire.Fixed32Type: {protoreflect.Sfixed32Kind, protoreflect.Fixed32Kind, protoreflect.FloatKind},
	protowire.Fixed64Type: {protoreflect.Sfixed64Kind, protoreflect.Fixed64Kind, protoreflect.DoubleKind},
	protowire.BytesType:   {protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind},

	protowire.StartGroupType: {protoreflect.GroupKind},
}

func TestWireTypes(t *testing.T) {
	n := 0
	for want, kinds := range wireTypes {
		for _, k := range kinds {
			n++
			row := Of(k)
			if row.Wire != want {
				t.Errorf("%v has wire type %d, want %d", k, row.Wire, want)
			}
			if got := row.Len(); got != (want == protowire.BytesType) {
				t.Errorf("%v has its length in front: %t", k, got)
			}
			bytes := map[protowire.Type]int{protowire.Fixed32Type: 4, protowire.Fixed64Type: 8}[want]
			if k == protoreflect.BoolKind {
				bytes = 1
			}
			if row.Bytes != bytes {
				t.Errorf("%v has %d bytes, want %d", k, row.Bytes, bytes)
			}
			if got := row.MaxBytes(); bytes > 0 && got != bytes || bytes == 0 && got != protowire.SizeVarint(1<<64-1) {
				t.Errorf("%v has at most %d bytes", k, got)
			}
		}
	}
	if n != len(rows) {
		t.Errorf("%d kinds have a wire type, want %d", n, len(rows))
	}
}

// TestGoTypes compares the Go types with those that protobuf's own reflection uses.
func TestGoTypes(t *testing.T) {
	for k, value := range map[protoreflect.Kind]any{
		protoreflect.BoolKind:     false,
		protoreflect.Int32Kind:    int32(0),
		protoreflect.Sint32Kind:   int32(0),
		protoreflect.Sfixed32Kind: int32(0),
		protoreflect.Uint32Kind:   uint32(0),
		protoreflect.Fixed32Kind:  uint32(0),
		protoreflect.Int64Kind:    int64(0),
		protoreflect.Sint64Kind:   int64(0),
		protoreflect.Sfixed64Kind: int64(0),
		protoreflect.Uint64Kind:   uint64(0),
		protoreflect.Fixed64Kind:  uint64(0),
		protoreflect.FloatKind:    float32(0),
		protoreflect.DoubleKind:   float64(0),
		protoreflect.StringKind:   "",
		protoreflect.BytesKind:    []byte(nil),
	} {
		want := strings.ReplaceAll(reflect.TypeOf(value).String(), "uint8", "byte")
		if got := Of(k).Go; got != want {
			t.Errorf("%v is %s in Go, want %s", k, got, want)
		}
	}
	for _, k := range []protoreflect.Kind{protoreflect.EnumKind, protoreflect.MessageKind, protoreflect.GroupKind} {
		if got := Of(k).Go; got != "" {
			t.Errorf("%v is %s in Go, but the schema names its type", k, got)
		}
	}
}

// TestExpressions checks that every expression is Go, over nothing but its variables,
// and that a row has those that its kind needs.
func TestExpressions(t *testing.T) {
	for _, row := range rows {
		message := row.Kind == protoreflect.MessageKind || row.Kind == protoreflect.GroupKind
		for _, e := range []struct {
			name, text, over string
			needed           bool
		}{
			{"NonZero", row.NonZero, "v", true},
			{"Size", row.Size, "v", row.Bytes == 0 && !message},
			{"Raw", row.Raw, "v", !message},
			{"Value", row.Value, "x", !row.Len() && !message},
			{"X", row.X, "", !row.Len() && !message},
			{"Put", row.Put, "", !message},
			{"Take", row.Take, "", !row.Len() && !message},
			{"Packed", row.Packed, "", !row.Len() && !message},
			{"Sort", row.Sort, "", isKey(row.Kind)},
		} {
			if (e.text != "") != e.needed {
				t.Errorf("%v: %s is %q, needed: %t", row.Kind, e.name, e.text, e.needed)
				continue
			}
			if e.text == "" {
				continue
			}
			tree, err := parser.ParseExpr(As(e.text, "pkg.Type"))
			if err != nil {
				t.Errorf("%v: %s: %v", row.Kind, e.name, err)
				continue
			}
			if e.over == "" {
				if _, ok := tree.(*ast.Ident); !ok {
					t.Errorf("%v: %s is %q, want a name", row.Kind, e.name, e.text)
				}
				continue
			}
			names := identifiers(tree)
			if !slices.Contains(names, e.over) {
				t.Errorf("%v: %s is %q, without %s", row.Kind, e.name, e.text, e.over)
			}
			for _, name := range names {
				if len(name) == 1 && name != e.over {
					t.Errorf("%v: %s is %q, with the variable %s", row.Kind, e.name, e.text, name)
				}
			}
		}
	}
}

// identifiers returns the names in an expression that are not chosen from another.
func identifiers(tree ast.Expr) []string {
	var names []string
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				names = append(names, x.Name)
			}
			return false
		case *ast.Ident:
			names = append(names, n.Name)
		}
		return true
	})
	return names
}

// isKey reports whether protobuf allows a kind as the key of a map.
func isKey(k protoreflect.Kind) bool {
	switch k {
	case protoreflect.FloatKind, protoreflect.DoubleKind, protoreflect.BytesKind, protoreflect.EnumKind,
		protoreflect.MessageKind, protoreflect.GroupKind:
		return false
	default:
		return true
	}
}

func TestOn(t *testing.T) {
	for _, tt := range []struct{ expression, v, want string }{
		{"v", "m.A", "m.A"},
		{"v != 0", "m.Value", "m.Value != 0"},
		{"wire.SizeVarint(uint64(v))", "k", "wire.SizeVarint(uint64(k))"},
		{"len(v) != 0 && vv(v1, _v, v)", "x", "len(x) != 0 && vv(v1, _v, x)"},
		{"", "x", ""},
	} {
		if got := On(tt.expression, tt.v); got != tt.want {
			t.Errorf("On(%q, %q) is %q, want %q", tt.expression, tt.v, got, tt.want)
		}
	}
}

func TestAs(t *testing.T) {
	for _, tt := range []struct{ expression, goType, want string }{
		{"T(x)", "pkg.T", "pkg.T(x)"},
		{"int32(x)", "E", "int32(x)"},
		{"Type(T)", "E", "Type(E)"},
	} {
		if got := As(tt.expression, tt.goType); got != tt.want {
			t.Errorf("As(%q, %q) is %q, want %q", tt.expression, tt.goType, got, tt.want)
		}
	}
}
