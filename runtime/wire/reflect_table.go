package wire

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Messages without generated code are read and written through protoreflect. What a
// descriptor says about its fields is put into a table once, so that a message costs
// no more calls of that interface than its values need.

// table is what the codec knows of a message type.
type table struct {
	desc       protoreflect.MessageDescriptor
	fields     []*field                            // in the order of their numbers
	dense      []*field                            // by number, for small numbers
	sparse     map[protoreflect.FieldNumber]*field // the others
	required   int                                 // how many fields must be set
	extendable bool                                // an extension may stand among the fields
	messageSet bool

	once    sync.Once
	reached reach

	depthOnce sync.Once
	maxDepth  int
}

// A field is singular, a list or a map.
type shape uint8

const (
	singular shape = iota
	listed
	mapped
)

// field is what the codec knows of a field.
type field struct {
	desc     protoreflect.FieldDescriptor
	name     string // as paths show it
	number   protoreflect.FieldNumber
	kind     protoreflect.Kind
	shape    shape
	wire     uint8 // wire type of one value
	accepts  uint8 // bit n: wire type n can be read
	tagSize  uint8
	packed   bool // written packed
	utf8     bool // the string is checked
	required bool
	zero     bool                  // proto.Clone loses a negative zero: a float with implicit presence
	end      uint64                // end tag of a group
	tag      [8]byte               // of a value, or of the packed record
	child    atomic.Pointer[table] // of the message type, for fields that hold messages
	key      *field                // of a map
	value    *field                // of a map
}

// A reach says what the graph of a message type contains.
type reach uint8

const (
	reachesRequired reach = 1 << iota // a required field
	reachesZero                       // a field of which proto.Clone drops a negative zero
)

// cacheMax is the number of types, and of extensions, that are remembered. A program
// that makes descriptors at run time may have any number of them over time; what is
// remembered would keep them all alive, so everything is forgotten at this point.
const cacheMax = 1 << 14

// cache remembers what was compiled from descriptors. It may be used by several
// goroutines at once.
type cache[V any] struct {
	entries sync.Map
	n       atomic.Int32
}

func (c *cache[V]) get(key any, compile func() *V) *V {
	if v, ok := c.entries.Load(key); ok {
		return v.(*V)
	}
	v, loaded := c.entries.LoadOrStore(key, compile())
	if !loaded && c.n.Add(1) > cacheMax {
		c.n.Store(0)
		c.entries.Clear()
	}
	return v.(*V)
}

var (
	tables     cache[table]
	extensions cache[field]
)

// tableOf returns the table of a message type.
func tableOf(md protoreflect.MessageDescriptor) *table {
	return tables.get(md, func() *table { return newTable(md) })
}

func newTable(md protoreflect.MessageDescriptor) *table {
	fds := md.Fields()
	t := &table{
		desc:       md,
		messageSet: isMessageSet(md),
		extendable: md.ExtensionRanges().Len() > 0 && !isMessageSet(md),
		dense:      make([]*field, 4*fds.Len()+16),
	}
	for i := range fds.Len() {
		f := newField(fds.Get(i))
		t.fields = append(t.fields, f)
		if f.required {
			t.required++
		}
		if int(f.number) < len(t.dense) {
			t.dense[f.number] = f
			continue
		}
		if t.sparse == nil {
			t.sparse = make(map[protoreflect.FieldNumber]*field)
		}
		t.sparse[f.number] = f
	}
	slices.SortFunc(t.fields, func(a, b *field) int { return cmp.Compare(a.number, b.number) })
	if t.required > 0 {
		requiredMet.Store(true)
	}
	return t
}

// requiredMet says whether this program has met a message type with required fields.
var requiredMet atomic.Bool

// MetRequired reports whether any message with required fields has been read or written
// here so far. Until then no message that was read can lack one.
func MetRequired() bool { return requiredMet.Load() }

