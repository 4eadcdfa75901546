package snapshot

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Java's modified UTF-8 has no zero byte, and writes a character beyond U+FFFF as its two surrogates,
// of three bytes each. A Java string may also hold surrogates that make no pair: in a Go string they stand
// as three bytes, which utf8.ValidString does not accept, but which are written again as they came.

// fromJava returns a text as a Go string, or false where DataInput.readUTF fails. Like that
// it accepts forms that are longer than they have to be.
func fromJava(b []byte) (string, bool) {
	out := make([]byte, 0, len(b))
	high := rune(-1) // the surrogate before, if it may be one half of a pair
	for len(b) > 0 {
		unit, n := javaUnit(b)
		if n == 0 {
			return "", false
		}
		b = b[n:]
		if pair := utf16.DecodeRune(high, unit); high >= 0 && pair != utf8.RuneError {
			out = utf8.AppendRune(out[:len(out)-3], pair)
			high = -1
			continue
		}
		high = -1
		if utf16.IsSurrogate(unit) {
			out = append3(out, unit)
			high = unit
			continue
		}
		out = utf8.AppendRune(out, unit)
	}
	return string(out), true
}

// javaUnit returns the UTF-16 code unit at the start of b and the number of its bytes, which is 0
// where there is none.
func javaUnit(b []byte) (unit rune, n int) {
	more := func(i int) bool { return i < len(b) && b[i]&0xc0 == 0x80 }
	switch c := rune(b[0]); {
	case c < 0x80:
		return c, 1
	case c&0xe0 == 0xc0 && more(1):
		return c&0x1f<<6 | rune(b[1]&0x3f), 2
	case c&0xf0 == 0xe0 && more(1) && more(2):
		return c&0x0f<<12 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f), 3
	default:
		return 0, 0
	}
}

// appendJava appends a Go string, or returns false where it is neither UTF-8 nor a surrogate.
func appendJava(b []byte, s string) ([]byte, bool) {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n <= 1 {
			if r, n = surrogate(s); n == 0 {
				return b, false
			}
		}
		s = s[n:]
		switch {
		case r == 0:
			b = append(b, 0xc0, 0x80)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = append3(append3(b, high), low)
		case utf16.IsSurrogate(r):
			b = append3(b, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b, true
}

// surrogate returns the surrogate at the start of s, where there is one.
func surrogate(s string) (rune, int) {
	if len(s) < 3 {
		return 0, 0
	}
	if unit, n := javaUnit([]byte(s[:3])); n == 3 && utf16.IsSurrogate(unit) {
		return unit, n
	}
	return 0, 0
}

// append3 appends a code unit from U+0800 to U+FFFF, surrogates included.
func append3(b []byte, unit rune) []byte {
	return append(b, byte(0xe0|unit>>12), byte(0x80|unit>>6&0x3f), byte(0x80|unit&0x3f))
}
