package op

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flinkser/flinkser/gen/internal/kind"
	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Decode prints the method that merges a payload into the message, one that makes it
// empty before, and one for the entries of each map.
func Decode(p *source.Printer, m *model.Message) {
	reset(p, m)
	fresh(p, m)
	p.F("// %s merges payload s into m.", methodName(m, names.Decode))
	openWith(p, m, names.Decode, "d *wire.Decoder, s string, depth int", "error")
	if m.Group {
		p.F("return %s", self(m, names.DecodeTo, "d, s, depth, 0, nil", true))
		p.L("}")
		p.L()
		decodeGroup(p, m)
	}
	lines(p,
		"if !d.Enter(depth) {",
		"return d.Refuse(depth)",
		"}")
	declareParts(p, m)
	readMessage(p, m, decoder{}, m.Group)
	if m.Group {
		lines(p,
			"if end != 0 {",
			"return wire.Fail(\"\", len(s), wire.FailTruncated)",
			"}")
	}
	keepCollected(p, m)
	lines(p,
		"return nil",
		"}",
		"")
	for _, f := range m.Fields {
		if f.Shape == shape.Map {
			readEntry(p, m, f)
		}
	}
}

// decodeGroup prints the method that reads m as the content of a group, and the start of
// the one that reads it with or without an end tag behind it.
func decodeGroup(p *source.Printer, m *model.Message) {
	p.F("// %s merges the content of a group, which s begins with, into m. It returns the index", methodName(m, names.DecodeGroup))
	p.L("// behind the end tag.")
	openWith(p, m, names.DecodeGroup, "d *wire.Decoder, s string, depth int, end uint64", "(int, error)")
	lines(p, "var next int")
	p.F("err := %s", self(m, names.DecodeTo, "d, s, depth, end, &next", true))
	lines(p,
		"return next, err",
		"}",
		"")
	p.F("// %s merges the payload that s is into m, or, where end is not 0, the one that ends with", methodName(m, names.DecodeTo))
	p.L("// that tag, and sets next to the index behind it.")
	openWith(p, m, names.DecodeTo, "d *wire.Decoder, s string, depth int, end uint64, next *int", "error")
}

// resetChecks is the number of fields up to which looking at each of them is cheaper than
// clearing a message that is empty as a rule.
const resetChecks = 32

// reset prints the method that makes a message empty.
func reset(p *source.Printer, m *model.Message) {
	p.F("// %s makes m empty.", methodName(m, names.Reset))
	openWith(p, m, names.Reset, "", "")
	if len(m.Fields) <= resetChecks && !m.Lazy && !m.External {
		p.L("// A message is new as a rule, and then there is nothing to do: clearing it would pass")
		p.L("// through the write barrier while the garbage collector runs.")
		empty := []string{"m.unknownFields == nil"}
		if m.Extendable {
			empty = append(empty, "m.extensionFields == nil")
		}
		if m.Presence > 0 {
			empty = append(empty, fmt.Sprintf("m.XXX_presence == [%d]uint32{}", (m.Presence+31)/32))
		}
		for _, f := range m.Fields {
			if x := isEmpty(f); x != "" && !slices.Contains(empty, x) {
				empty = append(empty, x)
			}
		}
		p.F("if %s {", strings.Join(empty, " &&\n"))
		p.L("return")
		p.L("}")
	}
	p.F("*m = %s{}", typeName(p, m))
	p.L("}")
	p.L()
}

// fresh prints the method that makes a message with the wrapper of a oneof member beside it.
func fresh(p *source.Printer, m *model.Message) {
	if len(m.Beside) == 0 {
		return
	}
	p.F("// %s returns a new message to read payload s into. Where s begins with a oneof member, its", methodName(m, names.Fresh))
	p.L("// wrapper is there already: one allocation for both.")
	open(p, m, names.Fresh, "s string", "*"+typeName(p, m))
	lines(p,
		"if len(s) == 0 {",
		"return new("+typeName(p, m)+")",
		"}",
		"switch s[0] {")
	for _, f := range m.Beside {
		p.F("case %d: // %s", tagOf(f.Tag), declare(f))
		p.L("v := new(struct {")
		p.F("m %s", typeName(p, m))
		p.F("o %s", wrapper(p, f))
		lines(p,
			"})",
			"v.m."+f.Oneof+" = &v.o",
			"return &v.m")
	}
	lines(p,
		"default:",
		"return new("+typeName(p, m)+")",
		"}",
		"}",
		"")
}

