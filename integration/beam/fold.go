package flinkserbeam

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// A Folder adds the values of a key up. It is a type without content, so that workers have it too.
type Folder[K comparable, V, A any] interface {
	// Add adds a value to what was added up so far, which is the zero value of A for the first one, and
	// returns the sum. It may change and return sum. It must neither change nor keep value.
	Add(key K, sum A, value V) A
}

// foldKeys is how many keys are held at once.
const foldKeys = 1 << 16

// A Fold adds values up per key before a stateful step. Every access to a state is a message to the engine and back,
// several for each element, which dominates the time of a pipeline; with a fold it is one for each key and bundle.
// What comes out are partial sums, several for a key, so what follows has to add these up.
//
// Make one as a variable of a package, because Beam wants to know all types before its Init. Messages cannot be keys. A fold
// works in the global window only, which Check sees to.
type Fold[K comparable, V, A any, F Folder[K, V, A]] struct{}

// NewFold returns a fold, and registers what Beam has to know of it.
func NewFold[K comparable, V, A any, F Folder[K, V, A]]() Fold[K, V, A, F] {
	registerDirect(func(f *fold[K, V, A, F]) reflectx.Func {
		return call4x0[beam.EventTime, K, V, func(beam.EventTime, K, A)](f.ProcessElement)
	})
	register.Emitter3[beam.EventTime, K, A]()
	return Fold[K, V, A, F]{}
}

// ParDo turns pairs of keys and values into pairs of keys and partial sums. The time of a sum is that of its latest
// value.
func (Fold[K, V, A, F]) ParDo(s beam.Scope, pairs beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("flinkserbeam.Fold"), &fold[K, V, A, F]{}, pairs)
}

type sum[A any] struct {
	value A
	time  typex.EventTime
}

type fold[K comparable, V, A any, F Folder[K, V, A]] struct {
	folder F
	sums   map[K]*sum[A]
	keys   []K // in the order in which they came
}

func (f *fold[K, V, A, F]) globalOnly() {}

// Setup is called by Beam before all else on a worker.
func (f *fold[K, V, A, F]) Setup() error { return started() }

// StartBundle begins without sums: those of a bundle that has failed are not handed over.
func (f *fold[K, V, A, F]) StartBundle(func(beam.EventTime, K, A)) {
	f.sums, f.keys = map[K]*sum[A]{}, f.keys[:0]
}

// ProcessElement adds a value.
func (f *fold[K, V, A, F]) ProcessElement(at beam.EventTime, key K, value V, emit func(beam.EventTime, K, A)) {
	s := f.sums[key]
	if s == nil {
		if len(f.keys) == foldKeys {
			f.FinishBundle(emit)
			clear(f.sums)
			f.keys = f.keys[:0]
		}
		s = &sum[A]{time: at}
		f.sums[key] = s
		f.keys = append(f.keys, key)
	}
	s.value = f.folder.Add(key, s.value, value)
	s.time = max(s.time, at)
}

// FinishBundle hands the sums over.
func (f *fold[K, V, A, F]) FinishBundle(emit func(beam.EventTime, K, A)) {
	for _, key := range f.keys {
		emit(f.sums[key].time, key, f.sums[key].value)
	}
}
