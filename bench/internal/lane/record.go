package lane

import (
	"github.com/flinkser/flinkser/bench/levels/hybridpb"
	"github.com/flinkser/flinkser/bench/levels/opaquepb"
	"github.com/flinkser/flinkser/bench/vtpb"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
)

// newRecords makes the set of one of the record workloads.
func newRecords(c Comparison, workload string) (*Set, error) {
	s, err := newSet(workload, corpus.Records(workload))
	if err != nil {
		return nil, err
	}
	open := func() error { return addMessages[recordpb.Record](s, open) }
	if c.ofLevels() {
		return s, addEach(
			open,
			func() error { return addMessages[hybridpb.Record](s, at(Hybrid)) },
			func() error { return addMessages[opaquepb.Record](s, at(Opaque)) })
	}
	return s, addEach(open, s.addVTRecords, s.addCopies)
}

// addVTRecords adds the lanes of vtprotobuf. addVTPosts and addVTTraces are the same for other
// message types: with a type parameter, the methods under test would be called through a
// table of the type.
func (s *Set) addVTRecords() error {
	vt, err := read[vtpb.Record](s)
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
			var m *vtpb.Record
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = new(vtpb.Record)
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
