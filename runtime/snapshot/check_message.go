package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/fingerprint"
)

// messageFacts compares what a message declares besides its fields.
func (c *comparison) messageFacts(n *node) {
	from, to := n.from, n.to
	if fingerprint.IsMessageSet(from) != fingerprint.IsMessageSet(to) {
		c.reportType(messageSetChanged, n, declare(from), declare(to))
	}
	c.extensionRanges(n)
	if !c.rollback {
		c.reservations(n)
	}
	if from.IsMapEntry() || to.IsMapEntry() {
		return
	}
	if !equalOptions(from, to) {
		c.reportType(messageOptionsChanged, n, declare(from), declare(to))
	}
	for i := range from.Oneofs().Len() {
		o := from.Oneofs().Get(i)
		if p := to.Oneofs().ByName(o.Name()); p != nil && !o.IsSynthetic() && !p.IsSynthetic() && !equalOptions(o, p) {
			c.report(messageOptionsChanged, n, o, p)
		}
	}
	if !c.strange() {
		return
	}
	a, b := c.messageProto(c.from, from), c.messageProto(c.to, to)
	if !sameUnknown(a, b) || a.GetVisibility() != b.GetVisibility() || !bytes.Equal(unknownIn(a.GetReservedRange()), unknownIn(b.GetReservedRange())) {
		c.reportType(metadataChanged, n, declare(from), declare(to))
	}
	for i := range from.Oneofs().Len() {
		o := from.Oneofs().Get(i)
		if p := to.Oneofs().ByName(o.Name()); p != nil && !sameUnknown(at(a.GetOneofDecl(), i), at(b.GetOneofDecl(), p.Index())) {
			c.report(metadataChanged, n, o, p)
		}
	}
}

// strange reports whether a schema has anything that protoreflect does not show, which is
// looked for only then.
func (c *comparison) strange() bool { return c.from.strange || c.to.strange }

// strange reports whether a declaration has fields that descriptor.proto of this version does
// not know, or a visibility. Those of options count with the options.
func strange(files []*descriptorpb.FileDescriptorProto) bool {
	return slices.ContainsFunc(files, func(f *descriptorpb.FileDescriptorProto) bool {
		return slices.ContainsFunc(f.GetMessageType(), strangeMessage) || slices.ContainsFunc(f.GetEnumType(), strangeEnum)
	})
}

func strangeMessage(m *descriptorpb.DescriptorProto) bool {
	return m.Visibility != nil || hasUnknown(m) || slices.ContainsFunc(m.GetField(), hasUnknown) ||
		slices.ContainsFunc(m.GetOneofDecl(), hasUnknown) || slices.ContainsFunc(m.GetReservedRange(), hasUnknown) ||
		slices.ContainsFunc(m.GetNestedType(), strangeMessage) || slices.ContainsFunc(m.GetEnumType(), strangeEnum)
}

func strangeEnum(e *descriptorpb.EnumDescriptorProto) bool {
	return e.Visibility != nil || hasUnknown(e) || slices.ContainsFunc(e.GetValue(), hasUnknown) ||
		slices.ContainsFunc(e.GetReservedRange(), hasUnknown)
}

func hasUnknown[M proto.Message](m M) bool { return len(m.ProtoReflect().GetUnknown()) > 0 }

// unknownIn returns the unknown fields of a list of descriptor messages.
func unknownIn[M proto.Message](list []M) []byte {
	var b []byte
	for _, m := range list {
		b = append(b, m.ProtoReflect().GetUnknown()...)
	}
	return b
}

func (c *comparison) extensionRanges(n *node) {
	a, b := coverage(n.from.ExtensionRanges()), coverage(n.to.ExtensionRanges())
	dropped := without(a, b)
	if len(dropped) > 0 {
		c.reportType(extensionRangeDropped, n, "extensions "+rangesText(dropped)+";", "")
	}
	if added := without(b, a); len(added) > 0 {
		c.reportType(extensionRangeAdded, n, "", "extensions "+rangesText(added)+";")
		return
	}
	if c.policy.level(extensionRangeAdded) <= Note || len(dropped) > 0 || len(a) == 0 && n.from.Extensions().Len() == 0 && n.to.Extensions().Len() == 0 {
		return
	}
	p, q := c.messageProto(c.from, n.from), c.messageProto(c.to, n.to)
	same := slices.EqualFunc(p.GetExtensionRange(), q.GetExtensionRange(), func(a, b *descriptorpb.DescriptorProto_ExtensionRange) bool { return proto.Equal(a, b) }) &&
		slices.EqualFunc(p.GetExtension(), q.GetExtension(), func(a, b *descriptorpb.FieldDescriptorProto) bool { return proto.Equal(a, b) })
	if !same {
		c.reportType(extensionRangeAdded, n, declare(n.from), declare(n.to))
	}
}

