package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestRestoreDemo tells all stories; run itself fails where one ends otherwise.
func TestRestoreDemo(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if got := strings.Count(out.String(), "restored 1000"); got != 8 {
		t.Errorf("restored %d times, want 8\n%s", got, out.String())
	}
	if got := strings.Count(out.String(), "refused:"); got != 4 {
		t.Errorf("refused %d times, want 4\n%s", got, out.String())
	}
}
