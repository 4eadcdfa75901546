// Package form holds what the lanes have in common, whatever the library: pieces of the functions
// that build, copy, read and change messages.
package form

import (
	"math"
	"slices"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Type puts functions over messages of type M together to the part of a suite.Type that has to do
// with no format. copyInto writes src over whatever dst holds, and uses its memory.
func Type[L, M any](
	build func(*L) *M, value func(*M) *L, copyInto func(dst, src *M), read func(*M) uint64, mutate func(*M),
) suite.Type[L, *M] {
	return suite.Type[L, *M]{
		Build: func(l *L) (*M, error) { return build(l), nil },
		Value: func(m *M) (*L, error) { return value(m), nil },
		Clone: func(m *M) (*M, error) {
			c := new(M)
			copyInto(c, m)
			return c, nil
		},
		CloneInto: func(dst, src *M) (*M, error) {
			copyInto(dst, src)
			return dst, nil
		},
		Read:   read,
		Mutate: mutate,
	}
}

// Grow makes b longer by n bytes, whatever they are.
func Grow(b []byte, n int) []byte {
	if n > cap(b)-len(b) {
		return append(b, make([]byte, n)...)
	}
	return b[:len(b)+n]
}

// Each makes a list with one element for each of list. None gives nil.
func Each[A, B any](list []A, f func(*B, *A)) []B {
	if len(list) == 0 {
		return nil
	}
	all := make([]B, len(list))
	for i := range list {
		f(&all[i], &list[i])
	}
	return all
}

// Pointers is Each for lists of pointers.
func Pointers[A, B any](list []A, f func(*A) *B) []*B {
	if len(list) == 0 {
		return nil
	}
	all := make([]*B, len(list))
	for i := range list {
		all[i] = f(&list[i])
	}
	return all
}

// Values is the opposite of Pointers.
func Values[A, B any](list []*A, f func(*A) B) []B {
	if len(list) == 0 {
		return nil
	}
	all := make([]B, len(list))
	for i, a := range list {
		all[i] = f(a)
	}
	return all
}

// Copies copies the elements of src over those of dst.
func Copies[T any](dst, src []T, f func(dst, src *T)) []T {
	if len(src) == 0 {
		return dst[:0]
	}
	if cap(dst) < len(src) {
		dst = append(make([]T, 0, len(src)), dst[:cap(dst)]...)
	}
	dst = dst[:len(src)]
	for i := range src {
		f(&dst[i], &src[i])
	}
	return dst
}

// Pointer returns a pointer to a copy of what src points to: dst, where that is not nil. The value
// itself must not point to anything.
func Pointer[T any](dst, src *T) *T {
	if src == nil {
		return nil
	}
	if dst == nil {
		dst = new(T)
	}
	*dst = *src
	return dst
}

// Part is Pointer for values that have to be copied by f.
func Part[T any](dst, src *T, f func(dst, src *T)) *T {
	if src == nil {
		return nil
	}
	if dst == nil {
		dst = new(T)
	}
	f(dst, src)
	return dst
}

// Map makes a map of entries. None give nil.
func Map(entries []suite.Entry) map[string]int64 {
	if len(entries) == 0 {
		return nil
	}
	m := make(map[string]int64, len(entries))
	for _, e := range entries {
		m[e.Key] = e.Value
	}
	return m
}

// Entries is the opposite of Map.
func Entries(m map[string]int64) []suite.Entry {
	var entries []suite.Entry
	for k, v := range m {
		entries = append(entries, suite.Entry{Key: string([]byte(k)), Value: v})
	}
	return entries
}

// The functions below touch a value, for decodeAndRead.

// Text touches a string at both ends.
func Text(s string) uint64 {
	if s == "" {
		return 0
	}
	return uint64(len(s)) + uint64(s[0]) + uint64(s[len(s)-1])
}

// Bytes touches bytes at both ends.
func Bytes(b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	return uint64(len(b)) + uint64(b[0]) + uint64(b[len(b)-1])
}

// Bool touches a bool.
func Bool(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Double touches a floating point number.
func Double(v float64) uint64 { return math.Float64bits(v) }

// The functions below change a value in place, for the gate.

// Change sets the first element of list, and adds one at the end, in the same memory where there
// is room.
func Change[T any](list []T, v T) []T {
	if len(list) > 0 {
		list[0] = v
	}
	return append(list, v)
}

// Flip changes the first byte.
func Flip(b []byte) {
	if len(b) > 0 {
		b[0] ^= 0xff
	}
}

// Workloads binds the four types of records to the workloads they belong to.
func Workloads[R, P, B, W any](
	record func() (suite.Type[suite.Record, R], error), post func() (suite.Type[suite.Post, P], error),
	batch func() (suite.Type[suite.Batch, B], error), wide func() (suite.Type[suite.Wide, W], error),
) map[string]suite.Bound {
	all := map[string]suite.Bound{
		suite.Social:     suite.Bind(post, suite.Posts),
		suite.Traces:     suite.Bind(batch, suite.Batches),
		suite.WideFields: suite.Bind(wide, suite.Wides),
	}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(record, suite.Records(w))
	}
	return all
}

// Only leaves out all operations but some, for the same reason.
func Only[L, M any](t func() (suite.Type[L, M], error), reason string, operations ...string) func() (suite.Type[L, M], error) {
	return func() (suite.Type[L, M], error) {
		all, err := t()
		all.Unsupported = map[string]string{}
		for _, op := range suite.Operations() {
			if !slices.Contains(operations, op) {
				all.Unsupported[op] = reason
			}
		}
		return all, err
	}
}
