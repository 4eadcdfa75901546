package snapshot

import (
	"bytes"
	"cmp"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/fingerprint"
)

// enumNames are the names of one number, sorted.
type enumNames struct {
	number protoreflect.EnumNumber
	values []protoreflect.EnumValueDescriptor
}

// isNamed reports whether a name stands for a number in an enum.
func isNamed(ed protoreflect.EnumDescriptor, name protoreflect.Name, number protoreflect.EnumNumber) bool {
	v := ed.Values().ByName(name)
	return v != nil && v.Number() == number
}

// enumNumbers returns the numbers of an enum in their order.
func enumNumbers(ed protoreflect.EnumDescriptor) []enumNames {
	values := make([]protoreflect.EnumValueDescriptor, ed.Values().Len())
	for i := range values {
		values[i] = ed.Values().Get(i)
	}
	slices.SortFunc(values, func(a, b protoreflect.EnumValueDescriptor) int {
		return cmp.Or(cmp.Compare(a.Number(), b.Number()), cmp.Compare(a.Name(), b.Name()))
	})
	var numbers []enumNames
	for _, v := range values {
		if last := len(numbers) - 1; last >= 0 && numbers[last].number == v.Number() {
			numbers[last].values = append(numbers[last].values, v)
		} else {
			numbers = append(numbers, enumNames{v.Number(), []protoreflect.EnumValueDescriptor{v}})
		}
	}
	return numbers
}

func find(numbers []enumNames, number protoreflect.EnumNumber) (enumNames, bool) {
	i, ok := slices.BinarySearchFunc(numbers, number, func(e enumNames, n protoreflect.EnumNumber) int { return cmp.Compare(e.number, n) })
	if !ok {
		return enumNames{}, false
	}
	return numbers[i], true
}

// reportValue adds a finding about a value of an enum.
func (c *comparison) reportValue(id ruleID, p place, from, to protoreflect.EnumValueDescriptor) {
	v := older(c, from, to)
	if v == nil {
		v = older(c, to, from)
	}
	p.name, p.number = string(v.Name()), int32(v.Number())
	text := func(v protoreflect.EnumValueDescriptor) string {
		if v == nil {
			return ""
		}
		return declare(v)
	}
	c.reportText(id, p, text(from), text(to))
}

func (c *comparison) compareEnums(p place, from, to protoreflect.EnumDescriptor) shape {
	mapped := c.noteRename(from.FullName(), to.FullName(), p)
	c.file(from.ParentFile(), to.ParentFile(), p, mapped)
	got := sameShape
	wasClosed, isClosed := fingerprint.IsClosed(from), fingerprint.IsClosed(to)
	switch {
	case wasClosed && !isClosed:
		c.reportText(enumOpened, p, declare(from)+" (closed)", declare(to)+" (open)")
	case !wasClosed && isClosed:
		c.reportText(enumClosed, p, declare(from)+" (open)", declare(to)+" (closed)")
		got = otherShape
	}
	if !c.enumValues(p, from, to, wasClosed) {
		got = otherShape
	}
	c.enumFacts(p, from, to)
	return got
}

// enumValues compares numbers and names, and returns whether to has all numbers of from.
func (c *comparison) enumValues(p place, from, to protoreflect.EnumDescriptor, closed bool) bool {
	all := true
	was, is := enumNumbers(from), enumNumbers(to)
	for _, a := range was {
		b, ok := find(is, a.number)
		for _, v := range a.values {
			if moved := to.Values().ByName(v.Name()); moved != nil && moved.Number() != v.Number() {
				c.reportValue(enumValueRenumbered, p, v, moved)
			}
		}
		if !ok {
			// To old code, a number that only the new schema has is an unknown one, which an
			// open enum keeps.
			all = all && c.rollback && !closed
			c.enumValueGone(p, a, closed)
			continue
		}
		c.enumAliases(p, a, b, from, to)
	}
	for _, b := range is {
		if _, ok := find(was, b.number); ok {
			continue
		}
		for _, v := range b.values {
			id := enumValueAdded
			if !c.rollback && from.ReservedRanges().Has(v.Number()) {
				id = reservedNumberUsed
			}
			if !c.rollback && from.ReservedNames().Has(v.Name()) {
				c.reportValue(reservedNameUsed, p, nil, v)
			}
			c.reportValue(id, p, nil, v)
		}
	}
	return all
}

