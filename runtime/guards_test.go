package flinkser_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/imports"
	"github.com/flinkser/flinkser/golden/recursive"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/wire"
)

// cycles are messages that contain themselves.
func cycles() map[string]proto.Message {
	next := &cases.Rec{Id: 1}
	next.Next = next
	list := &cases.Rec{}
	list.List = []*cases.Rec{{}, list, list}
	alt := &cases.Rec{}
	alt.K = &cases.Rec_Alt{Alt: alt}
	kids := &cases.Rec{}
	kids.Kids = map[string]*cases.Rec{"a": kids, "b": kids}
	deeper := &cases.All{M: &cases.Inner{Next: &cases.Inner{S: "x"}}}
	deeper.M.Next.Next = deeper.M
	ping := &recursive.Ping{N: 1, Pong: &recursive.Pong{S: "x"}}
	ping.Pong.Pings = []*recursive.Ping{{}, ping}
	maps := &recursive.MapLeft{Right: map[string]*recursive.MapRight{"": {Left: map[uint64]*recursive.MapLeft{}}}}
	maps.Right[""].Left[0] = maps
	foreign := &structpb.ListValue{}
	foreign.Values = []*structpb.Value{structpb.NewListValue(foreign)}
	dyn := dynamicpb.NewMessage(next.ProtoReflect().Descriptor())
	dyn.Set(dyn.Descriptor().Fields().ByName("next"), protoreflect.ValueOfMessage(dyn))
	dynList := dynamicpb.NewMessage(next.ProtoReflect().Descriptor())
	dynList.Mutable(dynList.Descriptor().Fields().ByName("list")).List().Append(protoreflect.ValueOfMessage(dynList))
	return map[string]proto.Message{
		"field": next, "list": list, "oneof": alt, "map": kids, "below the root": deeper, "two types": ping, "two maps": maps,
		"foreign": &wellknown.Fields{ListValue: foreign}, "foreign root": foreign, "dynamic": dyn, "dynamic list": dynList,
	}
}

// TestCycle checks that a Go value that contains itself gives the depth error, soon, and
// under every limit.
func TestCycle(t *testing.T) {
	for name, m := range cycles() {
		check := func(what string, levels int, err error) {
			t.Helper()
			var failed *flinkser.EncodeError
			if !errors.Is(err, flinkser.ErrDepth) || !errors.As(err, &failed) || failed.Field == "" || failed.Message != string(m.ProtoReflect().Descriptor().FullName()) {
				t.Errorf("%s, limit %d: %s: %v", name, levels, what, err)
			} else if len(failed.Field) > 2000 {
				t.Errorf("%s, limit %d: %s: the path takes %d bytes", name, levels, what, len(failed.Field))
			}
		}
		limits := []int{1, flinkser.DefaultRecursionLimit, 1000, deepest}
		if raceDetector && name != "two types" {
			limits = limits[:3]
		}
		for _, levels := range limits {
			for _, det := range []bool{false, true} {
				opts := []flinkser.Option{flinkser.WithRecursionLimit(levels)}
				if det {
					opts = append(opts, flinkser.WithDeterministic())
				}
				s := newSerializer[proto.Message](t, opts...)
				start := time.Now()
				out, err := s.Append([]byte("before"), m)
				check("append", levels, err)
				if string(out) != "before" {
					t.Errorf("%s, limit %d: the output is %q", name, levels, out)
				}
				if took := time.Since(start); took > 10*time.Second {
					t.Errorf("%s, limit %d: it took %v", name, levels, took)
				}
				if levels == deepest && det {
					continue // the rest does not depend on the order of maps, and takes a while
				}
				_, err = s.Clone(m) // takes the size first
				check("clone", levels, err)
				if levels > 1000 {
					continue
				}
				_, err = s.AppendPayload(nil, m)
				check("payload", levels, err)
				_, err = s.Size(m)
				check("size", levels, err)
				_, err = flinkser.Limits{RecursionLimit: levels}.Marshal(m)
				check("marshal", levels, err)
				check("writer", levels, flinkser.NewWriter[proto.Message](io.Discard, opts...).Write(m))
			}
		}
		_, err := flinkser.Marshal(m)
		check("Marshal", flinkser.DefaultRecursionLimit, err)
	}
}

