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

// readLoop prints the loop over the fields of a payload. cases prints a case for each
// field, and what is done with others. fail is the return of an error.
func readLoop(p *source.Printer, fail string, cases func()) {
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
	p.L("}")
	p.L("}")
}

// keepUnknown prints the case of a field that is not known. to is where it goes.
func keepUnknown(p *source.Printer, to, fail string) {
	p.F("if i = d.Unknown(%s, s, at, i, tag, depth); i < 0 {", to)
	p.F(fail, "wire.Fail(\"\", at, i)")
	p.L("}")
}

// readMessage prints the body of a function that reads a payload into m. With ends, it may
// be the content of a group, which ends with a tag.
func readMessage(p *source.Printer, m *model.Message, r reader, ends bool) {
	readLoop(p, "return %s", func() {
		for _, f := range m.Fields {
			readField(p, f, r)
		}
		p.L("default:")
		if ends {
			lines(p,
				"if tag == end && end != 0 {",
				"*next = i",
				"return nil",
				"}")
		}
		if !m.Extendable {
			keepUnknown(p, "&m.unknownFields", "return %s")
			return
		}
		method := "Extension"
		if m.MessageSet {
			method = "MessageSetItem"
		}
		p.L("var err error")
		p.F("if i, err = d.%s(m, &m.unknownFields, s, at, i, tag, depth); err != nil {", method)
		p.L("return err")
		p.L("}")
	})
}

// failing is the return of a failure of field f; code is a variable.
func failing(f *model.Field, code string) string {
	return fmt.Sprintf("return wire.Fail(%q, at, %s)", f.Name, code)
}

func readField(p *source.Printer, f *model.Field, r reader) {
	p.F("case %d: // %s", tagOf(f.Tag), declare(f))
	switch {
	case isGroup(f):
		p.L("a := i // the content of the group begins here")
		if f.Shape == shape.List {
			openIndirect(p, f)
		}
		r.message(p, f)
	case f.Shape == shape.Map:
		r.open(p, f)
		again(p, f.Tag, func() {
			takeLength(p, failing(f, "z"))
			p.F("k, v, err := m.%s(d, s[a:z], depth-1)", names.TakeEntry(f.GoName))
			p.L("if err != nil {")
			p.F("return wire.InKey(err, %q, k, a)", f.Name)
			p.L("}")
			p.F("m.%s[k] = v", f.Struct)
		})
	case !f.Shape.Repeats() && !f.Kind.Len():
		takeScalar(p, f, failing(f, "i"))
		r.scalar(p, f, kind.As(f.Kind.Value, goType(p, f)))
	case !f.Kind.Len():
		again(p, f.Tag, func() {
			takeScalar(p, f, failing(f, "i"))
			p.F("m.%s = append(m.%s, %s)", f.Struct, f.Struct, kind.As(f.Kind.Value, goType(p, f)))
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
	p.F("if m.%s, code = wire.Packed%s(m.%s, s[a:z]); code < 0 {", f.Struct, suffix, f.Struct)
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
	if isGroup(f) {
		if f.Access == model.Direct && f.Group {
			p.F("n, err := %s.%s(d, s[a:], depth-1, %d)", into, names.DecodeGroup, tagOf(f.EndTag))
		} else {
			p.F("n, err := wire.DecodeGroup(d, s[a:], depth-1, %d, %s)", tagOf(f.EndTag), into)
		}
		p.L("if err != nil {")
		p.L(fail)
		p.L("}")
		p.L("i = a + n")
		return
	}
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
	const fail = "return k, v, %s"
	readLoop(p, fail, func() {
		readEntryField(p, key, "k", "key")
		readEntryField(p, elem, "v", "")
		p.L("default:")
		keepUnknown(p, "nil", fail)
	})
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
		p.F("%s = d.%s(s[a:z])", v, textMethod(f))
	}
}
