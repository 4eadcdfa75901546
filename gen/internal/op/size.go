package op

import (
	"fmt"

	"github.com/flinkser/flinkser/gen/internal/kind"
	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Size prints the method that returns the exact length of the payload.
func Size(p *source.Printer, m *model.Message) {
	p.F("// %s returns the length of the payload that %s writes.", names.Size, names.Append)
	p.F("func (m *%s) %s(e *wire.Encoder, depth int) int {", m.GoName, names.Size)
	p.L("if depth < 0 {")
	p.L("return wire.FailDepth")
	p.L("}")
	p.L("if m == nil {")
	p.L("return 0")
	p.L("}")
	switch {
	case m.MessageSet:
		p.L("n := wire.SizeMessageSetUnknown(m.unknownFields)")
		p.L("if n < 0 {")
		p.L("return n")
		p.L("}")
	default:
		p.L("n := len(m.unknownFields)")
	}
	if m.Extendable {
		size := "size := wire.SizeExtensions(e, depth, m.extensionFields)"
		if m.MessageSet {
			size = "size := wire.SizeMessageSet(e, depth, m.extensionFields)"
		}
		lines(p,
			"if len(m.extensionFields) != 0 {",
			size,
			"if size < 0 {",
			"return size",
			"}",
			"n += size",
			"}")
	}
	visit(p, m, size{})
	p.L("if n > e.MaxBytes() {")
	p.L("return wire.FailSize")
	p.L("}")
	p.L("return n")
	p.L("}")
	p.L()
}

type size struct{}

func (size) needs(f *model.Field) bool { return f.Kind.Bytes == 0 }

func (size) value(p *source.Printer, f *model.Field) {
	switch {
	case isGroup(f):
		sizeMessage(p, f, "depth-1")
		p.F("n += %d + size", len(f.Tag)+len(f.EndTag))
	case isMessage(f):
		sizeMessage(p, f, "depth-1")
		p.F("n += %d + wire.SizeBytes(size)", len(f.Tag))
	case f.Kind.Bytes > 0:
		p.F("n += %d", len(f.Tag)+f.Kind.Bytes)
	default:
		p.F("n += %d + %s", len(f.Tag), f.Kind.Size)
	}
}

// sizeMessage prints the call that makes size the payload length of v.
func sizeMessage(p *source.Printer, f *model.Field, depth string) {
	if f.Access == model.Foreign {
		p.F("size := wire.SizeMessage(e, %s, v)", depth)
	} else {
		p.F("size := v.%s(e, %s)", names.Size, depth)
	}
	p.L("if size < 0 {")
	p.L("return size")
	p.L("}")
}

func (s size) list(p *source.Printer, f *model.Field) {
	if f.Kind.Bytes > 0 {
		p.F("n += %d * len(v)", len(f.Tag)+f.Kind.Bytes)
		return
	}
	p.L("for _, v := range v {")
	s.value(p, f)
	stopAtLimit(p, f)
	p.L("}")
}

// stopAtLimit ends a loop over elements that may be large, or shared by many places,
// before their sum can overflow.
func stopAtLimit(p *source.Printer, f *model.Field) {
	if f.Kind.Len() || isGroup(f) {
		p.L("if n > e.MaxBytes() {")
		p.L("return wire.FailSize")
		p.L("}")
	}
}

func (size) extensions(*source.Printer, model.Run) {} // all are measured together

func (size) packed(p *source.Printer, f *model.Field) {
	p.F("n += %d + wire.SizeBytes(%s)", len(f.PackedTag), packedSize(f.Kind))
}

func packedSize(k *kind.Row) string {
	switch {
	case k.Bytes == 1:
		return "len(v)"
	case k.Bytes > 0:
		return fmt.Sprintf("%d*len(v)", k.Bytes)
	case k.Packed == "Varint":
		return "wire.SizePacked(v)"
	default:
		return "wire.SizePacked" + k.Packed + "(v)"
	}
}

func (s size) entries(p *source.Printer, f *model.Field) {
	lines(p,
		"if depth < 1 {",
		"return wire.FailDepth",
		"}")
	key, elem := f.Key, f.Elem
	fixed := len(key.Tag) + key.Kind.Bytes + len(elem.Tag) + elem.Kind.Bytes
	if key.Kind.Bytes > 0 && elem.Kind.Bytes > 0 {
		p.F("n += %d * len(v)", len(f.Tag)+1+fixed)
		return
	}
	sum := fmt.Sprint(fixed)
	switch {
	case key.Kind.Bytes > 0:
		p.L("for _, v := range v {")
	case elem.Kind.Bytes > 0:
		p.L("for k := range v {")
	default:
		p.L("for k, v := range v {")
	}
	if key.Kind.Bytes == 0 {
		sum += " + " + kind.On(key.Kind.Size, "k")
	}
	switch {
	case isMessage(elem):
		sizeMessage(p, elem, "depth-2")
		sum += " + wire.SizeBytes(size)"
	case elem.Kind.Bytes == 0:
		sum += " + " + elem.Kind.Size
	}
	p.F("n += %d + wire.SizeBytes(%s)", len(f.Tag), sum)
	stopAtLimit(p, f)
	p.L("}")
}
