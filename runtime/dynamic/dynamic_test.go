package dynamic_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/recursive"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/dynamic"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// generated are messages with generated code, with whose bytes those of dynamic ones are compared.
var generated = []proto.Message{(*cases.All)(nil), (*recursive.Node)(nil), (*wellknown.Fields)(nil), (*wellknown.Maps)(nil), (*recordpb.Record)(nil)}

func serializer(t testing.TB, md protoreflect.MessageDescriptor, opts ...flinkser.Option) *dynamic.Serializer {
	t.Helper()
	s, err := dynamic.New(md, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAgainstGenerated writes random messages as generated and as dynamic ones, and reads each other's frames, damaged ones too.
func TestAgainstGenerated(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	code, err := flinkser.New[proto.Message](flinkser.WithDeterministic())
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, zero := range generated {
		md := zero.ProtoReflect().Descriptor()
		s := serializer(t, md, flinkser.WithDeterministic())
		for range 300 {
			m := zero.ProtoReflect().New().Interface()
			randpb.Message(r, m, randpb.Options{Depth: 4, Unknown: true})
			frame, err := code.Append(nil, m)
			if err != nil {
				t.Fatal(err)
			}
			got := s.NewMessage()
			if rest, err := s.Decode(frame, got); err != nil || len(rest) > 0 {
				t.Fatalf("%s: %v, %d bytes left", md.FullName(), err, len(rest))
			}
			again, err := s.Append([]byte("before"), got)
			if err != nil || !bytes.Equal(again[6:], frame) {
				t.Fatalf("%s: %v, other bytes", md.FullName(), err)
			}
			if size, err := s.Size(got); err != nil || size != len(frame)-4 {
				t.Errorf("size %d, %v, want %d", size, err, len(frame)-4)
			}
			if clone, err := s.Clone(got); err != nil || !proto.Equal(clone, got) {
				t.Errorf("clone: %v", err)
			}
			damaged := randpb.Mutate(r, frame[4:])
			asCode := zero.ProtoReflect().New().Interface()
			asDynamic := s.NewMessage()
			errCode, errDynamic := code.DecodePayload(damaged, asCode), s.DecodePayload(damaged, asDynamic)
			if (errCode == nil) != (errDynamic == nil) {
				t.Fatalf("%s: %x: generated %v, dynamic %v", md.FullName(), damaged, errCode, errDynamic)
			}
			if errCode == nil {
				a, errA := code.AppendPayload(nil, asCode)
				b, errB := s.AppendPayload(nil, asDynamic)
				if errA != nil || errB != nil || !bytes.Equal(a, b) {
					t.Fatalf("%s: %x: %v, %v: %x and %x", md.FullName(), damaged, errA, errB, a, b)
				}
			}
			compared++
		}
	}
	t.Logf("%d messages and as many damaged payloads", compared)
}

func TestGuards(t *testing.T) {
	md := (*recursive.Node)(nil).ProtoReflect().Descriptor()
	s := serializer(t, md, flinkser.WithMaxMessageSize(50), flinkser.WithRecursionLimit(3))
	deep := &recursive.Node{}
	child := md.Fields().ByName("next")
	if child == nil || child.Message() != md {
		t.Fatal("the type has no field next of its own")
	}
	m := deep.ProtoReflect()
	for range 4 {
		m = m.Mutable(child).Message()
	}
	before := []byte("before")
	var encode *flinkser.EncodeError
	if out, err := s.Append(before, deep); !errors.Is(err, flinkser.ErrDepth) || !errors.As(err, &encode) || !bytes.Equal(out, before) {
		t.Errorf("too deep: %v, %q", err, out)
	}
	payload, err := proto.Marshal(deep)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DecodePayload(payload, s.NewMessage()); !errors.Is(err, flinkser.ErrDepth) {
		t.Errorf("too deep to read: %v", err)
	}
	var frame *flinkser.FrameError
	if _, err := s.Decode([]byte{0, 0, 0, 51, 0}, s.NewMessage()); !errors.Is(err, flinkser.ErrTooLarge) || !errors.As(err, &frame) {
		t.Errorf("too large: %v", err)
	}
	for n := range 4 {
		if _, err := s.Decode(make([]byte, n), s.NewMessage()); !errors.Is(err, flinkser.ErrTruncated) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestTypes(t *testing.T) {
	md := (*recordpb.Child)(nil).ProtoReflect().Descriptor()
	s := serializer(t, md)
	var typed *dynamic.TypeError
	for _, m := range []proto.Message{nil, (*dynamicpb.Message)(nil), new(dynamicpb.Message), &recordpb.Record{}, dynamicpb.NewMessage((*cases.All)(nil).ProtoReflect().Descriptor())} {
		_, err := s.Append(nil, m)
		_, decodeErr := s.Decode([]byte{0, 0, 0, 0}, m)
		_, sizeErr := s.Size(m)
		_, cloneErr := s.Clone(m)
		_, appendErr := s.AppendPayload(nil, m)
		for _, err := range []error{err, decodeErr, sizeErr, cloneErr, appendErr, s.DecodePayload(nil, m)} {
			if !errors.As(err, &typed) || typed.Want != md.FullName() || typed.SameName {
				t.Errorf("%T: %v", m, err)
			}
		}
	}
	// The same schema, linked once more, is the same type; one with another field is not.
	for _, changed := range []bool{false, true} {
		file := protodesc.ToFileDescriptorProto(md.ParentFile())
		if changed {
			for _, m := range file.MessageType {
				if m.GetName() == string(md.Name()) {
					m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
						Name: proto.String("more"), JsonName: proto.String("more"), Number: proto.Int32(99),
						Type: descriptorpb.FieldDescriptorProto_TYPE_BOOL.Enum(), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
					})
				}
			}
		}
		fd, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
		if err != nil {
			t.Fatal(err)
		}
		m := dynamicpb.NewMessage(fd.Messages().ByName(md.Name()))
		for range 2 {
			_, err = s.Append(nil, m)
			if changed != (errors.As(err, &typed) && typed.SameName && strings.Contains(typed.Error(), "another schema")) {
				t.Errorf("changed is %v: %v", changed, err)
			}
		}
	}
	if _, err := dynamic.New(nil); err == nil {
		t.Error("a serializer without a descriptor")
	}
	if _, err := dynamic.New(md, flinkser.WithMaxMessageSize(0)); err == nil {
		t.Error("a limit of zero")
	}
}

func TestSnapshots(t *testing.T) {
	md := (*recordpb.Record)(nil).ProtoReflect().Descriptor()
	s := serializer(t, md, flinkser.WithMaxMessageSize(1000), flinkser.WithRecursionLimit(9), flinkser.WithDeterministic())
	saved := s.Snapshot()
	for name, form := range map[string]struct {
		write func([]byte) ([]byte, error)
		read  func([]byte) (*snapshot.Snapshot, []byte, error)
	}{
		"envelope": {saved.Append, snapshot.Parse},
		"payload":  {saved.AppendPayload, snapshot.ParseDynamicPayload},
	} {
		b, err := form.write(nil)
		if err != nil {
			t.Fatal(err)
		}
		read, rest, err := form.read(append(b, 7))
		if err != nil || !bytes.Equal(rest, []byte{7}) || !read.Dynamic() || read.JavaClass() != "" || read.MaxMessageSize() != 1000 || read.Digest() != saved.Digest() {
			t.Errorf("%s: %v, %q", name, err, rest)
		}
		for n := range b {
			if s, _, err := form.read(b[:n]); s != nil || !errors.Is(err, snapshot.ErrTruncated) {
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(b), err)
			}
		}
	}
	again, err := dynamic.Restore(saved, md, snapshot.Options{})
	if err != nil || again.Snapshot().MaxMessageSize() != 1000 || again.Snapshot().RecursionLimit() != 9 || !again.Snapshot().Deterministic() {
		t.Errorf("restore: %v", err)
	}
	for name, fail := range map[string]func() error{
		"MAX_MESSAGE_SIZE_LOWERED": func() error {
			_, err := dynamic.Restore(saved, md, snapshot.Options{}, flinkser.WithMaxMessageSize(999))
			return err
		},
		"ROOT_RENAMED": func() error {
			_, err := dynamic.Restore(saved, (*recordpb.Child)(nil).ProtoReflect().Descriptor(), snapshot.Options{})
			return err
		},
		"UNINITIALIZED": func() error { _, err := dynamic.Restore(nil, md, snapshot.Options{}); return err },
		"KIND_CHANGED": func() error {
			s, err := flinkser.New[*recordpb.Record]()
			if err != nil {
				return err
			}
			code, err := s.Snapshot()
			if err != nil {
				return err
			}
			if _, err := flinkser.Restore[*recordpb.Record](saved); !strings.Contains(fmt.Sprint(err), "KIND_CHANGED") {
				t.Errorf("a dynamic snapshot for generated messages: %v", err)
			}
			_, err = dynamic.Restore(code, md, snapshot.Options{Policy: snapshot.Wire})
			return err
		},
	} {
		if err := fail(); !errors.Is(err, flinkser.ErrIncompatible) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A limit that no stack bears is kept as what is saved.
	most, err := snapshot.OfDescriptor(md, snapshot.Settings{Dynamic: true, KeepJSONNames: true, RecursionLimit: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := dynamic.Restore(most, md, snapshot.Options{}); err != nil || s.Snapshot().RecursionLimit() != math.MaxInt32 {
		t.Errorf("deepest limit: %v", err)
	}
}

// TestConcurrently uses one serializer from many goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	md := (*cases.All)(nil).ProtoReflect().Descriptor()
	s := serializer(t, md)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 50 {
				m := &cases.All{}
				randpb.Message(r, m, randpb.Options{Depth: 2})
				frame, err := s.Append(nil, m)
				if err == nil {
					_, err = s.Decode(frame, s.NewMessage())
				}
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
}
