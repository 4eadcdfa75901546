//go:build !worker || dynamic

package lane

import (
	"fmt"

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
	if err := addOurs(s, Ours, generated); err != nil {
		return nil, err
	}
	return s, s.addDynamic(md)
}

// addDynamic adds the lanes over dynamic messages.
func (s *Set) addDynamic(md protoreflect.MessageDescriptor) error {
	ours, err := dynamic.New(md)
	if err != nil {
		return err
	}
	into := func() proto.Message { return dynamicpb.NewMessage(md) }
	var records []proto.Message
	for _, f := range s.frames {
		m := into()
		if err := proto.Unmarshal(f[prefixBytes:], m); err != nil {
			return fmt.Errorf("a dynamic %s: %w", md.FullName(), err)
		}
		records = append(records, m)
	}
	addEncoder(s, OursDynamic, ours, records)
	addDecoder(s, OursDynamic, ours, into)
	addProtobuf(s, ProtobufDynamic, records, into)
	return nil
}
