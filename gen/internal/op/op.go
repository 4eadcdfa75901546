// Package op prints the operations of generated messages: one file for each, listed
// in ops.go. An operation decides nothing about the schema: it prints what the model
// says, over the variable v that the skeleton of the field's shape has bound.
package op

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/gen/internal/kind"
	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Operation prints the methods of one operation for a message.
type Operation func(p *source.Printer, m *model.Message)

// goType returns the Go type of an element of f.
func goType(p *source.Printer, f *model.Field) string {
	switch {
	case f.Shape == shape.Map:
		return "map[" + goType(p, f.Key) + "]" + goType(p, f.Elem)
	case f.Kind.Go != "":
		return f.Kind.Go
	case isMessage(f):
		return "*" + p.Type(f.Type, f.TypePkg)
	default:
		return p.Type(f.Type, f.TypePkg)
	}
}

func isMessage(f *model.Field) bool {
	return f.Shape != shape.Map && f.Kind.Kind == protoreflect.MessageKind || isGroup(f)
}

func isGroup(f *model.Field) bool { return f.Kind.Kind == protoreflect.GroupKind }

func isBytes(f *model.Field) bool { return f.Kind.Kind == protoreflect.BytesKind }

// isRaw reports whether the elements of f are strings that are not checked.
func isRaw(f *model.Field) bool { return f.Kind.Kind == protoreflect.StringKind && !f.UTF8 }

// writer is an operation that visits the set fields of a message in the order of
// their numbers.
type writer interface {
	// value prints what is done with v, one element of f.
	value(p *source.Printer, f *model.Field)
	// needs reports whether value uses v.
	needs(f *model.Field) bool
	// list, packed and entries print what is done with v, which has elements.
	list(p *source.Printer, f *model.Field)
	packed(p *source.Printer, f *model.Field)
	entries(p *source.Printer, f *model.Field)
	// extensions prints what is done with the extensions of a run.
	extensions(p *source.Printer, run model.Run)
}

// visit prints the skeleton of every field of m around what w prints.
func visit(p *source.Printer, m *model.Message, w writer) {
	for _, run := range m.Runs {
		switch {
		case run.To > 0:
			w.extensions(p, run)
			continue
		case run.Field == nil:
			visitOneof(p, run, w)
			continue
		}
		f := run.Field
		x := "m." + f.Struct
		switch f.Shape {
		case shape.Implicit:
			visitImplicit(p, f, x, w)
		case shape.Explicit, shape.Present:
			p.F("if %s {", isSet(f))
			if w.needs(f) {
				if f.Shape == shape.Explicit {
					x = "*" + x
				}
				p.F("v := %s", x)
			}
			w.value(p, f)
			p.L("}")
		case shape.Bytes, shape.Message:
			if f.Bit >= 0 {
				p.F("if %s {", isSet(f))
				p.F("v := %s", read(f))
			} else {
				p.F("if v := %s; v != nil {", x)
			}
			w.value(p, f)
			p.L("}")
		case shape.List:
			openElements(p, f)
			w.list(p, f)
			p.L("}")
		case shape.Packed:
			openElements(p, f)
			w.packed(p, f)
			p.L("}")
		case shape.Map:
			openElements(p, f)
			w.entries(p, f)
			p.L("}")
		case shape.Oneof: // a run of its own
		}
	}
}

func visitImplicit(p *source.Printer, f *model.Field, x string, w writer) {
	if w.needs(f) {
		p.F("if v := %s; %s {", x, f.Kind.NonZero)
	} else {
		p.F("if %s {", kind.On(f.Kind.NonZero, x))
	}
	w.value(p, f)
	p.L("}")
}

// visitOneof prints a type switch over members, or an assertion for a single one. A
// wrapper that is a nil pointer counts as unset, as in google.golang.org/protobuf.
func visitOneof(p *source.Printer, run model.Run, w writer) {
	if len(run.Members) == 1 {
		f := run.Members[0]
		p.F("if o, ok := m.%s.(*%s); ok && o != nil {", run.Oneof, wrapper(p, f))
		member(p, f, w)
		p.L("}")
		return
	}
	p.F("switch o := m.%s.(type) {", run.Oneof)
	for _, f := range run.Members {
		p.F("case *%s:", wrapper(p, f))
		p.L("if o != nil {")
		member(p, f, w)
		p.L("}")
	}
	p.L("}")
}

func member(p *source.Printer, f *model.Field, w writer) {
	if w.needs(f) {
		p.F("v := o.%s", f.GoName)
	}
	w.value(p, f)
}

// tagOf returns the value of a tag.
func tagOf(tag []byte) uint64 {
	var v uint64
	for i, c := range tag {
		v |= uint64(c&0x7f) << (7 * i)
	}
	return v
}

// declare describes a field as it stands in the schema, for comments.
func declare(f *model.Field) string {
	return fmt.Sprintf("%s = %d", f.Name, f.Number)
}

// lines prints lines that hold nothing of the schema.
func lines(p *source.Printer, lines ...string) {
	for _, l := range lines {
		p.L(l)
	}
}
