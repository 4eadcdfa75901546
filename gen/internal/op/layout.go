package op

import (
	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Layout prints the guard of an opaque message: a function that only compiles where
// protoc-gen-go has laid out its struct, and the wrappers of its oneofs, as the other
// operations take it to. The fields of an open struct are public, and a change of one does
// not compile where it is read.
func Layout(p *source.Printer, m *model.Message) {
	if len(m.Layout) == 0 {
		return
	}
	p.F("// If this does not compile, the struct of %s is not what the code below was made for.", m.GoName)
	p.L("// Generate this file and that of protoc-gen-go anew, with the same options and with versions")
	p.L("// of both plugins that belong together: see docs/compatibility.md of flinkser.")
	p.F("func _(m *%s) {", m.GoName)
	p.L("type layout struct {")
	for _, part := range m.Layout {
		p.F("%s %s", part.Name, partType(p, part))
	}
	p.L("}")
	p.L("_ = (*layout)(m)")
	for _, f := range m.Fields {
		if f.Shape == shape.Oneof {
			p.F("_ = (*struct{ %s %s })((*%s)(nil))", f.GoName, goType(p, f), wrapper(p, f))
		}
	}
	p.L("}")
	p.L()
}

func partType(p *source.Printer, part model.Part) string {
	f := part.Field
	switch {
	case part.Interface != "":
		return part.Interface
	case part.Protoimpl != "":
		return "protoimpl." + part.Protoimpl
	case f == nil:
		return part.Type
	}
	switch f.Shape {
	case shape.Explicit:
		return "*" + goType(p, f)
	case shape.List, shape.Packed:
		if f.Indirect {
			return "*[]" + goType(p, f)
		}
		return "[]" + goType(p, f)
	case shape.Implicit, shape.Present, shape.Bytes, shape.Message, shape.Map, shape.Oneof:
	}
	return goType(p, f)
}
