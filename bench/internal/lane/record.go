package lane

import (
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/vtpb"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// newRecords makes the set of one of the record workloads.
func newRecords(c Comparison, workload string) (*Set, error) {
	s, err := newSet(workload, corpus.Records(workload))
	if err != nil {
		return nil, err
	}
	if c.ofLevels() {
		return s, addEach(func() error { return addMessages[recordpb.Record](s, open) }, s.addRecordLevels)
	}
	return s, addEach(s.addOpenRecords, s.addVTRecords, s.addCopies)
}

// addOpenRecords adds the lanes of this project and of google.golang.org/protobuf. addOpenPosts is
// the same for the other message type, and addMessages for all, in which the calls under test go
// through a table of the type: that moved ratios by up to a thirtieth.
func (s *Set) addOpenRecords() error {
	records, err := read[recordpb.Record](s)
	if err != nil {
		return err
	}
	safe, err := flinkser.New[*recordpb.Record]()
	if err != nil {
		return err
	}
	reuse, err := flinkser.New[*recordpb.Record](flinkser.WithReuse())
	if err != nil {
		return err
	}
	frames := s.frames

	s.add(Serialize, Ours, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range records[from:to] {
				if b, err = safe.Append(b[:0], m); err != nil {
					return err
				}
			}
			last.frame = b
			return nil
		}
	})
	s.add(Serialize, Protobuf, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range records[from:to] {
				b = append(b[:0], 0, 0, 0, 0)
				if b, err = (proto.MarshalOptions{}).MarshalAppend(b, m); err != nil {
					return err
				}
				putPrefix(b)
			}
			last.frame = b
			return nil
		}
	})
	s.add(Deserialize, Ours, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *recordpb.Record
			for _, f := range frames[from:to] {
				m = new(recordpb.Record)
				rest, err := safe.Decode(f, m)
				if err != nil {
					return err
				}
				if len(rest) > 0 {
					return errRest
				}
			}
			last.message = m
			return nil
		}
	})
	s.add(Deserialize, OursReuse, func(last *result) func(from, to int) error {
		m := new(recordpb.Record)
		return func(from, to int) error {
			for _, f := range frames[from:to] {
				rest, err := reuse.Decode(f, m)
				if err != nil {
					return err
				}
				if len(rest) > 0 {
					return errRest
				}
			}
			last.message = m
			return nil
		}
	})
	s.add(Deserialize, Protobuf, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *recordpb.Record
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = new(recordpb.Record)
				if err := proto.Unmarshal(b, m); err != nil {
					return err
				}
			}
			last.message = m
			return nil
		}
	})
	return nil
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
