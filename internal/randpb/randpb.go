// Package randpb makes random messages and damaged payloads for tests that compare two
// codecs. The same random source gives the same result.
package randpb

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Options says what Message puts into a message besides its fields.
type Options struct {
	// Depth is how many levels of messages may be below the root; 0 leaves all
	// fields that hold messages empty, except required ones.
	Depth int
	// Unknown adds unknown fields, groups among them. Their tags have the shortest form.
	Unknown bool
	// Extensions sets extensions that are registered in protoregistry.GlobalTypes.
	Extensions bool
	// Partial leaves out required fields as it does others.
	Partial bool
	// InvalidUTF8 puts other bytes into strings that need not be UTF-8.
	InvalidUTF8 bool
}

// Message fills m, which must be empty and not nil. Unless the options say otherwise, required
// fields are set and strings are valid UTF-8. Enums with any number occur, closed ones too.
func Message(r *rand.Rand, m proto.Message, o Options) {
	g := &generator{r, o, valuesMax}
	g.message(m.ProtoReflect(), o.Depth)
}

// valuesMax is the number of elements of lists and maps in a message, those of the
// messages in it included, that ends its growth.
const valuesMax = 500

type generator struct {
	*rand.Rand
	Options
	left int // of valuesMax
}

// one reports true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func (g *generator) message(m protoreflect.Message, depth int) {
	// Most fields are set in some messages and hardly any in others.
	share := g.IntN(5)
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		if g.must(fd) || g.IntN(5) <= share {
			g.field(m, fd, depth)
		}
	}
	if g.Extensions {
		for _, fd := range extensions(m.Descriptor()) {
			if g.one(3) {
				g.field(m, fd, depth)
			}
		}
	}
	if g.Unknown && g.one(4) {
		var b []byte
		for range 1 + g.IntN(3) {
			b = g.unknown(b, m.Descriptor(), 2)
		}
		m.SetUnknown(b)
	}
}

// must reports whether a field has to be set.
func (g *generator) must(fd protoreflect.FieldDescriptor) bool {
	return fd.Cardinality() == protoreflect.Required && !g.Partial
}

// extensions returns the registered extensions of md in the order of their numbers.
func extensions(md protoreflect.MessageDescriptor) []protoreflect.FieldDescriptor {
	var fds []protoreflect.FieldDescriptor
	protoregistry.GlobalTypes.RangeExtensionsByMessage(md.FullName(), func(xt protoreflect.ExtensionType) bool {
		fds = append(fds, xt.TypeDescriptor())
		return true
	})
	slices.SortFunc(fds, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	return fds
}

func (g *generator) field(m protoreflect.Message, fd protoreflect.FieldDescriptor, depth int) {
	if depth == 0 && fd.Message() != nil && !g.must(fd) {
		return
	}
	switch {
	case fd.IsMap():
		entries := m.Mutable(fd).Map()
		for range g.length() {
			key := g.scalar(fd.MapKey()).MapKey()
			if fd.MapValue().Message() == nil {
				entries.Set(key, g.scalar(fd.MapValue()))
				continue
			}
			v := entries.NewValue()
			g.message(v.Message(), depth-1)
			entries.Set(key, v)
		}
	case fd.IsList():
		list := m.Mutable(fd).List()
		for range g.length() {
			if fd.Message() == nil {
				list.Append(g.scalar(fd))
				continue
			}
			g.message(list.AppendMutable().Message(), depth-1)
		}
	case fd.Message() != nil:
		g.message(m.Mutable(fd).Message(), max(depth-1, 0))
	default:
		m.Set(fd, g.scalar(fd))
	}
}

// length returns the number of elements of a list or map: few, rarely many.
func (g *generator) length() int {
	n := g.IntN(4)
	if g.one(20) {
		n = g.IntN(200)
	}
	n = min(n, g.left)
	g.left -= n
	return n
}

var (
	ints   = []int64{0, 1, -1, 2, 127, 128, -64, -65, 300, 16383, 16384, math.MaxInt32, math.MinInt32, math.MaxUint32, math.MaxInt64, math.MinInt64}
	floats = []float64{
		0, math.Copysign(0, -1), 1, -1.5, math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.NaN(), math.Float64frombits(0x7ff8000000000001), math.Float64frombits(0xfff8_0000_dead_0000),
	}
	chars = []rune{'a', 'Z', '0', ' ', 0, 0x7f, 0x80, 'é', 0x7ff, 0x800, 'ᄀ', 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, '😀', 0x10ffff}
)

func (g *generator) int() int64 {
	if g.one(2) {
		return ints[g.IntN(len(ints))]
	}
	return int64(g.Uint64() >> g.IntN(64))
}

func (g *generator) scalar(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(g.one(2))
	case protoreflect.EnumKind:
		values := fd.Enum().Values()
		if g.one(4) {
			return protoreflect.ValueOfEnum(protoreflect.EnumNumber(g.int()))
		}
		return protoreflect.ValueOfEnum(values.Get(g.IntN(values.Len())).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(g.int()))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(g.int())
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(g.int()))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(g.int()))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(g.float()))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(g.float())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(g.bytes())
	default:
		if g.InvalidUTF8 && !enforcesUTF8(fd) && g.one(2) {
			return protoreflect.ValueOfString(string(g.bytes()))
		}
		return protoreflect.ValueOfString(g.text())
	}
}

