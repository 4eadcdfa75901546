package interop_test

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// sameMessage compares messages, and their unknown fields in the order in which Java keeps them: Go keeps them as they
// arrived.
func sameMessage(a, b proto.Message) bool {
	a, b = proto.Clone(a), proto.Clone(b)
	sortUnknown(a.ProtoReflect())
	sortUnknown(b.ProtoReflect())
	return proto.Equal(a, b)
}

// sortUnknown sorts the unknown fields of m and all that is in it.
func sortUnknown(m protoreflect.Message) {
	if len(m.GetUnknown()) > 0 {
		m.SetUnknown(sortedFields(m.GetUnknown()))
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() && fd.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				sortUnknown(v.Message())
				return true
			})
		case fd.IsList() && fd.Message() != nil:
			for i := range v.List().Len() {
				sortUnknown(v.List().Get(i).Message())
			}
		case fd.Message() != nil && !fd.IsMap() && !fd.IsList():
			sortUnknown(v.Message())
		}
		return true
	})
}

// javaOrder is the order of the wire types of one number.
var javaOrder = []protowire.Type{protowire.VarintType, protowire.Fixed32Type, protowire.Fixed64Type, protowire.BytesType, protowire.StartGroupType}

type unknownField struct {
	number protowire.Number
	typ    protowire.Type
	bytes  []byte
}

// sortedFields writes valid fields again, in Java's order and with the shortest varints.
func sortedFields(b []byte) []byte {
	var fields []unknownField
	for len(b) > 0 {
		number, typ, n := protowire.ConsumeTag(b)
		b = b[n:]
		n = protowire.ConsumeFieldValue(number, typ, b)
		fields = append(fields, unknownField{number, typ, shortest(number, typ, b[:n])})
		b = b[n:]
	}
	slices.SortStableFunc(fields, func(a, b unknownField) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(slices.Index(javaOrder, a.typ), slices.Index(javaOrder, b.typ)))
	})
	var out []byte
	for _, f := range fields {
		out = append(protowire.AppendTag(out, f.number, f.typ), f.bytes...)
	}
	return out
}

// shortest writes the value of a field again.
func shortest(number protowire.Number, typ protowire.Type, value []byte) []byte {
	switch typ {
	case protowire.VarintType:
		v, _ := protowire.ConsumeVarint(value)
		return protowire.AppendVarint(nil, v)
	case protowire.BytesType:
		v, _ := protowire.ConsumeBytes(value)
		return protowire.AppendBytes(nil, v)
	case protowire.StartGroupType:
		v, _ := protowire.ConsumeGroup(number, value)
		return protowire.AppendGroup(nil, number, sortedFields(v))
	default:
		return value
	}
}
