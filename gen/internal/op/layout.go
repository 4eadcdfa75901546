package op

import (
	"fmt"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Open prints the guard of the messages of the open and the hybrid API. What the fields of
// their structs are is seen where they are read, so a line for each is enough, which shows
// that the API level is the same for both plugins; an address, as the name of an open field
// may be that of a method of an opaque struct. They stand first in the file, where the first
// errors are, and so does what to do.
func Open(p *source.Printer, messages []*model.Message) {
	var guards []string
	for _, m := range messages {
		if len(m.Layout) > 0 || len(m.Fields) == 0 {
			continue
		}
		field := m.Fields[0].Struct
		if m.Fields[0].Shape == shape.Oneof {
			field = m.Fields[0].Oneof
		}
		guards = append(guards, fmt.Sprintf("func _(m *%s) { _ = &m.%s }", typeName(p, m), field))
	}
	if len(guards) == 0 {
		return
	}
	p.L("// If the next lines do not compile, protoc-gen-go was given another API level than this")
	p.L("// plugin; if others of this file do not, its structs are not what the file was made for.")
	p.L("// Generate both files anew, with the same options (default_api_level and apilevelM among")
	p.L("// them) and with versions of both plugins that belong together: see docs/compatibility.md")
	p.L("// of flinkser.")
	lines(p, guards...)
	p.L()
}

// Layout prints the guard of an opaque message: a function that only compiles where
// protoc-gen-go has laid out its struct, and the wrappers of its oneofs, as the other
// operations take it to.
func Layout(p *source.Printer, m *model.Message) {
	if len(m.Layout) == 0 {
		return
	}
	p.F("// If this does not compile, the struct of %s is not what the code below was made for.", m.GoName)
	p.L("// Generate this file and that of protoc-gen-go anew, with the same options (default_api_level")
	p.L("// and apilevelM among them) and with versions of both plugins that belong together: see")
	p.L("// docs/compatibility.md of flinkser.")
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