// meet notes that a message with generated code was read that may hold a required field.
func meet(m proto.Message) {
	if !requiredMet.Load() {
		if _, ok := m.(Requirer); ok {
			requiredMet.Store(true)
		}
	}
}

func newField(fd protoreflect.FieldDescriptor) *field {
	f := &field{
		desc:     fd,
		name:     string(fd.Name()),
		number:   fd.Number(),
		kind:     fd.Kind(),
		required: fd.Cardinality() == protoreflect.Required,
	}
	if fd.IsExtension() {
		f.name = "[" + string(fd.FullName()) + "]"
	}
	if parent, ok := fd.Parent().(protoreflect.MessageDescriptor); ok && parent.IsMapEntry() && f.kind == protoreflect.GroupKind {
		// message_encoding = DELIMITED for a whole file does not apply to maps.
		f.kind = protoreflect.MessageKind
	}
	f.wire = wireType(f.kind)
	f.utf8 = f.kind == protoreflect.StringKind && checksUTF8(fd)
	switch {
	case fd.IsMap():
		f.shape, f.kind, f.wire = mapped, protoreflect.MessageKind, typeBytes
		f.key, f.value = newField(fd.MapKey()), newField(fd.MapValue())
	case fd.IsList():
		f.shape, f.packed = listed, fd.IsPacked()
	default:
		float := f.kind == protoreflect.FloatKind || f.kind == protoreflect.DoubleKind
		f.zero = float && !fd.HasPresence()
	}
	f.accepts = 1 << f.wire
	if f.shape == listed && f.wire != typeStartGroup {
		f.accepts |= 1 << typeBytes
	}
	tag := uint64(f.number)<<3 | uint64(f.wire)
	if f.packed {
		tag = uint64(f.number)<<3 | typeBytes
	}
	f.tagSize = uint8(binary.PutUvarint(f.tag[:], tag))
	if f.wire == typeStartGroup {
		f.end = tag + typeEndGroup - typeStartGroup
	}
	return f
}

// wireType returns the wire type of one value.
func wireType(kind protoreflect.Kind) uint8 {
	switch kind {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return typeFixed32
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return typeFixed64
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return typeBytes
	case protoreflect.GroupKind:
		return typeStartGroup
	}
	return typeVarint
}

// checksUTF8 decides as google.golang.org/protobuf does: only descriptors of editions
// know better than the syntax, and those of extensions do not.
func checksUTF8(fd protoreflect.FieldDescriptor) bool {
	if protoLegacy || fd.Syntax() == protoreflect.Editions {
		if fd, ok := fd.(interface{ EnforceUTF8() bool }); ok {
			return fd.EnforceUTF8()
		}
	}
	return fd.Syntax() == protoreflect.Proto3
}

// byNumber returns the field with a number, or nil.
func (t *table) byNumber(number uint64) *field {
	if number < uint64(len(t.dense)) {
		return t.dense[number]
	}
	if t.sparse == nil || number > maxNumber {
		return nil
	}
	return t.sparse[protoreflect.FieldNumber(number)]
}

// byDescriptor returns the field, or extension, that a message of this type says it has.
func (t *table) byDescriptor(fd protoreflect.FieldDescriptor) *field {
	if f := t.byNumber(uint64(fd.Number())); f != nil {
		return f
	}
	return extensionField(fd)
}

// extension returns the extension of a message type with a number if the program knows
// it, or nil.
func extension(md protoreflect.MessageDescriptor, number uint64) *field {
	if number > math.MaxInt32 || !md.ExtensionRanges().Has(protoreflect.FieldNumber(number)) {
		return nil
	}
	xt, err := protoregistry.GlobalTypes.FindExtensionByNumber(md.FullName(), protoreflect.FieldNumber(number))
	if err != nil {
		return nil
	}
	return extensionField(xt.TypeDescriptor())
}

func extensionField(fd protoreflect.FieldDescriptor) *field {
	return extensions.get(fd, func() *field { return newField(fd) })
}

