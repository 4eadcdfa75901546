package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"
)

// Varint reads a varint at index i of s and returns it and the index behind it, or
// FailTruncated or FailOverflow.
//
//go:noinline
func Varint(s string, i int) (uint64, int) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	left := len(s) - i
	var w uint64
	switch {
	case left >= 8:
		w = binary.LittleEndian.Uint64(b[i:])
	case len(s) >= 8:
		// The last eight bytes hold what is left; zeros take the place of what would follow.
		w = binary.LittleEndian.Uint64(b[len(s)-8:]) >> (8 * (8 - left) & 63)
	default:
		return varintBytes(s, i)
	}
	if ends := ^w & highBits; ends != 0 {
		n := bits.TrailingZeros64(ends)/8 + 1
		if n > left {
			return 0, FailTruncated
		}
		return takeWord(w, ends), i + n
	}
	return varintTail(b, i, gather(w))
}

// varintTail reads the ninth and tenth byte of a varint; v holds the first eight.
func varintTail(b []byte, i int, v uint64) (uint64, int) {
	if i+8 >= len(b) {
		return 0, FailTruncated
	}
	c := b[i+8]
	v |= uint64(c&0x7f) << 56
	if c < 0x80 {
		return v, i + 9
	}
	if i+9 >= len(b) {
		return 0, FailTruncated
	}
	if c = b[i+9]; c > 1 {
		return 0, FailOverflow
	}
	return v | uint64(c)<<63, i + 10
}

// varintBytes reads a varint byte by byte, for inputs of fewer than eight.
func varintBytes(s string, i int) (uint64, int) {
	var v uint64
	for shift := 0; i < len(s); shift += 7 {
		c := s[i]
		i++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, i
		}
	}
	return 0, FailTruncated
}

// takeWord returns the varint at the start of w, where ends has the high bit of every
// byte that ends a varint.
func takeWord(w, ends uint64) uint64 {
	return gather(w & (ends ^ (ends - 1)))
}

// gather is the reverse of spread: 7 bits of each byte of w next to one another.
func gather(w uint64) uint64 {
	w &= 0x7f7f7f7f7f7f7f7f
	w = w&0x007f007f007f007f | w&0x7f007f007f007f00>>1
	w = w&0x00003fff00003fff | w&0x3fff00003fff0000>>2
	w = w&0x000000000fffffff | w&0x0fffffff00000000>>4
	return w
}

// Length reads a length at index i of s and returns the indexes at which its bytes
// begin and end. The end may lie behind the end of s; it is a Fail code where the length
// cannot be read or is larger than what is left.
//
//go:noinline
func Length(s string, i int) (start, end int) {
	// Generated code has seen to lengths of one byte, so most that arrive here have two.
	if i+1 < len(s) && s[i] >= 0x80 && s[i+1] < 0x80 {
		start = i + 2
		if end = start + int(s[i]&0x7f) + int(s[i+1])<<7; end > len(s) {
			return 0, FailTruncated
		}
		return start, end
	}
	v, start := Varint(s, i)
	if start < 0 {
		return 0, start
	}
	if v > uint64(len(s)-start) {
		return 0, FailTruncated
	}
	return start, start + int(v)
}

// Fixed32 reads 4 bytes at index i of s.
func Fixed32(s string, i int) (uint32, int) {
	if len(s)-i < 4 {
		return 0, FailTruncated
	}
	return binary.LittleEndian.Uint32(unsafe.Slice(unsafe.StringData(s), len(s))[i:]), i + 4
}

// Fixed64 reads 8 bytes at index i of s.
func Fixed64(s string, i int) (uint64, int) {
	if len(s)-i < 8 {
		return 0, FailTruncated
	}
	return binary.LittleEndian.Uint64(unsafe.Slice(unsafe.StringData(s), len(s))[i:]), i + 8
}

// countVarints returns the number of bytes of s that end a varint.
func countVarints(s string) int {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	n := 0
	for ; len(b) >= 8; b = b[8:] {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & highBits)
	}
	for _, c := range b {
		n += int(c>>7 ^ 1)
	}
	return n
}

