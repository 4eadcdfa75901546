package model

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/gofeaturespb"
)

// This file knows how protoc-gen-go lays out the structs of the opaque API.

// Part is a field of the struct of an opaque message. Its type is either that of a field
// of the message, or that of the interface of a oneof, or an identifier of protoimpl, or
// else as it stands here.
type Part struct {
	Name      string
	Field     *Field
	Interface string
	Protoimpl string
	Type      string
}

// makeOpaque sets the API level of messages, and of all in them, as protoc-gen-go does for
// the second file of the API level HYBRID. The function returned undoes it.
func makeOpaque(messages []*protogen.Message) (restore func()) {
	levels := map[*protogen.Message]gofeaturespb.GoFeatures_APILevel{}
	var set func([]*protogen.Message)
	set = func(messages []*protogen.Message) {
		for _, m := range messages {
			levels[m] = m.APILevel
			m.APILevel = gofeaturespb.GoFeatures_API_OPAQUE
			set(m.Messages)
		}
	}
	set(messages)
	return func() {
		for m, level := range levels {
			m.APILevel = level
		}
	}
}

func isOpaque(m *protogen.Message) bool { return m.APILevel == gofeaturespb.GoFeatures_API_OPAQUE }

// structName is the name that a field or oneof has in the struct.
func structName(goName string, opaque bool) string {
	if opaque {
		return "xxx_hidden_" + goName
	}
	return goName
}

// wrapperName is the name of the wrapper struct of a oneof member.
func wrapperName(goName string, opaque bool) string {
	if !opaque {
		return goName
	}
	first, n := utf8.DecodeRuneInString(goName)
	return string(unicode.ToLower(first)) + goName[n:]
}

// isLazy reports whether a field of an opaque message may be kept undecoded.
func isLazy(pf *protogen.Field) bool {
	lazy, ok := pf.Desc.(interface{ IsLazy() bool })
	return ok && lazy.IsLazy() && pf.Message != nil && !pf.Desc.IsMap() && (pf.Oneof == nil || pf.Oneof.Desc.IsSynthetic())
}

// hasBit reports whether a presence bit belongs to a field of an opaque message.
func hasBit(pf *protogen.Field) bool {
	switch {
	case pf.Desc.IsMap(), pf.Oneof != nil && !pf.Oneof.Desc.IsSynthetic():
		return false
	case pf.Message != nil:
		return isLazy(pf)
	default:
		return pf.Desc.HasPresence()
	}
}

// place is the number of fields of the struct in front of pf's; it is the index of its
// presence bit. A oneof stands where its last member does.
func place(pf *protogen.Field) int {
	n := 0
	for _, other := range pf.Parent.Fields {
		if other == pf {
			break
		}
		if o := other.Oneof; o == nil || other == o.Fields[len(o.Fields)-1] {
			n++
		}
	}
	return n
}

func presenceBit(pf *protogen.Field) int {
	if !hasBit(pf) {
		return -1
	}
	return place(pf)
}

// presenceBits returns the number of presence bits of an opaque message, 0 where it has
// none.
func presenceBits(pm *protogen.Message) int {
	for _, pf := range pm.Fields {
		if hasBit(pf) {
			return place(pm.Fields[len(pm.Fields)-1]) + 1
		}
	}
	return 0
}

// layout returns the fields of the struct of an opaque message.
func layout(pm *protogen.Message, m *Message) []Part {
	byNumber := map[protoreflect.FieldNumber]*Field{}
	for _, f := range m.Fields {
		byNumber[f.Number] = f
	}
	parts := []Part{{Name: "state", Protoimpl: "MessageState"}}
	lazy := false
	for _, pf := range pm.Fields {
		switch o := pf.Oneof; {
		case o == nil || o.Desc.IsSynthetic():
			parts = append(parts, Part{Name: structName(pf.GoName, true), Field: byNumber[pf.Desc.Number()]})
		case pf == o.Fields[0]:
			parts = append(parts, Part{Name: structName(o.GoName, true), Interface: "is" + pm.GoIdent.GoName + "_" + o.GoName})
		}
		lazyOption, ok := pf.Desc.(interface{ IsLazy() bool })
		lazy = lazy || ok && pf.Message != nil && lazyOption.IsLazy()
	}
	if m.Presence > 0 {
		if lazy {
			parts = append(parts, Part{Name: "XXX_lazyUnmarshalInfo", Protoimpl: "LazyUnmarshalInfo"})
		}
		parts = append(parts,
			Part{Name: "XXX_raceDetectHookData", Protoimpl: "RaceDetectHookData"},
			Part{Name: "XXX_presence", Type: fmt.Sprintf("[%d]uint32", (m.Presence+31)/32)})
	}
	if m.Extendable {
		parts = append(parts, Part{Name: "extensionFields", Protoimpl: "ExtensionFields"})
	}
	return append(parts, Part{Name: "unknownFields", Protoimpl: "UnknownFields"}, Part{Name: "sizeCache", Protoimpl: "SizeCache"})
}
