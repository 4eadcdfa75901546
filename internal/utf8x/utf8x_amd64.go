//go:build !purego

package utf8x

import (
	"unsafe"

	"github.com/segmentio/asm/cpu"
	"github.com/segmentio/asm/cpu/x86"
	"github.com/segmentio/asm/utf8"
)

// vectorMin is the length from which the vector code is used. It works on blocks
// of 32 bytes and does not load outside the string, so for less than one block
// the dependency falls back: to the standard library, after an ASCII scan that
// can take a hundred nanoseconds because it mixes SSE and AVX instructions. From
// one block on it beats the automaton at once.
const vectorMin = 32

// vector tells whether the dependency has vector code for this processor.
var vector = cpu.X86.Has(x86.AVX2)

// full validates any string.
func full(s string) bool {
	if wide {
		if n := len(s); n >= wideMin {
			// A sequence that the end cuts short has no byte behind it that would be wrong.
			return s[n-1] < 0xc0 && s[n-2] < 0xe0 && s[n-3] < 0xf0 && validBlocks(s, &wideTables)
		}
		if len(s) >= blockMin && len(s) <= blockMax {
			return validBlock(s, &wideTables)
		}
	}
	if len(s) >= vectorMin && vector {
		return utf8.Valid(unsafe.Slice(unsafe.StringData(s), len(s)))
	}
	return automaton(s)
}
