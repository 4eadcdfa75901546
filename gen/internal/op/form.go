package op

import (
	"fmt"

	"google.golang.org/protobuf/compiler/protogen"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// The functions of this file print what depends on where the code for a message is. As a
// rule it is methods of the message. For a message of another module it is methods of a codec,
// which are given the message as their last parameter, m, and which reach only those parts of
// its struct that are exported.

// Codec prints the codec of a message of another module.
func Codec(p *source.Printer, m *model.Message) {
	if !m.External {
		return
	}
	p.F("// %s writes and reads messages of type %s.", m.GoName, m.FullName)
	p.F("var %s %s", m.GoName, names.CodecType(m.GoName))
	p.L()
	p.F("type %s struct{}", names.CodecType(m.GoName))
	p.L()
}

// Calls prints the method that tells which codecs the code for a message calls.
func Calls(p *source.Printer, m *model.Message) {
	if len(m.Calls) == 0 {
		return
	}
	p.F("// %s returns the codecs that the code for %s calls by itself.", methodName(m, names.Calls), m.FullName)
	open(p, m, names.Calls, "", "[]wire.Called")
	p.L("return []wire.Called{")
	for _, f := range m.Calls {
		p.F("wire.Calls(%s),", codec(p, f))
	}
	lines(p, "}", "}", "")
}

// typeName is the name of the struct of m.
func typeName(p *source.Printer, m *model.Message) string { return p.Type(m.Type, m.TypePkg) }

// wrapper is the name of the wrapper struct of f, a oneof member.
func wrapper(p *source.Printer, f *model.Field) string {
	return p.Type(protogen.GoIdent{GoName: f.Wrapper, GoImportPath: f.Parent.Type.GoImportPath}, f.Parent.TypePkg)
}

// codec is the expression for the codec of f's type.
func codec(p *source.Printer, f *model.Field) string { return p.Type(f.Codec, f.CodecPkg) }

// methodName is the name that a method has in the code for m.
func methodName(m *model.Message, method string) string {
	if m.External {
		return names.OfCodec(method)
	}
	return method
}

// openWith prints the first line of a method that works on message m.
func openWith(p *source.Printer, m *model.Message, method, params, results string) {
	if !m.External {
		p.F("func (m *%s) %s(%s) %s {", m.GoName, method, params, results)
		return
	}
	if params != "" {
		params += ", "
	}
	p.F("func (%s) %s(%sm *%s) %s {", names.CodecType(m.GoName), names.OfCodec(method), params, typeName(p, m), results)
}

// open prints the first line of a method that needs no message.
func open(p *source.Printer, m *model.Message, method, params, results string) {
	receiver := "*" + m.GoName
	if m.External {
		receiver = names.CodecType(m.GoName)
	}
	p.F("func (%s) %s(%s) %s {", receiver, methodName(m, method), params, results)
}

// self is the expression for a call of another method of the code for m, on m where on is set.
func self(m *model.Message, method, args string, on bool) string {
	switch {
	case !m.External:
		return "m." + method + "(" + args + ")"
	case on:
		args += ", m"
	}
	return m.GoName + "." + names.OfCodec(method) + "(" + args + ")"
}

// call is the expression for a call of the code for message v, an element of f.
func call(p *source.Printer, f *model.Field, method, args, v string) string {
	switch f.Access {
	case model.Foreign:
		return fmt.Sprintf("wire.%sMessage(%s, %s)", names.OfCodec(method), args, v)
	case model.External:
		return fmt.Sprintf("%s.%s(%s, %s)", codec(p, f), names.OfCodec(method), args, v)
	case model.Direct, model.Known:
	}
	return fmt.Sprintf("%s.%s(%s)", v, method, args)
}

// unknown is the expression for the unknown fields of m.
func unknown(m *model.Message) string {
	if m.External {
		return "m.ProtoReflect().GetUnknown()"
	}
	return "m.unknownFields"
}

// collectUnknown prints what unknown fields need in front of the loop that reads a message,
// and returns the expression for where they go in it. Those of a message of another module are
// given to it together, by keepCollected.
func collectUnknown(p *source.Printer, m *model.Message) string {
	if m.External {
		p.L("var unknown []byte")
		return "&unknown"
	}
	return "&m.unknownFields"
}

// keepCollected prints what follows where the loop has ended.
func keepCollected(p *source.Printer, m *model.Message) {
	if m.External {
		lines(p,
			"if unknown != nil {",
			"wire.AddUnknown(m, unknown)",
			"}")
	}
}

// forget prints how the unknown fields and the extension fields of m are emptied.
func forget(p *source.Printer, m *model.Message) {
	switch {
	case !m.External:
		p.L("m.unknownFields = m.unknownFields[:0]")
		if m.Extendable {
			p.L("m.extensionFields = nil")
		}
	case m.Extendable:
		lines(p,
			"wire.ClearUnknown(m)",
			"wire.ClearExtensions(m)")
	default:
		p.L("wire.ClearUnknown(m)")
	}
}

// sizeOthers prints the statements that declare n, the size of what is in m beside its fields.
func sizeOthers(p *source.Printer, m *model.Message) {
	switch {
	case m.External && m.Extendable:
		lines(p,
			"n := wire.SizeOthers(e, depth, m)",
			"if n < 0 {",
			"return n",
			"}")
		return
	case m.External:
		p.L("n := len(m.ProtoReflect().GetUnknown())")
		return
	}
	size := "size := wire.SizeExtensions(e, depth, m.extensionFields)"
	if m.MessageSet {
		size = "size := wire.SizeMessageSet(e, depth, m.extensionFields)"
		lines(p,
			"n := wire.SizeMessageSetUnknown(m.unknownFields)",
			"if n < 0 {",
			"return n",
			"}")
	} else {
		p.L("n := len(m.unknownFields)")
	}
	if m.Extendable {
		lines(p,
			"if len(m.extensionFields) != 0 {",
			size,
			"if size < 0 {",
			"return size",
			"}",
			"n += size",
			"}")
	}
}

// appendExtensions prints how the extension fields of a run are written.
func appendExtensions(p *source.Printer, m *model.Message, run model.Run) {
	if m.External {
		p.F("if b, i = wire.AppendExtensionsOf(e, b, i, depth, m, %d, %d); i < 0 {", run.From, run.To)
		lines(p,
			"return b, i",
			"}")
		roomFor(p, "room")
		return
	}
	p.L("if len(m.extensionFields) != 0 {")
	p.F("if b, i = wire.AppendExtensions(e, b, i, depth, m.extensionFields, %d, %d); i < 0 {", run.From, run.To)
	lines(p,
		"return b, i",
		"}")
	roomFor(p, "room")
	p.L("}")
}

// cloneOthers prints how c, a copy of the fields of m, gets what else is in m.
func cloneOthers(p *source.Printer, m *model.Message) {
	switch {
	case m.External && m.Extendable:
		lines(p,
			"wire.CloneUnknown(c, m)",
			"wire.CloneExtensions(c, m)")
	case m.External:
		p.L("wire.CloneUnknown(c, m)")
	case m.Extendable:
		lines(p,
			"if len(m.extensionFields) != 0 {",
			"wire.CloneExtensions(c, m)",
			"}")
	}
}
