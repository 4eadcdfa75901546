package utf8x

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A form is one way through the package. Every test runs all of them, so that
// the automaton is checked on machines that would not use it, too.
type form struct {
	name  string
	valid func(string) bool
}

var forms = append([]form{
	{"Valid", Valid},
	{"ValidNonASCII", ValidNonASCII},
	{"automaton", automaton},
}, machineForms...)

// check compares all forms with the standard library and returns its answer.
func check(t *testing.T, s string) bool {
	want := utf8.ValidString(s)
	for _, f := range forms {
		if f.valid(s) != want {
			t.Helper()
			t.Fatalf("%s(%+q), %d bytes: %v, want %v", f.name, s, len(s), !want, want)
		}
	}
	return want
}

func TestValid(t *testing.T) {
	for _, c := range []struct {
		s    string
		want bool
	}{
		{"", true},
		{"\x00", true},
		{"a", true},
		{"ab", true},
		{"abc", true},
		{"\x7f", true},
		{"\u0080", true},
		{"\u07ff", true},
		{"\u0800", true},
		{"\ud7ff", true},
		{"\ue000", true},
		{"\ufffd", true},
		{"\uffff", true},
		{"\U00010000", true},
		{"\U0010ffff", true},
		{"aé", true},
		{"日本語", true},
		{"naïve café 日本 😀", true},
		{"\x80", false},                 // continuation without a start
		{"a\xbf", false},                //
		{"\xc2", false},                 // cut short
		{"\xe2\x82", false},             //
		{"\xf0\x9f\x98", false},         //
		{"\xc3a", false},                // not continued
		{"\xe2\x82a", false},            //
		{"\xc0\x80", false},             // overlong U+0000
		{"\xc1\xbf", false},             // overlong U+007F
		{"\xe0\x80\x80", false},         // overlong U+0000
		{"\xe0\x9f\xbf", false},         // overlong U+07FF
		{"\xf0\x80\x80\x80", false},     // overlong U+0000
		{"\xf0\x8f\xbf\xbf", false},     // overlong U+FFFF
		{"\xed\xa0\x80", false},         // U+D800
		{"\xed\xbf\xbf", false},         // U+DFFF
		{"\xf4\x90\x80\x80", false},     // U+110000
		{"\xf5\x80\x80\x80", false},     // no such first byte
		{"\xf8\x88\x80\x80\x80", false}, //
		{"\xfe", false},                 //
		{"\xff", false},                 //
	} {
		// Padding on either side leads through every length class and past the
		// borders of the vector code's blocks.
		for before := range 70 {
			for _, after := range []int{0, 1, 7, 16, 31, 32, 40} {
				s := strings.Repeat("x", before) + c.s + strings.Repeat("y", after)
				if got := check(t, s); got != c.want {
					t.Fatalf("unicode/utf8.ValidString(%+q) = %v, the table says %v", s, got, c.want)
				}
			}
		}
	}
}

// Every string of up to three bytes, by itself and as the end of a block of the
// vector code.
func TestValidShortExhaustive(t *testing.T) {
	checked := 0
	for a := range 256 {
		check(t, string([]byte{byte(a)}))
		for b := range 256 {
			check(t, string([]byte{byte(a), byte(b)}))
			checked++
			// One string holds all 256 third bytes, each at the end of its own
			// block of 32: slicing is cheaper than building 16 million strings.
			var buf [256 * 32]byte
			for c := range 256 {
				cell := buf[c*32 : c*32+32]
				cell[29], cell[30], cell[31] = byte(a), byte(b), byte(c)
			}
			all := string(buf[:])
			for c := range 256 {
				cell := all[c*32 : c*32+32]
				s := cell[29:]
				want := utf8.ValidString(s)
				if automaton(s) != want || Valid(s) != want || full(cell) != want {
					t.Fatalf("%+q: automaton %v, Valid %v, at the end of a block %v, want %v",
						s, automaton(s), Valid(s), full(cell), want)
				}
				checked++
			}
		}
	}
	if want := 256*256*256 + 256*256; checked != want {
		t.Fatalf("%d strings checked, want %d", checked, want)
	}
}

// Every four bytes drawn from the ends of the ranges that the standard tells
// apart, alone and at places around the borders of blocks.
func TestValidBoundaryBytes(t *testing.T) {
	const ends = "\x00\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff"
	valid := 0
	for i := range len(ends) {
		for j := range len(ends) {
			for k := range len(ends) {
				for l := range len(ends) {
					four := string([]byte{ends[i], ends[j], ends[k], ends[l]})
					if check(t, four) {
						valid++
					}
					// Positions 29 to 31 of this string straddle a block border,
					// and cutting it puts the four bytes at the very end.
					s := strings.Repeat("z", 31) + four + strings.Repeat("z", 33)
					want := utf8.ValidString(four)
					for _, cut := range []string{s, s[1:], s[2:], s[:35], s[3:35]} {
						if automaton(cut) != want || full(cut) != want {
							t.Fatalf("%+q: automaton %v, full %v, want %v", cut, automaton(cut), full(cut), want)
						}
					}
				}
			}
		}
	}
	if valid == 0 {
		t.Fatal("none of the combinations was valid")
	}
}