// isMessage reports whether a value of the field is a message. It is false for maps,
// whose values are described apart.
func (f *field) isMessage() bool {
	return f.shape != mapped && (f.kind == protoreflect.MessageKind || f.kind == protoreflect.GroupKind)
}

// tableOf returns the table of m, a message in the field.
func (f *field) tableOf(m protoreflect.Message) *table {
	md := m.Descriptor()
	if t := f.child.Load(); t != nil && t.desc == md {
		return t
	}
	// Nearly always the descriptor is that of the field; a dynamic message may be of
	// another type with the same name.
	t := tableOf(md)
	f.child.Store(t)
	return t
}

// reach returns what messages of the type may contain, at any depth.
func (t *table) reach() reach {
	t.once.Do(func() { t.reached = reachOf(t.desc) })
	return t.reached
}

func reachOf(root protoreflect.MessageDescriptor) reach {
	const all = reachesRequired | reachesZero
	var r reach
	seen := map[protoreflect.MessageDescriptor]bool{root: true}
	for todo := []protoreflect.MessageDescriptor{root}; len(todo) > 0 && r != all; {
		md := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if md.ExtensionRanges().Len() > 0 {
			return all // an extension may hold anything
		}
		if md.RequiredNumbers().Len() > 0 {
			r |= reachesRequired
		}
		for i := range md.Fields().Len() {
			fd := md.Fields().Get(i)
			if sub := fd.Message(); sub != nil {
				if !seen[sub] {
					seen[sub] = true
					todo = append(todo, sub)
				}
				continue
			}
			float := fd.Kind() == protoreflect.FloatKind || fd.Kind() == protoreflect.DoubleKind
			if float && !fd.HasPresence() && !fd.IsList() && !md.IsMapEntry() {
				r |= reachesZero
			}
		}
	}
	return r
}

// A goroutine's stack doubles up to a bound of the Go runtime. What a level of nesting
// takes of it depends on the functions generated for a message: measured, they need
// less than frameBytes and fieldBytes for each field.
const (
	stackBytes32 = 128 << 20
	stackBytes64 = 512 << 20
	frameBytes   = 2 << 10
	fieldBytes   = 24
)

// MaxDepth returns the number of levels that messages of a type may be nested without
// more stack than a goroutine can have.
func MaxDepth(md protoreflect.MessageDescriptor) int {
	t := tableOf(md)
	t.depthOnce.Do(func() {
		stack := stackBytes32
		if math.MaxInt > math.MaxInt32 {
			stack = stackBytes64
		}
		t.maxDepth = stack / (frameBytes + fieldBytes*mostFields(md))
	})
	return t.maxDepth
}

// extendable is the number of fields that the messages in extensions are taken to have:
// what they are is not known in advance. Wider ones are allowed fewer levels when they
// are met; see field.levels.
const extendable = 1000

// levels returns how many of depth levels there are for m, a message in the field. In an
// extension it may be of a type that MaxDepth of the root did not see. Half of what such
// a type may have is left to it: the messages around it have used some of the stack.
func (f *field) levels(depth int, m protoreflect.Message) int {
	if !f.desc.IsExtension() || depth <= shallow {
		return depth
	}
	return min(depth, MaxDepth(m.Descriptor())/2)
}

// shallow is a number of levels that no message is too wide for.
const shallow = 1000

// mostFields returns the number of fields of the widest message that one of type root
// can hold.
func mostFields(root protoreflect.MessageDescriptor) int {
	most := 0
	seen := map[protoreflect.MessageDescriptor]bool{root: true}
	for todo := []protoreflect.MessageDescriptor{root}; len(todo) > 0; {
		md := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		fields := md.Fields()
		most = max(most, fields.Len())
		if md.ExtensionRanges().Len() > 0 {
			most = max(most, extendable)
		}
		for i := range fields.Len() {
			if sub := fields.Get(i).Message(); sub != nil && !seen[sub] {
				seen[sub] = true
				todo = append(todo, sub)
			}
		}
	}
	return most
}
