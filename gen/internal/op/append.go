package op

import (
	"fmt"
	"strings"

	"github.com/flinkser/flinkser/gen/internal/kind"
	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Append prints the method that writes the payload, and one for the entries of each
// map.
func Append(p *source.Printer, m *model.Message) {
	p.F("// %s writes the payload to b from index i on.", names.Append)
	p.F("func (m *%s) %s(e *wire.Encoder, b []byte, i, depth int) ([]byte, int) {", m.GoName, names.Append)
	lines(p,
		"if depth < 0 {",
		"return b, wire.FailDepth",
		"}",
		"if m == nil {")
	required := requiredFields(m)
	if len(required) > 0 {
		lines(p,
			"if !e.AllowPartial {",
			"return b, wire.FailRequired",
			"}")
	}
	lines(p,
		"return b, i",
		"}")
	if len(required) > 0 {
		var unset []string
		for _, f := range required {
			unset = append(unset, isUnset(f))
		}
		p.F("if !e.AllowPartial && (%s) {", strings.Join(unset, " ||\n"))
		lines(p,
			"return b, wire.FailRequired",
			"}")
	}
	if len(m.Fields) > 0 || m.Extendable && !m.MessageSet {
		p.F("const room = %d // for all tags, numbers and lengths", m.Room)
		roomFor(p, "room")
	}
	if m.MessageSet {
		lines(p,
			"if b, i = wire.AppendMessageSet(e, b, i, depth, m.extensionFields); i < 0 {",
			"return b, i",
			"}",
			"return wire.AppendMessageSetUnknown(e, b, i, m.unknownFields)",
			"}",
			"")
		return
	}
	visit(p, m, appender{maps: m.Maps})
	p.L("if u := m.unknownFields; len(u) != 0 {")
	roomFor(p, "len(u)")
	p.L("i += copy(b[i:], u)")
	p.L("}")
	p.L("return b, i")
	p.L("}")
	p.L()
	for _, f := range m.Fields {
		if f.Shape == shape.Map {
			appendEntry(p, m, f)
		}
	}
}

// roomFor prints the check that need bytes can be written.
func roomFor(p *source.Printer, need string) {
	p.F("if len(b)-i < %s {", need)
	p.F("if b, i = e.Grow(b, i, %s); i < 0 {", need)
	p.L("return b, i")
	p.L("}")
	p.L("}")
}

type appender struct {
	maps int // the number of maps of the message
}

func (appender) needs(*model.Field) bool { return true }

func (a appender) value(p *source.Printer, f *model.Field) {
	if isGroup(f) {
		a.group(p, f)
		return
	}
	if isMessage(f) {
		putTag(p, f.Tag)
		a.message(p, f, lengthWidth(f), false)
		roomFor(p, "room")
		return
	}
	if f.Kind.Len() {
		roomFor(p, "len(v)+room")
	}
	a.scalar(p, f, "v")
}

// scalar prints a tag and the value in variable v.
func (appender) scalar(p *source.Printer, f *model.Field, v string) {
	putTag(p, f.Tag)
	name := f.Kind.Put
	if isRaw(f) {
		name = "PutRawString"
	}
	put := fmt.Sprintf("i = wire.%s(b, i+%d, %s)", name, len(f.Tag), kind.On(f.Kind.Raw, v))
	if !f.UTF8 {
		p.L(put)
		if f.Kind.Body {
			p.F("i += copy(b[i:], %s)", v)
		}
		return
	}
	p.F("if %s; i < 0 {", put)
	p.L("return b, i")
	p.L("}")
}

// group prints message v between the tags of a group.
func (appender) group(p *source.Printer, f *model.Field) {
	putTag(p, f.Tag)
	at := fmt.Sprintf("i+%d", len(f.Tag))
	if f.Access == model.Foreign {
		p.F("if b, i = wire.AppendMessage(e, b, %s, depth-1, v); i < 0 {", at)
	} else {
		p.F("if b, i = v.%s(e, b, %s, depth-1); i < 0 {", names.Append, at)
	}
	p.L("return b, i")
	p.L("}")
	roomFor(p, "room")
	putTag(p, f.EndTag)
	if len(f.EndTag) == 1 {
		p.L("i++")
		return
	}
	p.F("i += %d", len(f.EndTag))
}

// putTag prints the stores of a tag at index i, which stays where it is.
func putTag(p *source.Printer, tag []byte) {
	var to, from []string
	for n, c := range tag {
		at := "b[i]"
		if n > 0 {
			at = fmt.Sprintf("b[i+%d]", n)
		}
		to, from = append(to, at), append(from, fmt.Sprintf("%#02x", c))
	}
	p.F("%s = %s", strings.Join(to, ", "), strings.Join(from, ", "))
}

// lengthWidth is the number of bytes that are left for the length of a message.
func lengthWidth(f *model.Field) int {
	if f.Long {
		return 2
	}
	return 1
}

// message prints the payload of message v behind its tag, which is at index i, with
// its length in front. In a list the width of the length is the variable width,
// which follows what the elements need.
func (appender) message(p *source.Printer, f *model.Field, width int, list bool) {
	p.F("at := i + %d", len(f.Tag))
	w := fmt.Sprint(width)
	if list {
		w = "width"
	}
	if f.Access == model.Foreign {
		p.F("if b, i = wire.AppendMessage(e, b, at+%s, depth-1, v); i < 0 {", w)
	} else {
		p.F("if b, i = v.%s(e, b, at+%s, depth-1); i < 0 {", names.Append, w)
	}
	p.L("return b, i")
	p.L("}")
	seal(p, "at", width, depthOf(f, "depth-1"), list)
}

// depthOf is what the runtime has to know of the levels around the messages of f.
func depthOf(f *model.Field, depth string) string {
	if f.Deep {
		return depth
	}
	return "wire.Bounded"
}

// seal prints how a length is written at index at, in place where the guess of its
// width was right.
func seal(p *source.Printer, at string, width int, depth string, list bool) {
	short := "b[" + at + "] = byte(n)"
	long := "b[" + at + "], b[" + at + "+1] = byte(n)|0x80, byte(n>>7)"
	switch {
	case list:
		p.F("if n := i - %s - width; n < 0x80 && width == 1 {", at)
		p.L(short)
		p.L("} else if n >= 0x80 && n < 0x4000 && width == 2 {")
		p.L(long)
		p.F("} else if b, i, width = e.Seal(b, %s, width, i, %s); i < 0 {", at, depth)
	case width == 1:
		p.F("if n := i - %s - 1; n < 0x80 {", at)
		p.L(short)
		p.F("} else if b, i, _ = e.Seal(b, %s, 1, i, %s); i < 0 {", at, depth)
	default:
		p.F("if n := i - %s - 2; n >= 0x80 && n < 0x4000 {", at)
		p.L(long)
		p.F("} else if b, i, _ = e.Seal(b, %s, 2, i, %s); i < 0 {", at, depth)
	}
	p.L("return b, i")
	p.L("}")
}

// requiredFields returns the fields that must be set.
func requiredFields(m *model.Message) []*model.Field {
	var list []*model.Field
	for _, f := range m.Fields {
		if f.Required {
			list = append(list, f)
		}
	}
	return list
}

func (a appender) list(p *source.Printer, f *model.Field) {
	if isMessage(f) && !isGroup(f) {
		p.F("width := %d", lengthWidth(f))
		p.L("for _, v := range v {")
		putTag(p, f.Tag)
		a.message(p, f, 0, true)
		roomFor(p, "room")
		p.L("}")
		return
	}
	p.L("for _, v := range v {")
	a.value(p, f)
	if !f.Kind.Len() && !isGroup(f) {
		roomFor(p, "room")
	}
	p.L("}")
}

func (appender) extensions(p *source.Printer, run model.Run) {
	p.L("if len(m.extensionFields) != 0 {")
	p.F("if b, i = wire.AppendExtensions(e, b, i, depth, m.extensionFields, %d, %d); i < 0 {", run.From, run.To)
	lines(p,
		"return b, i",
		"}")
	roomFor(p, "room")
	p.L("}")
}

func (appender) packed(p *source.Printer, f *model.Field) {
	putTag(p, f.PackedTag)
	suffix := f.Kind.Packed
	if suffix == "Varint" {
		suffix = ""
	}
	p.F("if b, i = wire.PutPacked%s(e, b, i+%d, room, v); i < 0 {", suffix, len(f.PackedTag))
	p.L("return b, i")
	p.L("}")
}

// sortBuffers is the number of map fields up to which a message sorts small maps on
// the stack: with more of them the frames of deeply nested messages would grow.
const sortBuffers = 4

func (a appender) entries(p *source.Printer, f *model.Field) {
	put := func(k, v string) {
		p.F("if b, i = m.%s(e, b, i, depth-1, %s, %s); i < 0 {", names.PutEntry(f.GoName), k, v)
		p.L("return b, i")
		p.L("}")
	}
	p.L("if e.Deterministic {")
	buf := "nil"
	if a.maps <= sortBuffers {
		buf = "buf[:0]"
		p.F("var buf [16]wire.Entry[%s, %s]", goType(p, f.Key), goType(p, f.Elem))
	}
	p.F("for _, x := range wire.%s(%s, v) {", f.Key.Kind.Sort, buf)
	put("x.Key", "x.Value")
	p.L("}")
	p.L("} else {")
	p.L("for k, v := range v {")
	put("k", "v")
	p.L("}")
	p.L("}")
	roomFor(p, "room")
}

// appendEntry prints the method that writes an entry of map f.
func appendEntry(p *source.Printer, m *model.Message, f *model.Field) {
	name := names.PutEntry(f.GoName)
	key, elem := f.Key, f.Elem
	p.F("// %s writes an entry of %s.", name, f.Name)
	params := fmt.Sprintf("k %s, v %s", goType(p, key), goType(p, elem))
	if goType(p, key) == goType(p, elem) {
		params = "k, v " + goType(p, key)
	}
	p.F("func (*%s) %s(e *wire.Encoder, b []byte, i, depth int, %s) ([]byte, int) {", m.GoName, name, params)
	lines(p,
		"if depth < 0 {",
		"return b, wire.FailDepth",
		"}")
	const slack = 10
	need := fmt.Sprint(len(f.Tag) + 2 + len(key.Tag) + key.Kind.MaxBytes() + len(elem.Tag) + elem.Kind.MaxBytes() + slack)
	if key.Kind.Len() {
		need = "len(k)+" + need
	}
	if elem.Kind.Len() && !isMessage(elem) {
		need = "len(v)+" + need
	}
	if strings.HasPrefix(need, "len") {
		p.F("if need := %s; len(b)-i < need {", need)
		lines(p,
			"if b, i = e.Grow(b, i, need); i < 0 {",
			"return b, i",
			"}",
			"}")
	} else {
		roomFor(p, need)
	}
	putTag(p, f.Tag)
	a := appender{}
	width := 1
	if isMessage(elem) {
		width = lengthWidth(elem)
	}
	p.F("start := i + %d", len(f.Tag))
	p.F("i = start + %d", width)
	a.scalar(p, key, "k")
	if isMessage(elem) {
		putTag(p, elem.Tag)
		a.message(p, elem, width, false)
	} else {
		a.scalar(p, elem, "v")
	}
	seal(p, "start", width, depthOf(elem, "depth"), false)
	lines(p,
		"return b, i",
		"}",
		"")
}
