//go:build !amd64 || purego

package utf8x

// full validates any string. Only amd64 has vector code: on other machines the
// dependency would fall back to a scan for ASCII and then the standard library.
func full(s string) bool {
	return automaton(s)
}
