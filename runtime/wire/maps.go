package wire

import (
	"cmp"
	"encoding/binary"
	"slices"
	"unsafe"
)

// Entry is one entry of a map that is written in the order of its keys.
type Entry[K comparable, V any] struct {
	Key   K
	Value V
	rank  uint64 // orders most keys with one comparison
}

// sortMax is the length up to which insertion sort is the fastest.
const sortMax = 24

// SortStrings fills buf with the entries of m in the order in which Java compares
// strings: by UTF-16 code unit. It allocates only when buf is too small.
func SortStrings[V any](buf []Entry[string, V], m map[string]V) []Entry[string, V] {
	buf = slices.Grow(buf, len(m))
	for k, v := range m {
		buf = append(buf, Entry[string, V]{Key: k, Value: v, rank: rank(k)})
	}
	if len(buf) > sortMax {
		slices.SortFunc(buf, func(a, b Entry[string, V]) int {
			if a.rank != b.rank {
				return cmp.Compare(a.rank, b.rank)
			}
			return compareUTF16(a.Key, b.Key)
		})
		return buf
	}
	for i := 1; i < len(buf); i++ {
		x := buf[i]
		j := i
		for j > 0 && (x.rank < buf[j-1].rank || x.rank == buf[j-1].rank && compareUTF16(x.Key, buf[j-1].Key) < 0) {
			buf[j] = buf[j-1]
			j--
		}
		buf[j] = x
	}
	return buf
}

// SortInts32 is SortStrings for keys of 32 bits, in the order of signed numbers:
// Java has no others, so uint32 4294967295 comes before 0.
func SortInts32[K ~int32 | ~uint32, V any](buf []Entry[K, V], m map[K]V) []Entry[K, V] {
	buf = slices.Grow(buf, len(m))
	for k, v := range m {
		buf = append(buf, Entry[K, V]{Key: k, Value: v, rank: uint64(int64(int32(k))) ^ 1<<63})
	}
	return sortRanks(buf)
}

// SortInts64 is SortInts32 for keys of 64 bits.
func SortInts64[K ~int64 | ~uint64, V any](buf []Entry[K, V], m map[K]V) []Entry[K, V] {
	buf = slices.Grow(buf, len(m))
	for k, v := range m {
		buf = append(buf, Entry[K, V]{Key: k, Value: v, rank: uint64(k) ^ 1<<63})
	}
	return sortRanks(buf)
}

// SortBools is SortStrings for bool: false comes first.
func SortBools[V any](buf []Entry[bool, V], m map[bool]V) []Entry[bool, V] {
	for k, v := range m {
		buf = append(buf, Entry[bool, V]{Key: k, Value: v, rank: uint64(bit(k))})
	}
	return sortRanks(buf)
}

func sortRanks[K comparable, V any](buf []Entry[K, V]) []Entry[K, V] {
	if len(buf) > sortMax {
		slices.SortFunc(buf, func(a, b Entry[K, V]) int { return cmp.Compare(a.rank, b.rank) })
		return buf
	}
	for i := 1; i < len(buf); i++ {
		x := buf[i]
		j := i
		for j > 0 && x.rank < buf[j-1].rank {
			buf[j] = buf[j-1]
			j--
		}
		buf[j] = x
	}
	return buf
}

// rank returns a number that orders strings by their first 8 bytes as compareUTF16
// does; strings of equal rank need the full comparison.
func rank(s string) uint64 {
	var first [8]byte
	copy(first[:], s)
	w := binary.BigEndian.Uint64(first[:])
	if w&highBits != 0 {
		for i, c := range first {
			first[i] = utf16Order(c)
		}
		w = binary.BigEndian.Uint64(first[:])
	}
	return w
}

// utf16Order maps the first byte of a character so that the order of UTF-8 bytes
// becomes that of UTF-16 code units. The two differ in one point: characters of four
// bytes (f0 to f4) are surrogates in UTF-16, which come before U+E000 to U+FFFF (ee
// and ef).
func utf16Order(c byte) byte {
	switch {
	case c < 0xee || c > 0xf4:
		return c
	case c < 0xf0:
		return c + 5
	default:
		return c - 2
	}
}

// compareUTF16 compares two strings as sequences of UTF-16 code units.
func compareUTF16(a, b string) int {
	x := unsafe.Slice(unsafe.StringData(a), len(a))
	y := unsafe.Slice(unsafe.StringData(b), len(b))
	n := min(len(x), len(y))
	for i := range n {
		if x[i] != y[i] {
			return cmp.Compare(utf16Order(x[i]), utf16Order(y[i]))
		}
	}
	return cmp.Compare(len(x), len(y))
}
