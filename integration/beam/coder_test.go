package flinkserbeam

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/coder"
	beamruntime "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

var orderType = reflect.TypeFor[*orderpb.Order]()

func someOrder() *orderpb.Order {
	return &orderpb.Order{Id: "o-1", Customer: "Käthe", CreatedMs: 17, Items: []*orderpb.Item{{Sku: "a", Quantity: 2}}, Labels: map[string]string{"a": "b"}}
}

// TestCoder asks for the coder as pipelines do, and compares what it writes with what flinkser.Marshal does.
func TestCoder(t *testing.T) {
	c := coder.LookupCustomCoder(orderType)
	if c == nil || c.Enc.Fn.Name() != reflectName(Encode) || c.Dec.Fn.Name() != reflectName(Decode) {
		t.Fatalf("the coder of an order is %v", c)
	}
	var b bytes.Buffer
	check(t, beam.NewElementEncoder(orderType).Encode(someOrder(), &b))
	want, err := flinkser.Marshal(someOrder())
	check(t, err)
	if got := b.Bytes()[1:]; !bytes.Equal(got, want) { // one byte of length
		t.Errorf("written as %x, want %x", got, want)
	}
	got, err := beam.NewElementDecoder(orderType).Decode(&b)
	check(t, err)
	if !proto.Equal(got.(proto.Message), someOrder()) {
		t.Errorf("read as %v", got)
	}
}

func reflectName(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }

// TestTrap6 is about generic coder functions, whose instances have one name for Beam: one of them would be called for all
// types. The functions are not generic, and two types in one pipeline come out as what they were.
func TestTrap6(t *testing.T) {
	for _, f := range []any{Encode, Decode} {
		if name := reflectName(f); strings.Contains(name, "[") {
			t.Errorf("%s is generic", name)
		}
	}
	fresh()
	p, s := beam.NewPipelineWithRoot()
	orders := beam.ParDo(s, makeOrder, beam.Impulse(s))
	beam.ParDo0(s, gatherOrder, beam.Reshuffle(s, orders))
	beam.ParDo0(s, gatherItem, beam.Reshuffle(s, beam.ParDo(s, firstItem, orders)))
	onPrism(t, p)
	if len(gathered.messages) != 2 {
		t.Fatalf("%d messages, want 2", len(gathered.messages))
	}
	for _, m := range gathered.messages {
		switch m := m.(type) {
		case *orderpb.Order:
			if !proto.Equal(m, someOrder()) {
				t.Errorf("order %v", m)
			}
		case *orderpb.Item:
			if !proto.Equal(m, someOrder().Items[0]) {
				t.Errorf("item %v", m)
			}
		}
	}
}

func makeOrder(_ []byte, emit func(*orderpb.Order)) { emit(someOrder()) }
func makeNil(_ []byte, emit func(*orderpb.Order))   { emit(nil) }
func makeHeavy(_ []byte, emit func(*orderpb.Order)) {
	emit(&orderpb.Order{Id: strings.Repeat("x", 20_000)})
}
func makeBroken(_ []byte, emit func(*orderpb.Order)) { emit(&orderpb.Order{Id: "\xff"}) }
func firstItem(o *orderpb.Order) *orderpb.Item       { return o.Items[0] }

func init() {
	register.Function2x0(makeOrder)
	register.Function2x0(makeNil)
	register.Function2x0(makeHeavy)
	register.Function2x0(makeBroken)
	register.Function1x1(firstItem)
	beam.RegisterFunction(toNested)
	beam.RegisterFunction(gatherList)
	register.Emitter1[*orderpb.Order]()
}

// TestTypesRegistered looks for the concrete types: Beam would build those that it does not know anew, without
// methods.
func TestTypesRegistered(t *testing.T) {
	for _, m := range []proto.Message{&orderpb.Order{}, &orderpb.Item{}, &orderpb.Address{}, &orderpb.Card{}} {
		typ := reflect.TypeOf(m).Elem()
		key, _ := beamruntime.TypeKey(typ)
		if got, ok := beamruntime.LookupType(key); !ok || got != typ {
			t.Errorf("%v is not registered", typ)
		}
	}
	key, _ := beamruntime.TypeKey(reflect.TypeFor[timestamppb.Timestamp]())
	if _, ok := beamruntime.LookupType(key); ok {
		t.Error("a type without generated code is registered")
	}
}

