package op

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Reuse prints the method that replaces the content of a message and keeps using what
// it holds: lists and maps are emptied first, everything else is set as it arrives,
// and what did not arrive is cleared at the end.
func Reuse(p *source.Printer, m *model.Message) {
	p.F("// %s replaces the content of m by payload s, in the memory that m holds.", names.Reuse)
	p.F("func (m *%s) %s(d *wire.Decoder, s string, depth int) error {", m.GoName, names.Reuse)
	lines(p,
		"if !d.Enter(depth) {",
		"return d.Refuse(depth)",
		"}")
	r := reuser{words: (seenBits(m) + 63) / 64}
	for _, f := range m.Fields {
		empty(p, f)
	}
	p.L("m.unknownFields = m.unknownFields[:0]")
	if m.Extendable {
		p.L("m.extensionFields = nil")
	}
	if m.Presence > 0 {
		p.F("m.XXX_presence = [%d]uint32{}", (m.Presence+31)/32)
	}
	if m.Lazy {
		p.L("m.XXX_lazyUnmarshalInfo = nil")
	}
	switch {
	case r.words == 1:
		p.L("var seen uint64 // one bit for each field that is not emptied above")
	case r.words > 1:
		p.F("var seen [%d]uint64 // one bit for each field that is not emptied above", r.words)
	}
	readMessage(p, m, r, false)
	r.clearUnseen(p, m)
	lines(p,
		"return nil",
		"}",
		"")
}

func seenBits(m *model.Message) int {
	n := 0
	for _, f := range m.Fields {
		n = max(n, f.Seen+1)
	}
	return n
}

// empty prints how a field that needs no bit is emptied before the payload is read.
func empty(p *source.Printer, f *model.Field) {
	switch f.Shape {
	case shape.List, shape.Packed:
		if f.Indirect {
			p.F("if m.%s != nil {", f.Struct)
			p.F("%s = %s", held(f), "("+held(f)+")[:0]")
			p.L("}")
			return
		}
		p.F("m.%s = m.%s[:0]", f.Struct, f.Struct)
	case shape.Map:
		p.F("if len(m.%s) != 0 {", f.Struct)
		p.F("clear(m.%s)", f.Struct)
		p.L("}")
	case shape.Implicit, shape.Present:
		switch f.Kind.Kind {
		case protoreflect.StringKind: // kept, to be compared
		case protoreflect.BytesKind:
			p.F("m.%s = m.%s[:0]", f.Struct, f.Struct)
		case protoreflect.BoolKind:
			p.F("m.%s = false", f.Struct)
		default:
			p.F("m.%s = 0", f.Struct)
		}
	case shape.Explicit, shape.Bytes, shape.Message, shape.Oneof:
	}
}

type reuser struct{ words int }

// bit returns the word of the mask that holds the bit of f, and the bit.
func (r reuser) bit(f *model.Field) (word, bit string) {
	word = "seen"
	if r.words > 1 {
		word = fmt.Sprintf("seen[%d]", f.Seen/64)
	}
	return word, fmt.Sprintf("1<<%d", f.Seen%64)
}

func (r reuser) mark(p *source.Printer, f *model.Field) {
	word, bit := r.bit(f)
	p.F("%s |= %s", word, bit)
}

// clearUnseen prints how fields are cleared whose bit is not set.
func (r reuser) clearUnseen(p *source.Printer, m *model.Message) {
	done := map[int]bool{}
	for _, f := range m.Fields {
		if f.Seen < 0 || done[f.Seen] {
			continue
		}
		done[f.Seen] = true
		name, zero := f.Struct, "nil"
		switch f.Shape {
		case shape.Oneof:
			name = f.Oneof
		case shape.Implicit:
			zero = `""`
		case shape.Explicit, shape.Present, shape.Bytes, shape.Message, shape.List, shape.Packed, shape.Map:
		}
		word, bit := r.bit(f)
		p.F("if %s&(%s) == 0 {", word, bit)
		p.F("m.%s = %s", name, zero)
		p.L("}")
	}
}

func (r reuser) scalar(p *source.Printer, f *model.Field, x string) {
	switch f.Shape {
	case shape.Explicit:
		r.pointer(p, f)
		p.F("*m.%s = %s", f.Struct, x)
	case shape.Oneof:
		r.wrapper(p, f)
		p.F("o.%s = %s", f.GoName, x)
	case shape.Present:
		p.F("m.%s = %s", f.Struct, x)
		setBit(p, f)
	case shape.Implicit, shape.Bytes, shape.Message, shape.List, shape.Packed, shape.Map:
		p.F("m.%s = %s", f.Struct, x)
	}
}

// pointer prints the statements that give a pointer field something to point to.
func (r reuser) pointer(p *source.Printer, f *model.Field) {
	r.mark(p, f)
	p.F("if m.%s == nil {", f.Struct)
	p.F("m.%s = new(%s)", f.Struct, goType(p, f))
	p.L("}")
	setBit(p, f)
}

