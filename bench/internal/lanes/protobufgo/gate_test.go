package protobufgo

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/suite"
	pb "github.com/flinkser/flinkser/bench/pb/open"
)

type (
	recordType = suite.Type[suite.Record, *pb.Record]
	batchType  = suite.Type[suite.Batch, *pb.Batch]
	wideType   = suite.Type[suite.Wide, *pb.Wide]
)

func rightRecord() recordType {
	return messages(unguarded, infallible(buildRecord), infallible(valueOfRecord), readRecord, mutateRecord, noDepth[*pb.Record])
}

func rightBatch() batchType {
	return messages(unguarded, infallible(buildBatch), valueOfBatch, readBatch, mutateBatch, depthOfBatch)
}

func rightWide() wideType {
	return messages(unguarded, infallible(buildWide), infallible(valueOfWide), readWide, mutateWide, noDepth[*pb.Wide])
}

// gate runs the gate on a lane that claims everything.
func gate[L, M any](t suite.Type[L, M], records func() []L, change func(*suite.Lane)) error {
	l := suite.Lane{Name: "test", Checks: suite.Checks{UTF8: true, Depth: true, Unknown: true}}
	if change != nil {
		change(&l)
	}
	b := suite.Bind(func() (suite.Type[L, M], error) { return t, nil }, records)
	_, err := b.Gate(&l)
	return err
}

func TestGate(t *testing.T) {
	for _, l := range Lanes() {
		for _, w := range suite.Workloads() {
			if testing.Short() && w == suite.Large {
				continue
			}
			b := l.Workloads[w]
			sizes, err := b.Gate(&l)
			if err != nil {
				t.Errorf("lane %s, workload %s: %v", l.Name, w, err)
			}
			if sizes.Records != suite.Size || sizes.Min > sizes.Max || sizes.Mean < float64(sizes.Min) {
				t.Errorf("lane %s, workload %s: sizes %+v", l.Name, w, sizes)
			}
		}
	}
}

