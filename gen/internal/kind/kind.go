// Package kind is the table of protobuf's scalar types: one row for each
// protoreflect.Kind, holding nothing but expressions. Everything that differs
// between an int32 and a double is said here and nowhere else.
package kind

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Row is what the generator knows of a kind. The expressions are Go over v, a value
// in its Go type, x, the same value as it is read from the wire, and T, which stands
// for the name of the Go type.
type Row struct {
	Kind    protoreflect.Kind
	Wire    protowire.Type
	Go      string // the Go type; empty where the schema names it
	Bytes   int    // the bytes of a value where all have the same number, else 0
	NonZero string // condition: v is not the zero value
	Size    string // bytes of v, where Bytes is 0
	Put     string // the function that writes it, and Raw, what it is given
	Raw     string
	Body    bool   // v itself follows what Put has written
	Take    string // the function that reads x, empty for length-delimited kinds
	X       string // the type of x
	Value   string // v from x
	Packed  string // suffix of the functions for packed lists, empty where there are none
	Sort    string // the function that orders map keys, empty where it can be none
}

const (
	varint  = "PutVarint"
	fixed32 = "PutFixed32"
	fixed64 = "PutFixed64"
)

var rows = []Row{
	{
		Kind: protoreflect.BoolKind, Wire: protowire.VarintType, Go: "bool", Bytes: 1, NonZero: "v",
		Put: "PutBool", Raw: "v", Take: "Varint", X: "uint64", Value: "x != 0", Packed: "Bool", Sort: "SortBools",
	},
	{
		Kind: protoreflect.EnumKind, Wire: protowire.VarintType, NonZero: "v != 0", Size: "wire.SizeVarint(uint64(v))",
		Put: varint, Raw: "uint64(v)", Take: "Varint", X: "uint64", Value: "T(x)", Packed: "Varint",
	},
	{
		Kind: protoreflect.Int32Kind, Wire: protowire.VarintType, Go: "int32", NonZero: "v != 0", Size: "wire.SizeVarint(uint64(v))",
		Put: varint, Raw: "uint64(v)", Take: "Varint", X: "uint64", Value: "int32(x)", Packed: "Varint", Sort: "SortInts32",
	},
	{
		Kind: protoreflect.Sint32Kind, Wire: protowire.VarintType, Go: "int32", NonZero: "v != 0", Size: "wire.SizeVarint(wire.Zigzag32(v))",
		Put: varint, Raw: "wire.Zigzag32(v)", Take: "Varint", X: "uint64", Value: "wire.Unzigzag32(x)", Packed: "Zigzag32", Sort: "SortInts32",
	},
	{
		Kind: protoreflect.Uint32Kind, Wire: protowire.VarintType, Go: "uint32", NonZero: "v != 0", Size: "wire.SizeVarint(uint64(v))",
		Put: varint, Raw: "uint64(v)", Take: "Varint", X: "uint64", Value: "uint32(x)", Packed: "Varint", Sort: "SortInts32",
	},
	{
		Kind: protoreflect.Int64Kind, Wire: protowire.VarintType, Go: "int64", NonZero: "v != 0", Size: "wire.SizeVarint(uint64(v))",
		Put: varint, Raw: "uint64(v)", Take: "Varint", X: "uint64", Value: "int64(x)", Packed: "Varint", Sort: "SortInts64",
	},
	{
		Kind: protoreflect.Sint64Kind, Wire: protowire.VarintType, Go: "int64", NonZero: "v != 0", Size: "wire.SizeVarint(wire.Zigzag64(v))",
		Put: varint, Raw: "wire.Zigzag64(v)", Take: "Varint", X: "uint64", Value: "wire.Unzigzag64(x)", Packed: "Zigzag64", Sort: "SortInts64",
	},
	{
		Kind: protoreflect.Uint64Kind, Wire: protowire.VarintType, Go: "uint64", NonZero: "v != 0", Size: "wire.SizeVarint(v)",
		Put: varint, Raw: "v", Take: "Varint", X: "uint64", Value: "x", Packed: "Varint", Sort: "SortInts64",
	},
	{
		Kind: protoreflect.Sfixed32Kind, Wire: protowire.Fixed32Type, Go: "int32", Bytes: 4, NonZero: "v != 0",
		Put: fixed32, Raw: "uint32(v)", Take: "Fixed32", X: "uint32", Value: "int32(x)", Packed: "Fixed32", Sort: "SortInts32",
	},
	{
		Kind: protoreflect.Fixed32Kind, Wire: protowire.Fixed32Type, Go: "uint32", Bytes: 4, NonZero: "v != 0",
		Put: fixed32, Raw: "v", Take: "Fixed32", X: "uint32", Value: "x", Packed: "Fixed32", Sort: "SortInts32",
	},
	{
		Kind: protoreflect.FloatKind, Wire: protowire.Fixed32Type, Go: "float32", Bytes: 4, NonZero: "math.Float32bits(v) != 0",
		Put: fixed32, Raw: "math.Float32bits(v)", Take: "Fixed32", X: "uint32", Value: "math.Float32frombits(x)", Packed: "Fixed32",
	},
	{
		Kind: protoreflect.Sfixed64Kind, Wire: protowire.Fixed64Type, Go: "int64", Bytes: 8, NonZero: "v != 0",
		Put: fixed64, Raw: "uint64(v)", Take: "Fixed64", X: "uint64", Value: "int64(x)", Packed: "Fixed64", Sort: "SortInts64",
	},
	{
		Kind: protoreflect.Fixed64Kind, Wire: protowire.Fixed64Type, Go: "uint64", Bytes: 8, NonZero: "v != 0",
		Put: fixed64, Raw: "v", Take: "Fixed64", X: "uint64", Value: "x", Packed: "Fixed64", Sort: "SortInts64",
	},
	{
		Kind: protoreflect.DoubleKind, Wire: protowire.Fixed64Type, Go: "float64", Bytes: 8, NonZero: "math.Float64bits(v) != 0",
		Put: fixed64, Raw: "math.Float64bits(v)", Take: "Fixed64", X: "uint64", Value: "math.Float64frombits(x)", Packed: "Fixed64",
	},
	{
		Kind: protoreflect.StringKind, Wire: protowire.BytesType, Go: "string", NonZero: `v != ""`, Size: "wire.SizeBytes(len(v))",
		Put: "PutString", Raw: "v", Sort: "SortStrings",
	},
	{
		Kind: protoreflect.BytesKind, Wire: protowire.BytesType, Go: "[]byte", NonZero: "len(v) != 0", Size: "wire.SizeBytes(len(v))",
		Put: varint, Raw: "uint64(len(v))", Body: true,
	},
	{Kind: protoreflect.MessageKind, Wire: protowire.BytesType, NonZero: "v != nil"},
	{Kind: protoreflect.GroupKind, Wire: protowire.StartGroupType, NonZero: "v != nil"},
}

// Of returns the row of k, or nil for a kind that has none.
func Of(k protoreflect.Kind) *Row {
	for i := range rows {
		if rows[i].Kind == k {
			return &rows[i]
		}
	}
	return nil
}

// Len reports whether values have their length in front.
func (r *Row) Len() bool { return r.Wire == protowire.BytesType }

// MaxBytes is the largest number of bytes of a value without its content: the
// value of a scalar, the length of anything else.
func (r *Row) MaxBytes() int {
	if r.Bytes > 0 {
		return r.Bytes
	}
	return 10
}

// On rewrites an expression over v into one over another variable or field.
func On(expression, v string) string { return replace(expression, "v", v) }

// As fills in the Go type that T stands for.
func As(expression, goType string) string { return replace(expression, "T", goType) }

// replace exchanges the identifier name, which is one letter, where it stands alone.
func replace(expression, name, with string) string {
	letter := func(i int) bool {
		if i < 0 || i >= len(expression) {
			return false
		}
		c := expression[i]
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	}
	var b strings.Builder
	for i := range len(expression) {
		if expression[i] == name[0] && !letter(i-1) && !letter(i+1) {
			b.WriteString(with)
			continue
		}
		b.WriteByte(expression[i])
	}
	return b.String()
}
