package wire

import (
	"cmp"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"
)

// The length of a nested message stands in front of it. Where too few bytes were left for
// it, Seal moves the content, once for each level around it: few levels are cheap, but many
// around a large content take the product of both. A message that turns out to be such a
// one is written once more, with an encoder of its own. That one moves nothing large: it
// notes which lengths have too little room, the gaps, and closes all of them at the end, in
// one pass over the bytes.
//
// Only contents of at least gapMin bytes have gaps. Generated code writes lengths of shorter
// ones by itself, so nothing may be missing in these, and moving them costs little.

const (
	// gapMin is the least content of which the length takes three bytes. Never more than
	// two are left for it while there are gaps, so that gaps only ever lack bytes.
	gapMin   = 1 << 14
	gapWidth = 2

	// moveLevels is the number of levels around a content that may always move it: writing
	// a message twice costs more than that.
	moveLevels = 8
	// moveMost bounds the bytes that are moved for one content, all levels around it
	// taken together, where there are more.
	moveMost = 64 << 10 * moveLevels
)

// Bounded stands for the depth of what cannot be nested in itself: the schema bounds how
// often its content is moved.
const Bounded = math.MaxInt32

// expensive reports whether n bytes, for the length of which width bytes were left, could be
// moved too often by the levels around them.
func (e *Encoder) expensive(n, width, depth int) bool {
	levels := e.Levels - depth // below 0 for Bounded, and without Levels
	return levels > moveLevels && n >= moveMost/levels && SizeVarint(uint64(n)) != width
}

// AppendDeep is AppendMessage for a message with which AppendMessage has failed with
// FailRetry. It takes time in proportion to the bytes at any depth.
func AppendDeep(e *Encoder, b []byte, i, depth int, m proto.Message) ([]byte, int) {
	own := e.leaving()
	b, end := AppendMessage(own, b, i, depth, m)
	if end < 0 {
		return b, end
	}
	return own.gaps.close(b, i, end, e.max)
}

// leaving returns an encoder for one call, with the settings of e, that leaves gaps.
func (e *Encoder) leaving() *Encoder {
	own := *e
	own.Levels, own.gaps = 0, new(gaps)
	return &own
}

// gaps are those of one message.
type gaps struct {
	list []gap // in the order in which the contents end: inner ones before outer ones
	lack int   // the bytes that all of them lack
}

// gap is where a length is to be written.
type gap struct {
	at     int   // index of the bytes that were left for the length
	length int   // of the content when the gaps in it are closed
	lack   int   // the bytes that this gap and those in its content lack
	first  int32 // index of the first gap in the content, or of this one
	width  int32 // the number of bytes that were left
}

// leave is Seal without a move: it notes the length of the bytes b[at+width:i].
func (g *gaps) leave(b []byte, at, width, i, maxBytes int) ([]byte, int, int) {
	// The gaps in the content are the last ones. Each is passed over with those in its own
	// content, so that none is looked at again once it lies in another.
	first, inner := len(g.list), 0
	for first > 0 && g.list[first-1].at > at {
		x := g.list[first-1]
		first, inner = int(x.first), inner+x.lack
	}
	length := i - at - width + inner
	if uint(length) > uint(maxBytes) { // where int has 32 bits the sum may be negative
		return b, FailSize, gapWidth
	}
	lack := SizeVarint(uint64(length)) - width
	g.list = append(g.list, gap{at, length, inner + lack, int32(first), int32(width)})
	g.lack += lack
	return b, i, gapWidth
}

// close writes the lengths of b[start:end], where that is a whole message, and makes the
// room that they need.
func (g *gaps) close(b []byte, start, end, maxBytes int) ([]byte, int) {
	n := uint(end) + uint(g.lack)
	if n-uint(start) > uint(maxBytes) || n > math.MaxInt {
		return b, FailSize
	}
	slices.SortFunc(g.list, func(x, y gap) int { return cmp.Compare(y.at, x.at) })
	to := b
	if uint(len(b)) < n {
		to = make([]byte, n)
	}
	i := int(n)
	for _, x := range g.list { // from the last one in the message to the first
		from := x.at + int(x.width)
		i -= end - from
		copy(to[i:], b[from:end])
		until := i
		i -= SizeVarint(uint64(x.length))
		putLength(to[i:until], x.length)
		end = x.at
	}
	if uint(len(b)) < n {
		copy(to, b[:end])
	}
	return to, int(n)
}