// grow returns list with room for n more elements: exactly n where it is empty, so that
// a list in one piece takes no more than it needs, and with growing reserve otherwise,
// so that one in many pieces takes linear time.
func grow[T any](list []T, n int) []T {
	if len(list) == 0 && cap(list) < n {
		return make([]T, 0, n)
	}
	return slices.Grow(list, n)
}

// Packed appends the varints of s to list, the body of a packed field. The second
// result is 0, or FailTruncated or FailOverflow.
//
//go:noinline
func Packed[T varint](list []T, s string) ([]T, int) {
	n := len(list)
	count := countVarints(s)
	list = grow(list, count)[:n+count]
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	i := 0
	for k := n; k < len(list); k++ {
		if c := s[i]; c < 0x80 {
			list[k] = T(c)
			i++
			continue
		}
		var v uint64
		if i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			if ends := ^w & highBits; ends != 0 {
				list[k] = T(takeWord(w, ends))
				i += bits.TrailingZeros64(ends)/8 + 1
				continue
			}
			v, i = varintTail(b, i, gather(w))
		} else {
			v, i = Varint(s, i)
		}
		if i < 0 {
			return list[:n], i
		}
		list[k] = T(v)
	}
	if i < len(s) {
		return list[:n], unended(s, i)
	}
	return list, 0
}

// unended returns why the varint at index i, the last of a packed field, cannot be read.
func unended(s string, i int) int {
	if _, i = Varint(s, i); i < 0 {
		return i
	}
	return FailTruncated
}

// PackedZigzag32 is Packed for sint32.
func PackedZigzag32(list []int32, s string) ([]int32, int) {
	n := len(list)
	list, code := Packed(list, s)
	if code < 0 {
		return list, code
	}
	for k, v := range list[n:] {
		list[n+k] = Unzigzag32(uint64(uint32(v)))
	}
	return list, 0
}

// PackedZigzag64 is Packed for sint64.
func PackedZigzag64(list []int64, s string) ([]int64, int) {
	n := len(list)
	list, code := Packed(list, s)
	if code < 0 {
		return list, code
	}
	for k, v := range list[n:] {
		list[n+k] = Unzigzag64(uint64(v))
	}
	return list, 0
}

// PackedBool is Packed for bool.
func PackedBool(list []bool, s string) ([]bool, int) {
	n := len(list)
	list = grow(list, countVarints(s))
	for i := 0; i < len(s); {
		if c := s[i]; c < 0x80 {
			list = append(list, c != 0)
			i++
			continue
		}
		var v uint64
		if v, i = Varint(s, i); i < 0 {
			return list[:n], i
		}
		list = append(list, v != 0)
	}
	return list, 0
}

// PackedFixed32 is Packed for values of 4 bytes each.
func PackedFixed32[T fixed32](list []T, s string) ([]T, int) {
	if len(s)%4 != 0 {
		return list, FailTruncated
	}
	n := len(list)
	list = grow(list, len(s)/4)[:n+len(s)/4]
	if littleEndian {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list[n:]))), len(s)), s)
		return list, 0
	}
	for k := range list[n:] {
		v, _ := Fixed32(s, 4*k)
		*(*uint32)(unsafe.Pointer(&list[n+k])) = v
	}
	return list, 0
}

// PackedFixed64 is Packed for values of 8 bytes each.
func PackedFixed64[T fixed64](list []T, s string) ([]T, int) {
	if len(s)%8 != 0 {
		return list, FailTruncated
	}
	n := len(list)
	list = grow(list, len(s)/8)[:n+len(s)/8]
	if littleEndian {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list[n:]))), len(s)), s)
		return list, 0
	}
	for k := range list[n:] {
		v, _ := Fixed64(s, 8*k)
		*(*uint64)(unsafe.Pointer(&list[n+k])) = v
	}
	return list, 0
}
