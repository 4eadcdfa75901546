package wire

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// writer is the state of one call that writes or measures a message. A message reports
// its fields in no order: they are collected on a stack and sorted there.
type writer struct {
	e      *Encoder
	plain  bool   // messages with generated code are written through protoreflect too
	traced bool   // a failure leaves its place in path
	path   []step // innermost first

	fields  []set
	entries []entry

	collecting   *table // of the message whose fields are being collected
	keys         *field // of the map whose entries are being collected
	collectField func(protoreflect.FieldDescriptor, protoreflect.Value) bool
	collectEntry func(protoreflect.MapKey, protoreflect.Value) bool
}

// set is a field that is set.
type set struct {
	field *field
	value protoreflect.Value
}

// entry is an entry of a map.
type entry struct {
	key   protoreflect.MapKey
	value protoreflect.Value
	rank  uint64 // as in Entry; only where entries are sorted
}

var writers = sync.Pool{New: func() any {
	w := new(writer)
	w.collectField, w.collectEntry = w.addField, w.addEntry
	return w
}}

func newWriter(e *Encoder) *writer {
	w := writers.Get().(*writer)
	w.e = e
	return w
}

// stackMax is the largest stack that is kept between calls.
const stackMax = 1024

// free gives w back. Nothing that it refers to stays alive.
func (w *writer) free() {
	clear(w.fields) // after a failure there may be some
	clear(w.entries)
	w.fields, w.entries = w.fields[:0], w.entries[:0]
	if cap(w.fields) > stackMax {
		w.fields = nil
	}
	if cap(w.entries) > stackMax {
		w.entries = nil
	}
	w.e, w.plain, w.traced, w.path = nil, false, false, nil
	w.collecting, w.keys = nil, nil
	writers.Put(w)
}

func (w *writer) addField(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
	w.fields = append(w.fields, set{w.collecting.byDescriptor(fd), v})
	return true
}

func (w *writer) addEntry(k protoreflect.MapKey, v protoreflect.Value) bool {
	x := entry{key: k, value: v}
	if w.e.Deterministic {
		x.rank = w.keys.rank(k)
	}
	w.entries = append(w.entries, x)
	return true
}

// collect puts the set fields of m on the stack and returns where they begin and end.
func (w *writer) collect(t *table, m protoreflect.Message) (from, to int) {
	from = len(w.fields)
	w.collecting = t
	m.Range(w.collectField)
	return from, len(w.fields)
}

// drop removes the fields from an index on from the stack.
func (w *writer) drop(from int) {
	clear(w.fields[from:])
	w.fields = w.fields[:from]
}

// collectEntries is collect for a map, whose entries dropEntries removes.
func (w *writer) collectEntries(f *field, m protoreflect.Map) (from, to int) {
	from = len(w.entries)
	w.keys = f.key
	m.Range(w.collectEntry)
	return from, len(w.entries)
}

func (w *writer) dropEntries(from int) {
	clear(w.entries[from:])
	w.entries = w.entries[:from]
}

// rank returns a number by which keys can be ordered; only strings of equal rank need
// to be compared.
func (f *field) rank(k protoreflect.MapKey) uint64 {
	switch f.kind {
	case protoreflect.StringKind:
		return rank(k.String())
	case protoreflect.BoolKind:
		return uint64(bit(k.Bool()))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return uint64(int64(int32(k.Uint()))) ^ 1<<63
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return k.Uint() ^ 1<<63
	}
	return uint64(k.Int()) ^ 1<<63
}

// insertMax is the number of fields up to which they are sorted by insertion. They come
// nearly in order from generated messages.
const insertMax = 32