// One wrong byte at every position of every length up to 200. The strings are
// windows of a longer one that starts at any of 32 consecutive addresses, so what
// lies outside a window would be noticed if it counted.
func TestValidOneBadByte(t *testing.T) {
	const size = 480
	text := strings.Repeat("ab é-日本語-😀xyz, plain words in between, and more ", 12)[:size]
	for _, base := range []string{strings.Repeat("a", size), text, strings.Repeat("語", size/3)} {
		for _, wrong := range []string{"\xff", "\x80", "\xc3", "\xf0"} {
			for p := 200; p < 232; p++ {
				s := base[:p] + wrong + base[p+1:]
				for n := 1; n <= 200; n++ {
					// Near a multiple of the block size every start meets every
					// position; elsewhere each position is met at some of the starts.
					step := 1
					if r := n % 32; r > 2 && r < 30 {
						step = 5
					}
					for pos := p % step; pos < n; pos += step {
						check(t, s[p-pos:p-pos+n])
					}
				}
			}
		}
	}
}

// Valid text, cut at every length.
func TestValidPrefixes(t *testing.T) {
	text := strings.Repeat("grün, 日本語, 😀 and ascii ", 10)
	valid := 0
	for start := range 32 {
		for end := start; end <= start+200; end++ {
			if check(t, text[start:end]) {
				valid++
			}
		}
	}
	if valid == 0 {
		t.Fatal("none of the cuts was valid")
	}
}

func TestValidDoesNotAllocate(t *testing.T) {
	for _, s := range []string{"plain", "日本語", strings.Repeat("日本語", 100)} {
		if n := testing.AllocsPerRun(100, func() {
			if !Valid(s) || !ValidNonASCII(s) || !automaton(s) {
				t.Errorf("%+q: not valid", s)
			}
		}); n != 0 {
			t.Errorf("%+q: %v allocations, want none", s, n)
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range []string{
		"", "abc", "é", "日本語", "😀", "\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
		strings.Repeat("a", 31) + "é",
		strings.Repeat("日本語", 20),
		strings.Repeat("x", 62) + "\xe2\x82",
		strings.Repeat("日", 11) + strings.Repeat("x", 32) + "\x80" + strings.Repeat("x", 40),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		check(t, s)
		// The same bytes, where every form meets its blocks.
		check(t, "0123456789abcdefghijklmnopqrstu"+s)
		check(t, s+"0123456789abcdefghijklmnopqrstuv")
		if len(s) > 0 {
			check(t, s[1:])
			check(t, s[:len(s)-1])
		}
	})
}

func BenchmarkValid(b *testing.B) {
	pieces := func(p string) (list []string) {
		for i := range 64 {
			s := strings.Repeat(p, 5)
			n := 10 + i*29%21 // 10 to 30 bytes in no order
			for !utf8.ValidString(s[:n]) {
				n--
			}
			list = append(list, s[:n])
		}
		return list
	}
	same := func(s string) []string { return []string{s} }
	for _, set := range []struct {
		name string
		list []string
	}{
		{"ascii10to30", pieces("plain_words-")},
		{"mixed10to30", pieces("ab-é-日本語-cd")},
		{"ascii5", same("hello")},
		{"ascii20", same("http.request.method!")},
		{"ascii60", same(strings.Repeat("plain_", 10))},
		{"ascii1000", same(strings.Repeat("plain", 200))},
		{"cjk6", same("日本")},
		{"cjk12", same("日本語日")},
		{"cjk18", same("日本語日本語")},
		{"cjk30", same("日本語日本語日本語日")},
		{"cjk33", same("日本語日本語日本語日本")},
		{"cjk60", same(strings.Repeat("日本", 10))},
		{"mixed610", same(strings.Repeat("ASCII-日本語-é-", 32) + "12")},
	} {
		for _, f := range append([]form{{"std", utf8.ValidString}}, forms...) {
			b.Run(set.name+"/"+f.name, func(b *testing.B) {
				k := 0
				for b.Loop() {
					if !f.valid(set.list[k]) {
						b.Fatal("not valid")
					}
					if k++; k == len(set.list) {
						k = 0
					}
				}
			})
		}
	}
}
