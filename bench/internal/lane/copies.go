package lane

// addCopies adds the lanes that only copy frames.
func (s *Set) addCopies() error {
	frames := s.frames
	memcpy := func(last *result) func(from, to int) error {
		return func(from, to int) error {
			b := last.frame
			for _, f := range frames[from:to] {
				b = append(b[:0], f...)
			}
			last.frame = b
			return nil
		}
	}
	s.add(Serialize, Memcpy, memcpy)
	s.add(Deserialize, Memcpy, memcpy)
	s.add(Deserialize, MemcpyAlloc, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			for _, f := range frames[from:to] {
				b := make([]byte, len(f))
				copy(b, f)
				last.frame = b
			}
			return nil
		}
	})
	return nil
}
