package differ

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// This file says what deterministic bytes are, in the plainest way: it shares no code with
// the module and does not look at speed.

// Canonical appends the payload of m: fields by number, maps in the order of Java,
// unknown fields last. Floats pass through protoreflect, which makes signaling NaNs quiet.
func Canonical(b []byte, m protoreflect.Message) []byte {
	type field struct {
		fd protoreflect.FieldDescriptor
		v  protoreflect.Value
	}
	var fields []field
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		fields = append(fields, field{fd, v})
		return true
	})
	slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.fd.Number(), b.fd.Number()) })
	set := isMessageSet(m.Descriptor())
	for _, f := range fields {
		switch {
		case set:
			b = appendItem(b, f.fd.Number(), protowire.AppendBytes(nil, Canonical(nil, f.v.Message())))
		case f.fd.IsMap():
			b = canonicalMap(b, f.fd, f.v.Map())
		case f.fd.IsList() && f.fd.IsPacked():
			var packed []byte
			for i := range f.v.List().Len() {
				packed = canonicalValue(packed, f.fd, f.v.List().Get(i))
			}
			b = protowire.AppendTag(b, f.fd.Number(), protowire.BytesType)
			b = protowire.AppendBytes(b, packed)
		case f.fd.IsList():
			for i := range f.v.List().Len() {
				b = canonicalField(b, f.fd, f.v.List().Get(i))
			}
		default:
			b = canonicalField(b, f.fd, f.v)
		}
	}
	if !set {
		return append(b, m.GetUnknown()...)
	}
	for unknown := m.GetUnknown(); len(unknown) > 0; {
		num, _, n := protowire.ConsumeTag(unknown)
		size := protowire.ConsumeFieldValue(num, protowire.BytesType, unknown[n:])
		b = appendItem(b, num, unknown[n:n+size])
		unknown = unknown[n+size:]
	}
	return b
}

// isMessageSet reports whether messages of a type are in message set wire format.
func isMessageSet(md protoreflect.MessageDescriptor) bool {
	set, ok := md.(interface{ IsMessageSet() bool })
	return ok && set.IsMessageSet()
}

// appendItem appends an item of a message set; message stands behind its length.
func appendItem(b []byte, num protowire.Number, message []byte) []byte {
	b = protowire.AppendTag(b, 1, protowire.StartGroupType)
	b = protowire.AppendTag(b, 2, protowire.VarintType)
	b = protowire.AppendVarint(b, uint64(num))
	b = protowire.AppendTag(b, 3, protowire.BytesType)
	b = append(b, message...)
	return protowire.AppendTag(b, 1, protowire.EndGroupType)
}

func canonicalMap(b []byte, fd protoreflect.FieldDescriptor, m protoreflect.Map) []byte {
	var keys []protoreflect.MapKey
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, compareJava)
	for _, k := range keys {
		entry := canonicalField(nil, fd.MapKey(), k.Value())
		entry = canonicalField(entry, fd.MapValue(), m.Get(k))
		b = protowire.AppendTag(b, fd.Number(), protowire.BytesType)
		b = protowire.AppendBytes(b, entry)
	}
	return b
}

// compareJava orders keys as TreeMap does with the types that protobuf-java has for them.
// Java has no strings that are not valid: these go by their bytes, each taken for the first
// one of a character, which for others is the order of UTF-16.
func compareJava(a, b protoreflect.MapKey) int {
	switch x := a.Interface().(type) {
	case string:
		if y := b.String(); utf8.ValidString(x) && utf8.ValidString(y) {
			return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y)))
		}
		return slices.CompareFunc([]byte(x), []byte(b.String()), func(p, q byte) int {
			surrogate := func(c byte) bool { return c >= 0xf0 && c <= 0xf4 }
			switch {
			case surrogate(p) && (q == 0xee || q == 0xef):
				return -1
			case surrogate(q) && (p == 0xee || p == 0xef):
				return 1
			}
			return cmp.Compare(p, q)
		})
	case bool:
		switch {
		case x == b.Bool():
			return 0
		case x:
			return 1
		}
		return -1
	case uint32:
		return cmp.Compare(int32(x), int32(b.Uint()))
	case uint64:
		return cmp.Compare(int64(x), int64(b.Uint()))
	}
	return cmp.Compare(a.Int(), b.Int())
}

func canonicalField(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	b = canonicalValue(protowire.AppendTag(b, fd.Number(), wireType(fd)), fd, v)
	if fd.Kind() == protoreflect.GroupKind {
		b = protowire.AppendTag(b, fd.Number(), protowire.EndGroupType)
	}
	return b
}

// wireType returns the wire type of one value of fd.
func wireType(fd protoreflect.FieldDescriptor) protowire.Type {
	switch fd.Kind() {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	case protoreflect.DoubleKind, protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return protowire.Fixed64Type
	case protoreflect.FloatKind, protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return protowire.Fixed32Type
	default:
		return protowire.VarintType
	}
}