// freshMessage is the expression for the message that s[a:z] is read into.
func freshMessage(p *source.Printer, f *model.Field) string {
	if !f.Fresh {
		return newMessage(p, f)
	}
	if f.Access == model.External {
		return codec(p, f) + "." + names.OfCodec(names.Fresh) + "(s[a:z])"
	}
	return "(" + goType(p, f) + ")(nil)." + names.Fresh + "(s[a:z])"
}

// isZero is the condition that x is the zero value.
func isZero(k *kind.Row, x string) string {
	switch k.Go {
	case "string":
		return x + ` == ""`
	case "bool":
		return "!" + x
	case "float32", "float64":
		return strings.Replace(kind.On(k.NonZero, x), "!=", "==", 1)
	default:
		return x + " == 0"
	}
}

type decoder struct{}

// declareParts declares the block of memory that the fields marked as parts share.
func declareParts(p *source.Printer, m *model.Message) {
	var parts []*model.Field
	for _, f := range m.Fields {
		if f.Part {
			parts = append(parts, f)
		}
	}
	if len(parts) == 0 {
		return
	}
	p.L("type parts struct {")
	for _, f := range parts {
		p.F("%s %s", f.GoName, strings.TrimPrefix(goType(p, f), "*"))
	}
	p.L("}")
	p.L("var block *parts // one allocation for all fields that are pointers")
}

// needBlock prints how the block is allocated when its first part arrives.
func needBlock(p *source.Printer) {
	lines(p,
		"if block == nil {",
		"block = new(parts)",
		"}")
}

// explicit prints how the value of an expression becomes the value of a pointer field.
func explicit(p *source.Printer, f *model.Field, x string) {
	if f.Part {
		needBlock(p)
		p.F("block.%s = %s", f.GoName, x)
		p.F("m.%s = &block.%s", f.Struct, f.GoName)
	} else {
		if x != "v" {
			p.F("v := %s", x)
		}
		p.F("m.%s = &v", f.Struct)
	}
	setBit(p, f)
}

func (decoder) scalar(p *source.Printer, f *model.Field, x string) {
	switch f.Shape {
	case shape.Explicit:
		explicit(p, f, x)
	case shape.Oneof:
		memberField(p, f, x)
	case shape.Present:
		p.F("m.%s = %s", f.Struct, x)
		setBit(p, f)
	case shape.Implicit, shape.Bytes, shape.Message, shape.List, shape.Packed, shape.Map:
		p.F("m.%s = %s", f.Struct, x)
	}
}

func (decoder) text(p *source.Printer, f *model.Field) {
	switch {
	case f.Shape == shape.List:
		method := "BytesElement"
		switch {
		case f.UTF8:
			method = "StringElement"
		case isRaw(f):
			method = "RawStringElement"
		}
		textValue(p, f, method)
		p.F("m.%s = append(m.%s, v)", f.Struct, f.Struct)
		return
	case f.UTF8:
		textValue(p, f, "String")
		textField(p, f, "v")
	case isBytes(f) && f.Shape == shape.Implicit:
		textField(p, f, "d.BytesOrNil(s[a:z])")
	default:
		textField(p, f, "d."+textMethod(f)+"(s[a:z])")
	}
}

// memberField prints how f, a oneof member, gets the value of expression x.
func memberField(p *source.Printer, f *model.Field, x string) {
	set := fmt.Sprintf("m.%s = &%s{%s: %s}", f.Oneof, wrapper(p, f), f.GoName, x)
	if !slices.Contains(f.Parent.Beside, f) {
		p.L(set)
		return
	}
	p.F("if o, ok := m.%s.(*%s); ok && o != nil && !d.Merge {", f.Oneof, wrapper(p, f))
	p.F("o.%s = %s", f.GoName, x)
	p.L("} else {")
	p.L(set)
	p.L("}")
}

