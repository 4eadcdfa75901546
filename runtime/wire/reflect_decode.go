package wire

import (
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// decode merges the payload at the start of s into m. It ends with s, or behind the tag
// end where that is not 0, and returns the index at which it ends.
func (t *table) decode(d *Decoder, s string, depth int, m protoreflect.Message, end uint64) (int, error) {
	if !d.Enter(depth) {
		return 0, d.Refuse(depth)
	}
	if t.messageSet && !protoLegacy {
		return 0, Fail("", 0, FailUnsupported)
	}
	var (
		unknown []byte
		last    *field             // the list or map read last
		held    protoreflect.Value // its value
		err     error
	)
	for i := 0; i < len(s); {
		at := i
		tag := uint64(s[i])
		if tag < 0x80 {
			i++
		} else if tag, i = Varint(s, i); i < 0 {
			return 0, Fail("", at, i)
		}
		if tag == end && end != 0 {
			if unknown != nil {
				m.SetUnknown(unknown)
			}
			return i, nil
		}
		f := t.fieldFor(tag)
		if f == nil {
			if unknown == nil {
				unknown = m.GetUnknown()
			}
			if t.messageSet {
				i, err = d.decodeItem(m, &unknown, s, at, i, tag, depth)
			} else {
				i, err = d.keep(&unknown, s, at, i, tag, depth)
			}
			if err != nil {
				return 0, err
			}
			continue
		}
		if f.shape != singular && f != last {
			last, held = f, m.Mutable(f.desc)
		}
		if i, err = f.decode(d, s, at, i, tag, depth, m, held); err != nil {
			return 0, err
		}
	}
	if end != 0 {
		return 0, Fail("", len(s), FailTruncated)
	}
	if unknown != nil {
		m.SetUnknown(unknown)
	}
	return len(s), nil
}

// fieldFor returns the field that a tag is for: one of the message type, or an extension
// that the program knows. It is nil where there is none or another wire type is expected.
func (t *table) fieldFor(tag uint64) *field {
	f := t.byNumber(tag >> 3)
	if f == nil && t.extendable {
		f = extension(t.desc, tag>>3)
	}
	if f == nil || f.accepts>>(tag&7)&1 == 0 {
		return nil
	}
	return f
}

// decode reads the field of m that has the tag s[at:i] and returns the index behind it. held
// is its value where it is a list or a map.
func (f *field) decode(d *Decoder, s string, at, i int, tag uint64, depth int, m protoreflect.Message, held protoreflect.Value) (int, error) {
	switch {
	case f.shape == listed:
		return f.decodeElement(d, s, at, i, tag, depth, held.List())
	case f.shape == mapped:
		return f.decodeEntry(d, s, at, i, depth-1, held.Map())
	case f.isMessage():
		base, i, err := f.decodeMessage(d, s, at, i, depth-1, m.Mutable(f.desc).Message())
		if err != nil {
			return 0, In(err, f.name, base)
		}
		return i, nil
	}
	v, next := f.decodeScalar(d, s, i)
	if next < 0 {
		return 0, Fail(f.name, at, next)
	}
	m.Set(f.desc, v)
	return next, nil
}

// decodeElement appends to list what the field with the tag s[at:i] holds: one element, or
// those of a packed record.
func (f *field) decodeElement(d *Decoder, s string, at, i int, tag uint64, depth int, list protoreflect.List) (int, error) {
	if f.isMessage() {
		n := list.Len()
		base, next, err := f.decodeMessage(d, s, at, i, depth-1, list.AppendMutable().Message())
		switch {
		case err == nil:
			return next, nil
		case base == at: // its length cannot be read: there is no element yet
			return 0, In(err, f.name, base)
		default:
			return 0, InIndex(err, f.name, n, base)
		}
	}
	if tag&7 != uint64(f.wire) {
		next := f.decodePacked(s, i, list)
		if next < 0 {
			return 0, Fail(f.name, at, next)
		}
		return next, nil
	}
	if f.wire == typeBytes && d.counting && !d.spend() {
		return 0, Fail(f.name, at, FailBudget)
	}
	v, next := f.decodeScalar(d, s, i)
	if next < 0 {
		return 0, Fail(f.name, at, next)
	}
	list.Append(v)
	return next, nil
}

// decodePacked appends the elements of the packed record at index i.
func (f *field) decodePacked(s string, i int, list protoreflect.List) int {
	i, end := Length(s, i)
	if end < 0 {
		return end
	}
	s = s[:end]
	for i < end {
		var u uint64
		if u, i = f.decodeBits(s, i); i < 0 {
			return i
		}
		list.Append(f.number64(u))
	}
	return end
}

// decodeEntry puts the map entry with the tag s[at:i] into m.
func (f *field) decodeEntry(d *Decoder, s string, at, i, depth int, m protoreflect.Map) (int, error) {
	start, end := length(s, i)
	if end < 0 {
		return 0, Fail(f.name, at, end)
	}
	var value protoreflect.Value
	if f.value.isMessage() {
		value = m.NewValue()
	}
	key, value, base, err := f.decodeEntryFields(d, s[start:end], depth, value)
	// Most entries have both, and a default value costs a call of the descriptor.
	if !key.IsValid() {
		key = f.key.desc.Default()
	}
	if err != nil {
		return 0, InKey(err, f.name, key.Interface(), start+base)
	}
	if !value.IsValid() {
		value = f.value.desc.Default()
	}
	m.Set(key.MapKey(), value)
	return end, nil
}

// decodeEntryFields reads the fields of a map entry. Key and value are not valid where they are
// missing; a message is read into the one in value. base is the index to which the error is
// relative.
func (f *field) decodeEntryFields(d *Decoder, s string, depth int, value protoreflect.Value) (key, _ protoreflect.Value, base int, err error) {
	if !d.Enter(depth) {
		return key, value, 0, d.Refuse(depth)
	}
	for i := 0; i < len(s); {
		at := i
		tag := uint64(s[i])
		if tag < 0x80 {
			i++
		} else if tag, i = Varint(s, i); i < 0 {
			return key, value, 0, Fail("", at, i)
		}
		switch {
		case tag == 1<<3|uint64(f.key.wire):
			k, next := f.key.decodeScalar(d, s, i)
			if next < 0 {
				if next == FailUTF8 {
					key = k
				}
				return key, value, 0, Fail("key", at, next)
			}
			key, i = k, next
		case tag != 2<<3|uint64(f.value.wire):
			if i = d.Unknown(nil, s, at, i, tag, depth); i < 0 {
				return key, value, 0, Fail("", at, i)
			}
		case f.value.isMessage():
			if base, i, err = f.value.decodeMessage(d, s, at, i, depth-1, value.Message()); err != nil {
				return key, value, base, err
			}
		default:
			v, next := f.value.decodeScalar(d, s, i)
			if next < 0 {
				return key, value, 0, Fail("", at, next)
			}
			value, i = v, next
		}
	}
	return key, value, 0, nil
}

// decodeMessage merges the message with the tag s[at:i] into m. It returns the index at
// which the payload begins, or to which the error is relative, and the one behind it.
func (f *field) decodeMessage(d *Decoder, s string, at, i, depth int, m protoreflect.Message) (base, next int, err error) {
	if f.kind == protoreflect.GroupKind {
		var n int
		if g, ok := m.Interface().(GroupDecoder); ok {
			meet(g)
			n, err = g.DecodeGroupFlinkser(d, s[i:], f.levels(depth, m), f.end)
		} else {
			n, err = f.tableOf(m).decode(d, s[i:], depth, m, f.end)
		}
		return i, i + n, err
	}
	start, end := Length(s, i)
	if end < 0 {
		return at, 0, Fail("", 0, end)
	}
	return start, end, f.decodePayload(d, s[start:end], depth, m)
}

// decodePayload merges payload s into m, a message in the field.
func (f *field) decodePayload(d *Decoder, s string, depth int, m protoreflect.Message) error {
	if g, ok := m.Interface().(Message); ok {
		meet(g)
		return g.DecodeFlinkser(d, s, f.levels(depth, m))
	}
	_, err := f.tableOf(m).decode(d, s, depth, m, 0)
	return err
}

// length is Length, which calls Varint, without that call for a length of one byte.
func length(s string, i int) (start, end int) {
	if i < len(s) && int(s[i]) < min(0x80, len(s)-i) {
		return i + 1, i + 1 + int(s[i])
	}
	return Length(s, i)
}

// decodeScalar reads the number, string or byte string at index i. The second result
// is the index behind it or a Fail code.
func (f *field) decodeScalar(d *Decoder, s string, i int) (protoreflect.Value, int) {
	if f.wire != typeBytes {
		u, i := f.decodeBits(s, i)
		return f.number64(u), i
	}
	start, end := length(s, i)
	if end < 0 {
		return protoreflect.Value{}, end
	}
	s = s[start:end]
	switch {
	case f.kind == protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(d.Bytes(s)), end
	case !f.utf8:
		return protoreflect.ValueOfString(d.RawString(s)), end
	}
	s, code := d.String(s)
	if code < 0 {
		end = code
	}
	return protoreflect.ValueOfString(s), end
}

// decodeBits reads the bits of a number.
func (f *field) decodeBits(s string, i int) (uint64, int) {
	switch f.wire {
	case typeFixed32:
		u, i := Fixed32(s, i)
		return uint64(u), i
	case typeFixed64:
		return Fixed64(s, i)
	}
	if i < len(s) && s[i] < 0x80 {
		return uint64(s[i]), i + 1
	}
	return Varint(s, i)
}

// number64 makes a value of the bits of a number. Those of a float pass through float64,
// as protoreflect has it: a signaling NaN becomes a quiet one.
func (f *field) number64(u uint64) protoreflect.Value {
	switch f.kind {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(u != 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(u))
	case protoreflect.Int32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(u))
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(u))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(u))
	case protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(Unzigzag32(u))
	case protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(Unzigzag64(u))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(math.Float32frombits(uint32(u)))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(math.Float64frombits(u))
	}
	return protoreflect.ValueOfUint64(u)
}
