// Package fingerprint writes the canonical text of a message schema and hashes it.
//
// The text says what a reader and a writer of payloads can see of a schema, and what the schema reserves. It does not tell
// how the schema was spelled or where it came from: it is the same for descriptors that are linked into a program, built
// by protodesc or protocompile, received by a protoc plugin, or behind a dynamicpb message, and for every file layout,
// declaration order, syntax and option that leaves the facts below as they are.
//
// # Version 1
//
// The fingerprint is the SHA-256 of the text. Text and hash of version 1 never change; other facts or another spelling
// would be version 2, with another first line.
//
// The text is ASCII. Every line ends in "\n", words on a line are separated by one space, and the lines of a declaration
// start with one tab. Numbers are decimal without leading zeros, "-" in front of negative ones. Names of messages and
// enums are full names without a leading dot, all other names are plain. Sorting is by bytes for names and by value for
// numbers.
//
//	text        = "flinkser schema 1\n" "root " full-name "\n" { declaration }
//
// The root line names the message asked for. Then comes every message and enum that can be reached from it through fields
// (map values included), the root too, each once, sorted by full name. Map entry messages are not declarations: they are
// part of their field. Types that are nested in a message but not used by a reachable field are not in the text.
//
//	declaration = message | enum | unresolved
//	message     = "message " full-name [ " message_set" ] "\n"
//	              { field } { "\textensions " range "\n" } { reserved }
//	enum        = "enum " full-name ( " open" | " closed first " number ) "\n"
//	              { "\tvalue " number " " name "\n" } { reserved }
//	unresolved  = ( "message " | "enum " ) full-name " unresolved\n"
//	reserved    = "\treserved " ( range | quoted ) "\n"
//	range       = number " to " number
//
// Fields are sorted by number, enum values by number and then by name. The first value of a closed enum is its default, so
// its number is in the text; apart from that the order of values does not count. Extension ranges come as coverage: both
// ends belong to the range, touching and overlapping ranges are one, ranges are sorted. Reservations do the same, ranges
// before names, each name once and sorted. A type is unresolved if its file is missing from the descriptor set, so that
// only its name is known.
//
//	field       = "\tfield " number " " name " " shape " " type [ " oneof " name ] [ " default " value ] "\n"
//	shape       = "implicit" | "explicit" | "required" | "packed" | "unpacked" | "repeated" | "map"
//	type        = single | map
//	map         = single " to " single
//	single      = scalar | "string utf8" | "string unchecked" | "enum " full-name | "message " full-name | "group " full-name
//
// A singular field is implicit (no presence: zero is not written), explicit (presence is known: proto3 optional, oneof
// members, messages and groups included) or required. A repeated field is packed or unpacked as it is written, or
// "repeated" if its type cannot be packed. The type of a map is that of its key and that of its value. A scalar is the
// keyword of the .proto language. "string utf8" is checked to be UTF-8, "string unchecked" is not. A message is prefixed
// with its length, a group (also a DELIMITED field of editions) ends with an end tag. A oneof is named only if the .proto
// has it: the synthetic oneof of a proto3 optional field is not.
//
//	value       = "true" | "false" | number | quoted | hex | number " " name
//
// A default is in the text only if the .proto gives one, even if it equals the zero of the type. An enum default is the
// number and name of the value. Strings are quoted. Bytes are hex, two lower-case digits each, after an "x". A float or
// double is the hex of its IEEE 754 bits, 8 or 16 digits after an "x", so that -0 and 0 differ; NaN is always x7fc00000
// or x7ff8000000000000.
//
//	quoted      = `"` { byte from 0x20 to 0x7e except `"` and `\` | `\x` two lower-case hex digits } `"`
//
// # Not in the text
//
// Order of declarations, file names, imports, comments, services, json_name, syntax and edition where features agree, names
// of map entries, and all options but those that change a fact above: deprecated, lazy, Java, Go and custom options have
// no effect. Fields that extensions add to an extendable message are not part of the graph, because which of them exist
// depends on what a program links.
package fingerprint

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Version is the version of the text, which its first line repeats.
const Version = 1

