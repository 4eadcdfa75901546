package suite

import (
	"bytes"
	"cmp"
	"math"
	"reflect"
	"slices"
)

// Equal reports whether two logical values are the same: bit by bit for floating point numbers, so
// that the negative zero differs from zero, and entries of maps in whatever order.
func Equal[L any](a, b *L) bool {
	return a != nil && b != nil && equal(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

func equal(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return equalLists(a, b)
	default:
		return a.Interface() == b.Interface()
	}
}

func equalLists(a, b reflect.Value) bool {
	switch x := a.Interface().(type) {
	case []Entry:
		return slices.Equal(sorted(x), sorted(b.Interface().([]Entry)))
	case []byte:
		return bytes.Equal(x, b.Bytes())
	}
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !equal(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

// sorted returns the entries in the order of their keys.
func sorted(entries []Entry) []Entry {
	return slices.SortedFunc(slices.Values(entries), func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
}
