//go:build !purego

package utf8x

// machineForms adds Valid as it is on a processor without vector code.
var machineForms = []form{{"Valid without vector code", func(s string) bool {
	had := vector
	vector = false
	got := Valid(s)
	vector = had
	return got
}}}
