package op

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/flinkser/flinkser/gen/internal/kind"
	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// reader is an operation that reads a payload: what becomes of a value that has
// been taken from the wire.
type reader interface {
	// scalar stores the value of expression x in f, a field of any shape but List,
	// Packed and Map.
	scalar(p *source.Printer, f *model.Field, x string)
	// text stores the string or byte string s[a:z].
	text(p *source.Printer, f *model.Field)
	// message reads the message s[a:z].
	message(p *source.Printer, f *model.Field)
	// open prepares a list or map for the elements that follow one another from i on.
	open(p *source.Printer, f *model.Field)
}

// readLoop prints the loop over the fields of a payload. fail prints the return of
// an error; none is true where unknown fields are not kept.
func readLoop(p *source.Printer, cases func(), unknown, fail string) {
	lines(p,
		"for i := 0; i < len(s); {",
		"at := i // a field begins here; the bytes of one with a length are s[a:z]",
		"tag := uint64(s[i])",
		"if tag < 0x80 {",
		"i++",
		"} else if i+1 < len(s) && s[i+1] < 0x80 {",
		"tag, i = tag&0x7f|uint64(s[i+1])<<7, i+2",
		"} else if tag, i = wire.Varint(s, i); i < 0 {",
		fmt.Sprintf(fail, "wire.Fail(\"\", at, i)"),
		"}",
		"switch tag {")
	cases()
	p.L("default:")
	p.F("if i = d.Unknown(%s, s, at, i, tag, depth); i < 0 {", unknown)
	p.F(fail, "wire.Fail(\"\", at, i)")
	p.L("}")
	p.L("}")
	p.L("}")
}

// read prints the body of a function that reads a payload into m.
func read(p *source.Printer, m *model.Message, r reader) {
	readLoop(p, func() {
		for _, f := range m.Fields {
			readField(p, f, r)
		}
	}, "&m.unknownFields", "return %s")
}

// failing is the return of a failure of field f; code is a variable.
func failing(f *model.Field, code string) string {
	return fmt.Sprintf("return wire.Fail(%q, at, %s)", f.Name, code)
}

func readField(p *source.Printer, f *model.Field, r reader) {
	p.F("case %d: // %s", tagOf(f.Tag), declare(f))
	switch {
	case f.Shape == shape.Map:
		r.open(p, f)
		again(p, f.Tag, func() {
			takeLength(p, failing(f, "z"))
			p.F("k, v, err := m.%s(d, s[a:z], depth-1)", names.TakeEntry(f.GoName))
			p.L("if err != nil {")
			p.F("return wire.InKey(err, %q, k, a)", f.Name)
			p.L("}")
			p.F("m.%s[k] = v", f.GoName)
		})
	case !f.Shape.Repeats() && !f.Kind.Len():
		takeScalar(p, f, failing(f, "i"))
		r.scalar(p, f, kind.As(f.Kind.Value, goType(p, f)))
	case !f.Kind.Len():
		again(p, f.Tag, func() {
			takeScalar(p, f, failing(f, "i"))
			p.F("m.%s = append(m.%s, %s)", f.GoName, f.GoName, kind.As(f.Kind.Value, goType(p, f)))
		})
		readPacked(p, f)
	case f.Shape.Repeats():
		r.open(p, f)
		again(p, f.Tag, func() {
			takeLength(p, failing(f, "z"))
			if isMessage(f) {
				r.message(p, f)
			} else {
				r.text(p, f)
			}
		})
	default:
		takeLength(p, failing(f, "z"))
		if isMessage(f) {
			r.message(p, f)
		} else {
			r.text(p, f)
		}
	}
}

func readPacked(p *source.Printer, f *model.Field) {
	p.F("case %d: // %s, packed", tagOf(f.PackedTag), declare(f))
	takeLength(p, failing(f, "z"))
	p.L("var code int")
	suffix := f.Kind.Packed
	if suffix == "Varint" {
		suffix = ""
	}
	p.F("if m.%s, code = wire.Packed%s(m.%s, s[a:z]); code < 0 {", f.GoName, suffix, f.GoName)
	p.L(failing(f, "code"))
	p.L("}")
}

