//go:build !amd64 || purego

package utf8x

// machineForms is empty: there is no second way on this machine.
var machineForms []form