// TestSharedMessages checks messages that stand in a value many times: they count each time,
// and the value is refused before much of it has been written.
func TestSharedMessages(t *testing.T) {
	const chunk, times = 1 << 20, 4096 // 4 GiB
	inner := &cases.Inner{S: strings.Repeat("x", chunk)}
	list := new(cases.All)
	for range times {
		list.Rm = append(list.Rm, inner)
	}
	kids := &cases.Rec{Kids: map[string]*cases.Rec{}}
	kid := &cases.Rec{Kids: map[string]*cases.Rec{strings.Repeat("k", chunk): {}}}
	for i := range times {
		kids.Kids[string(rune(0x10000+i))] = kid
	}
	for name, m := range map[string]proto.Message{"list": list, "map": kids, "reflected": hidden{list}} {
		for _, limit := range []int{3 << 20, 16 << 20, flinkser.DefaultMaxMessageBytes} {
			if raceDetector && limit == flinkser.DefaultMaxMessageBytes {
				continue
			}
			s := newSerializer[proto.Message](t, flinkser.WithDeterministic(), flinkser.WithMaxMessageSize(limit))
			check := func(what string, most int, call func() error) {
				t.Helper()
				var err error
				n := allocated(func() { err = call() })
				if !errors.Is(err, flinkser.ErrTooLarge) {
					t.Errorf("%s, limit %d: %s: %v", name, limit, what, err)
				}
				if n > uint64(most) {
					t.Errorf("%s, limit %d: %s: %d bytes were allocated", name, limit, what, n)
				}
			}
			check("append", 4*limit, func() error { _, err := s.Append(nil, m); return err })
			// No bytes are needed to find the size.
			check("size", 2<<20, func() error { _, err := s.Size(m); return err })
			check("clone", 2<<20, func() error { _, err := s.Clone(m); return err })
		}
	}

	// Each level holds the one below twice: 2^60 messages in 60 values.
	wide := &cases.Rec{Id: 1}
	for range 60 {
		wide = &cases.Rec{List: []*cases.Rec{wide, wide}}
	}
	s := newSerializer[proto.Message](t, flinkser.WithMaxMessageSize(1<<18))
	start := time.Now()
	_, appendErr := s.Append(nil, wide)
	_, sizeErr := s.Size(wide)
	_, cloneErr := s.Clone(wide)
	for what, err := range map[string]error{"append": appendErr, "size": sizeErr, "clone": cloneErr} {
		if !errors.Is(err, flinkser.ErrTooLarge) {
			t.Errorf("2^60 messages: %s: %v", what, err)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("2^60 messages: it took %v", took)
	}
}

// TestDeepMessages writes and reads at the largest recursion limit.
func TestDeepMessages(t *testing.T) {
	levels := deepest
	if raceDetector {
		levels /= 10
	}
	m := &cases.Rec{Id: 7}
	for range levels {
		m = &cases.Rec{Next: m}
	}
	s := newSerializer[*cases.Rec](t, flinkser.WithRecursionLimit(levels), flinkser.WithoutElementBudget())
	b, err := s.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Size(m); err != nil || n != len(b)-4 {
		t.Errorf("size %d, %v", n, err)
	}
	got := new(cases.Rec)
	if _, err := s.Decode(b, got); err != nil {
		t.Fatal(err)
	}
	clone, err := s.Clone(got)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Append(nil, clone); err != nil || !bytes.Equal(again, b) {
		t.Errorf("written, read, cloned and written again it is another message (%v)", err)
	}
	less := newSerializer[*cases.Rec](t, flinkser.WithRecursionLimit(levels-1), flinkser.WithoutElementBudget())
	if _, err := less.Append(nil, m); !errors.Is(err, flinkser.ErrDepth) {
		t.Errorf("write, one level less: %v", err)
	}
	var failed *flinkser.DecodeError
	if _, err := less.Decode(b, got); !errors.Is(err, flinkser.ErrDepth) || !errors.As(err, &failed) || len(failed.Field) > 2000 || !strings.HasPrefix(failed.Field, "next.next.") {
		t.Errorf("read, one level less: %v", err)
	}
	dyn := dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
	open := newSerializer[proto.Message](t, flinkser.WithRecursionLimit(levels), flinkser.WithoutElementBudget())
	if _, err := open.Decode(b, dyn); err != nil {
		t.Fatal(err)
	}
	if again, err := open.Append(nil, dyn); err != nil || !bytes.Equal(again, b) {
		t.Errorf("a dynamic message is another one (%v)", err)
	}
}

// TestHostileStack checks that depth costs no stack before it is refused.
func TestHostileStack(t *testing.T) {
	payload := bytes.Repeat([]byte{0x0b}, 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := flinkser.Unmarshal(payload, new(cases.Empty)); !errors.Is(err, flinkser.ErrDepth) {
		t.Errorf("%v", err)
	}
	s := newSerializer[*cases.Empty](t, flinkser.WithRecursionLimit(deepest))
	if err := s.DecodePayload(payload, new(cases.Empty)); !errors.Is(err, flinkser.ErrDepth) {
		t.Errorf("%v", err)
	}
	runtime.ReadMemStats(&after)
	// Other goroutines, those of the collector among them, may have taken some. A call for each
	// level would take more than this.
	if grown := int64(after.StackSys - before.StackSys); grown > 4<<20 {
		t.Errorf("stacks have grown by %d bytes", grown)
	}
}

// TestRequireGenerated checks which types a serializer accepts that wants generated code.
func TestRequireGenerated(t *testing.T) {
	require := flinkser.RequireGenerated()
	newSerializer[*cases.All](t, require)
	newSerializer[*recordpb.Record](t, require)
	newSerializer[*recordpb.SocialMediaPost](t, require)
	newSerializer[*imports.Singular](t, require) // messages of other packages with code

	_, err := flinkser.New[*wellknown.Choice](require)
	var failed *flinkser.NotGeneratedError
	if !errors.As(err, &failed) || !errors.Is(err, flinkser.ErrNotGenerated) {
		t.Fatalf("a message with well-known fields: %v", err)
	}
	want := []string{
		"google.protobuf.Any", "google.protobuf.BoolValue", "google.protobuf.BytesValue", "google.protobuf.DoubleValue", "google.protobuf.Duration",
		"google.protobuf.Empty", "google.protobuf.FieldMask", "google.protobuf.FloatValue", "google.protobuf.Int32Value", "google.protobuf.Int64Value",
		"google.protobuf.ListValue", "google.protobuf.StringValue", "google.protobuf.Struct", "google.protobuf.Timestamp", "google.protobuf.UInt32Value",
		"google.protobuf.UInt64Value", "google.protobuf.Value",
	}
	if !slices.Equal(failed.Types, want) {
		t.Errorf("types %q, want %q", failed.Types, want)
	}
	for _, name := range want {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named by %q", name, err)
		}
	}
	if _, err := flinkser.New[*timestamppb.Timestamp](require); !errors.As(err, &failed) || !slices.Equal(failed.Types, []string{"google.protobuf.Timestamp"}) {
		t.Errorf("a well-known type: %v", err)
	}
	if _, err := flinkser.New[*wellknown.Mixed](require); !errors.As(err, &failed) || !slices.Contains(failed.Types, "google.protobuf.Timestamp") {
		t.Errorf("a message with a well-known field below it: %v", err)
	}
	if _, err := flinkser.New[*dynamicpb.Message](require); err == nil {
		t.Error("dynamic messages are accepted")
	}
	r := flinkser.NewReader[*wellknown.Lists](bytes.NewReader(make([]byte, 4)), require)
	if r.Next(new(wellknown.Lists)) || !errors.Is(r.Err(), flinkser.ErrNotGenerated) {
		t.Errorf("Reader: %v", r.Err())
	}
	if err := flinkser.NewWriter[*wellknown.Lists](io.Discard, require).Write(nil); !errors.Is(err, flinkser.ErrNotGenerated) {
		t.Errorf("Writer: %v", err)
	}
}

// TestRequireGeneratedLater checks the same for a serializer of any message, which finds out
// when it meets one.
func TestRequireGeneratedLater(t *testing.T) {
	s := newSerializer[proto.Message](t, flinkser.RequireGenerated())
	good := &cases.All{S: "a"}
	for range 2 { // the second time it is known
		b, err := s.Append(nil, good)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Decode(b, new(cases.All)); err != nil {
			t.Error(err)
		}
		if _, err := s.Clone(good); err != nil {
			t.Error(err)
		}
		if n, err := s.Size(good); err != nil || n != 3 {
			t.Errorf("%d, %v", n, err)
		}
		for name, m := range map[string]proto.Message{"dynamic": dynamic(good), "well-known": &timestamppb.Timestamp{Seconds: 1}, "below": &wellknown.Lists{}} {
			out, appendErr := s.Append([]byte("before"), m)
			_, payloadErr := s.AppendPayload(nil, m)
			_, sizeErr := s.Size(m)
			_, cloneErr := s.Clone(m)
			_, decodeErr := s.Decode(b, m)
			for what, err := range map[string]error{"append": appendErr, "payload": payloadErr, "size": sizeErr, "clone": cloneErr, "decode": decodeErr, "decode payload": s.DecodePayload(nil, m)} {
				if !errors.Is(err, flinkser.ErrNotGenerated) {
					t.Errorf("%s: %s: %v", name, what, err)
				}
			}
			if string(out) != "before" {
				t.Errorf("%s: the output is %q", name, out)
			}
		}
	}
	if b, err := s.Append(nil, nil); err != nil || len(b) != 4 {
		t.Errorf("nil: %x, %v", b, err)
	}
}

// TestWideMessages checks that a recursion limit which the stack frames of a message with
// many fields do not allow is refused, and the largest that is not works.
func TestWideMessages(t *testing.T) {
	wide := &descriptorpb.DescriptorProto{Name: proto.String("Wide")}
	for n := range int32(1000) {
		wide.Field = append(wide.Field, &descriptorpb.FieldDescriptorProto{
			Name: proto.String(fmt.Sprint("f", n+1)), Number: proto.Int32(n + 1),
			Type:  descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), TypeName: proto.String(".Wide"),
		})
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("wide.proto"), Syntax: proto.String("proto3"), MessageType: []*descriptorpb.DescriptorProto{wide},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := dynamicpb.NewMessage(file.Messages().Get(0))
	most := wire.MaxDepth(m.Descriptor())
	if most >= deepest || most < 1000 {
		t.Fatalf("%d levels", most)
	}
	var failed *flinkser.OptionError
	l := flinkser.Limits{RecursionLimit: most + 1}
	if _, err := l.Marshal(m); !errors.As(err, &failed) || failed.Option != "RecursionLimit" || failed.Value != int64(most+1) {
		t.Errorf("Marshal: %v", err)
	}
	if err := l.Unmarshal(nil, m); !errors.As(err, &failed) {
		t.Errorf("Unmarshal: %v", err)
	}
	l.RecursionLimit = most
	if _, err := l.Marshal(m); err != nil {
		t.Errorf("Marshal at the limit: %v", err)
	}
	if err := l.Unmarshal(nil, m); err != nil {
		t.Errorf("Unmarshal at the limit: %v", err)
	}
}