func sortFields(s []set) {
	if len(s) > insertMax {
		slices.SortFunc(s, func(a, b set) int { return cmp.Compare(a.field.number, b.field.number) })
		return
	}
	for i := 1; i < len(s); i++ {
		if s[i-1].field.number < s[i].field.number {
			continue
		}
		x := s[i]
		j := i
		for ; j > 0 && x.field.number < s[j-1].field.number; j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

func sortEntries(s []entry) {
	slices.SortFunc(s, func(a, b entry) int {
		if a.rank != b.rank {
			return cmp.Compare(a.rank, b.rank)
		}
		if key, ok := a.key.Interface().(string); ok {
			return compareUTF16(key, b.key.String())
		}
		return 0
	})
}

// at notes the place of a failure: element n of a list, the entry with a key, or the
// field itself for -1 and nil. Inlined, it would make the frames of the recursion larger.
//
//go:noinline
func (w *writer) at(f *field, n int, key any) {
	if w.traced {
		w.path = append(w.path, step{field: f.name, index: n, key: key})
	}
}

// fieldRoom is the room for a tag, of which 8 bytes are stored at once, and a number or
// length.
const fieldRoom = 8 + 10

// append writes the payload of m to b from index i on, as AppendFlinkser does.
func (w *writer) append(t *table, b []byte, i, depth int, m protoreflect.Message) ([]byte, int) {
	if depth < 0 {
		return b, FailDepth
	}
	from, to := w.collect(t, m)
	if t.messageSet {
		if b, i = w.appendMessageSet(b, i, depth, from, to); i < 0 {
			return b, i
		}
		return AppendMessageSetUnknown(w.e, b, i, m.GetUnknown())
	}
	if t.required > 0 && !w.e.AllowPartial && !w.checkRequired(t, m, from) {
		return b, FailRequired
	}
	if b, i = w.appendFields(b, i, depth, from, to); i < 0 {
		return b, i
	}
	u := m.GetUnknown()
	if len(b)-i < len(u) {
		if b, i = w.e.Grow(b, i, len(u)); i < 0 {
			return b, i
		}
	}
	return b, i + copy(b[i:], u)
}

// appendFields writes the fields on the stack from an index up to another, the end of the
// stack, in the order of their numbers, and removes them.
func (w *writer) appendFields(b []byte, i, depth, from, to int) ([]byte, int) {
	sortFields(w.fields[from:])
	for k := from; k < to; k++ {
		f, v := w.fields[k].field, w.fields[k].value
		switch {
		case f.shape == singular:
			if b, i, _ = w.appendElement(b, i, depth, 1, f, v); i < 0 {
				w.at(f, -1, nil)
			}
		case f.shape == mapped:
			b, i = w.appendMap(b, i, depth, f, v.Map())
		case f.packed:
			if b, i = w.appendPacked(b, i, f, v.List()); i < 0 {
				w.at(f, -1, nil)
			}
		default:
			b, i = w.appendList(b, i, depth, f, v.List())
		}
		if i < 0 {
			return b, i
		}
	}
	w.drop(from)
	return b, i
}

// checkRequired reports whether the fields on the stack from an index on are all that
// a message must have.
func (w *writer) checkRequired(t *table, m protoreflect.Message, from int) bool {
	missing := t.required
	for _, x := range w.fields[from:] {
		if x.field.required {
			missing--
		}
	}
	if missing == 0 {
		return true
	}
	w.at(t.missing(m), -1, nil)
	return false
}

func (w *writer) appendList(b []byte, i, depth int, f *field, list protoreflect.List) ([]byte, int) {
	width := 1
	for n := range list.Len() {
		if b, i, width = w.appendElement(b, i, depth, width, f, list.Get(n)); i < 0 {
			w.at(f, n, nil)
			break
		}
	}
	return b, i
}

// appendElement writes the tag and value of one element of f. width is the number of
// bytes that are left for the length of a message; the one that was right is returned.
func (w *writer) appendElement(b []byte, i, depth, width int, f *field, v protoreflect.Value) ([]byte, int, int) {
	if len(b)-i < fieldRoom {
		if b, i = w.e.Grow(b, i, fieldRoom); i < 0 {
			return b, i, width
		}
	}
	i = f.putTag(b, i)
	if f.wire != typeBytes && f.wire != typeStartGroup {
		return b, f.putNumber(b, i, v), width
	}
	switch f.kind {
	case protoreflect.StringKind:
		s := v.String()
		if len(b)-i < len(s)+packedMax {
			if b, i = w.e.Grow(b, i, len(s)+packedMax); i < 0 {
				return b, i, width
			}
		}
		if f.utf8 {
			return b, PutString(b, i, s), width
		}
		return b, PutRawString(b, i, s), width
	case protoreflect.BytesKind:
		s := v.Bytes()
		if len(b)-i < len(s)+packedMax {
			if b, i = w.e.Grow(b, i, len(s)+packedMax); i < 0 {
				return b, i, width
			}
		}
		return b, putBytes(b, i, s), width
	case protoreflect.GroupKind:
		if b, i = w.appendMessage(b, i, depth-1, f, v.Message()); i < 0 {
			return b, i, width
		}
		if len(b)-i < packedMax {
			if b, i = w.e.Grow(b, i, packedMax); i < 0 {
				return b, i, width
			}
		}
		return b, PutVarint(b, i, f.end), width
	}
	at := i
	if b, i = w.appendMessage(b, at+width, depth-1, f, v.Message()); i < 0 {
		return b, i, width
	}
	return w.e.Seal(b, at, width, i, depth-1)
}

func (w *writer) appendMessage(b []byte, i, depth int, f *field, m protoreflect.Message) ([]byte, int) {
	if !w.plain {
		if g, ok := m.Interface().(Message); ok {
			return g.AppendFlinkser(w.e, b, i, f.levels(depth, m))
		}
	}
	return w.append(f.tableOf(m), b, i, depth, m)
}

func (w *writer) appendMap(b []byte, i, depth int, f *field, m protoreflect.Map) ([]byte, int) {
	from, to := w.collectEntries(f, m)
	if w.e.Deterministic {
		sortEntries(w.entries[from:to])
	}
	width := 1
	for n := from; n < to; n++ {
		if depth < 1 {
			i = FailDepth
		} else {
			b, i, width = w.appendEntry(b, i, depth-1, width, f, n)
		}
		if i < 0 {
			w.at(f, -1, w.entries[n].key.Interface())
			return b, i
		}
	}
	w.dropEntries(from)
	return b, i
}

// appendEntry writes entry n of the stack.
func (w *writer) appendEntry(b []byte, i, depth, width int, f *field, n int) ([]byte, int, int) {
	if len(b)-i < fieldRoom {
		if b, i = w.e.Grow(b, i, fieldRoom); i < 0 {
			return b, i, width
		}
	}
	at := f.putTag(b, i)
	b, i, _ = w.appendElement(b, at+width, depth, 1, f.key, w.entries[n].key.Value())
	if i < 0 {
		w.at(f.key, -1, nil)
		return b, i, width
	}
	if b, i, _ = w.appendElement(b, i, depth, 1, f.value, w.entries[n].value); i < 0 {
		return b, i, width
	}
	return w.e.Seal(b, at, width, i, depth)
}

func (w *writer) appendPacked(b []byte, i int, f *field, list protoreflect.List) ([]byte, int) {
	n := list.Len()
	width := packedWidth(n)
	if len(b)-i < fieldRoom {
		if b, i = w.e.Grow(b, i, fieldRoom); i < 0 {
			return b, i
		}
	}
	at := f.putTag(b, i)
	i = at + width
	for k := range n {
		if len(b)-i < packedMax {
			if b, i = w.e.Grow(b, i, packedMax); i < 0 {
				return b, i
			}
		}
		i = f.putNumber(b, i, list.Get(k))
	}
	b, i, _ = w.e.Seal(b, at, width, i, Bounded)
	return b, i
}

// putTag writes the tag, for which there must be 8 bytes of room.
func (f *field) putTag(b []byte, i int) int {
	binary.LittleEndian.PutUint64(b[i:], binary.LittleEndian.Uint64(f.tag[:]))
	return i + int(f.tagSize)
}

// putNumber writes a number, for which there must be 10 bytes of room.
func (f *field) putNumber(b []byte, i int, v protoreflect.Value) int {
	u := f.bits(v)
	switch f.wire {
	case typeFixed32:
		return PutFixed32(b, i, uint32(u))
	case typeFixed64:
		return PutFixed64(b, i, u)
	}
	return PutVarint(b, i, u)
}

// bits returns a number as it is written: a varint, or 4 or 8 bytes.
func (f *field) bits(v protoreflect.Value) uint64 {
	switch f.kind {
	case protoreflect.BoolKind:
		return uint64(bit(v.Bool()))
	case protoreflect.EnumKind:
		return uint64(v.Enum())
	case protoreflect.Sint32Kind:
		return Zigzag32(int32(v.Int()))
	case protoreflect.Sint64Kind:
		return Zigzag64(v.Int())
	case protoreflect.Int32Kind, protoreflect.Int64Kind, protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind:
		return uint64(v.Int())
	case protoreflect.FloatKind:
		return uint64(math.Float32bits(float32(v.Float())))
	case protoreflect.DoubleKind:
		return math.Float64bits(v.Float())
	}
	return v.Uint()
}

// size returns the length of the payload of m, as SizeFlinkser does.
func (w *writer) size(t *table, depth int, m protoreflect.Message) int {
	if depth < 0 {
		return FailDepth
	}
	from, to := w.collect(t, m)
	if t.messageSet {
		return w.sizeMessageSet(depth, from, to, m.GetUnknown())
	}
	return w.sizeFields(depth, from, to, len(m.GetUnknown()))
}

// sizeFields returns the length of the fields on the stack from an index up to another,
// the end of the stack, and of other bytes more. It removes the fields.
func (w *writer) sizeFields(depth, from, to, other int) int {
	total := other
	for k := from; k < to && total <= w.e.max; k++ {
		n := w.sizeField(depth, w.fields[k].field, w.fields[k].value)
		if n < 0 {
			return n
		}
		total += n
	}
	if total > w.e.max {
		return FailSize
	}
	w.drop(from)
	return total
}

func (w *writer) sizeField(depth int, f *field, v protoreflect.Value) int {
	switch {
	case f.shape == singular:
		return w.sizeElement(depth, f, v)
	case f.shape == mapped:
		return w.sizeMap(depth, f, v.Map())
	}
	total := 0
	list := v.List()
	for k := range list.Len() {
		var n int
		if f.packed {
			n = f.sizeNumber(list.Get(k))
		} else if n = w.sizeElement(depth, f, list.Get(k)); n < 0 {
			return n
		}
		if total += n; total > w.e.max {
			return FailSize
		}
	}
	if f.packed {
		total = int(f.tagSize) + SizeBytes(total)
	}
	return total
}

// sizeElement returns the size of one element with its tag.
func (w *writer) sizeElement(depth int, f *field, v protoreflect.Value) int {
	n := int(f.tagSize)
	switch f.kind {
	case protoreflect.StringKind:
		return n + SizeBytes(len(v.String()))
	case protoreflect.BytesKind:
		return n + SizeBytes(len(v.Bytes()))
	case protoreflect.MessageKind, protoreflect.GroupKind:
		size := w.sizeMessage(depth-1, f, v.Message())
		switch {
		case size < 0:
			return size
		case f.kind == protoreflect.GroupKind:
			return n + size + SizeVarint(f.end)
		}
		return n + SizeBytes(size)
	}
	return n + f.sizeNumber(v)
}

// sizeMessage returns the length of the payload of m, a message in the field.
func (w *writer) sizeMessage(depth int, f *field, m protoreflect.Message) int {
	if g, ok := m.Interface().(Message); ok {
		return g.SizeFlinkser(w.e, f.levels(depth, m))
	}
	return w.size(f.tableOf(m), depth, m)
}

func (w *writer) sizeMap(depth int, f *field, m protoreflect.Map) int {
	from, to := w.collectEntries(f, m)
	total := 0
	for n := from; n < to; n++ {
		if depth < 1 {
			return FailDepth
		}
		key := w.sizeElement(depth-1, f.key, w.entries[n].key.Value())
		value := w.sizeElement(depth-1, f.value, w.entries[n].value)
		if value < 0 {
			return value
		}
		if total += int(f.tagSize) + SizeBytes(key+value); total > w.e.max {
			return FailSize
		}
	}
	w.dropEntries(from)
	return total
}

func (f *field) sizeNumber(v protoreflect.Value) int {
	switch f.wire {
	case typeFixed32:
		return 4
	case typeFixed64:
		return 8
	}
	return SizeVarint(f.bits(v))
}
