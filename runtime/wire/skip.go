package wire

// Wire types, the low three bits of a tag.
const (
	typeVarint     = 0
	typeFixed64    = 1
	typeBytes      = 2
	typeStartGroup = 3
	typeEndGroup   = 4
	typeFixed32    = 5
)

// Field numbers: the largest one of a field, and the largest one that is accepted
// inside an unknown group or a message set, where google.golang.org/protobuf looks no closer.
const (
	maxNumber        = 1<<29 - 1
	maxNumberInGroup = 1<<31 - 1
)

// Unknown reads the field whose tag is s[at:i], value tag, and appends its bytes to
// unknown unless that is nil. It returns the index behind the field or a Fail code.
//
//go:noinline
func (d *Decoder) Unknown(unknown *[]byte, s string, at, i int, tag uint64, depth int) int {
	if number := tag >> 3; number == 0 || number > maxNumber {
		return FailMalformed
	}
	if i = d.drop(s, i, tag, depth); i < 0 {
		return i
	}
	if unknown != nil {
		*unknown = append(*unknown, s[at:i]...)
	}
	return i
}

// keep is Unknown with an error.
func (d *Decoder) keep(unknown *[]byte, s string, at, i int, tag uint64, depth int) (int, error) {
	if i = d.Unknown(unknown, s, at, i, tag, depth); i < 0 {
		return 0, Fail("", at, i)
	}
	return i, nil
}

// drop returns the index behind the value of a field whose tag has been read.
func (d *Decoder) drop(s string, i int, tag uint64, depth int) int {
	if !looseNumber(tag) {
		return FailMalformed
	}
	if d.groups > 0 {
		depth = d.groups
	}
	return skip(s, i, tag, depth)
}

// looseNumber reports whether a tag has a field number that is accepted inside unknown
// groups and message sets.
func looseNumber(tag uint64) bool { return tag>>3-1 < maxNumberInGroup }

// skip returns the index behind the value of a field whose tag has been read. Groups
// may be nested up to depth levels; they are followed without recursion, so that the
// memory taken is a few bytes for each level that arrived.
func skip(s string, i int, tag uint64, depth int) int {
	if tag&7 != typeStartGroup {
		return skipValue(s, i, tag)
	}
	if depth < 1 {
		return FailDepth
	}
	var first [16]uint64
	open := append(first[:0], tag>>3) // the numbers of the groups that have not ended
	for len(open) > 0 {
		if tag, i = Varint(s, i); i < 0 {
			return i
		}
		if !looseNumber(tag) {
			return FailMalformed
		}
		number := tag >> 3
		switch tag & 7 {
		case typeStartGroup:
			if len(open) >= depth {
				return FailDepth
			}
			open = append(open, number)
		case typeEndGroup:
			if open[len(open)-1] != number {
				return FailMalformed
			}
			open = open[:len(open)-1]
		default:
			if i = skipValue(s, i, tag); i < 0 {
				return i
			}
		}
	}
	return i
}

// skipValue is skip for everything that is no group.
func skipValue(s string, i int, tag uint64) int {
	switch tag & 7 {
	case typeVarint:
		_, i = Varint(s, i)
		return i
	case typeFixed64:
		_, i = Fixed64(s, i)
		return i
	case typeBytes:
		_, i = Length(s, i)
		return i
	case typeFixed32:
		_, i = Fixed32(s, i)
		return i
	}
	return FailMalformed
}
