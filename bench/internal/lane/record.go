package lane

import (
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/vtpb"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// newRecords makes the set of one of the record workloads. newPosts is the same for the
// other message type: with a type parameter, the calls under test would go through a
// table of the type.
func newRecords(workload string) (*Set, error) {
	ours := corpus.Records(workload)
	s := &Set{Workload: workload}
	var vt []*vtpb.Record
	for _, m := range ours {
		f, err := frame(m)
		if err != nil {
			return nil, err
		}
		v := new(vtpb.Record)
		if err := proto.Unmarshal(f[prefixBytes:], v); err != nil {
			return nil, err
		}
		vt = append(vt, v)
		s.want = append(s.want, proto.Clone(m))
		s.frames = append(s.frames, f)
	}
	safe, err := flinkser.New[*recordpb.Record]()
	if err != nil {
		return nil, err
	}
	reuse, err := flinkser.New[*recordpb.Record](flinkser.WithReuse())
	if err != nil {
		return nil, err
	}
	frames := s.frames

	s.add(Serialize, Ours, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range ours[from:to] {
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
			for _, m := range ours[from:to] {
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
				last.message = m
			}
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
	s.addCopies()
	return s, nil
}
