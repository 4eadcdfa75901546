// Package reflected looks at messages, and changes them, by reflection, for lanes of messages that have
// no other way.
package reflected

import (
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Read touches every field that is set.
func Read(m protoreflect.Message) uint64 {
	var sum uint64
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				sum += scalar(fd.MapKey(), k.Value()) + scalar(fd.MapValue(), v)
				return true
			})
		case fd.IsList():
			list := v.List()
			for i := range list.Len() {
				sum += scalar(fd, list.Get(i))
			}
		default:
			sum += scalar(fd, v)
		}
		return true
	})
	return sum
}

// scalar reads one value, which may be a message.
func scalar(fd protoreflect.FieldDescriptor, v protoreflect.Value) uint64 {
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return Read(v.Message())
	case protoreflect.StringKind:
		s := v.String()
		if s == "" {
			return 0
		}
		return uint64(len(s)) + uint64(s[len(s)-1])
	case protoreflect.BytesKind:
		return uint64(len(v.Bytes()))
	case protoreflect.BoolKind:
		if v.Bool() {
			return 1
		}
		return 0
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return math.Float64bits(v.Float())
	case protoreflect.EnumKind:
		return uint64(v.Enum())
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind:
		return v.Uint()
	default:
		return uint64(v.Int())
	}
}

// Mutate changes everything that is set, bytes in place.
func Mutate(m protoreflect.Message) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap():
			entries := m.Mutable(fd).Map()
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				entries.Set(k, changed(fd.MapValue(), v))
				return true
			})
		case fd.IsList():
			list := m.Mutable(fd).List()
			for i := range list.Len() {
				if fd.Message() != nil {
					Mutate(list.Get(i).Message())
				} else {
					list.Set(i, changed(fd, list.Get(i)))
				}
			}
		case fd.Message() != nil:
			child := m.Mutable(fd).Message()
			Mutate(child)
			// Also where it was empty.
			if name := child.Descriptor().Fields().ByName("name"); name != nil {
				child.Set(name, protoreflect.ValueOfString(child.Get(name).String()+"!"))
			}
		default:
			m.Set(fd, changed(fd, v))
		}
		return true
	})
}

// changed returns another value than v. Bytes are changed in place.
func changed(fd protoreflect.FieldDescriptor, v protoreflect.Value) protoreflect.Value {
	switch x := v.Interface().(type) {
	case string:
		return protoreflect.ValueOfString(x + "!")
	case []byte:
		if len(x) > 0 {
			x[0]++
		}
	case bool:
		return protoreflect.ValueOfBool(!x)
	case int32:
		return protoreflect.ValueOfInt32(x + 1)
	case int64:
		return protoreflect.ValueOfInt64(x + 1)
	case uint32:
		return protoreflect.ValueOfUint32(x + 1)
	case uint64:
		return protoreflect.ValueOfUint64(x + 1)
	case float32:
		return protoreflect.ValueOfFloat32(x + 1)
	case float64:
		return protoreflect.ValueOfFloat64(x + 1)
	case protoreflect.EnumNumber:
		return protoreflect.ValueOfEnum(x + 1)
	}
	return v
}
