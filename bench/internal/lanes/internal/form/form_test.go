package form

import (
	"testing"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

func TestGrow(t *testing.T) {
	b := append(make([]byte, 0, 8), 1, 2)
	if g := Grow(b, 6); len(g) != 8 || &g[0] != &b[0] {
		t.Error("there is room, but not in the same memory")
	}
	if g := Grow(b, 7); len(g) != 9 || g[1] != 2 {
		t.Errorf("without room, the result is %v", g)
	}
}

// TestCopies checks that copies have memory of their own, and use what there is.
func TestCopies(t *testing.T) {
	set := func(dst, src *suite.Entry) { *dst = *src }
	src := []suite.Entry{{Key: "a", Value: 1}, {Key: "b", Value: 2}}
	old := make([]suite.Entry, 1, 3)
	got := Copies(old, src, set)
	if len(got) != 2 || got[1] != src[1] || &got[0] != &old[0] {
		t.Errorf("the copy is %v", got)
	}
	if got[0].Value++; src[0].Value != 1 {
		t.Error("the copy shares memory with its source")
	}
	if got = Copies(got, nil, set); len(got) != 0 {
		t.Errorf("the copy of nothing is %v", got)
	}
	p := Pointer(nil, &src[0])
	if p == &src[0] || *p != src[0] || Pointer(p, &src[1]) != p || p.Key != "b" || Pointer(p, nil) != nil {
		t.Error("Pointer does not copy, or does not use the memory that there is")
	}
}
