//go:build !worker || dynamic

package lane

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/bench/internal/traces"
	trace "github.com/flinkser/flinkser/bench/otlp/trace/v1"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	"github.com/flinkser/flinkser/runtime/dynamic"
)

// newDynamic makes the set of a workload with lanes over dynamic messages, and with ours over
// generated ones.
func newDynamic(workload string) (*Set, error) {
	switch workload {
	case Traces:
		return dynamicSet[trace.TracesData](workload, traces.Batches())
	case corpus.Social:
		return dynamicSet[recordpb.SocialMediaPost](workload, corpus.Posts())
	default:
		return dynamicSet[recordpb.Record](workload, corpus.Records(workload))
	}
}

func dynamicSet[T any, M pointer[T]](workload string, records []M) (*Set, error) {
	s, err := newSet(workload, records)
	if err != nil {
		return nil, err
	}
	generated, err := read[T, M](s)
	if err != nil {
		return nil, err
	}
	md := generated[0].ProtoReflect().Descriptor()
	if err := addOurs[T](s, open, generated); err != nil {
		return nil, err
	}
	// Reuse is not what is compared.
	s.Lanes = slices.DeleteFunc(s.Lanes, func(l *Lane) bool { return l.Name == OursReuse })
	return s, s.addDynamic(md)
}

// addDynamic adds the lanes over dynamic messages. Its loops are those of addOpenRecords: with loops that all
// message types share, behind an interface, our lane of traces took 3 % longer.
func (s *Set) addDynamic(md protoreflect.MessageDescriptor) error {
	ours, err := dynamic.New(md)
	if err != nil {
		return err
	}
	frames := s.frames
	var records []*dynamicpb.Message
	for _, f := range frames {
		m := dynamicpb.NewMessage(md)
		if err := proto.Unmarshal(f[prefixBytes:], m); err != nil {
			return fmt.Errorf("a dynamic %s: %w", md.FullName(), err)
		}
		records = append(records, m)
	}

	s.add(Serialize, OursDynamic, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range records[from:to] {
				if b, err = ours.Append(b[:0], m); err != nil {
					return err
				}
			}
			last.frame = b
			return nil
		}
	})
	s.add(Serialize, ProtobufDynamic, func(last *result) func(from, to int) error {
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
	s.add(Deserialize, OursDynamic, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *dynamicpb.Message
			for _, f := range frames[from:to] {
				m = dynamicpb.NewMessage(md)
				rest, err := ours.Decode(f, m)
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
	s.add(Deserialize, ProtobufDynamic, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *dynamicpb.Message
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = dynamicpb.NewMessage(md)
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
