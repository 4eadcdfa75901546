package snapshot

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A compiler may embed a custom option in several pieces, one for each line of the .proto file, and in any
// order. Java classes hold what protoc writes after it has read all of it. So options are read here with the
// extensions that the files declare, and written as protoc and protobuf-java do.

// optionTypes returns the extensions of options that files declare, and that their imports of options do where they are linked.
func optionTypes(fds []protoreflect.FileDescriptor) *protoregistry.Types {
	types := new(protoregistry.Types)
	for _, fd := range fds {
		addExtensions(types, fd)
		if f, ok := fd.(interface {
			OptionImports() protoreflect.FileImports
		}); ok {
			for i := range f.OptionImports().Len() {
				if imp, err := imported(fd, f.OptionImports().Get(i).FileDescriptor); err == nil {
					addExtensions(types, imp)
				}
			}
		}
	}
	return types
}

// addExtensions adds the extensions that a file or message declares. Two for one number are a mistake
// that whoever uses the options will find; the first one counts.
func addExtensions(types *protoregistry.Types, in interface {
	Messages() protoreflect.MessageDescriptors
	Extensions() protoreflect.ExtensionDescriptors
},
) {
	for i := range in.Extensions().Len() {
		xd := in.Extensions().Get(i)
		if xd.ContainingMessage().IsPlaceholder() || (xd.Message() != nil && xd.Message().IsPlaceholder()) || (xd.Enum() != nil && xd.Enum().IsPlaceholder()) {
			continue
		}
		if _, err := types.FindExtensionByNumber(xd.ContainingMessage().FullName(), xd.Number()); err != nil {
			_ = types.RegisterExtension(dynamicpb.NewExtensionType(xd)) // fails where one has its name
		}
	}
	for i := range in.Messages().Len() {
		addExtensions(types, in.Messages().Get(i))
	}
}

// stripSource takes the fields of source retention away from m and all messages in it, and options that are
// empty for that reason. It reports whether it took something away.
func stripSource(m protoreflect.Message) bool {
	changed := false
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case ofSource(fd):
			m.Clear(fd)
			changed = true
		case fd.Message() == nil:
		case fd.IsMap():
			if fd.MapValue().Message() != nil {
				v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					changed = stripSource(v.Message()) || changed
					return true
				})
			}
		case fd.IsList():
			for i := range v.List().Len() {
				changed = stripSource(v.List().Get(i).Message()) || changed
			}
		case stripSource(v.Message()):
			changed = true
			if fd.Name() == "options" && isEmpty(v.Message()) {
				m.Clear(fd)
			}
		}
		return true
	})
	return changed
}

// ofSource reports whether a field is only there for readers of the source.
func ofSource(fd protoreflect.FieldDescriptor) bool {
	o, ok := fd.Options().(*descriptorpb.FieldOptions)
	return ok && o.GetRetention() == descriptorpb.FieldOptions_RETENTION_SOURCE
}

func isEmpty(m protoreflect.Message) bool {
	empty := len(m.GetUnknown()) == 0
	m.Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool {
		empty = false
		return false
	})
	return empty
}

// appendMessage appends a message with its fields, extensions among them, in the order of their numbers, as protoc
// and protobuf-java write it. proto.Marshal has an order of its own.
func appendMessage(b []byte, m protoreflect.Message) []byte {
	type set struct {
		fd protoreflect.FieldDescriptor
		v  protoreflect.Value
	}
	var fields []set
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		fields = append(fields, set{fd, v})
		return true
	})
	slices.SortFunc(fields, func(a, b set) int { return cmp.Compare(a.fd.Number(), b.fd.Number()) })
	for _, f := range fields {
		b = appendField(b, f.fd, f.v)
	}
	return append(b, m.GetUnknown()...)
}

func appendField(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	switch {
	case fd.IsMap():
		return appendMap(b, fd, v.Map())
	case fd.IsList() && fd.IsPacked():
		var packed []byte
		for i := range v.List().Len() {
			packed = appendValue(packed, fd, v.List().Get(i))
		}
		b = protowire.AppendTag(b, fd.Number(), protowire.BytesType)
		return protowire.AppendBytes(b, packed)
	case fd.IsList():
		for i := range v.List().Len() {
			b = appendTagged(b, fd, v.List().Get(i))
		}
		return b
	default:
		return appendTagged(b, fd, v)
	}
}