// wrapper prints the statements that declare o, the wrapper of a oneof member, which
// is the one that the oneof holds where that is of the right type.
func (r reuser) wrapper(p *source.Printer, f *model.Field) {
	r.mark(p, f)
	p.F("o, ok := m.%s.(*%s)", f.Oneof, f.Wrapper)
	p.L("if !ok || o == nil {")
	p.F("o = new(%s)", f.Wrapper)
	p.F("m.%s = o", f.Oneof)
	p.L("}")
}

func (r reuser) text(p *source.Printer, f *model.Field) {
	x := "m." + f.Struct
	switch f.Shape {
	case shape.List:
		method := "ReuseBytesElement"
		switch {
		case f.UTF8:
			method = "ReuseStringElement"
		case isRaw(f):
			method = "ReuseRawStringElement"
		}
		r.assign(p, f, x, method+"("+x+", s[a:z])")
		return
	case shape.Oneof:
		r.wrapper(p, f)
		x = "o." + f.GoName
	case shape.Explicit:
		r.pointer(p, f)
		x = "*m." + f.Struct
	case shape.Implicit, shape.Present, shape.Bytes, shape.Message, shape.Packed, shape.Map:
		if f.Seen >= 0 {
			r.mark(p, f)
		}
		setBit(p, f)
	}
	if f.UTF8 {
		r.assign(p, f, x, "ReuseString("+x+", s[a:z])")
		return
	}
	method := "ReuseBytes"
	if isRaw(f) {
		method = "ReuseRawString"
	}
	p.F("%s = d.%s(%s, s[a:z])", x, method, x)
}

// assign prints how x gets the result of a method of the decoder that may fail.
func (reuser) assign(p *source.Printer, f *model.Field, x, call string) {
	p.L("var code int")
	p.F("if %s, code = d.%s; code < 0 {", x, call)
	p.L(failing(f, "code"))
	p.L("}")
}

// message reuses the message that a field held before; a further part of the same
// message is merged.
func (r reuser) message(p *source.Printer, f *model.Field) {
	switch {
	case f.Shape == shape.List && isGroup(f):
		p.F("v := %s", newMessage(p, f))
		p.F("%s = append(%s, v)", held(f), held(f))
		elementMessage(p, f, names.Reuse, "wire.ReuseMessage")
		return
	case f.Shape == shape.List:
		x := held(f)
		last := element(f, "len("+x+")-1")
		p.F("if n := len(%s); n < cap(%s) {", x, x)
		p.F("%s = %s[:n+1]", x, strings.TrimSuffix(element(f, ""), "[]"))
		p.L("} else {")
		p.F("%s = append(%s, nil)", x, x)
		p.L("}")
		p.F("v := %s", last)
		p.L("if v == nil {")
		p.F("v = %s", newMessage(p, f))
		p.F("%s = v", last)
		p.L("}")
		elementMessage(p, f, names.Reuse, "wire.ReuseMessage")
		return
	}
	if isGroup(f) {
		r.group(p, f)
		return
	}
	x := "m." + f.Struct
	if f.Shape == shape.Oneof {
		x = "o." + f.GoName
		oneofMessage(p, f)
	} else {
		p.F("if %s == nil {", x)
		p.F("%s = %s", x, newMessage(p, f))
		p.L("}")
		setBit(p, f)
	}
	word, bit := r.bit(f)
	p.F("if %s&(%s) == 0 {", word, bit)
	r.mark(p, f)
	callMessage(p, f, x, names.Reuse, "wire.ReuseMessage", fmt.Sprintf("return wire.In(err, %q, a)", f.Name))
	p.L("} else {")
	decodeMessage(p, f, x)
	p.L("}")
}

// group reads a group into a new message: what the field held before is not used again.
// A further part is merged.
func (r reuser) group(p *source.Printer, f *model.Field) {
	word, bit := r.bit(f)
	p.F("if %s&(%s) == 0 {", word, bit)
	if f.Shape == shape.Oneof {
		p.F("m.%s = nil", f.Oneof)
	} else {
		p.F("m.%s = nil", f.Struct)
	}
	p.L("}")
	r.mark(p, f)
	if f.Shape == shape.Oneof {
		oneofMessage(p, f)
		decodeMessage(p, f, "o."+f.GoName)
		return
	}
	p.F("if m.%s == nil {", f.Struct)
	p.F("m.%s = %s", f.Struct, newMessage(p, f))
	p.L("}")
	setBit(p, f)
	decodeMessage(p, f, "m."+f.Struct)
}

func (reuser) open(p *source.Printer, f *model.Field) {
	if f.Shape == shape.Map {
		openList(p, f, "m."+f.Struct+" == nil")
		return
	}
	openIndirect(p, f)
	openList(p, f, "cap("+held(f)+") == 0")
}
