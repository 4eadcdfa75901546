package wire

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/flinkser/flinkser/internal/utf8x"
)

// PutVarint writes v at index i of b and returns the index behind it. There must be
// 10 bytes of room.
func PutVarint(b []byte, i int, v uint64) int {
	if v < 0x80 {
		b[i] = byte(v)
		return i + 1
	}
	return putVarint(b, i, v)
}

//go:noinline
func putVarint(b []byte, i int, v uint64) int {
	p := b[i : i+10]
	if v < 1<<14 {
		p[0] = byte(v) | 0x80
		p[1] = byte(v >> 7)
		return i + 2
	}
	if v < 1<<56 {
		w, n := word(v)
		binary.LittleEndian.PutUint64(p, w)
		return i + n
	}
	return i + putLong((*[10]byte)(p), v)
}

// word returns a varint of up to 8 bytes and their number.
func word(v uint64) (w uint64, n int) {
	w = spread(v)
	top := uint(bits.Len64(w)) - 1
	// Every byte below the last one has the continuation bit.
	return w | highBits&(1<<(top&^7&63)-1), int(top>>3) + 1
}

// putLong writes a varint of 9 or 10 bytes and returns their number.
func putLong(p *[10]byte, v uint64) int {
	binary.LittleEndian.PutUint64(p[:8], spread(v)|highBits)
	p[8] = byte(v >> 56) // its high bit says by itself whether a tenth byte follows
	p[9] = byte(v >> 63)
	return 9 + int(v>>63)
}

// spread distributes the low 56 bits of v over the 8 bytes of the result, 7 to a byte.
func spread(v uint64) uint64 {
	v = v&0x000000000fffffff | v&0x00fffffff0000000<<4
	v = v&0x00003fff00003fff | v&0x0fffc0000fffc000<<2
	v = v&0x007f007f007f007f | v&0x3f803f803f803f80<<1
	return v
}

// PutFixed32 writes v in 4 bytes.
func PutFixed32(b []byte, i int, v uint32) int {
	binary.LittleEndian.PutUint32(b[i:], v)
	return i + 4
}

// PutFixed64 writes v in 8 bytes.
func PutFixed64(b []byte, i int, v uint64) int {
	binary.LittleEndian.PutUint64(b[i:], v)
	return i + 8
}

// PutBool writes v in one byte.
func PutBool(b []byte, i int, v bool) int {
	b[i] = bit(v)
	return i + 1
}

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// putBytes writes the length of v and v. There must be len(v)+10 bytes of room.
func putBytes(b []byte, i int, v []byte) int {
	i = PutVarint(b, i, uint64(len(v)))
	return i + copy(b[i:], v)
}

// PutRawString writes the length of s and s without looking at its content.
func PutRawString(b []byte, i int, s string) int {
	i = PutVarint(b, i, uint64(len(s)))
	return i + copy(b[i:], s)
}

// wordsMax is the longest string that is copied and checked word by word in one
// loop; longer ones are faster with the vector forms of both.
const wordsMax = 64

const highBits = 0x8080808080808080

// PutString writes the length of s and s, and returns FailUTF8 where s is not valid
// UTF-8. There must be len(s)+10 bytes of room.
//
//go:noinline
func PutString(b []byte, i int, s string) int {
	n := len(s)
	if n > wordsMax {
		return putLongString(b, i, s)
	}
	b[i] = byte(n)
	i++
	to := b[i : i+n]
	from := unsafe.Slice(unsafe.StringData(s), n)
	// Words that may overlap cover every length of a class by the same instructions.
	var seen uint64
	switch {
	case n > 32:
		seen = copy16(to, from) | copy16(to[16:], from[16:]) | copy16(to[n-32:], from[n-32:]) | copy16(to[n-16:], from[n-16:])
	case n > 16:
		seen = copy16(to, from) | copy16(to[n-16:], from[n-16:])
	case n >= 8:
		low, high := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[n-8:])
		binary.LittleEndian.PutUint64(to, low)
		binary.LittleEndian.PutUint64(to[n-8:], high)
		seen = low | high
	case n >= 4:
		low, high := binary.LittleEndian.Uint32(from), binary.LittleEndian.Uint32(from[n-4:])
		binary.LittleEndian.PutUint32(to, low)
		binary.LittleEndian.PutUint32(to[n-4:], high)
		seen = uint64(low | high)
	default:
		for j, c := range from {
			to[j] = c
			seen |= uint64(c)
		}
	}
	if seen&highBits != 0 && !utf8x.ValidNonASCII(s) {
		return FailUTF8
	}
	return i + n
}

// copy16 copies 16 bytes and returns their two words, combined with or.
func copy16(to, from []byte) uint64 {
	low, high := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
	binary.LittleEndian.PutUint64(to, low)
	binary.LittleEndian.PutUint64(to[8:], high)
	return low | high
}

// putLongString is PutString for strings of more than wordsMax bytes.
//
//go:noinline
func putLongString(b []byte, i int, s string) int {
	switch n := len(s); {
	case n < 0x80:
		b[i] = byte(n)
		i++
	case n < 0x4000:
		b[i], b[i+1] = byte(n)|0x80, byte(n>>7)
		i += 2
	default:
		i = putVarint(b, i, uint64(n))
	}
	// The check comes first: it is bound by its arithmetic, which hides the time that
	// the bytes take to arrive from memory, and copying would not.
	if !utf8x.ValidNonASCII(s) { // which passes over ASCII by itself
		return FailUTF8
	}
	return i + copy(b[i:], s)
}

