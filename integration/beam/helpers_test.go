package flinkserbeam

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	"github.com/flinkser/flinkser/integration/beam/internal/alone"
	flinkser "github.com/flinkser/flinkser/runtime"
)

func TestMain(m *testing.M) {
	os.Exit(alone.Main(m, func() {
		MustRegister(flinkser.RequireGenerated(), flinkser.WithMaxMessageSize(10_000))
		flag.Parse()
		beam.Init()
		// Beam logs stacks and whole elements. What a test needs is in the errors.
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%.2000v", err) // Beam adds stacks
	}
}

// gathered is what pipelines of tests hand over: Prism's workers are in this process.
var gathered struct {
	sync.Mutex
	messages []proto.Message
	bad      []Bad
	written  []Written
}

func gatherOrder(o *orderpb.Order)  { gather(o) }
func gatherItem(i *orderpb.Item)    { gather(i) }
func gatherMessage(m proto.Message) { gather(m) }
func keepWritten(w Written)         { gatherFile(w) }
func nothing(_ []byte)              {}
func lose(*orderpb.Order)           {}

func gather(m proto.Message) {
	gathered.Lock()
	defer gathered.Unlock()
	gathered.messages = append(gathered.messages, m)
}

func gatherFile(w Written) {
	gathered.Lock()
	defer gathered.Unlock()
	gathered.written = append(gathered.written, w)
}

func gatherBad(b Bad) {
	gathered.Lock()
	defer gathered.Unlock()
	gathered.bad = append(gathered.bad, b)
}

// fresh empties what was gathered.
func fresh() {
	gathered.Lock()
	defer gathered.Unlock()
	gathered.messages, gathered.bad, gathered.written = nil, nil, nil
}

func init() {
	register.Function1x0(gatherOrder)
	register.Function1x0(gatherItem)
	register.Function1x0(gatherMessage)
	register.Function1x0(keepWritten)
	register.Function1x0(gatherBad)
	register.Function1x0(nothing)
	register.Function1x0(lose)
}

// onPrism runs a pipeline on Prism.
func onPrism(t *testing.T, p *beam.Pipeline) {
	t.Helper()
	_, err := Run(context.Background(), p, Prism{})
	check(t, err)
}
