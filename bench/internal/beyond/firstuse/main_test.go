package main

import "testing"

// TestSteps does every step, and each more than once: it has to be possible, and to be right.
func TestSteps(t *testing.T) {
	names := map[string]bool{}
	for _, s := range steps() {
		if key := s.name + s.library; names[key] {
			t.Errorf("there are two steps %s", key)
		} else {
			names[key] = true
		}
		f, err := s.prepare()
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		for range 2 {
			if err := f(); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
	for _, arg := range []string{"x", "-1", "100"} {
		if once(arg) == nil {
			t.Errorf("step %q is done", arg)
		}
	}
}
