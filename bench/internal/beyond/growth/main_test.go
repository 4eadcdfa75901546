package main

import "testing"

// TestDimensions runs every dimension at a small size: it has to be possible, and each has to say what
// it times.
func TestDimensions(t *testing.T) {
	for _, d := range dimensions() {
		ops, err := d.at(d.sizes[2])
		if err != nil {
			t.Errorf("%s: %v", d.name, err)
			continue
		}
		if len(ops) == 0 {
			t.Errorf("%s times nothing", d.name)
		}
		for name, f := range ops {
			for range 3 {
				if err := f(); err != nil {
					t.Errorf("%s, %s: %v", d.name, name, err)
				}
			}
		}
		if last := d.sizes[len(d.sizes)-1]; last < 100*d.sizes[0] {
			t.Errorf("%s spans less than two decades", d.name)
		}
	}
}
