//go:build !purego

package utf8x

import (
	"github.com/segmentio/asm/cpu"
	"github.com/segmentio/asm/cpu/x86"
)

// wideMin is the length from which validBlocks is used: a block of 64 bytes, and the
// three bytes before the last one must be inside the string.
const wideMin = 67

// blockMin and blockMax are the lengths for which validBlock is used. For shorter strings the
// automaton takes less time.
const (
	blockMin = 12
	blockMax = 63
)

// wide tells whether the processor has what validBlocks needs: 64-byte vectors and a
// lookup in a table of 64 bytes (Intel from Ice Lake, AMD from Zen 4). It takes less than
// half the time of the dependency's code there, whose blocks have 32 bytes and whose
// tables have 16.
var wide = cpu.X86.Has(x86.AVX512F | x86.AVX512BW | x86.AVX512VBMI)

// validBlocks tells whether s has no wrong byte. It takes a sequence that the end of s
// cuts short for valid. s must have wideMin bytes or more.
//
//go:noescape
func validBlocks(s string, t *tables) bool

// validBlock tells whether s is valid. s must have less than 64 bytes.
//
//go:noescape
func validBlock(s string, t *tables) bool

// tables are what validBlocks looks up. The method is that of "Validating UTF-8 In Less
// Than One Instruction Per Byte" (Keiser, Lemire; 2021): three lookups name, bit by bit,
// the rules that a byte breaks together with the one before it, and an error is what
// all three agree on. There the tables have 16 entries and are indexed by halves of
// bytes; here they have 64 and the halves overlap.
type tables struct {
	before [64]byte // by the upper six bits of the byte before
	low    [64]byte // by the lower six bits of the byte before
	this   [64]byte // by the upper six bits of the byte itself
	shift  [64]byte // the index of the place before
}

// rules are the pairs of bytes that must not follow each other, as ranges of the byte
// before and of the byte itself. Rule i is bit i. No rule depends on the lower two bits
// of the byte itself, and no other byte than those named has both halves of one.
var rules = [8]struct{ before, this []byteRange }{
	{[]byteRange{{0xc0, 0xff}}, []byteRange{{0x00, 0x7f}, {0xc0, 0xff}}}, // not continued
	{[]byteRange{{0x00, 0x7f}}, []byteRange{{0x80, 0xbf}}},               // nothing to continue
	{[]byteRange{{0xc0, 0xc1}}, []byteRange{{0x80, 0xbf}}},               // overlong, below U+0080
	{[]byteRange{{0xe0, 0xe0}}, []byteRange{{0x80, 0x9f}}},               // overlong, below U+0800
	{[]byteRange{{0xed, 0xed}}, []byteRange{{0xa0, 0xbf}}},               // surrogate
	{[]byteRange{{0xf0, 0xf0}, {0xf5, 0xff}}, []byteRange{{0x80, 0x8f}}}, // overlong, below U+10000, or no first byte
	{[]byteRange{{0xf4, 0xff}}, []byteRange{{0x90, 0xbf}}},               // above U+10FFFF, or no first byte
	// The last is no error where a sequence of three or four bytes began two or three
	// places before, and its absence is one there.
	{[]byteRange{{0x80, 0xbf}}, []byteRange{{0x80, 0xbf}}},
}

type byteRange struct{ from, to byte }

var wideTables = newTables()

func newTables() (t tables) {
	for bit, r := range rules {
		for _, in := range r.before {
			for b := int(in.from); b <= int(in.to); b++ {
				t.before[b>>2] |= 1 << bit
				t.low[b&63] |= 1 << bit
			}
		}
		for _, in := range r.this {
			for b := int(in.from); b <= int(in.to); b++ {
				t.this[b>>2] |= 1 << bit
			}
		}
	}
	for i := range t.shift {
		t.shift[i] = byte(i - 1)
	}
	return t
}