// Text returns the canonical text of the schema whose root is md, which must not be nil.
// It is safe for concurrent use.
func Text(md protoreflect.MessageDescriptor) string {
	return new(Cache).Text(md)
}

// Of returns the SHA-256 of the canonical text of the schema whose root is md, which must not be nil.
// It is safe for concurrent use.
func Of(md protoreflect.MessageDescriptor) [sha256.Size]byte {
	return new(Cache).Of(md)
}

// A Cache answers for many roots and writes the text of each declaration only once. Its zero value is ready for use.
// All roots must come from one set of descriptors, because the cache knows a declaration by its full name.
// A Cache is not safe for concurrent use, and it keeps the descriptors it was given.
type Cache struct {
	decls map[protoreflect.FullName]*decl
	walks int // number of walks so far; marks what a walk has seen
}

// A decl is a message or an enum.
type decl struct {
	desc protoreflect.Descriptor
	text []byte  // its lines, nil until they are needed
	refs []*decl // the types of its fields, repetitions included
	seen int     // the last walk that came by
}

// Text is like the function [Text].
func (c *Cache) Text(md protoreflect.MessageDescriptor) string {
	var b strings.Builder
	b.WriteString(header(md))
	for _, d := range c.reach(md) {
		b.Write(d.text)
	}
	return b.String()
}

// Of is like the function [Of].
func (c *Cache) Of(md protoreflect.MessageDescriptor) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write([]byte(header(md)))
	for _, d := range c.reach(md) {
		h.Write(d.text)
	}
	h.Sum(sum[:0])
	return sum
}

func header(md protoreflect.MessageDescriptor) string {
	return fmt.Sprintf("flinkser schema %d\nroot %s\n", Version, md.FullName())
}

// reach returns the declarations that can be reached from md, md's own included, sorted by full name, with their text.
func (c *Cache) reach(md protoreflect.MessageDescriptor) []*decl {
	c.walks++
	var found []*decl
	visit := func(d *decl) {
		if d.seen != c.walks {
			d.seen = c.walks
			found = append(found, d)
		}
	}
	visit(c.decl(md))
	for i := 0; i < len(found); i++ {
		d := found[i]
		if d.text == nil {
			c.write(d)
		}
		for _, ref := range d.refs {
			visit(ref)
		}
	}
	slices.SortFunc(found, func(a, b *decl) int { return cmp.Compare(a.desc.FullName(), b.desc.FullName()) })
	return found
}

func (c *Cache) decl(desc protoreflect.Descriptor) *decl {
	d := c.decls[desc.FullName()]
	if d == nil {
		d = &decl{desc: desc}
		if c.decls == nil {
			c.decls = make(map[protoreflect.FullName]*decl)
		}
		c.decls[desc.FullName()] = d
	}
	return d
}

func (c *Cache) write(d *decl) {
	switch desc := d.desc.(type) {
	case protoreflect.MessageDescriptor:
		c.writeMessage(d, desc)
	case protoreflect.EnumDescriptor:
		writeEnum(d, desc)
	}
}

func (d *decl) printf(format string, args ...any) {
	d.text = fmt.Appendf(d.text, format, args...)
}

