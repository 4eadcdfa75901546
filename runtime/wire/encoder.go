package wire

import "math"

// Encoder holds the settings of encoding calls. It is not written to while
// calls run, so any number of them may share one.
type Encoder struct {
	max           int
	Deterministic bool // maps are written in the order of their keys
	AllowPartial  bool // required fields may be unset

	// Levels is the depth that all calls start with, where the caller goes on with
	// AppendDeep after FailRetry. Where it is 0, no call fails with that.
	Levels int

	gaps *gaps // of the one call that the encoder is for, see AppendDeep
}

// PrefixBytes is the length of a frame's prefix.
const PrefixBytes = 4

// NewEncoder returns an encoder that refuses payloads of more than maxBytes bytes.
func NewEncoder(maxBytes int) Encoder {
	return Encoder{max: maxBytes}
}

// MaxBytes is the largest payload that the encoder writes.
func (e *Encoder) MaxBytes() int { return e.max }

const (
	// growMin is the least room of a new buffer: most small messages fit.
	growMin = 64
	// slots is more than what the lengths of messages that have not ended can be too
	// wide by: one byte each, and only around contents of less than 128 bytes.
	slots = 128
)

// Grow returns a buffer with the first i bytes of b and room for at least need
// more, or FailSize when what is written is above the size limit already, so that
// a huge message stops long before it is complete. A buffer is never made much larger
// than the limit.
//
//go:noinline
func (e *Encoder) Grow(b []byte, i, need int) ([]byte, int) {
	if i-PrefixBytes-slots > e.max {
		return b, FailSize
	}
	if len(b)-i >= need {
		return b, i
	}
	// In uint, which also holds the sum for the largest limit where int has 32 bits.
	n := min(max(2*uint(len(b)), growMin), uint(e.max)+PrefixBytes+slots) + uint(need)
	if n > math.MaxInt {
		return b, FailSize
	}
	grown := make([]byte, n)
	copy(grown, b[:i])
	return grown, i
}

// Seal writes the length of the bytes b[at+width:i] in front of them, at index at,
// where width bytes were left for it. It moves them when the length takes another
// number of bytes, and returns the index behind them and the width to leave next time.
//
// depth is the number of levels that are left for the message, or Bounded. Where it says
// that moving the bytes could become expensive, Seal returns FailRetry.
//
//go:noinline
func (e *Encoder) Seal(b []byte, at, width, i, depth int) ([]byte, int, int) {
	n := i - at - width
	if n >= gapMin {
		if e.gaps != nil {
			return e.gaps.leave(b, at, width, i, e.max)
		}
		if e.expensive(n, width, depth) {
			return b, FailRetry, width
		}
	}
	w := SizeVarint(uint64(n))
	if w != width {
		if len(b)-i < w {
			if b, i = e.Grow(b, i, w); i < 0 {
				return b, i, w
			}
		}
		copy(b[at+w:], b[at+width:i])
	}
	putLength(b[at:at+w], n)
	return b, at + w + n, w
}

// putLength fills b with n, which takes that many bytes.
func putLength(b []byte, n int) {
	last := len(b) - 1
	for j := range last {
		b[j] = byte(n) | 0x80
		n >>= 7
	}
	b[last] = byte(n)
}
