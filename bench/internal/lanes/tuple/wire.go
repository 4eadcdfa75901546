package tuple

import (
	"encoding/binary"
	"math"
)

// writer appends values. Its methods write a length of four bytes before what can be of any length.
type writer struct{ b []byte }

func (w *writer) bool(v bool) {
	var n byte
	if v {
		n = 1
	}
	w.b = append(w.b, n)
}

func (w *writer) u32(v uint32)      { w.b = binary.BigEndian.AppendUint32(w.b, v) }
func (w *writer) i32(v int32)       { w.u32(uint32(v)) }
func (w *writer) u64(v uint64)      { w.b = binary.BigEndian.AppendUint64(w.b, v) }
func (w *writer) i64(v int64)       { w.u64(uint64(v)) }
func (w *writer) double(v float64)  { w.u64(math.Float64bits(v)) }
func (w *writer) float(v float32)   { w.u32(math.Float32bits(v)) }
func (w *writer) length(n int)      { w.u32(uint32(n)) }
func (w *writer) text(s string)     { w.length(len(s)); w.b = append(w.b, s...) }
func (w *writer) bytes(data []byte) { w.length(len(data)); w.b = append(w.b, data...) }

// reader reads values. After an error they are zero, and so are lengths.
type reader struct {
	b     []byte
	short bool // the record has ended too early
	skip  bool // texts, bytes and lists are passed over
}

// take returns the next n bytes.
func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.short, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) bool() bool {
	b := r.take(1)
	return b != nil && b[0] != 0
}

func (r *reader) u32() uint32 {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

func (r *reader) u64() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

func (r *reader) i32() int32      { return int32(r.u32()) }
func (r *reader) i64() int64      { return int64(r.u64()) }
func (r *reader) double() float64 { return math.Float64frombits(r.u64()) }
func (r *reader) float() float32  { return math.Float32frombits(r.u32()) }

// length reads the number of things of which each takes least bytes or more. It is 0 where they
// cannot all be there.
func (r *reader) length(least int) int {
	n := r.u32()
	if uint64(n)*uint64(least) > uint64(len(r.b)) {
		r.short, r.b = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	b := r.take(r.length(1))
	if r.skip {
		return ""
	}
	return string(b)
}

// bytes reads bytes into old, where they have room in it.
func (r *reader) bytes(old []byte) []byte {
	b := r.take(r.length(1))
	if r.skip {
		return old
	}
	return append(old[:0], b...)
}

// writeEach writes a list.
func writeEach[T any](w *writer, list []T, write func(*writer, *T)) {
	w.length(len(list))
	for i := range list {
		write(w, &list[i])
	}
}

// readEach reads a list over another one. An element takes least bytes or more.
func readEach[T any](r *reader, old []T, least int, read func(*reader, *T)) []T {
	n := r.length(least)
	if r.skip {
		var element T
		for range n {
			read(r, &element)
		}
		return old
	}
	if cap(old) < n {
		old = append(make([]T, 0, n), old[:cap(old)]...)
	}
	old = old[:n]
	for i := range old {
		read(r, &old[i])
	}
	return old
}

// writePart writes whether there is something, and what.
func writePart[T any](w *writer, v *T, write func(*writer, *T)) {
	w.bool(v != nil)
	if v != nil {
		write(w, v)
	}
}

// readPart reads what writePart has written, into old where that is not nil.
func readPart[T any](r *reader, old *T, read func(*reader, *T)) *T {
	if !r.bool() {
		return nil
	}
	if old == nil {
		old = new(T)
	}
	read(r, old)
	return old
}
