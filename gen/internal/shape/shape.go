// Package shape names the ways in which Go code holds a field.
package shape

// Shape is how a message struct holds a field.
type Shape int

const (
	Implicit Shape = iota // T; the zero value means absent
	Explicit              // *T; nil means absent
	Present               // T; a bit of the message tells whether it is set
	Bytes                 // []byte with presence; nil means absent
	Message               // *M; nil means absent
	Oneof                 // a wrapper struct behind the interface of the oneof
	List                  // []T, one tag for each element
	Packed                // []T, one tag for all elements
	Map                   // map[K]V
)

// Repeats reports whether a field may occur any number of times.
func (s Shape) Repeats() bool { return s == List || s == Packed || s == Map }
