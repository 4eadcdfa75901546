//go:build !purego

package utf8x

// machineForms adds Valid as it is on processors with less.
var machineForms = []form{
	{"Valid without wide vectors", func(s string) bool {
		defer func(had bool) { wide = had }(wide)
		wide = false
		return Valid(s)
	}},
	{"Valid without vector code", func(s string) bool {
		defer func(hadWide, had bool) { wide, vector = hadWide, had }(wide, vector)
		wide, vector = false, false
		return Valid(s)
	}},
}