// reservations reports what is no longer reserved. A number that a field uses instead is
// reported at the field.
func (c *comparison) reservations(n *node) {
	dropped := without(coverage(n.from.ReservedRanges()), coverage(n.to.ReservedRanges()))
	if len(dropped) == 0 && n.from.ReservedNames().Len() == 0 {
		return
	}
	var used []span
	for i := range n.to.Fields().Len() {
		if t := n.to.Fields().Get(i); n.from.Fields().ByNumber(t.Number()) == nil {
			used = append(used, span{int64(t.Number()), int64(t.Number())})
		}
	}
	if dropped = without(dropped, join(used)); len(dropped) > 0 {
		c.reportType(reservationDropped, n, "reserved "+rangesText(dropped)+";", "")
	}
	if names := droppedNames(n.from.ReservedNames(), n.to.ReservedNames(), func(name protoreflect.Name) bool { return n.to.Fields().ByName(name) != nil }); names != "" {
		c.reportType(reservationDropped, n, "reserved "+names+";", "")
	}
}

// maxListed is how many names or ranges a text lists.
const maxListed = 100

func listText(list []string) string {
	if len(list) > maxListed {
		return fmt.Sprintf("%s, … (%d in all)", strings.Join(list[:maxListed], ", "), len(list))
	}
	return strings.Join(list, ", ")
}

func droppedNames(from, to protoreflect.Names, used func(protoreflect.Name) bool) string {
	var dropped []string
	for i := range from.Len() {
		if name := from.Get(i); !to.Has(name) && !used(name) {
			dropped = append(dropped, fmt.Sprintf("%q", shortName(string(name))))
		}
	}
	slices.Sort(dropped)
	return listText(slices.Compact(dropped))
}

// removed reports a field of the writer that the reader has not.
func (c *comparison) removed(n *node, f protoreflect.FieldDescriptor) {
	if c.rollback {
		return // a field that only the new schema has: an unknown field to old code
	}
	n.lacks = true
	if !n.to.ReservedRanges().Has(f.Number()) {
		c.report(fieldRemoved, n, f, nil)
		return
	}
	before := len(*c.out)
	c.report(fieldRemovedReserved, n, f, nil)
	if n.to.ReservedNames().Has(f.Name()) {
		for i := range (*c.out)[before:] {
			(*c.out)[before+i].Do = "" // it has been done
		}
	}
}

// added reports a field of the reader that the writer has not.
func (c *comparison) added(n *node, t protoreflect.FieldDescriptor) {
	id := fieldAdded
	// What the new schema has reserved for a field of the old one is no obstacle to go back.
	if !c.rollback {
		if n.from.ReservedRanges().Has(t.Number()) {
			id = reservedNumberUsed
		}
		if n.from.ReservedNames().Has(t.Name()) {
			c.report(reservedNameUsed, n, nil, t)
		}
	}
	if n.from.ExtensionRanges().Has(t.Number()) {
		id = extensionRangeUsed
	}
	if t.Cardinality() == protoreflect.Required {
		c.report(requiredFieldAdded, n, nil, t)
		if id == fieldAdded {
			return
		}
	}
	c.report(id, n, nil, t)
}

// fieldOrder compares the order in which the fields of both are declared.
func (c *comparison) fieldOrder(n *node, fields []fieldPair) {
	if c.policy.level(declarationsReordered) == None {
		return
	}
	fields = slices.DeleteFunc(slices.Clone(fields), func(p fieldPair) bool { return p.f == nil || p.t == nil })
	slices.SortFunc(fields, func(a, b fieldPair) int { return cmp.Compare(a.f.Index(), b.f.Index()) })
	if !slices.IsSortedFunc(fields, func(a, b fieldPair) int { return cmp.Compare(a.t.Index(), b.t.Index()) }) {
		c.reportType(declarationsReordered, n, declare(n.from), declare(n.to))
	}
}

// file compares the files of a pair of types, each pair of files once.
func (c *comparison) file(from, to protoreflect.FileDescriptor, p place, mapped bool) {
	if from.Path() != to.Path() && !mapped {
		c.reportText(fileChanged, p, shortName(from.Path()), shortName(to.Path()))
	}
	key := [2]string{from.Path(), to.Path()}
	if c.files[key] {
		return
	}
	c.files[key] = true
	a, b := c.proto(c.from, from), c.proto(c.to, to)
	if a == nil || b == nil {
		return
	}
	p = place{}
	if x, y := syntaxText(a), syntaxText(b); x != y {
		c.reportText(syntaxChanged, p, x, y)
	}
	if mapped {
		return
	}
	if !proto.Equal(a.GetOptions(), b.GetOptions()) {
		x, y := optionsText(a.GetOptions()), optionsText(b.GetOptions())
		c.reportText(fileOptionsChanged, p, strings.TrimSpace(shortName(from.Path())+" "+x), strings.TrimSpace(shortName(to.Path())+" "+y))
	}
	if !bytes.Equal(a.ProtoReflect().GetUnknown(), b.ProtoReflect().GetUnknown()) {
		c.reportText(metadataChanged, p, shortName(from.Path()), shortName(to.Path()))
	}
}