// TestWrongLanes breaks the lane in one way each, and the gate has to say what is wrong.
func TestWrongLanes(t *testing.T) {
	records := suite.Records(suite.Collections)
	texts := suite.Records(suite.Text)
	for _, tt := range []struct {
		name string
		run  func() error
		want string
	}{
		{"negative zero dropped, double", func() error {
			w := rightWide()
			w.Decode = after(w.Decode, func(m *pb.Wide) {
				if m.F13 != nil && *m.F13 == 0 {
					m.F13 = proto.Float64(0)
				}
			})
			return gate(w, suite.Wides, nil)
		}, "the value is"},
		{"negative zero dropped, float, on writing", func() error {
			w := rightWide()
			write := w.Append
			w.Append = func(dst []byte, m *pb.Wide) ([]byte, error) {
				m = proto.CloneOf(m)
				if m.F15 != nil && *m.F15 == 0 {
					m.F15 = proto.Float32(0)
				}
				return write(dst, m)
			}
			return gate(w, suite.Wides, nil)
		}, "the value is"},
		{"negative zero dropped in a oneof", func() error {
			b := rightBatch()
			b.Decode = after(b.Decode, func(m *pb.Batch) {
				for _, rs := range m.ResourceSpans {
					for _, ss := range rs.ScopeSpans {
						for _, s := range ss.Spans {
							dropZero(s.Attributes)
						}
					}
				}
			})
			return gate(b, suite.Batches, nil)
		}, "the value is"},
		{"copy aliased", func() error {
			r := rightRecord()
			r.Clone = func(m *pb.Record) (*pb.Record, error) { return m, nil }
			return gate(r, records, nil)
		}, "objectCopy, record 0: the copy shares memory"},
		{"copy aliased in the payload alone", func() error {
			r := rightRecord()
			r.Clone = func(m *pb.Record) (*pb.Record, error) {
				c := proto.CloneOf(m)
				c.Payload = m.Payload
				return c, nil
			}
			return gate(r, texts, nil)
		}, "objectCopy, record 0: the copy shares memory"},
		{"copy onto a used message aliased in the payload alone", func() error {
			r := rightRecord()
			r.CloneInto = func(_, m *pb.Record) (*pb.Record, error) {
				c := proto.CloneOf(m)
				c.Payload = m.Payload
				return c, nil
			}
			return gate(r, texts, nil)
		}, "objectCopyReuse, record 0: the copy shares memory"},
		{"copy keeps what the used message held", func() error {
			r := rightRecord()
			r.CloneInto = func(dst, m *pb.Record) (*pb.Record, error) {
				proto.Merge(dst, m)
				return dst, nil
			}
			return gate(r, records, nil)
		}, "objectCopyReuse, record 0: the value is"},
		{"maps in another order", func() error {
			r := rightRecord()
			r.Append = func(dst []byte, m *pb.Record) ([]byte, error) {
				// Sorted, but the other way round.
				attributes := m.Attributes
				m.Attributes = nil
				b, err := proto.MarshalOptions{}.MarshalAppend([]byte{0, 0, 0, 0}, m)
				m.Attributes = attributes
				if err != nil {
					return dst, err
				}
				keys := make([]string, 0, len(attributes))
				for k := range attributes {
					keys = append(keys, k)
				}
				slices.Sort(keys)
				slices.Reverse(keys)
				for _, k := range keys {
					if b, err = (proto.MarshalOptions{}).MarshalAppend(b, &pb.Record{Attributes: map[string]int64{k: attributes[k]}}); err != nil {
						return dst, err
					}
				}
				return append(dst, suite.PutPrefix(b)...), nil
			}
			if err := gate(r, records, func(l *suite.Lane) { l.Checks.Unknown = false }); err != nil {
				t.Errorf("a lane that promises no order is refused: %v", err)
			}
			return gate(r, records, func(l *suite.Lane) { l.Deterministic, l.Checks.Unknown = "other", false })
		}, "bytes, record 0"},
		{"unknown fields dropped on reading", func() error {
			r := rightRecord()
			r.Decode = after(r.Decode, func(m *pb.Record) { m.ProtoReflect().SetUnknown(nil) })
			return gate(r, records, nil)
		}, "unknown fields, record 0"},
		{"unknown fields dropped by a copy", func() error {
			r := rightRecord()
			r.Clone = func(m *pb.Record) (*pb.Record, error) {
				c := proto.CloneOf(m)
				c.ProtoReflect().SetUnknown(nil)
				return c, nil
			}
			return gate(r, records, nil)
		}, "unknown fields, record 0"},
		{"payload shared with the input", func() error {
			r := rightRecord()
			r.Decode = func(frame []byte) (*pb.Record, error) {
				b, err := suite.Payload(frame)
				if err != nil {
					return nil, err
				}
				m := new(pb.Record)
				if err := proto.Unmarshal(b, m); err != nil {
					return nil, err
				}
				if i := bytes.Index(b, m.Payload); len(m.Payload) > 0 {
					m.Payload = b[i : i+len(m.Payload)]
				}
				return m, nil
			}
			return gate(r, texts, nil)
		}, "the message changes with the bytes"},
		{"bytes of another order", func() error {
			r := rightRecord()
			r.Append = func(dst []byte, m *pb.Record) ([]byte, error) {
				b, err := proto.MarshalOptions{}.MarshalAppend([]byte{0, 0, 0, 0}, &pb.Record{Child: m.Child})
				if err != nil {
					return dst, err
				}
				child := m.Child
				m.Child = nil
				b, err = proto.MarshalOptions{}.MarshalAppend(b, m)
				m.Child = child
				return append(dst, suite.PutPrefix(b)...), err
			}
			return gate(r, records, nil)
		}, "bytes, record 0"},
		{"presence lost", func() error {
			r := rightRecord()
			r.Decode = after(r.Decode, func(m *pb.Record) {
				if m.GetNote() == "" {
					m.Note = nil
				}
			})
			return gate(r, records, nil)
		}, "the value is"},
		{"used message not cleared", func() error {
			r := rightRecord()
			r.Reuse = func(frame []byte, m *pb.Record) (*pb.Record, error) {
				b, err := suite.Payload(frame)
				if err != nil {
					return nil, err
				}
				return m, proto.UnmarshalOptions{Merge: true}.Unmarshal(b, m)
			}
			return gate(r, records, nil)
		}, "deserializeReuse, record 0: the value is"},
		{"two records read as one", func() error {
			r := rightRecord()
			decode := r.Decode
			r.Decode = func(frame []byte) (*pb.Record, error) {
				one, _, err := suite.CopyFrame(nil, frame)
				if err != nil {
					return nil, err
				}
				return decode(one)
			}
			return gate(r, records, nil)
		}, "two records are read as one"},
		{"the whole stream copied", func() error {
			r := rightRecord()
			r.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) { return append(dst, stream...), nil, nil }
			return gate(r, records, nil)
		}, "streamCopy, record 0"},
		{"reading changes the message while it is written", func() error {
			r := rightRecord()
			write := r.Append
			r.Append = func(dst []byte, m *pb.Record) ([]byte, error) {
				dst, err := write(dst, m)
				m.Id = 0
				return dst, err
			}
			return gate(r, records, nil)
		}, "written: the value is"},
		{"UTF-8 not checked", func() error {
			r := rightRecord()
			decode := r.Decode
			r.Decode = func(frame []byte) (*pb.Record, error) {
				return decode(bytes.ReplaceAll(frame, []byte("a\xff"), []byte("a?")))
			}
			return gate(r, suite.Records(suite.Scalar), nil)
		}, "the lane says that it checks for it"},
		{"depth not checked", func() error {
			b := rightBatch()
			b.Decode = func(frame []byte) (*pb.Batch, error) {
				p, err := suite.Payload(frame)
				if err != nil {
					return nil, err
				}
				m := new(pb.Batch)
				return m, proto.UnmarshalOptions{RecursionLimit: 100_000}.Unmarshal(p, m)
			}
			return gate(b, suite.Batches, nil)
		}, "the lane says that it checks for it"},
		{"a copy of what cannot change", func() error {
			r := rightRecord()
			return gate(r, records, func(l *suite.Lane) { l.Immutable = true })
		}, "another one"},
		{"a change that changes nothing", func() error {
			r := rightRecord()
			r.Mutate = func(*pb.Record) {}
			return gate(r, records, nil)
		}, "Mutate changes nothing"},
		{"the payload left out of a change", func() error {
			r := rightRecord()
			r.Mutate = func(m *pb.Record) { m.Child.Name += "!" }
			return gate(r, texts, nil)
		}, "first byte of the payload"},
		{"no reason for what is left out", func() error {
			r := rightRecord()
			r.Read = nil
			return gate(r, records, nil)
		}, "left out without a reason"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.run()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the gate says %v, want %q", err, tt.want)
			}
		})
	}
}

// after changes what a lane reads.
func after[M any](decode func([]byte) (M, error), change func(M)) func([]byte) (M, error) {
	return func(frame []byte) (M, error) {
		m, err := decode(frame)
		if err == nil {
			change(m)
		}
		return m, err
	}
}

func dropZero(all []*pb.KeyValue) {
	for _, kv := range all {
		if v, ok := kv.GetValue().GetValue().(*pb.AnyValue_DoubleValue); ok && v.DoubleValue == 0 {
			v.DoubleValue = 0
		}
	}
}