func (c *Cache) writeMessage(d *decl, md protoreflect.MessageDescriptor) {
	d.printf("message %s", md.FullName())
	switch {
	case md.IsPlaceholder():
		d.printf(" unresolved")
	case IsMessageSet(md):
		d.printf(" message_set")
	}
	d.printf("\n")
	fields := make([]protoreflect.FieldDescriptor, md.Fields().Len())
	for i := range fields {
		fields[i] = md.Fields().Get(i)
	}
	slices.SortFunc(fields, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	for _, fd := range fields {
		c.writeField(d, fd)
	}
	// Field ranges come with an exclusive end, enum ranges with an inclusive one.
	d.writeRanges("extensions", md.ExtensionRanges().Len(), func(i int) (lo, hi int64) {
		r := md.ExtensionRanges().Get(i)
		return int64(r[0]), int64(r[1]) - 1
	})
	d.writeRanges("reserved", md.ReservedRanges().Len(), func(i int) (lo, hi int64) {
		r := md.ReservedRanges().Get(i)
		return int64(r[0]), int64(r[1]) - 1
	})
	d.writeReservedNames(md.ReservedNames())
}

func writeEnum(d *decl, ed protoreflect.EnumDescriptor) {
	values := make([]protoreflect.EnumValueDescriptor, ed.Values().Len())
	for i := range values {
		values[i] = ed.Values().Get(i)
	}
	d.printf("enum %s", ed.FullName())
	switch {
	case ed.IsPlaceholder() || len(values) == 0:
		d.printf(" unresolved\n")
	case IsClosed(ed):
		d.printf(" closed first %d\n", values[0].Number())
	default:
		d.printf(" open\n")
	}
	slices.SortFunc(values, func(a, b protoreflect.EnumValueDescriptor) int {
		return cmp.Or(cmp.Compare(a.Number(), b.Number()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, v := range values {
		d.printf("\tvalue %d %s\n", v.Number(), v.Name())
	}
	d.writeRanges("reserved", ed.ReservedRanges().Len(), func(i int) (lo, hi int64) {
		r := ed.ReservedRanges().Get(i)
		return int64(r[0]), int64(r[1])
	})
	d.writeReservedNames(ed.ReservedNames())
}

func (c *Cache) writeField(d *decl, fd protoreflect.FieldDescriptor) {
	d.printf("\tfield %d %s %s ", fd.Number(), fd.Name(), shape(fd))
	if fd.IsMap() {
		c.writeType(d, fd.MapKey())
		d.printf(" to ")
		c.writeType(d, fd.MapValue())
	} else {
		c.writeType(d, fd)
	}
	if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() {
		d.printf(" oneof %s", o.Name())
	}
	if fd.HasDefault() {
		d.printf(" default %s", defaultValue(fd))
	}
	d.printf("\n")
}

// writeType writes the type of a field, or of the key or the value of a map.
func (c *Cache) writeType(d *decl, fd protoreflect.FieldDescriptor) {
	d.printf("%v", fd.Kind())
	var ref protoreflect.Descriptor
	switch fd.Kind() {
	case protoreflect.StringKind:
		if ChecksUTF8(fd) {
			d.printf(" utf8")
		} else {
			d.printf(" unchecked")
		}
		return
	case protoreflect.EnumKind:
		ref = fd.Enum()
	case protoreflect.MessageKind, protoreflect.GroupKind:
		ref = fd.Message()
	default:
		return
	}
	d.printf(" %s", ref.FullName())
	d.refs = append(d.refs, c.decl(ref))
}

// writeRanges writes what n ranges cover together. Both ends that get returns belong to the range; they are wider than
// a number can be, so that the number after the last one is never out of range.
func (d *decl) writeRanges(word string, n int, get func(i int) (lo, hi int64)) {
	ranges := make([][2]int64, n)
	for i := range ranges {
		ranges[i][0], ranges[i][1] = get(i)
	}
	slices.SortFunc(ranges, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	for i := 0; i < n; {
		lo, hi := ranges[i][0], ranges[i][1]
		for i++; i < n && ranges[i][0] <= hi+1; i++ {
			hi = max(hi, ranges[i][1])
		}
		d.printf("\t%s %d to %d\n", word, lo, hi)
	}
}

func (d *decl) writeReservedNames(names protoreflect.Names) {
	sorted := make([]string, names.Len())
	for i := range sorted {
		sorted[i] = string(names.Get(i))
	}
	slices.Sort(sorted)
	for _, name := range slices.Compact(sorted) {
		d.printf("\treserved %s\n", quote(name))
	}
}

func shape(fd protoreflect.FieldDescriptor) string {
	switch {
	case fd.IsMap():
		return "map"
	case fd.IsList() && fd.IsPacked():
		return "packed"
	case fd.IsList() && canPack(fd.Kind()):
		return "unpacked"
	case fd.IsList():
		return "repeated"
	case fd.Cardinality() == protoreflect.Required:
		return "required"
	case fd.HasPresence():
		return "explicit"
	default:
		return "implicit"
	}
}

func canPack(k protoreflect.Kind) bool {
	switch k {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind, protoreflect.GroupKind:
		return false
	default:
		return true
	}
}

func defaultValue(fd protoreflect.FieldDescriptor) string {
	v := fd.Default()
	switch fd.Kind() {
	case protoreflect.StringKind:
		return quote(v.String())
	case protoreflect.BytesKind:
		return fmt.Sprintf("x%x", v.Bytes())
	case protoreflect.FloatKind:
		// Go leaves the bits of a NaN open; the .proto language has only one.
		if math.IsNaN(v.Float()) {
			return "x7fc00000"
		}
		return fmt.Sprintf("x%08x", math.Float32bits(float32(v.Float())))
	case protoreflect.DoubleKind:
		if math.IsNaN(v.Float()) {
			return "x7ff8000000000000"
		}
		return fmt.Sprintf("x%016x", math.Float64bits(v.Float()))
	case protoreflect.EnumKind:
		ev := fd.DefaultEnumValue()
		return fmt.Sprintf("%d %s", ev.Number(), ev.Name())
	default:
		return fmt.Sprint(v.Interface())
	}
}

// quote keeps a text on one line of ASCII. strconv has no form that would stay the same for sure: the text is hashed.
func quote(s string) string {
	b := []byte{'"'}
	for _, c := range []byte(s) {
		if c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			b = fmt.Appendf(b, `\x%02x`, c)
		} else {
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// ChecksUTF8 reports whether the value of a string field is checked to be UTF-8. protoreflect has no accessor for that.
// protobuf-go's own descriptors, linked ones and those of protodesc, answer through a method outside of the interface,
// for every syntax. Others (protocompile's, wrappers) do not have it, so the feature is resolved here: the nearest
// declaration that sets it decides, then the syntax. Compilers copy the feature of a map field to its key and value.
func ChecksUTF8(fd protoreflect.FieldDescriptor) bool {
	if f, ok := fd.(interface{ EnforceUTF8() bool }); ok {
		return f.EnforceUTF8()
	}
	for d := protoreflect.Descriptor(fd); d != nil; d = d.Parent() {
		if f := features(d); f != nil && f.Utf8Validation != nil {
			return f.GetUtf8Validation() == descriptorpb.FeatureSet_VERIFY
		}
	}
	return fd.ParentFile().Syntax() != protoreflect.Proto2
}

// IsClosed does not trust IsClosed alone: linked descriptors (protobuf-go 1.36.12) resolve the feature for the file, but
// overlook it where the enum itself sets it.
func IsClosed(ed protoreflect.EnumDescriptor) bool {
	if f := features(ed); f != nil && f.EnumType != nil {
		return f.GetEnumType() == descriptorpb.FeatureSet_CLOSED
	}
	return ed.IsClosed()
}

// IsMessageSet reports whether md has the wire format of a message set, which protoreflect has no accessor for.
func IsMessageSet(md protoreflect.MessageDescriptor) bool {
	opts, ok := md.Options().(*descriptorpb.MessageOptions)
	return ok && opts.GetMessageSetWireFormat()
}

// features returns the features that a declaration sets itself, or nil.
func features(d protoreflect.Descriptor) *descriptorpb.FeatureSet {
	if opts, ok := d.Options().(interface {
		GetFeatures() *descriptorpb.FeatureSet
	}); ok {
		return opts.GetFeatures()
	}
	return nil
}