// PutPacked writes vs as varints with their length in front, the body of a packed
// field, and leaves room for room more bytes. It grows b as needed.
//
//go:noinline
func PutPacked[T varint](e *Encoder, b []byte, i, room int, vs []T) ([]byte, int) {
	b, i = packedRoom(e, b, i, room, len(vs), func() int { return SizePacked(vs) })
	if i < 0 {
		return b, i
	}
	at, width := i, packedWidth(len(vs))
	i += width
	for _, v := range vs {
		u := uint64(v)
		if u < 0x80 {
			b[i] = byte(u)
			i++
			continue
		}
		p := (*[10]byte)(b[i:])
		if u < 1<<56 {
			w, n := word(u)
			binary.LittleEndian.PutUint64(p[:8], w)
			i += n
			continue
		}
		i += putLong(p, u)
	}
	return packedEnd(e, b, at, width, i, room)
}

// PutPackedZigzag32 is PutPacked for sint32.
func PutPackedZigzag32(e *Encoder, b []byte, i, room int, vs []int32) ([]byte, int) {
	b, i = packedRoom(e, b, i, room, len(vs), func() int { return SizePackedZigzag32(vs) })
	if i < 0 {
		return b, i
	}
	at, width := i, packedWidth(len(vs))
	i += width
	for _, v := range vs {
		i = PutVarint(b, i, Zigzag32(v))
	}
	return packedEnd(e, b, at, width, i, room)
}

// PutPackedZigzag64 is PutPacked for sint64.
func PutPackedZigzag64(e *Encoder, b []byte, i, room int, vs []int64) ([]byte, int) {
	b, i = packedRoom(e, b, i, room, len(vs), func() int { return SizePackedZigzag64(vs) })
	if i < 0 {
		return b, i
	}
	at, width := i, packedWidth(len(vs))
	i += width
	for _, v := range vs {
		i = PutVarint(b, i, Zigzag64(v))
	}
	return packedEnd(e, b, at, width, i, room)
}

// packedMax is the most bytes of a varint, which a word-wise store touches.
const packedMax = 10

// packedRoom makes room for n varints, their length and room bytes more. It takes
// the exact size only when the largest possible one does not fit.
func packedRoom(e *Encoder, b []byte, i, room, n int, size func() int) ([]byte, int) {
	if (len(b)-i-room-packedMax)/packedMax >= n {
		return b, i
	}
	if need := size() + 2*packedMax + room; len(b)-i < need {
		return e.Grow(b, i, need)
	}
	return b, i
}

// packedWidth guesses the width of the length of n varints.
func packedWidth(n int) int {
	if n <= 0x7f/packedMax {
		return 1
	}
	return 2
}

func packedEnd(e *Encoder, b []byte, at, width, i, room int) ([]byte, int) {
	n := i - at - width
	switch {
	case width == 1 && n < 0x80:
		b[at] = byte(n)
	case width == 2 && uint(n)-0x80 < 1<<14-0x80:
		b[at], b[at+1] = byte(n)|0x80, byte(n>>7)
	default:
		if b, i, _ = e.Seal(b, at, width, i, Bounded); i < 0 {
			return b, i
		}
	}
	if len(b)-i < room {
		return e.Grow(b, i, room)
	}
	return b, i
}

// PutPackedBool is PutPacked for bool.
func PutPackedBool(e *Encoder, b []byte, i, room int, vs []bool) ([]byte, int) {
	b, i = fixedRoom(e, b, i, room, len(vs))
	if i < 0 {
		return b, i
	}
	for _, v := range vs {
		b[i] = bit(v)
		i++
	}
	return b, i
}

// PutPackedFixed32 is PutPacked for values of 4 bytes each.
func PutPackedFixed32[T fixed32](e *Encoder, b []byte, i, room int, vs []T) ([]byte, int) {
	b, i = fixedRoom(e, b, i, room, 4*len(vs))
	if i < 0 {
		return b, i
	}
	if littleEndian {
		return b, i + copy(b[i:], unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vs))), 4*len(vs)))
	}
	for _, v := range vs {
		i = PutFixed32(b, i, *(*uint32)(unsafe.Pointer(&v)))
	}
	return b, i
}

// PutPackedFixed64 is PutPacked for values of 8 bytes each.
func PutPackedFixed64[T fixed64](e *Encoder, b []byte, i, room int, vs []T) ([]byte, int) {
	b, i = fixedRoom(e, b, i, room, 8*len(vs))
	if i < 0 {
		return b, i
	}
	if littleEndian {
		return b, i + copy(b[i:], unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(vs))), 8*len(vs)))
	}
	for _, v := range vs {
		i = PutFixed64(b, i, *(*uint64)(unsafe.Pointer(&v)))
	}
	return b, i
}

// fixedRoom makes room for n bytes, their length and room bytes more, and writes the length.
func fixedRoom(e *Encoder, b []byte, i, room, n int) ([]byte, int) {
	if need := n + packedMax + room; len(b)-i < need {
		if b, i = e.Grow(b, i, need); i < 0 {
			return b, i
		}
	}
	return b, PutVarint(b, i, uint64(n))
}
