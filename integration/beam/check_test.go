package flinkserbeam

import (
	"context"
	"errors"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window/trigger"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/state"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// Types that hold a message, and one that cannot.
type (
	holder   struct{ Order *orderpb.Order }
	deep     struct{ M map[string][]*holder }
	loop     struct{ Next *loop }
	hidden   struct{ m *orderpb.Order }
	contains struct{ Any proto.Message }
)

func toHolder(o *orderpb.Order) holder                    { return holder{o} }
func toDeep(o *orderpb.Order) deep                        { return deep{} }
func toLoop(o *orderpb.Order) loop                        { return loop{} }
func toHidden(o *orderpb.Order) hidden                    { return hidden{m: o} }
func toContains(o *orderpb.Order) contains                { return contains{o} }
func toList(o *orderpb.Order) []*orderpb.Item             { return o.Items }
func toMessage(o *orderpb.Order) proto.Message            { return o }
func toTime(o *orderpb.Order) *timestamppb.Timestamp      { return nil }
func toValue(o *orderpb.Order) orderpb.Item               { return orderpb.Item{} }
func toPair(o *orderpb.Order) (string, *orderpb.Order)    { return o.Id, o }
func toKey(o *orderpb.Order) (*orderpb.Order, int)        { return o, 1 }
func toHolderKey(o *orderpb.Order) (holder, int)          { return holder{o}, 1 }
func toValues(o *orderpb.Order) []orderpb.Item            { return nil }
func toListKey(o *orderpb.Order) ([]*orderpb.Item, int)   { return o.Items, 1 }
func toItem(o *orderpb.Order) *orderpb.Item               { return o.Items[0] }
func toNumber(o *orderpb.Order) int64                     { return o.CreatedMs }
func toNested(o *orderpb.Order) (string, []*orderpb.Item) { return o.Id, o.Items }

// keeper has a state of some type.
type keeper[T any] struct{ Kept state.Value[T] }

func (k *keeper[T]) ProcessElement(state.Provider, string, *orderpb.Order) {}

// mapKeeper has messages as keys in a state.
type mapKeeper struct {
	Kept state.Map[*orderpb.Order, int]
}

func (k *mapKeeper) ProcessElement(state.Provider, string, *orderpb.Order) {}

type (
	anything  struct{ V any }
	getter    struct{ V interface{ GetId() string } }
	embedded  struct{ Order *orderpb.Order }
	embedding struct{ embedded }
)

func toAny(o *orderpb.Order) anything        { return anything{o} }
func toGetter(o *orderpb.Order) getter       { return getter{o} }
func toEmbedding(o *orderpb.Order) embedding { return embedding{embedded{o}} }

// TestRefusals builds pipelines with types that Beam takes without a word, traps 7 to 9 among them.
func TestRefusals(t *testing.T) {
	par := func(f any) func(beam.Scope, beam.PCollection) {
		return func(s beam.Scope, c beam.PCollection) { beam.ParDo(s, f, c) }
	}
	keep := func(f any) func(beam.Scope, beam.PCollection) {
		return func(s beam.Scope, c beam.PCollection) { beam.ParDo0(s, f, beam.ParDo(s, toPair, c)) }
	}
	for _, x := range []struct {
		name  string
		build func(beam.Scope, beam.PCollection)
		want  Reason // "" where it is accepted
		typ   string
	}{
		{"a message", par(toItem), "", ""},
		{"a number", par(toNumber), "", ""},
		{"a message as a value", par(toPair), "", ""},
		{"a struct without messages", par(toLoop), "", ""},
		{"a message that Beam does not see", par(toHidden), "", ""},
		{"trap 7: a message as a key", par(toKey), ReasonKey, "*orderpb.Order"},
		{"a struct with a message as a key", par(toHolderKey), ReasonKey, "flinkserbeam.holder"},
		{"trap 8: an interface", par(toMessage), ReasonInterface, "protoreflect.ProtoMessage"},
		{"trap 9: a message in a struct", par(toHolder), ReasonInside, "flinkserbeam.holder"},
		{"a message far inside", par(toDeep), ReasonInside, "flinkserbeam.deep"},
		{"an interface in a struct", par(toContains), ReasonInside, "flinkserbeam.contains"},
		{"an interface that might be one", par(toAny), ReasonInside, "flinkserbeam.anything"},
		{"an interface of others", par(toGetter), ReasonInside, "flinkserbeam.getter"},
		{"a message in an embedded struct", par(toEmbedding), ReasonInside, "flinkserbeam.embedding"},
		{"a list of messages", par(toList), "", ""},
		{"a list as a value", par(toNested), "", ""},
		{"a list of messages that are no pointers", par(toValues), ReasonInside, "orderpb.Item"},
		{"a list of messages as a key", par(toListKey), ReasonKey, "*orderpb.Item"},
		{"a message that is no pointer", par(toValue), ReasonInside, "orderpb.Item"},
		{"a message without generated code", par(toTime), ReasonNotGenerated, "*timestamppb.Timestamp"},
		{"a state", keep(&keeper[*orderpb.Order]{Kept: state.MakeValueState[*orderpb.Order]("kept")}), "", ""},
		{"a state of a struct", keep(&keeper[holder]{Kept: state.MakeValueState[holder]("kept")}), ReasonInside, "flinkserbeam.holder"},
		{"a state without generated code", keep(&keeper[*timestamppb.Timestamp]{Kept: state.MakeValueState[*timestamppb.Timestamp]("kept")}), ReasonNotGenerated, "*timestamppb.Timestamp"},
		{"a state with messages as keys", keep(&mapKeeper{Kept: state.MakeMapState[*orderpb.Order, int]("kept")}), ReasonKey, "*orderpb.Order"},
	} {
		t.Run(x.name, func(t *testing.T) {
			p, s := beam.NewPipelineWithRoot()
			x.build(s, beam.ParDo(s, makeOrder, beam.Impulse(s)))
			err := Check(p)
			if x.want == "" {
				check(t, err)
				return
			}
			var refused *RefusedError
			if !errors.As(err, &refused) || refused.Reason != x.want || refused.Where == "" {
				t.Fatalf("error %v, want %q", err, x.want)
			}
			if !strings.Contains(err.Error(), x.typ) || !strings.Contains(refused.Type.String(), x.typ) {
				t.Errorf("the error does not name the type %s: %v", x.typ, err)
			}
			if got := errors.Is(err, flinkser.ErrNotGenerated); got != (x.want == ReasonNotGenerated) {
				t.Errorf("ErrNotGenerated: %v", got)
			}
			if _, err := Run(context.Background(), p, Prism{}); !errors.As(err, &refused) {
				t.Errorf("Run: %v", err)
			}
		})
	}
}

type addNumbers struct{}

func (addNumbers) Add(_ string, sum int64, o *orderpb.Order) int64 { return sum + o.CreatedMs }

var (
	orderFold   = NewFold[string, *orderpb.Order, int64, addNumbers]()
	orderSink   = NewSink[*orderpb.Order]()
	orderSource = NewSource[*orderpb.Order, created]()
	plainSource = NewSource[*orderpb.Order, NoTimes[*orderpb.Order]]()
)

type created struct{}

func (created) EventTime(o *orderpb.Order) time.Time { return time.UnixMilli(o.CreatedMs) }

// TestWindows refuses windows in which Fold and Sink would lose or replace something.
func TestWindows(t *testing.T) {
	hours := window.NewFixedWindows(time.Hour)
	for _, x := range []struct {
		name  string
		build func(beam.Scope, beam.PCollection)
		ok    bool
	}{
		{"fold", func(s beam.Scope, c beam.PCollection) { orderFold.ParDo(s, beam.ParDo(s, toPair, c)) }, true},
		{"fold in windows", func(s beam.Scope, c beam.PCollection) {
			orderFold.ParDo(s, beam.ParDo(s, toPair, beam.WindowInto(s, hours, c)))
		}, false},
		{"sink", func(s beam.Scope, c beam.PCollection) { orderSink.Write(s, c, "x", WriteOptions{}) }, true},
		{"sink in windows", func(s beam.Scope, c beam.PCollection) {
			orderSink.Write(s, beam.WindowInto(s, hours, c), "x", WriteOptions{})
		}, true},
		{"sink with several panes", func(s beam.Scope, c beam.PCollection) {
			c = beam.WindowInto(s, hours, c, beam.Trigger(trigger.Repeat(trigger.Always())), beam.PanesDiscard())
			orderSink.Write(s, c, "x", WriteOptions{})
		}, false},
		{"sink with late panes", func(s beam.Scope, c beam.PCollection) {
			orderSink.Write(s, beam.WindowInto(s, hours, c, beam.AllowedLateness(time.Hour)), "x", WriteOptions{})
		}, false},
	} {
		p, s := beam.NewPipelineWithRoot()
		x.build(s, beam.ParDo(s, makeOrder, beam.Impulse(s)))
		err := Check(p)
		var refused *RefusedError
		if x.ok != (err == nil) || err != nil && (!errors.As(err, &refused) || refused.Reason != ReasonWindow) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// TestTrap12 looks at what programs link that use the runtime without Beam, which imports hundreds of packages.
func TestTrap12(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	check(t, err)
	list := strings.Fields(string(out))
	if len(list) < 50 {
		t.Fatalf("only %d packages", len(list))
	}
	for _, p := range list {
		if strings.Contains(p, "apache/beam") || strings.HasPrefix(p, "google.golang.org/grpc") {
			t.Errorf("the module imports %s", p)
		}
	}
	cmd = exec.Command("go", "list", "-deps", ".")
	out, err = cmd.Output()
	check(t, err)
	t.Logf("%d packages come with all of the module, %d with this one", len(list), len(strings.Fields(string(out))))
}

// TestHoldsMessage ends for types that hold themselves.
func TestHoldsMessage(t *testing.T) {
	if holdsMessage(reflect.TypeFor[loop](), nil) || !holdsMessage(reflect.TypeFor[*deep](), nil) {
		t.Error("wrong answer")
	}
}