// TestNil follows a nil message to the next stage.
func TestNil(t *testing.T) {
	b, err := Encode((*orderpb.Order)(nil))
	if err != nil || len(b) != 0 {
		t.Errorf("a nil message is %x, %v", b, err)
	}
	if _, err := Encode(nil); err == nil {
		t.Error("a nil interface was written")
	}
	fresh()
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, gatherOrder, beam.Reshuffle(s, beam.ParDo(s, makeNil, beam.Impulse(s))))
	onPrism(t, p)
	if len(gathered.messages) != 1 || gathered.messages[0].(*orderpb.Order) == nil || !proto.Equal(gathered.messages[0], &orderpb.Order{}) {
		t.Errorf("gathered %v", gathered.messages)
	}
}

// TestList sends a list of messages to the next stage, for which Beam asks the coder once for each.
func TestList(t *testing.T) {
	fresh()
	p, s := beam.NewPipelineWithRoot()
	lists := beam.ParDo(s, toNested, beam.ParDo(s, makeOrder, beam.Impulse(s)))
	beam.ParDo0(s, gatherList, beam.Reshuffle(s, lists))
	onPrism(t, p)
	if len(gathered.messages) != 1 || !proto.Equal(gathered.messages[0], someOrder().Items[0]) {
		t.Errorf("gathered %v", gathered.messages)
	}
}

func gatherList(_ string, list []*orderpb.Item) {
	for _, i := range list {
		gather(i)
	}
}

// TestLimits sends messages through pipelines that the codec refuses.
func TestLimits(t *testing.T) {
	for name, f := range map[string]any{"larger than the limit": makeHeavy, "invalid UTF-8": makeBroken} {
		p, s := beam.NewPipelineWithRoot()
		beam.ParDo0(s, lose, beam.Reshuffle(s, beam.ParDo(s, f, beam.Impulse(s))))
		if _, err := Run(context.Background(), p, Prism{}); err == nil || !strings.Contains(err.Error(), "flinkser") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Decode(orderType, []byte{0x0a, 5, 'x'}); !errors.Is(err, flinkser.ErrTruncated) {
		t.Errorf("a truncated payload: %v", err)
	}
}

// TestTrap8 decodes into types that say nothing about the message.
func TestTrap8(t *testing.T) {
	for _, typ := range []reflect.Type{messageType, reflect.TypeFor[any](), reflect.TypeFor[orderpb.Order](), reflect.TypeFor[*int](), nil} {
		m, err := Decode(typ, nil)
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Reason != ReasonInterface || m != nil {
			t.Errorf("%v: %v, %v", typ, m, err)
		}
	}
	if typex.New(messageType).Class() == typex.Invalid {
		t.Error("Beam takes no interface types any more: the refusal can go")
	}
}

// TestRegisterRefuses options that do not go with messages that Beam keeps.
func TestRegisterRefuses(t *testing.T) {
	for name, opt := range map[string]flinkser.Option{
		"WithReuse": flinkser.WithReuse(), "WithMerge": flinkser.WithMerge(), "WithAliasing": flinkser.WithAliasing(), "WithMaxMessageSize": flinkser.WithMaxMessageSize(-1),
	} {
		if err := Register(opt); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Encode(someOrder()); err != nil {
		t.Errorf("the earlier options are gone: %v", err)
	}
}

// TestTrap1Experiment looks for the setting in what is submitted, whether Run does it or beam.Run.
func TestTrap1Experiment(t *testing.T) {
	pl, err := Prism{}.plan(nil, false)
	check(t, err)
	if got := pl.options[experiments]; !reflect.DeepEqual(got, []any{noSplit, "beam_fn_api"}) {
		t.Errorf("experiments of Prism: %v", got)
	}
	if !strings.Contains(*jobopts.Experiments, noSplit) {
		t.Errorf("experiments for beam.Run: %q", *jobopts.Experiments)
	}
	defer func(old string) { *jobopts.Experiments = old }(*jobopts.Experiments)
	*jobopts.Experiments = "other"
	addExperiment()
	addExperiment()
	if got := *jobopts.Experiments; got != "other,"+noSplit {
		t.Errorf("experiments %q", got)
	}
}
