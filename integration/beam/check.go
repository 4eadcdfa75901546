package flinkserbeam

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window/trigger"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// A Reason says why a type may not stand where it does in a pipeline.
type Reason string

// The reasons of a RefusedError.
const (
	ReasonKey          Reason = "a message is a key: equal messages may have different bytes; take a field of it"
	ReasonInterface    Reason = "an interface type: the bytes do not say which message they are; use the type of the message"
	ReasonInside       Reason = "a message, or an interface that may be one, lies in another Go type, which Beam writes in a way of its own; make it a field of a message, or the value of a pair"
	ReasonNotGenerated Reason = "RequireGenerated was asked for, and there are message types without generated code"
	ReasonWindow       Reason = "Fold and Sink work in the window of an element only if it is the global one, and Sink with one pane alone"
)

// A RefusedError says what in a pipeline would be lost, misread or slow without a word.
type RefusedError struct {
	Type   reflect.Type // the type that is refused
	Where  string       // the place in the pipeline
	Reason Reason
	Err    error // a *flinkser.NotGeneratedError, or nil
}

// Error describes the refusal in one line.
func (e *RefusedError) Error() string {
	s := fmt.Sprintf("flinkserbeam: %v", e.Type)
	if e.Where != "" {
		s += " in " + e.Where
	}
	s += ": " + string(e.Reason)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns Err.
func (e *RefusedError) Unwrap() error { return e.Err }

// Check looks at all types of a pipeline, in collections, states and accumulators, and returns a *RefusedError for
// each that would be lost, misread or slow without a word: see the package comment. Several are joined as errors.Join does.
// Run calls it.
func Check(p *beam.Pipeline) error {
	s := codec.Load()
	if s == nil {
		return ErrNotRegistered
	}
	places, err := placesOf(p)
	if err != nil {
		return err
	}
	var refused []error
	for _, place := range places {
		if e := place.refusal(); e != nil {
			refused = append(refused, e)
		}
	}
	return errors.Join(refused...)
}

// A place is where values of a type are encoded.
type place struct {
	name string
	typ  reflect.Type
	key  bool // it is a key, or a part of one
	err  *RefusedError
}

// placesOf returns all places of a pipeline, in the order in which it was built.
func placesOf(p *beam.Pipeline) ([]place, error) {
	edges, _, err := p.Build()
	if err != nil {
		return nil, err
	}
	var list []place
	for _, e := range edges {
		for i, out := range e.Output {
			list = typesOf(list, fmt.Sprintf("output %d of %s (step %d)", i, stepName(e), e.ID()), out.To.Type(), false)
		}
		list = append(list, statesOf(e)...)
		if e.AccumCoder != nil {
			list = typesOf(list, fmt.Sprintf("the accumulator of %s (step %d)", stepName(e), e.ID()), e.AccumCoder.T, false)
		}
		if err := windowRefusal(e); err != nil {
			list = append(list, place{err: err})
		}
	}
	return list, nil
}

// stepName returns the name of a step without type arguments: a message may move to another package.
func stepName(e *graph.MultiEdge) string {
	name, _, _ := strings.Cut(e.Name(), "[")
	return name
}

// typesOf appends the places of a type and of its components, each with a name of its own: state is found again by it.
func typesOf(list []place, name string, t typex.FullType, key bool) []place {
	if len(t.Components()) == 0 {
		return append(list, place{name: name, typ: t.Type(), key: key})
	}
	paired := typex.IsKV(t) || typex.IsCoGBK(t)
	for i, c := range t.Components() {
		list = typesOf(list, fmt.Sprintf("%s, component %d", name, i), c, key || paired && i == 0)
	}
	return list
}

// statesOf returns the places of the states of a stateful function.
func statesOf(e *graph.MultiEdge) (list []place) {
	if e.DoFn == nil {
		return nil
	}
	for _, s := range e.DoFn.PipelineState() {
		name := fmt.Sprintf("state %q of %s (step %d)", s.StateKey(), stepName(e), e.ID())
		if t := s.CoderType(); t != nil {
			list = append(list, place{name: name, typ: t})
		}
		if t := s.KeyCoderType(); t != nil {
			list = append(list, place{name: name, typ: t, key: true})
		}
	}
	return list
}

// globalOnly is what functions of this package have that emit when a bundle ends. Beam has no way to do that in another
// window than the global one.
type globalOnly interface{ globalOnly() }

// onePane is what functions have that write one file for each group.
type onePane interface{ onePane() }

func windowRefusal(e *graph.MultiEdge) *RefusedError {
	if e.DoFn == nil || len(e.Input) == 0 {
		return nil
	}
	w := e.Input[0].From.WindowingStrategy()
	_, global := e.DoFn.Recv.(globalOnly)
	_, single := e.DoFn.Recv.(onePane)
	if global && w.Fn.Kind != window.GlobalWindows || single && !firesOnce(w) {
		return &RefusedError{Type: reflect.TypeOf(e.DoFn.Recv), Where: e.Name(), Reason: ReasonWindow}
	}
	return nil
}

// firesOnce reports whether a group is handed over once and for all.
func firesOnce(w *window.WindowingStrategy) bool {
	switch w.Trigger.(type) {
	case nil, trigger.DefaultTrigger, *trigger.DefaultTrigger:
		return w.AllowedLateness == 0
	}
	return false
}

// refusal returns what is wrong with a place, or nil.
func (p place) refusal() error {
	refuse := func(r Reason, err error) error {
		return &RefusedError{Type: p.typ, Where: p.name, Reason: r, Err: err}
	}
	switch {
	case p.err != nil:
		return p.err
	case p.typ.Kind() == reflect.Interface:
		return refuse(ReasonInterface, nil)
	case isMessage(p.typ) && p.key:
		return refuse(ReasonKey, nil)
	case isMessage(p.typ):
		if _, err := codec.Load().Size(zero(p.typ)); err != nil && isNotGenerated(err) {
			return refuse(ReasonNotGenerated, err)
		}
	case p.key && holdsMessage(p.typ, nil):
		return refuse(ReasonKey, nil)
	case holdsMessage(p.typ, nil):
		return refuse(ReasonInside, nil)
	}
	return nil
}

// isMessage reports whether a type is the pointer type of a message.
func isMessage(t reflect.Type) bool {
	return t.Implements(messageType) && t.Kind() == reflect.Pointer
}

// zero returns an empty message of a pointer type.
func zero(t reflect.Type) proto.Message { return reflect.New(t.Elem()).Interface().(proto.Message) }

// holdsMessage reports whether values of a type may hold a message. An interface may hold anything. seen are types that
// are being looked at.
func holdsMessage(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t.Implements(messageType) || reflect.PointerTo(t).Implements(messageType) {
		return true
	}
	if seen[t] {
		return false
	}
	if seen == nil {
		seen = map[reflect.Type]bool{}
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsMessage(t.Elem(), seen)
	case reflect.Map:
		return holdsMessage(t.Key(), seen) || holdsMessage(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			// Fields of an embedded struct are written, whatever that is called.
			if (f.IsExported() || f.Anonymous) && holdsMessage(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

func isNotGenerated(err error) bool { return errors.Is(err, flinkser.ErrNotGenerated) }
