package wire

import (
	"math"
	"strings"
	"unsafe"

	"github.com/flinkser/flinkser/internal/utf8x"
)

// Decoder holds the settings of decoding calls. It is not written to while calls
// run, so any number of them may share one, unless it counts elements: such a
// decoder serves one call ([Decoder.Counting]).
type Decoder struct {
	Alias        bool // strings and byte strings are parts of the input
	AllowPartial bool // required fields may be missing
	Merge        bool // the message holds something, which others may hold, too
	counting     bool
	left         int // elements that may still come
	groups       int // levels of groups in one unknown field; 0 counts them with everything else
}

// NewDecoder returns a decoder without an element budget. groups is the number of
// levels that the groups of one unknown field may have, counted apart from the
// recursion limit as google.golang.org/protobuf does; 0 counts them with it.
func NewDecoder(groups int) Decoder {
	return Decoder{groups: groups}
}

// Counting returns a decoder for one call that refuses more than budget elements:
// messages below the root, map entries, and strings and byte strings in lists.
func (d *Decoder) Counting(budget int) *Decoder {
	c := *d
	c.counting, c.left = true, min(budget, math.MaxInt-1)+1 // the root passes Enter too
	return &c
}

// Enter reports whether a message or map entry may be read at this depth, and
// counts it. Where it may not, Refuse tells why.
func (d *Decoder) Enter(depth int) bool {
	return depth >= 0 && (!d.counting || d.spend())
}

// Refuse returns the error of an Enter that returned false.
//
//go:noinline
func (d *Decoder) Refuse(depth int) error {
	if depth < 0 {
		return Fail("", 0, FailDepth)
	}
	return Fail("", 0, FailBudget)
}

func (d *Decoder) spend() bool {
	d.left--
	return d.left >= 0
}

// String returns s for a string field, checked, and copied unless the decoder
// aliases. The second result is 0, or FailUTF8.
func (d *Decoder) String(s string) (string, int) {
	if !utf8x.Valid(s) {
		return "", FailUTF8
	}
	if d.Alias {
		return s, 0
	}
	return strings.Clone(s), 0
}

// copyBytes returns a copy of s, which is not empty, without spare capacity: []byte(s) looks for
// some, and takes longer.
func copyBytes(s string) []byte {
	c := strings.Clone(s)
	return unsafe.Slice(unsafe.StringData(c), len(c))
}

// RawString is String without the check.
func (d *Decoder) RawString(s string) string {
	if d.Alias {
		return s
	}
	return strings.Clone(s)
}

// RawStringElement is RawString for an element of a list, which the element budget counts.
// The second result is 0, or FailBudget.
func (d *Decoder) RawStringElement(s string) (string, int) {
	if d.counting && !d.spend() {
		return "", FailBudget
	}
	return d.RawString(s), 0
}

// StringElement is String for an element of a list, which the element budget counts.
func (d *Decoder) StringElement(s string) (string, int) {
	if d.counting && !d.spend() {
		return "", FailBudget
	}
	return d.String(s)
}

// ReuseString is String for a field that holds old, which is kept if it is equal.
func (d *Decoder) ReuseString(old, s string) (string, int) {
	if !utf8x.Valid(s) {
		return "", FailUTF8
	}
	if d.Alias {
		return s, 0
	}
	if old == s {
		return old, 0
	}
	return strings.Clone(s), 0
}

// ReuseRawString is ReuseString without the check.
func (d *Decoder) ReuseRawString(old, s string) string {
	if !d.Alias && old == s {
		return old
	}
	return d.RawString(s)
}

// ReuseRawStringElement is ReuseStringElement without the check.
func (d *Decoder) ReuseRawStringElement(list []string, s string) ([]string, int) {
	if d.counting && !d.spend() {
		return list, FailBudget
	}
	n := len(list)
	if n == cap(list) {
		return append(list, d.RawString(s)), 0
	}
	list = list[:n+1]
	list[n] = d.ReuseRawString(list[n], s)
	return list, 0
}

// ReuseStringElement appends s to list, which keeps the string it held at that place
// before if that is equal.
func (d *Decoder) ReuseStringElement(list []string, s string) ([]string, int) {
	if d.counting && !d.spend() {
		return list, FailBudget
	}
	n := len(list)
	if n == cap(list) {
		s, code := d.String(s)
		return append(list, s), code
	}
	list = list[:n+1]
	var code int
	list[n], code = d.ReuseString(list[n], s)
	return list, code
}

// Bytes returns s for a byte string, never nil, copied unless the decoder aliases. The
// capacity of an alias ends with it, so that an append cannot write into the input.
//
//go:noinline
func (d *Decoder) Bytes(s string) []byte {
	if len(s) == 0 {
		return []byte{}
	}
	if d.Alias {
		return unsafe.Slice(unsafe.StringData(s), len(s))
	}
	return copyBytes(s)
}

// BytesOrNil is Bytes for a field whose empty value means absent: it returns nil for it.
//
//go:noinline
func (d *Decoder) BytesOrNil(s string) []byte {
	switch {
	case len(s) == 0:
		return nil
	case d.Alias:
		return unsafe.Slice(unsafe.StringData(s), len(s))
	}
	return copyBytes(s)
}

// BytesElement is Bytes for an element of a list, which the element budget counts. The
// second result is 0, or FailBudget.
//
//go:noinline
func (d *Decoder) BytesElement(s string) ([]byte, int) {
	if d.counting && !d.spend() {
		return nil, FailBudget
	}
	return d.Bytes(s), 0
}

// ReuseBytes is Bytes into the memory of old.
//
//go:noinline
func (d *Decoder) ReuseBytes(old []byte, s string) []byte {
	if d.Alias || old == nil {
		return d.Bytes(s)
	}
	return append(old[:0], s...)
}

// ReuseBytesElement appends s to list in the memory of the element that it held at that
// place before.
func (d *Decoder) ReuseBytesElement(list [][]byte, s string) ([][]byte, int) {
	if d.counting && !d.spend() {
		return list, FailBudget
	}
	n := len(list)
	if n == cap(list) {
		return append(list, d.Bytes(s)), 0
	}
	list = list[:n+1]
	list[n] = d.ReuseBytes(list[n], s)
	return list, 0
}

// Count returns how many length-delimited fields with the tag s[at:i] follow one another
// from there on, at least 1, so that a list for them can be allocated at once. It is
// FailBudget when they are more than the element budget has left. Fields that cannot
// be read end the count.
//
//go:noinline
func (d *Decoder) Count(s string, at, i int) int {
	first, rest := s[at], s[at+1:i] // rest is empty for fields 1 to 15
	n := 0
	for {
		n++
		if i < len(s) && s[i] < 0x80 {
			i += 1 + int(s[i])
		} else if _, i = Length(s, i); i < 0 {
			break
		}
		if i >= len(s) || s[i] != first {
			break
		}
		i++
		if rest == "" {
			continue
		}
		if !strings.HasPrefix(s[i:], rest) {
			break
		}
		i += len(rest)
	}
	if d.counting && n > d.left {
		return FailBudget
	}
	return n
}

// mapMax is the largest size a map is made with: entries may repeat a key, so their
// number promises nothing.
const mapMax = 1024

// CountEntries is Count for the entries of a map.
func (d *Decoder) CountEntries(s string, at, i int) int {
	return min(d.Count(s, at, i), mapMax)
}