// syntaxText returns the line that a .proto starts with.
func syntaxText(f *descriptorpb.FileDescriptorProto) string {
	switch syntax := f.GetSyntax(); syntax {
	case "editions":
		return fmt.Sprintf("edition = %q;", strings.TrimPrefix(f.GetEdition().String(), "EDITION_"))
	case "":
		return `syntax = "proto2";`
	default:
		return fmt.Sprintf("syntax = %q;", syntax)
	}
}

// equalOptions compares the options of two declarations, all of them, unknown ones too.
func equalOptions(a, b protoreflect.Descriptor) bool {
	x, y := a.Options(), b.Options()
	return x == y || proto.Equal(x, y)
}

// A fieldPair is a field number that the writer, the reader or both have.
type fieldPair struct{ f, t protoreflect.FieldDescriptor }

// match pairs fields by number, in the order of the numbers, so that no answer depends on the
// order of declarations.
func match(from, to protoreflect.MessageDescriptor) []fieldPair {
	fs, ts := byNumber(from.Fields()), byNumber(to.Fields())
	pairs := make([]fieldPair, 0, max(len(fs), len(ts)))
	for len(fs) > 0 || len(ts) > 0 {
		switch {
		case len(ts) == 0 || len(fs) > 0 && fs[0].Number() < ts[0].Number():
			pairs = append(pairs, fieldPair{f: fs[0]})
			fs = fs[1:]
		case len(fs) == 0 || ts[0].Number() < fs[0].Number():
			pairs = append(pairs, fieldPair{t: ts[0]})
			ts = ts[1:]
		default:
			pairs = append(pairs, fieldPair{fs[0], ts[0]})
			fs, ts = fs[1:], ts[1:]
		}
	}
	return pairs
}

func byNumber(fields protoreflect.FieldDescriptors) []protoreflect.FieldDescriptor {
	sorted := make([]protoreflect.FieldDescriptor, fields.Len())
	for i := range sorted {
		sorted[i] = fields.Get(i)
	}
	slices.SortFunc(sorted, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	return sorted
}

// A span is a range of numbers; both ends belong to it.
type span struct{ lo, hi int64 }

// coverage returns field ranges, whose ends are exclusive, sorted and joined.
func coverage(ranges protoreflect.FieldRanges) []span {
	spans := make([]span, ranges.Len())
	for i := range spans {
		r := ranges.Get(i)
		spans[i] = span{int64(r[0]), int64(r[1]) - 1}
	}
	return join(spans)
}

// enumCoverage returns enum ranges, whose ends are inclusive, sorted and joined.
func enumCoverage(ranges protoreflect.EnumRanges) []span {
	spans := make([]span, ranges.Len())
	for i := range spans {
		r := ranges.Get(i)
		spans[i] = span{int64(r[0]), int64(r[1])}
	}
	return join(spans)
}

func join(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	joined := spans[:0]
	for _, s := range spans {
		if last := len(joined) - 1; last >= 0 && s.lo <= joined[last].hi+1 {
			joined[last].hi = max(joined[last].hi, s.hi)
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// without returns what of a is not in b; both are sorted and joined.
func without(a, b []span) []span {
	var rest []span
	for _, s := range a {
		for len(b) > 0 && b[0].hi < s.lo {
			b = b[1:]
		}
		for _, gap := range b {
			if gap.lo > s.hi {
				break
			}
			if s.lo < gap.lo {
				rest = append(rest, span{s.lo, gap.lo - 1})
			}
			s.lo = gap.hi + 1
		}
		if s.lo <= s.hi {
			rest = append(rest, s)
		}
	}
	return rest
}

// rangesText returns ranges as they stand behind "reserved" and "extensions".
func rangesText(spans []span) string {
	list := make([]string, len(spans))
	for i, s := range spans {
		switch {
		case s.lo == s.hi:
			list[i] = strconv.FormatInt(s.lo, 10)
		case s.hi >= maxFieldNumber:
			list[i] = fmt.Sprintf("%d to max", s.lo)
		default:
			list[i] = fmt.Sprintf("%d to %d", s.lo, s.hi)
		}
		if i == maxListed {
			return fmt.Sprintf("%s, … (%d in all)", strings.Join(list[:maxListed], ", "), len(spans))
		}
	}
	return strings.Join(list, ", ")
}

const maxFieldNumber = 1<<29 - 1

// sameBits compares defaults of floating point fields, where NaN equals itself and zero does
// not equal minus zero.
func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}