// textMethod is the method of the decoder that makes an element of f.
func textMethod(f *model.Field) string {
	switch {
	case f.UTF8:
		return "String"
	case isRaw(f):
		return "RawString"
	default:
		return "Bytes"
	}
}

// textField prints how f gets the value of expression x.
func textField(p *source.Printer, f *model.Field, x string) {
	switch f.Shape {
	case shape.Explicit:
		explicit(p, f, x)
	case shape.Oneof:
		memberField(p, f, x)
	case shape.Bytes:
		p.F("m.%s = %s", f.Struct, x)
		setBit(p, f)
	case shape.Implicit, shape.Present, shape.Message, shape.List, shape.Packed, shape.Map:
		p.F("m.%s = %s", f.Struct, x)
	}
}

// textValue prints the statements that declare v, what a method of the decoder makes
// of s[a:z].
func textValue(p *source.Printer, f *model.Field, method string) {
	p.F("v, code := d.%s(s[a:z])", method)
	p.L("if code < 0 {")
	p.L(failing(f, "code"))
	p.L("}")
}

func (decoder) message(p *source.Printer, f *model.Field) {
	switch f.Shape {
	case shape.List:
		p.F("v := %s", freshMessage(p, f))
		p.F("%s = append(%s, v)", held(f), held(f))
		elementMessage(p, f, names.Decode)
	case shape.Oneof:
		oneofMessage(p, f)
		decodeMessage(p, f, "o."+f.GoName)
	case shape.Message, shape.Implicit, shape.Explicit, shape.Present, shape.Bytes, shape.Packed, shape.Map:
		if f.Getter != "" {
			p.F("if %s {", isSet(f))
			p.F("_ = %s // decodes what is not decoded yet", read(f))
			p.L("}")
		}
		p.F("if m.%s == nil {", f.Struct)
		if f.Part {
			needBlock(p)
			p.F("m.%s = &block.%s", f.Struct, f.GoName)
		} else {
			p.F("m.%s = %s", f.Struct, freshMessage(p, f))
		}
		p.L("}")
		setBit(p, f)
		decodeMessage(p, f, "m."+f.Struct)
	}
}

// oneofMessage prints the statements that declare o, a wrapper with a message, which is
// the one that the oneof holds where it is that member.
func oneofMessage(p *source.Printer, f *model.Field) {
	p.F("o, ok := m.%s.(*%s)", f.Oneof, wrapper(p, f))
	p.F("if !ok || o == nil || o.%s == nil {", f.GoName)
	p.F("o = &%s{%s: %s}", wrapper(p, f), f.GoName, newMessage(p, f))
	p.F("m.%s = o", f.Oneof)
	p.L("}")
}

// elementMessage prints the call that reads the message v, the last element of a list.
func elementMessage(p *source.Printer, f *model.Field, method string) {
	callMessage(p, f, "v", method, fmt.Sprintf("return wire.InIndex(err, %q, len(%s)-1, a)", f.Name, held(f)))
}

func (decoder) open(p *source.Printer, f *model.Field) {
	openIndirect(p, f)
	openList(p, f, held(f)+" == nil")
}

// openList prints how a list or map that has no memory yet, which condition says, gets
// as much as the elements that follow one another need.
func openList(p *source.Printer, f *model.Field, condition string) {
	count := "Count"
	if f.Shape == shape.Map {
		count = "CountEntries"
	}
	p.F("if %s {", condition)
	p.F("n := d.%s(s, at, i)", count)
	p.L("if n < 0 {")
	p.L(failing(f, "n"))
	p.L("}")
	if f.Shape == shape.Map {
		p.F("m.%s = make(%s, n)", f.Struct, goType(p, f))
	} else {
		p.F("%s = make([]%s, 0, n)", held(f), goType(p, f))
	}
	p.L("}")
}
