//go:build !worker || traces

package lane

import (
	"github.com/flinkser/flinkser/bench/internal/traces"
	trace "github.com/flinkser/flinkser/bench/otlp/trace/v1"
)

// newTraces makes the set of the workload traces.
func newTraces() (*Set, error) {
	s, err := newSet(Traces, traces.Batches())
	if err != nil {
		return nil, err
	}
	return s, addEach(
		func() error { return addMessages[trace.TracesData](s, open) },
		s.addVTTraces,
		s.addCopies)
}

// addVTTraces is addVTRecords for another message type.
func (s *Set) addVTTraces() error {
	vt, err := read[trace.TracesData](s)
	if err != nil {
		return err
	}
	frames := s.frames
	s.add(Serialize, VTProto, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			b := last.frame
			for _, m := range vt[from:to] {
				n := m.SizeVT()
				if cap(b) < prefixBytes+n {
					b = make([]byte, prefixBytes+n)
				}
				b = b[:prefixBytes+n]
				if _, err := m.MarshalToSizedBufferVT(b[prefixBytes:]); err != nil {
					return err
				}
				putPrefix(b)
			}
			last.frame = b
			return nil
		}
	})
	s.add(Deserialize, VTProto, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *trace.TracesData
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = new(trace.TracesData)
				if err := m.UnmarshalVT(b); err != nil {
					return err
				}
			}
			last.message = m
			return nil
		}
	})
	return nil
}
