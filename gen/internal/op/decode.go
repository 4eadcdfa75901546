package op

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

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
	p.F("// %s merges payload s into m.", names.Decode)
	p.F("func (m *%s) %s(d *wire.Decoder, s string, depth int) error {", m.GoName, names.Decode)
	lines(p,
		"if !d.Enter(depth) {",
		"return d.Refuse(depth)",
		"}")
	declareParts(p, m)
	read(p, m, decoder{})
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

// resetChecks is the number of fields up to which looking at each of them is cheaper than
// clearing a message that is empty as a rule.
const resetChecks = 32

// reset prints the method that makes a message empty.
func reset(p *source.Printer, m *model.Message) {
	p.F("// %s makes m empty.", names.Reset)
	p.F("func (m *%s) %s() {", m.GoName, names.Reset)
	if len(m.Fields) <= resetChecks {
		p.L("// A message is new as a rule, and then there is nothing to do: clearing it would pass")
		p.L("// through the write barrier while the garbage collector runs.")
		empty := []string{"m.unknownFields == nil"}
		oneofs := map[string]bool{}
		for _, f := range m.Fields {
			x := "m." + f.GoName
			switch f.Shape {
			case shape.Implicit:
				if f.Kind.Kind == protoreflect.BytesKind {
					x += " == nil"
					break
				}
				x = isZero(f.Kind, x)
			case shape.Oneof:
				if oneofs[f.Oneof] {
					continue
				}
				oneofs[f.Oneof] = true
				x = "m." + f.Oneof + " == nil"
			case shape.Explicit, shape.Bytes, shape.Message, shape.List, shape.Packed, shape.Map:
				x += " == nil"
			}
			empty = append(empty, x)
		}
		p.F("if %s {", strings.Join(empty, " &&\n"))
		p.L("return")
		p.L("}")
	}
	p.F("*m = %s{}", m.GoName)
	p.L("}")
	p.L()
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
		p.F("m.%s = &block.%s", f.GoName, f.GoName)
		return
	}
	if x != "v" {
		p.F("v := %s", x)
	}
	p.F("m.%s = &v", f.GoName)
}

func (decoder) scalar(p *source.Printer, f *model.Field, x string) {
	switch f.Shape {
	case shape.Explicit:
		explicit(p, f, x)
	case shape.Oneof:
		p.F("m.%s = &%s{%s: %s}", f.Oneof, f.Wrapper, f.GoName, x)
	case shape.Implicit, shape.Bytes, shape.Message, shape.List, shape.Packed, shape.Map:
		p.F("m.%s = %s", f.GoName, x)
	}
}

func (decoder) text(p *source.Printer, f *model.Field) {
	if !f.UTF8 {
		switch f.Shape {
		case shape.Implicit:
			p.F("m.%s = d.BytesOrNil(s[a:z])", f.GoName)
		case shape.List:
			textValue(p, f, "BytesElement")
			p.F("m.%s = append(m.%s, v)", f.GoName, f.GoName)
		case shape.Oneof:
			p.F("m.%s = &%s{%s: d.Bytes(s[a:z])}", f.Oneof, f.Wrapper, f.GoName)
		case shape.Explicit, shape.Bytes, shape.Message, shape.Packed, shape.Map:
			p.F("m.%s = d.Bytes(s[a:z])", f.GoName)
		}
		return
	}
	if f.Shape == shape.List {
		textValue(p, f, "StringElement")
		p.F("m.%s = append(m.%s, v)", f.GoName, f.GoName)
		return
	}
	textValue(p, f, "String")
	switch f.Shape {
	case shape.Explicit:
		explicit(p, f, "v")
	case shape.Oneof:
		p.F("m.%s = &%s{%s: v}", f.Oneof, f.Wrapper, f.GoName)
	case shape.Implicit, shape.Bytes, shape.Message, shape.List, shape.Packed, shape.Map:
		p.F("m.%s = v", f.GoName)
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
		p.F("v := %s", newMessage(p, f))
		p.F("m.%s = append(m.%s, v)", f.GoName, f.GoName)
		elementMessage(p, f, names.Decode, "wire.DecodeMessage")
	case shape.Oneof:
		oneofMessage(p, f)
		decodeMessage(p, f, "o."+f.GoName)
	case shape.Message, shape.Implicit, shape.Explicit, shape.Bytes, shape.Packed, shape.Map:
		p.F("if m.%s == nil {", f.GoName)
		if f.Part {
			needBlock(p)
			p.F("m.%s = &block.%s", f.GoName, f.GoName)
		} else {
			p.F("m.%s = %s", f.GoName, newMessage(p, f))
		}
		p.L("}")
		decodeMessage(p, f, "m."+f.GoName)
	}
}

// oneofMessage prints the statements that declare o, a wrapper with a message, which is
// the one that the oneof holds where it is that member.
func oneofMessage(p *source.Printer, f *model.Field) {
	p.F("o, ok := m.%s.(*%s)", f.Oneof, f.Wrapper)
	p.F("if !ok || o == nil || o.%s == nil {", f.GoName)
	p.F("o = &%s{%s: %s}", f.Wrapper, f.GoName, newMessage(p, f))
	p.F("m.%s = o", f.Oneof)
	p.L("}")
}

// elementMessage prints the call that reads the message v, the last element of a list.
func elementMessage(p *source.Printer, f *model.Field, method, foreign string) {
	callMessage(p, f, "v", method, foreign, fmt.Sprintf("return wire.InIndex(err, %q, len(m.%s)-1, a)", f.Name, f.GoName))
}

func (decoder) open(p *source.Printer, f *model.Field) {
	openList(p, f, "m."+f.GoName+" == nil")
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
		p.F("m.%s = make(%s, n)", f.GoName, goType(p, f))
	} else {
		p.F("m.%s = make([]%s, 0, n)", f.GoName, goType(p, f))
	}
	p.L("}")
}