// enumValueGone reports a number that the reader lacks.
func (c *comparison) enumValueGone(p place, a enumNames, closed bool) {
	for _, v := range a.values {
		switch {
		case closed:
			c.reportValue(closedEnumValueRemoved, p, v, nil)
		case !c.rollback:
			c.reportValue(enumValueRemoved, p, v, nil)
		}
	}
}

// enumAliases compares the names of one number.
func (c *comparison) enumAliases(p place, a, b enumNames, from, to protoreflect.EnumDescriptor) {
	shared := slices.ContainsFunc(a.values, func(v protoreflect.EnumValueDescriptor) bool { return isNamed(to, v.Name(), a.number) })
	if !shared {
		c.reportValue(enumValueRenamed, p, a.values[0], b.values[0])
		return
	}
	for _, v := range a.values {
		// An alias that only the new schema has is nothing to old code.
		if !isNamed(to, v.Name(), a.number) && !c.rollback {
			c.reportValue(enumAliasRemoved, p, v, nil)
		}
	}
	for _, v := range b.values {
		if !isNamed(from, v.Name(), b.number) {
			c.reportValue(enumAliasAdded, p, nil, v)
		}
	}
}

// enumFacts compares what an enum declares besides its numbers.
func (c *comparison) enumFacts(p place, from, to protoreflect.EnumDescriptor) {
	if !c.rollback {
		dropped := without(enumCoverage(from.ReservedRanges()), enumCoverage(to.ReservedRanges()))
		var used []span
		for _, e := range enumNumbers(to) {
			used = append(used, span{int64(e.number), int64(e.number)})
		}
		if dropped = without(dropped, join(used)); len(dropped) > 0 {
			c.reportText(reservationDropped, p, "reserved "+rangesText(dropped)+";", "")
		}
		isUsed := func(name protoreflect.Name) bool { return to.Values().ByName(name) != nil }
		if names := droppedNames(from.ReservedNames(), to.ReservedNames(), isUsed); names != "" {
			c.reportText(reservationDropped, p, "reserved "+names+";", "")
		}
	}
	if a, b := from.Values().Get(0), to.Values().Get(0); a.Number() != b.Number() || a.Name() != b.Name() {
		c.reportValue(enumFirstValueChanged, p, a, b)
	}
	if !equalOptions(from, to) {
		c.reportText(enumOptionsChanged, p, declare(from), declare(to))
	}
	var order, other []protoreflect.Name
	for i := range from.Values().Len() {
		v := from.Values().Get(i)
		w := to.Values().ByName(v.Name())
		if w == nil || w.Number() != v.Number() {
			continue
		}
		order = append(order, v.Name())
		if !equalOptions(v, w) {
			c.reportValue(enumOptionsChanged, p, v, w)
		}
	}
	for i := range to.Values().Len() {
		w := to.Values().Get(i)
		if v := from.Values().ByName(w.Name()); v != nil && v.Number() == w.Number() {
			other = append(other, w.Name())
		}
	}
	if !slices.Equal(order, other) {
		c.reportText(declarationsReordered, p, declare(from), declare(to))
	}
	if !c.strange() {
		return
	}
	a, b := c.enumProto(c.from, from), c.enumProto(c.to, to)
	unknown := !sameUnknown(a, b) || a.GetVisibility() != b.GetVisibility() || !bytes.Equal(unknownIn(a.GetReservedRange()), unknownIn(b.GetReservedRange()))
	for i := range from.Values().Len() {
		w := to.Values().ByName(from.Values().Get(i).Name())
		if w != nil {
			unknown = unknown || !bytes.Equal(at(a.GetValue(), i).ProtoReflect().GetUnknown(), at(b.GetValue(), w.Index()).ProtoReflect().GetUnknown())
		}
	}
	if unknown {
		c.reportText(metadataChanged, p, declare(from), declare(to))
	}
}
