package randschema

import "slices"

// Reduce looks for parts of the schema without which fails still reports true, and returns
// which those are. It ends when no part can be left out, or when enough reports true.
func (s *Schema) Reduce(fails func(without func(part int) bool) bool, enough func() bool) (without func(part int) bool) {
	gone := make([]bool, len(s.parts))
	left := func(gone []bool) func(int) bool { return func(part int) bool { return gone[part] } }
	for again := true; again && !enough(); {
		again = false
		for level := range levels {
			var parts []int
			for i, p := range s.parts {
				if p.level == level && !gone[i] {
					parts = append(parts, i)
				}
			}
			for size := len(parts); size > 0 && !enough(); size /= 2 {
				for at := 0; at < len(parts) && !enough(); {
					end := min(at+size, len(parts))
					try := slices.Clone(gone)
					for _, part := range parts[at:end] {
						try[part] = true
					}
					if s.same(left(gone), left(try)) {
						gone = try // they were left out with others
					} else if fails(left(try)) {
						gone, again = try, true
					} else {
						at = end
						continue
					}
					parts = slices.Delete(parts, at, end)
				}
			}
		}
	}
	return left(gone)
}

// same reports whether two ways to leave parts out give the same files.
func (s *Schema) same(a, b func(part int) bool) bool {
	at := Place{Dir: "s", GoPath: "example.com"}
	return Print(s.Files(at, a)) == Print(s.Files(at, b))
}
