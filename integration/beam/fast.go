package flinkserbeam

import (
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
)

// What is called for every element is called without reflection. Beam's register.DoFn4x0 does the same, but for all
// methods that a type might have, with thousands of instances of generic code that take a compiler a minute.

// registerDirect registers a type, and how its method ProcessElement is called.
func registerDirect[T any](process func(f *T) reflectx.Func) {
	typ := reflect.TypeFor[T]()
	beam.RegisterType(typ)
	reflectx.RegisterStructWrapper(typ, func(f any) map[string]reflectx.Func {
		return map[string]reflectx.Func{"ProcessElement": process(f.(*T))}
	})
}

// call4x0 is a function with four parameters, as Beam calls it.
type call4x0[A, B, C, D any] func(A, B, C, D)

func (f call4x0[A, B, C, D]) Name() string       { return reflectx.FunctionName(f.plain()) }
func (f call4x0[A, B, C, D]) Type() reflect.Type { return reflect.TypeOf(f.plain()) }
func (f call4x0[A, B, C, D]) plain() any         { return (func(A, B, C, D))(f) }

func (f call4x0[A, B, C, D]) Call(args []any) []any {
	f.Call4x0(args[0], args[1], args[2], args[3])
	return nil
}

func (f call4x0[A, B, C, D]) Call4x0(a, b, c, d any) { f(a.(A), b.(B), c.(C), d.(D)) }

// call3x1 is a function with three parameters and an error, as Beam calls it.
type call3x1[A, B, C any] func(A, B, C) error

func (f call3x1[A, B, C]) Name() string       { return reflectx.FunctionName(f.plain()) }
func (f call3x1[A, B, C]) Type() reflect.Type { return reflect.TypeOf(f.plain()) }
func (f call3x1[A, B, C]) plain() any         { return (func(A, B, C) error)(f) }

func (f call3x1[A, B, C]) Call(args []any) []any {
	return []any{f.Call3x1(args[0], args[1], args[2])}
}

func (f call3x1[A, B, C]) Call3x1(a, b, c any) any { return f(a.(A), b.(B), c.(C)) }