func canonicalValue(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protowire.AppendString(b, v.String())
	case protoreflect.BytesKind:
		return protowire.AppendBytes(b, v.Bytes())
	case protoreflect.MessageKind:
		return protowire.AppendBytes(b, Canonical(nil, v.Message()))
	case protoreflect.GroupKind:
		return Canonical(b, v.Message())
	case protoreflect.DoubleKind:
		return protowire.AppendFixed64(b, math.Float64bits(v.Float()))
	case protoreflect.FloatKind:
		return protowire.AppendFixed32(b, math.Float32bits(float32(v.Float())))
	case protoreflect.Fixed64Kind:
		return protowire.AppendFixed64(b, v.Uint())
	case protoreflect.Sfixed64Kind:
		return protowire.AppendFixed64(b, uint64(v.Int()))
	case protoreflect.Fixed32Kind:
		return protowire.AppendFixed32(b, uint32(v.Uint()))
	case protoreflect.Sfixed32Kind:
		return protowire.AppendFixed32(b, uint32(v.Int()))
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return protowire.AppendVarint(b, protowire.EncodeZigZag(v.Int()))
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		return protowire.AppendVarint(b, uint64(v.Int()))
	case protoreflect.EnumKind:
		return protowire.AppendVarint(b, uint64(v.Enum()))
	case protoreflect.BoolKind:
		return protowire.AppendVarint(b, protowire.EncodeBool(v.Bool()))
	default:
		return protowire.AppendVarint(b, v.Uint())
	}
}

// quiet returns b, deterministic bytes, with the signaling NaNs made quiet.
func quiet(md protoreflect.MessageDescriptor, b []byte) ([]byte, error) {
	m := dynamicpb.NewMessage(md)
	if err := unmarshal(b, m); err != nil {
		return nil, err
	}
	return Canonical(nil, m), nil
}

// SameBytes reports whether two deterministic payloads are equal but for signaling NaNs.
func SameBytes(md protoreflect.MessageDescriptor, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, err := quiet(md, a)
	if err != nil {
		return false
	}
	y, err := quiet(md, b)
	return err == nil && bytes.Equal(x, y)
}

// reaches reports whether messages of a type can hold one whose type is as said, in fields
// or in extensions that are registered.
func reaches(md protoreflect.MessageDescriptor, is func(protoreflect.MessageDescriptor) bool) bool {
	seen := map[protoreflect.MessageDescriptor]bool{md: true}
	todo := []protoreflect.MessageDescriptor{md}
	add := func(fd protoreflect.FieldDescriptor) {
		if sub := fd.Message(); sub != nil && !seen[sub] {
			seen[sub] = true
			todo = append(todo, sub)
		}
	}
	for len(todo) > 0 {
		md := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if is(md) {
			return true
		}
		for i := range md.Fields().Len() {
			add(md.Fields().Get(i))
		}
		protoregistry.GlobalTypes.RangeExtensionsByMessage(md.FullName(), func(xt protoreflect.ExtensionType) bool {
			add(xt.TypeDescriptor())
			return true
		})
	}
	return false
}

// isForeign reports whether messages of a type have no generated code.
func isForeign(md protoreflect.MessageDescriptor) bool {
	if md.IsMapEntry() {
		return false
	}
	typ, err := protoregistry.GlobalTypes.FindMessageByName(md.FullName())
	if err != nil {
		return true
	}
	_, ok := typ.Zero().Interface().(flinkser.Message)
	return !ok
}

// CheckAscending checks, on every level of payload b, that known fields come in the order
// of their numbers and unknown ones behind them.
func CheckAscending(md protoreflect.MessageDescriptor, b []byte) error {
	if isMessageSet(md) {
		return nil // its items have numbers of another kind
	}
	last, unknown := protowire.Number(0), false
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return fmt.Errorf("%s: tag: %w", md.FullName(), protowire.ParseError(n))
		}
		size := protowire.ConsumeFieldValue(num, typ, b[n:])
		if size < 0 {
			return fmt.Errorf("%s: field %d: %w", md.FullName(), num, protowire.ParseError(size))
		}
		value := b[n : n+size]
		b = b[n+size:]
		fd := fieldOf(md, num)
		if fd == nil || typ != wireType(fd) && !(typ == protowire.BytesType && fd.IsList() && fd.Message() == nil) {
			unknown = true
			continue
		}
		if unknown || num < last {
			return fmt.Errorf("%s: field %d stands behind field %d (unknown fields between: %t)", md.FullName(), num, last, unknown)
		}
		last = num
		if fd.Message() != nil {
			inner, _ := protowire.ConsumeBytes(value)
			if fd.Kind() == protoreflect.GroupKind {
				inner = value[:len(value)-protowire.SizeTag(num)] // without the end of the group
			}
			if err := CheckAscending(fd.Message(), inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// fieldOf returns the field or the registered extension of a number, or nil.
func fieldOf(md protoreflect.MessageDescriptor, n protowire.Number) protoreflect.FieldDescriptor {
	if fd := md.Fields().ByNumber(n); fd != nil {
		return fd
	}
	if xt, err := protoregistry.GlobalTypes.FindExtensionByNumber(md.FullName(), n); err == nil {
		return xt.TypeDescriptor()
	}
	return nil
}

// initialized returns an error if m, or a message in it, lacks a required field.
func initialized(m protoreflect.Message) (err error) {
	required := m.Descriptor().RequiredNumbers()
	for i := range required.Len() {
		if fd := m.Descriptor().Fields().ByNumber(required.Get(i)); !m.Has(fd) {
			return fmt.Errorf("required field %s is not set", fd.FullName())
		}
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() && fd.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				err = initialized(v.Message())
				return err == nil
			})
		case fd.IsList() && fd.Message() != nil:
			for i := 0; i < v.List().Len() && err == nil; i++ {
				err = initialized(v.List().Get(i).Message())
			}
		case !fd.IsMap() && fd.Message() != nil:
			err = initialized(v.Message())
		}
		return err == nil
	})
	return err
}
