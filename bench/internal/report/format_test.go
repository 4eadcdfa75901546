package report

import "testing"

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0.0042: "0.0042", 0.00123456: "0.00123", 0.5: "0.5", 0.09996: "0.1", 0: "0.00", 1.234: "1.23", 12.34: "12.3", 1234.5: "1234", -0.0042: "-0.0042"} {
		if got := digits(v); got != want {
			t.Errorf("%v is printed as %s, want %s", v, got, want)
		}
	}
}