// enforcesUTF8 reports whether a string must be valid UTF-8, as google.golang.org/protobuf
// decides it.
func enforcesUTF8(fd protoreflect.FieldDescriptor) bool {
	if fd.Syntax() != protoreflect.Editions {
		return fd.Syntax() == protoreflect.Proto3
	}
	d, ok := fd.(interface{ EnforceUTF8() bool })
	return !ok || d.EnforceUTF8()
}

func (g *generator) float() float64 {
	if g.one(2) {
		return floats[g.IntN(len(floats))]
	}
	return g.NormFloat64() * 1e6
}

func (g *generator) bytes() []byte {
	b := make([]byte, g.size())
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

// size is the length of a string: the lengths around 8 and 64 bytes, at which codecs
// change their ways, are frequent.
func (g *generator) size() int {
	switch g.IntN(8) {
	case 0:
		return 0
	case 1:
		return 60 + g.IntN(10)
	case 2:
		return 120 + g.IntN(20)
	default:
		return g.IntN(20)
	}
}

func (g *generator) text() string {
	var b strings.Builder
	ascii := g.one(2)
	for n := g.size(); b.Len() < n; {
		if ascii {
			b.WriteByte(byte(' ' + g.IntN(95)))
		} else {
			b.WriteRune(chars[g.IntN(len(chars))])
		}
	}
	return b.String()
}

// unknown appends a field that md does not have; md may be nil for any field.
func (g *generator) unknown(b []byte, md protoreflect.MessageDescriptor, depth int) []byte {
	n := g.number()
	for md != nil && isKnown(md, n) {
		n = n%protowire.MaxValidNumber + 1
	}
	kind := g.IntN(5)
	if set, ok := md.(interface{ IsMessageSet() bool }); ok && set.IsMessageSet() {
		kind = 4 // no other can be written as an item
	}
	switch kind {
	case 0:
		b = protowire.AppendTag(b, n, protowire.VarintType)
		return protowire.AppendVarint(b, uint64(g.int()))
	case 1:
		b = protowire.AppendTag(b, n, protowire.Fixed32Type)
		return protowire.AppendFixed32(b, g.Uint32())
	case 2:
		b = protowire.AppendTag(b, n, protowire.Fixed64Type)
		return protowire.AppendFixed64(b, g.Uint64())
	case 3:
		if depth > 0 {
			b = protowire.AppendTag(b, n, protowire.StartGroupType)
			for range g.IntN(3) {
				b = g.unknown(b, nil, depth-1)
			}
			return protowire.AppendTag(b, n, protowire.EndGroupType)
		}
	}
	b = protowire.AppendTag(b, n, protowire.BytesType)
	return protowire.AppendBytes(b, g.bytes())
}

// number returns a field number, small ones more often.
func (g *generator) number() protowire.Number {
	return protowire.Number(1 + g.Uint32()>>3>>g.IntN(29)%uint32(protowire.MaxValidNumber))
}

func isKnown(md protoreflect.MessageDescriptor, n protowire.Number) bool {
	if md.Fields().ByNumber(n) != nil {
		return true
	}
	_, err := protoregistry.GlobalTypes.FindExtensionByNumber(md.FullName(), n)
	return err == nil
}
