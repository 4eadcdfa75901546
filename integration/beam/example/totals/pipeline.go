package main

import (
	"context"
	"reflect"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/state"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/timers"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	flinkserbeam "github.com/flinkser/flinkser/integration/beam"
)

var (
	source = flinkserbeam.NewSource[*Order, numbered]()
	fold   = flinkserbeam.NewFold[string, *Order, *Total, addOrder]()
	sink   = flinkserbeam.NewSink[*Total]()
)

// pipeline is the pipeline of the example: files of orders become a file of totals. How is fold, state or group: orders
// are added up in each bundle, and then in a state; in a state right away; or brought together and added up at once.
func pipeline(s beam.Scope, files []string, prefix string, read flinkserbeam.ReadOptions, how string, trouble trouble) {
	orders, bad := source.Read(s, beam.CreateList(s, files), read)
	if trouble.How != "" || trouble.Slow > 0 {
		orders = beam.ParDo(s, &troubled{trouble}, orders)
	}
	pairs := beam.ParDo(s, byCustomer, orders)
	var totals beam.PCollection
	switch how {
	case "group":
		totals = beam.ParDo(s, sumGroup, beam.GroupByKey(s, pairs))
	case "state":
		totals = beam.ParDo(s, newSum(), beam.ParDo(s, single, pairs))
	default:
		totals = beam.ParDo(s, newSum(), fold.ParDo(s, pairs))
	}
	written, unwritten := sink.Write(s, totals, prefix, flinkserbeam.WriteOptions{})
	beam.ParDo0(s, logWritten, written)
	beam.ParDo0(s, logBad, bad)
	beam.ParDo0(s, logBad, unwritten)
}

// numbered says when an order was made: its number is also its time.
type numbered struct{}

// EventTime returns the time of an order.
func (numbered) EventTime(o *Order) time.Time { return time.UnixMilli(o.Number) }

func byCustomer(o *Order) (string, *Order) { return o.Customer, o }

// addOrder adds orders up within a bundle.
type addOrder struct{}

// Add adds an order.
func (addOrder) Add(customer string, t *Total, o *Order) *Total {
	if t == nil {
		t = &Total{Customer: customer}
	}
	t.Orders++
	t.Cents += o.Cents
	t.Last = max(t.Last, o.Number)
	more(t, o)
	return t
}

// single makes a total of one order, which is what the pipeline does without a fold.
func single(customer string, o *Order) (string, *Total) {
	return customer, addOrder{}.Add(customer, nil, o)
}

// sumGroup adds all orders of a customer up.
func sumGroup(customer string, orders func(**Order) bool) *Total {
	var t *Total
	var o *Order
	for orders(&o) {
		t = addOrder{}.Add(customer, t, o)
	}
	return t
}

// sum adds partial totals up in a state, and hands the total over when there will be no more.
type sum struct {
	Total state.Value[*Total]
	Flush timers.EventTime
}

func newSum() *sum {
	return &sum{Total: state.MakeValueState[*Total]("total"), Flush: timers.InEventTime("flush")}
}

// ProcessElement adds a partial total.
func (f *sum) ProcessElement(sp state.Provider, tp timers.Provider, customer string, part *Total, _ func(*Total)) error {
	t, ok, err := f.Total.Read(sp)
	if err != nil {
		return err
	}
	if !ok {
		t = &Total{Customer: customer}
		f.Flush.Set(tp, mtime.EndOfGlobalWindowTime.ToTime())
	}
	t.Orders += part.Orders
	t.Cents += part.Cents
	t.Last = max(t.Last, part.Last)
	addMore(t, part)
	return f.Total.Write(sp, t)
}

// OnTimer hands the total over.
func (f *sum) OnTimer(_ context.Context, sp state.Provider, _ timers.Provider, _ string, _ timers.Context, emit func(*Total)) error {
	t, ok, err := f.Total.Read(sp)
	if err == nil && ok {
		emit(t)
	}
	return err
}

func init() {
	register.Function1x2(byCustomer)
	register.Function2x2(single)
	register.Function2x1(sumGroup)
	register.Iter1[*Order]()
	register.Function2x0(logWritten)
	register.Function2x0(logBad)
	// register.DoFn5x1 would save a microsecond of the many that a state takes, and takes a compiler a minute.
	beam.RegisterType(reflect.TypeFor[sum]())
	beam.RegisterType(reflect.TypeFor[troubled]())
	register.Emitter1[*Order]()
	register.Emitter1[*Total]()
}
