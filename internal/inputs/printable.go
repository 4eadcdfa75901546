package inputs

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text that comes from inputs so that it does no harm on a terminal or in the log of a CI system: without
// control characters, and without line breaks, behind which such systems look for commands.
func Printable(text string) string { return escape(text, false) }

// PrintableLines is Printable for texts of several lines.
func PrintableLines(text string) string { return escape(text, true) }

func escape(text string, lines bool) string {
	bad := func(r rune) bool {
		if lines && (r == '\n' || r == '\t') {
			return false
		}
		// Control, and what turns the direction of text or is not seen.
		return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	}
	if utf8.ValidString(text) && strings.IndexFunc(text, bad) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || bad(r) {
			quoted := strconv.QuoteToASCII(text[i : i+size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}
