package utf8x

// The states of the automaton. A row of the table belongs to one input byte and
// packs, for every state, the state that follows. A state is the bit position
// where its successor sits, so one step is a load and a shift:
//
//	state = rows[b] >> state
//
// The load does not wait for the step before it; only the shift does. Nine
// states of six bits fit into 64, and six bits hold any position below 64. The
// bits above the low six of a state are leftovers of the row; the mask with 63
// drops them, and costs nothing where a shift ignores them anyway.
const (
	accept  = 0  // between two code points
	reject  = 6  // what was read is not UTF-8; never left
	need1   = 12 // one continuation byte is missing
	need2   = 18 // two are
	need3   = 24 // three are
	afterE0 = 30 // two are; the first is at least A0, or the form is overlong
	afterED = 36 // two are; the first is below A0, or this is a surrogate
	afterF0 = 42 // three are; the first is at least 90, or the form is overlong
	afterF4 = 48 // three are; the first is below 90, or this is above U+10FFFF
)

// The rows. A byte that fits nowhere leads from every state to reject. The other
// rows are that one with some targets exchanged: the exclusive or of the old and
// the new target, moved to the place of the state they are reached from.
const (
	rowXX = reject<<accept | reject<<reject | reject<<need1 | reject<<need2 | reject<<need3 |
		reject<<afterE0 | reject<<afterED | reject<<afterF0 | reject<<afterF4

	rowAS = rowXX ^ (reject^accept)<<accept // ASCII

	// First bytes, by the length they announce or by name where the second byte
	// has a narrower range.
	row2B = rowXX ^ (reject^need1)<<accept
	row3B = rowXX ^ (reject^need2)<<accept
	row4B = rowXX ^ (reject^need3)<<accept
	rowE0 = rowXX ^ (reject^afterE0)<<accept
	rowED = rowXX ^ (reject^afterED)<<accept
	rowF0 = rowXX ^ (reject^afterF0)<<accept
	rowF4 = rowXX ^ (reject^afterF4)<<accept

	// Continuation bytes: what all share, then the three ranges.
	rowCx = rowXX ^ (reject^accept)<<need1 ^ (reject^need1)<<need2 ^ (reject^need2)<<need3
	row80 = rowCx ^ (reject^need1)<<afterED ^ (reject^need2)<<afterF4 // 80 to 8F
	row90 = rowCx ^ (reject^need1)<<afterED ^ (reject^need2)<<afterF0 // 90 to 9F
	rowA0 = rowCx ^ (reject^need1)<<afterE0 ^ (reject^need2)<<afterF0 // A0 to BF
)

// rows has one row for each byte.
var rows = [256]uint64{
	// 00
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 10
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 20
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 30
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 40
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 50
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 60
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 70
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS, rowAS,
	// 80
	row80, row80, row80, row80, row80, row80, row80, row80,
	row80, row80, row80, row80, row80, row80, row80, row80,
	// 90
	row90, row90, row90, row90, row90, row90, row90, row90,
	row90, row90, row90, row90, row90, row90, row90, row90,
	// A0
	rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0,
	rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0,
	// B0
	rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0,
	rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0, rowA0,
	// C0
	rowXX, rowXX, row2B, row2B, row2B, row2B, row2B, row2B,
	row2B, row2B, row2B, row2B, row2B, row2B, row2B, row2B,
	// D0
	row2B, row2B, row2B, row2B, row2B, row2B, row2B, row2B,
	row2B, row2B, row2B, row2B, row2B, row2B, row2B, row2B,
	// E0
	rowE0, row3B, row3B, row3B, row3B, row3B, row3B, row3B,
	row3B, row3B, row3B, row3B, row3B, rowED, row3B, row3B,
	// F0
	rowF0, row4B, row4B, row4B, rowF4, rowXX, rowXX, rowXX,
	rowXX, rowXX, rowXX, rowXX, rowXX, rowXX, rowXX, rowXX,
}

// automaton is the validator without vector code. It steps over runs of ASCII by
// words and feeds the rest to the table. It looks at the verdict only at the end:
// leaving at the first error would cost every valid string a branch per block.
func automaton(s string) bool {
	var state uint64
	for len(s) >= 16 {
		if state&63 == accept && (word64(s, 0)|word64(s, 8))&high64 == 0 {
			s = s[16:]
			for len(s) >= 32 && (word64(s, 0)|word64(s, 8)|word64(s, 16)|word64(s, 24))&high64 == 0 {
				s = s[32:]
			}
			continue
		}
		state = step4(step4(step4(step4(state, s), s[4:]), s[8:]), s[12:])
		s = s[16:]
	}
	// Short strings live here, and their time is mostly the branches.
	if len(s) >= 8 {
		state = step4(step4(state, s), s[4:])
		s = s[8:]
	}
	if len(s) >= 4 {
		state = step4(state, s)
		s = s[4:]
	}
	for i := 0; i < len(s); i++ {
		state = rows[s[i]] >> (state & 63)
	}
	return state&63 == accept
}

// step4 takes the first four bytes of p, which must be there.
func step4(state uint64, p string) uint64 {
	p = p[:4]
	state = rows[p[0]] >> (state & 63)
	state = rows[p[1]] >> (state & 63)
	state = rows[p[2]] >> (state & 63)
	return rows[p[3]] >> (state & 63)
}
