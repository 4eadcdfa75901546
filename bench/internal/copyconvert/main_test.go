package main

import "testing"

// TestCurrent fails if a copy is not current.
func TestCurrent(t *testing.T) {
	t.Chdir("../..")
	if err := run(true); err != nil {
		t.Error(err)
	}
}
