package wire

import (
	"maps"
	"slices"
)

// CloneList returns a copy of a list of scalars, nil for nil. Called rather than
// inlined it keeps the stack frames of generated code small, which matters where
// messages are nested deeply.
//
//go:noinline
func CloneList[T any](list []T) []T { return slices.Clone(list) }

// CloneMap is CloneList for a map.
//
//go:noinline
func CloneMap[K comparable, V any](m map[K]V) map[K]V { return maps.Clone(m) }
