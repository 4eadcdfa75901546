package op

import (
	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Clone prints the methods that make a deep copy: one for the interface, and one that
// keeps the type.
func Clone(p *source.Printer, m *model.Message) {
	p.F("// %s returns a deep copy of m.", methodName(m, names.Clone))
	method := names.Clone
	if !m.External {
		p.F("func (m *%s) %s() flinkser.Message { return m.%s() }", m.GoName, names.Clone, names.TypedClone)
		p.L()
		method = names.TypedClone
	}
	openWith(p, m, method, "", "*"+typeName(p, m))
	lines(p,
		"if m == nil {",
		"return nil",
		"}")
	p.F("c := &%s{", typeName(p, m))
	for _, f := range m.Fields {
		if (f.Shape == shape.Implicit || f.Shape == shape.Present) && !isBytes(f) {
			p.F("%s: m.%s,", f.Struct, f.Struct)
		}
	}
	if m.Presence > 0 {
		p.L("XXX_presence: m.XXX_presence,")
	}
	if !m.External {
		p.L("unknownFields: wire.CloneList(m.unknownFields),")
	}
	p.L("}")
	for _, run := range m.Runs {
		if run.Field != nil {
			cloneField(p, run.Field)
		}
	}
	cloneOneofs(p, m)
	cloneOthers(p, m)
	lines(p,
		"return c",
		"}",
		"")
}

// cloned returns the expression that copies v, an element of f, deeply.
func cloned(p *source.Printer, f *model.Field, v string) string {
	switch {
	case isBytes(f):
		return "wire.CloneList(" + v + ")"
	case !isMessage(f):
		return v
	case f.Access == model.Direct:
		return v + "." + names.TypedClone + "()"
	case f.Access == model.External:
		return codec(p, f) + "." + names.OfCodec(names.Clone) + "(" + v + ")"
	case f.Access == model.Known:
		return v + "." + names.Clone + "().(" + goType(p, f) + ")"
	default:
		return "wire.CloneMessage(" + v + ").(" + goType(p, f) + ")"
	}
}

// deep reports whether an element of f is more than its own bits.
func deep(f *model.Field) bool { return isMessage(f) || isBytes(f) }

func cloneField(p *source.Printer, f *model.Field) {
	x := "m." + f.Struct
	switch f.Shape {
	case shape.Implicit:
		if isBytes(f) {
			p.F("c.%s = wire.CloneList(%s)", f.Struct, x)
		}
	case shape.Present: // copied with the struct
	case shape.Bytes:
		p.F("c.%s = wire.CloneList(%s)", f.Struct, x)
	case shape.Explicit:
		p.F("if %s != nil {", x)
		p.F("v := *%s", x)
		p.F("c.%s = &v", f.Struct)
		p.L("}")
	case shape.Message:
		switch {
		case f.Getter != "":
			p.F("if %s {", isSet(f))
			p.F("c.%s = %s", f.Struct, cloned(p, f, read(f)))
			p.L("}")
		case f.Access == model.Direct || f.Access == model.External:
			p.F("c.%s = %s", f.Struct, cloned(p, f, x))
		default:
			p.F("if v := %s; v != nil {", x)
			p.F("c.%s = %s", f.Struct, cloned(p, f, "v"))
			p.L("}")
		}
	case shape.List, shape.Packed:
		cloneList(p, f)
	case shape.Map:
		if !deep(f.Elem) {
			p.F("c.%s = wire.CloneMap(%s)", f.Struct, x)
			return
		}
		p.F("if v := %s; v != nil {", x)
		p.F("c.%s = make(%s, len(v))", f.Struct, goType(p, f))
		p.L("for k, v := range v {")
		p.F("c.%s[k] = %s", f.Struct, cloned(p, f.Elem, "v"))
		p.L("}")
		p.L("}")
	case shape.Oneof:
	}
}

func cloneList(p *source.Printer, f *model.Field) {
	x := "m." + f.Struct
	switch {
	case !deep(f):
		p.F("c.%s = wire.CloneList(%s)", f.Struct, x)
	case f.Indirect:
		if f.Getter != "" {
			p.F("if %s {", isSet(f)) // with its bit there must be a pointer, even to an empty list
			p.F("v := %s", read(f))
		} else {
			p.F("if list := %s; list != nil && *list != nil {", x)
			p.L("v := *list")
		}
		p.F("copied := make([]%s, len(v))", goType(p, f))
		p.L("for i, v := range v {")
		p.F("copied[i] = %s", cloned(p, f, "v"))
		p.L("}")
		p.F("c.%s = &copied", f.Struct)
		p.L("}")
	default:
		p.F("if v := %s; v != nil {", x)
		p.F("c.%s = make([]%s, len(v))", f.Struct, goType(p, f))
		p.L("for i, v := range v {")
		p.F("c.%s[i] = %s", f.Struct, cloned(p, f, "v"))
		p.L("}")
		p.L("}")
	}
}

// cloneOneofs prints a switch for each oneof: a member that is set stays set, whatever
// it holds.
func cloneOneofs(p *source.Printer, m *model.Message) {
	done := map[string]bool{}
	for _, first := range m.Fields {
		if first.Shape != shape.Oneof || done[first.Oneof] {
			continue
		}
		done[first.Oneof] = true
		p.F("switch o := m.%s.(type) {", first.Oneof)
		for _, f := range m.Fields {
			if f.Shape != shape.Oneof || f.Oneof != first.Oneof {
				continue
			}
			p.F("case *%s:", wrapper(p, f))
			p.L("if o != nil {")
			p.F("c.%s = &%s{%s: %s}", f.Oneof, wrapper(p, f), f.GoName, cloned(p, f, "o."+f.GoName))
			p.L("}")
		}
		p.L("}")
	}
}
