package inputs

import "testing"

func TestPrintable(t *testing.T) {
	for _, tt := range []struct{ in, one, lines string }{
		{"order.proto", "order.proto", "order.proto"},
		{"Zo\u00eb \u65e5\u00a0", "Zo\u00eb \u65e5\u00a0", "Zo\u00eb \u65e5\u00a0"},
		{"a\n::error::b", `a\n::error::b`, "a\n::error::b"},
		{"\x1b[31m\r\x7f\x00", `\x1b[31m\r\x7f\x00`, `\x1b[31m\r\x7f\x00`},
		{"\u009b31m", `\u009b31m`, `\u009b31m`},
		{"\u202egpj.x", `\u202egpj.x`, `\u202egpj.x`},
		{"a\u2028b", `a\u2028b`, `a\u2028b`},
		{"a\xffb\xc0", `a\xffb\xc0`, `a\xffb\xc0`},
	} {
		if got := Printable(tt.in); got != tt.one {
			t.Errorf("Printable(%q) is %q, want %q", tt.in, got, tt.one)
		}
		if got := PrintableLines(tt.in); got != tt.lines {
			t.Errorf("PrintableLines(%q) is %q, want %q", tt.in, got, tt.lines)
		}
	}
}
