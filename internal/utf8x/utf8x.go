// Package utf8x tells whether a string is valid UTF-8. It gives the answers of
// [unicode/utf8.ValidString], only sooner.
//
// A codec asks once for every string field, and most strings are short and
// ASCII. So [Valid] first looks for a byte above 7F with a few 8-byte loads.
// What is not ASCII, and what is long, goes to one of three validators: vector
// code where the processor has it (amd64 with AVX2, or with AVX-512 VBMI, found
// out at run time), or a table automaton in plain Go that runs everywhere. The
// build tag purego leaves the vector code out.
package utf8x

const (
	high64 = 0x8080808080808080
	high32 = 0x80808080
)

// Valid reports whether s consists entirely of valid UTF-8. The empty string is
// valid. Surrogates, overlong forms, code points above U+10FFFF and sequences
// cut short are not.
//
// It reads nothing outside s, keeps nothing, allocates nothing, and may be
// called concurrently. To the compiler s escapes: a string that the caller
// would have kept on the stack moves to the heap.
func Valid(s string) bool {
	n := len(s)
	// Within a class, loads that may overlap cover every length by the same
	// instructions: there is no loop, and so no branch on the exact length for
	// the processor to guess wrong.
	switch {
	case n > 64:
		return full(s)
	case n > 32:
		end := s[n-32:]
		if (word64(s, 0)|word64(s, 8)|word64(s, 16)|word64(s, 24)|
			word64(end, 0)|word64(end, 8)|word64(end, 16)|word64(end, 24))&high64 == 0 {
			return true
		}
	case n > 16:
		end := s[n-16:]
		if (word64(s, 0)|word64(s, 8)|word64(end, 0)|word64(end, 8))&high64 == 0 {
			return true
		}
	case n >= 8:
		if (word64(s, 0)|word64(s, n-8))&high64 == 0 {
			return true
		}
	case n >= 4:
		if (word32(s, 0)|word32(s, n-4))&high32 == 0 {
			return true
		}
	case n > 0:
		// First, middle and last are all there is in three bytes or fewer.
		if s[0]|s[n/2]|s[n-1] < 0x80 {
			return true
		}
	default:
		return true
	}
	return full(s)
}

// ValidNonASCII gives the same answer as [Valid] for any string. It is for a
// caller that has already seen a byte above 7F in s: it leaves out the search
// for one. Such a caller may also cut off what it knows to be ASCII at the
// start, since s then still begins between two code points.
func ValidNonASCII(s string) bool {
	return full(s)
}

// word64 and word32 load the bytes of s from i on. Written byte by byte they are
// one load where the machine allows it at any address, and correct where it does
// not.

func word64(s string, i int) uint64 {
	p := s[i : i+8]
	return uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
		uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
}

func word32(s string, i int) uint32 {
	p := s[i : i+4]
	return uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24
}