// again prints body in a loop that goes on while the same tag follows, for tags of
// one and two bytes: longer ones are rare, and pass through the switch again.
func again(p *source.Printer, tag []byte, body func()) {
	if len(tag) > 2 {
		body()
		return
	}
	p.L("for {")
	body()
	if len(tag) == 1 {
		p.F("if i >= len(s) || s[i] != %#02x {", tag[0])
	} else {
		p.F("if i+1 >= len(s) || s[i] != %#02x || s[i+1] != %#02x {", tag[0], tag[1])
	}
	lines(p,
		"break",
		"}",
		fmt.Sprintf("at, i = i, i+%d", len(tag)),
		"}")
}

// takeScalar prints the statements that declare x and read it.
func takeScalar(p *source.Printer, f *model.Field, fail string) {
	p.F("var x %s", f.Kind.X)
	if f.Kind.Wire == protowire.VarintType {
		lines(p,
			"if i < len(s) && s[i] < 0x80 {",
			"x, i = uint64(s[i]), i+1",
			"} else if x, i = wire.Varint(s, i); i < 0 {")
	} else {
		p.F("if x, i = wire.%s(s, i); i < 0 {", f.Kind.Take)
	}
	p.L(fail)
	p.L("}")
}

// takeLength prints the statements that declare a and z, between which the bytes of
// a length-delimited field lie, and move i behind them.
func takeLength(p *source.Printer, fail string) {
	lines(p,
		"a, z := i+1, i+1",
		"if i < len(s) && s[i] < 0x80 {",
		"z += int(s[i])",
		"} else {",
		"a, z = wire.Length(s, i)",
		"}",
		"if uint(z) > uint(len(s)) {",
		fail,
		"}",
		"i = z")
}

// decodeMessage prints the call that reads s[a:z] into the message of an expression.
func decodeMessage(p *source.Printer, f *model.Field, into string) {
	callMessage(p, f, into, names.Decode, "wire.DecodeMessage", fmt.Sprintf("return wire.In(err, %q, a)", f.Name))
}

func callMessage(p *source.Printer, f *model.Field, into, method, foreign, fail string) {
	if f.Access == model.Foreign {
		p.F("if err := %s(d, s[a:z], depth-1, %s); err != nil {", foreign, into)
	} else {
		p.F("if err := %s.%s(d, s[a:z], depth-1); err != nil {", into, method)
	}
	p.L(fail)
	p.L("}")
}

// newMessage is the expression for an empty message of f's type.
func newMessage(p *source.Printer, f *model.Field) string {
	return "new(" + strings.TrimPrefix(goType(p, f), "*") + ")"
}

// readEntry prints the method that reads an entry of map f.
func readEntry(p *source.Printer, m *model.Message, f *model.Field) {
	name := names.TakeEntry(f.GoName)
	key, elem := f.Key, f.Elem
	p.F("// %s reads an entry of %s.", name, f.Name)
	results := fmt.Sprintf("k %s, v %s", goType(p, key), goType(p, elem))
	if goType(p, key) == goType(p, elem) {
		results = "k, v " + goType(p, key)
	}
	p.F("func (*%s) %s(d *wire.Decoder, s string, depth int) (%s, err error) {", m.GoName, name, results)
	p.L("if !d.Enter(depth) {")
	p.L("return k, v, d.Refuse(depth)")
	p.L("}")
	switch {
	case isMessage(elem):
		p.F("v = %s", newMessage(p, elem))
	case elem.Kind.Go == "[]byte":
		p.L("v = []byte{}")
	}
	readLoop(p, func() {
		readEntryField(p, key, "k", "key")
		readEntryField(p, elem, "v", "")
	}, "nil", "return k, v, %s")
	p.L("return k, v, nil")
	p.L("}")
	p.L()
}

func readEntryField(p *source.Printer, f *model.Field, v, field string) {
	fail := fmt.Sprintf("return k, v, wire.Fail(%q, at, %%s)", field)
	p.F("case %d: // %s", tagOf(f.Tag), declare(f))
	if !f.Kind.Len() {
		takeScalar(p, f, fmt.Sprintf(fail, "i"))
		p.F("%s = %s", v, kind.As(f.Kind.Value, goType(p, f)))
		return
	}
	takeLength(p, fmt.Sprintf(fail, "z"))
	switch {
	case isMessage(f):
		callMessage(p, f, v, names.Decode, "wire.DecodeMessage", "return k, v, wire.In(err, \"\", a)")
	case f.UTF8:
		p.L("var code int")
		p.F("if %s, code = d.String(s[a:z]); code < 0 {", v)
		p.F(fail, "code")
		p.L("}")
	default:
		p.F("%s = d.Bytes(s[a:z])", v)
	}
}
