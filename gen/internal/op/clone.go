package op

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Clone prints the methods that make a deep copy: one for the interface, and one that
// keeps the type.
func Clone(p *source.Printer, m *model.Message) {
	p.F("// %s returns a deep copy of m.", names.Clone)
	p.F("func (m *%s) %s() flinkser.Message { return m.%s() }", m.GoName, names.Clone, names.TypedClone)
	p.L()
	p.F("func (m *%s) %s() *%s {", m.GoName, names.TypedClone, m.GoName)
	lines(p,
		"if m == nil {",
		"return nil",
		"}")
	p.F("c := &%s{", m.GoName)
	for _, f := range m.Fields {
		if f.Shape == shape.Implicit && f.Kind.Kind != protoreflect.BytesKind {
			p.F("%s: m.%s,", f.GoName, f.GoName)
		}
	}
	p.L("unknownFields: wire.CloneList(m.unknownFields),")
	p.L("}")
	for _, run := range m.Runs {
		if run.Field != nil {
			cloneField(p, run.Field)
		}
	}
	cloneOneofs(p, m)
	lines(p,
		"return c",
		"}",
		"")
}

// cloned returns the expression that copies v, an element of f, deeply.
func cloned(p *source.Printer, f *model.Field, v string) string {
	switch {
	case !isMessage(f) && f.Kind.Kind == protoreflect.BytesKind:
		return "wire.CloneList(" + v + ")"
	case !isMessage(f):
		return v
	case f.Access == model.Direct:
		return v + "." + names.TypedClone + "()"
	case f.Access == model.Known:
		return v + "." + names.Clone + "().(" + goType(p, f) + ")"
	default:
		return "wire.CloneMessage(" + v + ").(" + goType(p, f) + ")"
	}
}

// deep reports whether an element of f is more than its own bits.
func deep(f *model.Field) bool { return isMessage(f) || f.Kind.Kind == protoreflect.BytesKind }

func cloneField(p *source.Printer, f *model.Field) {
	switch f.Shape {
	case shape.Implicit:
		if f.Kind.Kind == protoreflect.BytesKind {
			p.F("c.%s = wire.CloneList(m.%s)", f.GoName, f.GoName)
		}
	case shape.Bytes:
		p.F("c.%s = wire.CloneList(m.%s)", f.GoName, f.GoName)
	case shape.Explicit:
		p.F("if m.%s != nil {", f.GoName)
		p.F("v := *m.%s", f.GoName)
		p.F("c.%s = &v", f.GoName)
		p.L("}")
	case shape.Message:
		if f.Access == model.Direct {
			p.F("c.%s = %s", f.GoName, cloned(p, f, "m."+f.GoName))
			return
		}
		p.F("if v := m.%s; v != nil {", f.GoName)
		p.F("c.%s = %s", f.GoName, cloned(p, f, "v"))
		p.L("}")
	case shape.List, shape.Packed:
		if !deep(f) {
			p.F("c.%s = wire.CloneList(m.%s)", f.GoName, f.GoName)
			return
		}
		p.F("if v := m.%s; v != nil {", f.GoName)
		p.F("c.%s = make([]%s, len(v))", f.GoName, goType(p, f))
		p.L("for i, v := range v {")
		p.F("c.%s[i] = %s", f.GoName, cloned(p, f, "v"))
		p.L("}")
		p.L("}")
	case shape.Map:
		if !deep(f.Elem) {
			p.F("c.%s = wire.CloneMap(m.%s)", f.GoName, f.GoName)
			return
		}
		p.F("if v := m.%s; v != nil {", f.GoName)
		p.F("c.%s = make(%s, len(v))", f.GoName, goType(p, f))
		p.L("for k, v := range v {")
		p.F("c.%s[k] = %s", f.GoName, cloned(p, f.Elem, "v"))
		p.L("}")
		p.L("}")
	case shape.Oneof:
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
			p.F("case *%s:", f.Wrapper)
			p.L("if o != nil {")
			p.F("c.%s = &%s{%s: %s}", f.Oneof, f.Wrapper, f.GoName, cloned(p, f, "o."+f.GoName))
			p.L("}")
		}
		p.L("}")
	}
}