// appendMap appends a map, sorted by its keys as protobuf-java does: strings by UTF-16 code unit, numbers as signed ones.
func appendMap(b []byte, fd protoreflect.FieldDescriptor, m protoreflect.Map) []byte {
	var keys []protoreflect.MapKey
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, func(x, y protoreflect.MapKey) int {
		switch a := x.Interface().(type) {
		case bool:
			return cmp.Compare(protowire.EncodeBool(a), protowire.EncodeBool(y.Bool()))
		case string:
			return javaCompare(a, y.String())
		case uint32:
			return cmp.Compare(int32(a), int32(y.Uint()))
		case uint64:
			return cmp.Compare(int64(a), int64(y.Uint()))
		default:
			return cmp.Compare(x.Int(), y.Int())
		}
	})
	for _, k := range keys {
		entry := appendTagged(nil, fd.MapKey(), k.Value())
		entry = appendTagged(entry, fd.MapValue(), m.Get(k))
		b = protowire.AppendTag(b, fd.Number(), protowire.BytesType)
		b = protowire.AppendBytes(b, entry)
	}
	return b
}

// appendTagged appends one element of a field.
func appendTagged(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	if fd.Kind() == protoreflect.GroupKind {
		b = protowire.AppendTag(b, fd.Number(), protowire.StartGroupType)
		b = appendMessage(b, v.Message())
		return protowire.AppendTag(b, fd.Number(), protowire.EndGroupType)
	}
	return appendValue(protowire.AppendTag(b, fd.Number(), wireType(fd.Kind())), fd, v)
}

// wireType returns the wire type of one value of a kind.
func wireType(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	default:
		return protowire.VarintType
	}
}

// appendValue appends an element without its tag; groups are not among them.
func appendValue(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protowire.AppendVarint(b, protowire.EncodeBool(v.Bool()))
	case protoreflect.EnumKind:
		return protowire.AppendVarint(b, uint64(v.Enum()))
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		return protowire.AppendVarint(b, uint64(v.Int()))
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return protowire.AppendVarint(b, protowire.EncodeZigZag(v.Int()))
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind:
		return protowire.AppendVarint(b, v.Uint())
	case protoreflect.Sfixed32Kind:
		return protowire.AppendFixed32(b, uint32(v.Int()))
	case protoreflect.Fixed32Kind:
		return protowire.AppendFixed32(b, uint32(v.Uint()))
	case protoreflect.FloatKind:
		return protowire.AppendFixed32(b, math.Float32bits(float32(v.Float())))
	case protoreflect.Sfixed64Kind:
		return protowire.AppendFixed64(b, uint64(v.Int()))
	case protoreflect.Fixed64Kind:
		return protowire.AppendFixed64(b, v.Uint())
	case protoreflect.DoubleKind:
		return protowire.AppendFixed64(b, math.Float64bits(v.Float()))
	case protoreflect.StringKind:
		return protowire.AppendString(b, v.String())
	case protoreflect.BytesKind:
		return protowire.AppendBytes(b, v.Bytes())
	default:
		return protowire.AppendBytes(b, appendMessage(nil, v.Message()))
	}
}

// cFloat writes the default value of a float or double as protoc does: with as few digits as C's "%g" needs,
// of two numbers of digits. What is no number stays as it is.
func cFloat(text string, bits int) string {
	v, err := strconv.ParseFloat(text, bits)
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case err != nil:
		return text
	}
	few, many := 15, 17
	if bits == 32 {
		few, many = 6, 9
	}
	short := percentG(v, few)
	back, err := strconv.ParseFloat(short, bits)
	// C's strtof reports an error for numbers that are smaller than normal ones.
	subnormal := bits == 32 && back != 0 && math.Abs(back) < 0x1p-126
	if err == nil && back == v && !subnormal {
		return short
	}
	return percentG(v, many)
}

// percentG is C's "%.<digits>g". Go's 'g' has another border between the two notations, and keeps zeros at
// the end.
func percentG(v float64, digits int) string {
	scientific := strconv.FormatFloat(v, 'e', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(scientific, "e")
	exp, err := strconv.Atoi(exponent)
	if err != nil {
		return scientific
	}
	if exp >= -4 && exp < digits {
		return trimZeros(strconv.FormatFloat(v, 'f', digits-1-exp, 64))
	}
	return trimZeros(mantissa) + "e" + exponent // both write the sign, and two digits at least
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
