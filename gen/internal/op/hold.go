package op

import (
	"fmt"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// The functions of this file print how a struct holds a field, in the open and in the
// opaque API.

// held is the list, map or value that the struct has for f. A list of messages of an opaque
// struct lies behind a pointer.
func held(f *model.Field) string {
	if f.Indirect {
		return "*m." + f.Struct
	}
	return "m." + f.Struct
}

// element is element i of the list f.
func element(f *model.Field, i string) string {
	if f.Indirect {
		return "(*m." + f.Struct + ")[" + i + "]"
	}
	return "m." + f.Struct + "[" + i + "]"
}

// read is the expression for the value of a field that may be kept undecoded: its getter
// decodes it.
func read(f *model.Field) string {
	if f.Getter != "" {
		return "m." + f.Getter + "()"
	}
	return "m." + f.Struct
}

// isSet is the condition that f, a field with presence outside of oneofs, is set.
func isSet(f *model.Field) string {
	if f.Bit < 0 {
		return "m." + f.Struct + " != nil"
	}
	return fmt.Sprintf("m.XXX_presence[%d]&(1<<%d) != 0", f.Bit/32, f.Bit%32)
}

// isUnset is the condition that it is not.
func isUnset(f *model.Field) string {
	if f.Bit < 0 {
		return "m." + f.Struct + " == nil"
	}
	return fmt.Sprintf("m.XXX_presence[%d]&(1<<%d) == 0", f.Bit/32, f.Bit%32)
}

// setBit prints how the presence bit of f is set, if it has one. The value is stored first.
func setBit(p *source.Printer, f *model.Field) {
	if f.Bit >= 0 {
		p.F("protoimpl.X.SetPresentNonAtomic(&m.XXX_presence[%d], %d, %d)", f.Bit/32, f.Bit, f.Bits)
	}
}

// openElements prints the start of a block in which v are the elements of f, which has
// some.
func openElements(p *source.Printer, f *model.Field) {
	switch {
	case f.Getter != "":
		p.F("if v := %s; len(v) != 0 {", read(f))
	case f.Indirect:
		p.F("if list := m.%s; list != nil && len(*list) != 0 {", f.Struct)
		p.L("v := *list")
	default:
		p.F("if v := m.%s; len(v) != 0 {", f.Struct)
	}
}

// openIndirect prints how the list behind a pointer is made, if there is none, and decoded,
// if it is not. It makes the list present, too.
func openIndirect(p *source.Printer, f *model.Field) {
	if !f.Indirect {
		return
	}
	if f.Getter != "" {
		p.F("if %s {", isSet(f))
		p.F("_ = %s // decodes what is not decoded yet", read(f))
		p.L("}")
	}
	p.F("if m.%s == nil {", f.Struct)
	p.F("m.%s = new([]%s)", f.Struct, goType(p, f))
	p.L("}")
	setBit(p, f)
}

// isEmpty is the condition that the struct holds nothing for f.
func isEmpty(f *model.Field) string {
	switch {
	case f.Bit >= 0:
		return "" // its bit is among those that are looked at together
	case f.Shape == shape.Oneof:
		return "m." + f.Oneof + " == nil"
	case f.Shape == shape.Implicit && !isBytes(f):
		return isZero(f.Kind, "m."+f.Struct)
	default:
		return "m." + f.Struct + " == nil"
	}
}
