package wire

import "math/bits"

// SizeVarint returns the number of bytes of v as a varint, 1 to 10.
func SizeVarint(v uint64) int {
	// A varint has ceil(bits/7) bytes; 9*bits+64 over 64 is that for 1 to 64 bits.
	return int((9*uint32(bits.Len64(v|1)) + 64) / 64)
}

// SizeBytes returns the number of bytes of n bytes with their length in front.
func SizeBytes(n int) int { return n + SizeVarint(uint64(n)) }

type varint interface {
	~int32 | ~int64 | ~uint32 | ~uint64
}

type fixed32 interface {
	~int32 | ~uint32 | ~float32
}

type fixed64 interface {
	~int64 | ~uint64 | ~float64
}

// SizePacked returns the number of bytes of vs as varints, without a length in front.
func SizePacked[T varint](vs []T) int {
	n := 0
	for _, v := range vs {
		n += SizeVarint(uint64(v))
	}
	return n
}

// SizePackedZigzag32 is SizePacked for sint32.
func SizePackedZigzag32(vs []int32) int {
	n := 0
	for _, v := range vs {
		n += SizeVarint(Zigzag32(v))
	}
	return n
}

// SizePackedZigzag64 is SizePacked for sint64.
func SizePackedZigzag64(vs []int64) int {
	n := 0
	for _, v := range vs {
		n += SizeVarint(Zigzag64(v))
	}
	return n
}

// Zigzag32 returns the varint of a sint32.
func Zigzag32(v int32) uint64 { return uint64(uint32(v<<1) ^ uint32(v>>31)) }

// Zigzag64 returns the varint of a sint64.
func Zigzag64(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

// Unzigzag32 returns the sint32 of a varint, of which the low 32 bits count.
func Unzigzag32(v uint64) int32 {
	u := uint32(v)
	return int32(u>>1) ^ -int32(u&1)
}

// Unzigzag64 returns the sint64 of a varint.
func Unzigzag64(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
