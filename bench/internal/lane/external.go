//go:build !worker || external

package lane

import (
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/traces"
	"github.com/flinkser/flinkser/golden/published/otlp/trace"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// newForeignTraces makes the set of the workload traces-external.
func newForeignTraces() (*Set, error) {
	var records []*tracepb.TracesData
	for _, batch := range traces.Batches() {
		b, err := proto.Marshal(batch)
		if err != nil {
			return nil, err
		}
		m := new(tracepb.TracesData)
		if err := proto.Unmarshal(b, m); err != nil {
			return nil, err
		}
		records = append(records, m)
	}
	s, err := newSet(ForeignTraces, records)
	if err != nil {
		return nil, err
	}
	return s, addEach(
		func() error {
			return addMessages[tracepb.TracesData](s, open, flinkser.WithCodec(trace.TracesData), flinkser.RequireGenerated())
		},
		s.addCopies)
}
