package flinkser_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// savedRecord returns the snapshot of a record whose schema was another one.
func savedRecord(t *testing.T, settings snapshot.Settings, change func(*descriptorpb.FileDescriptorProto)) *snapshot.Snapshot {
	t.Helper()
	now, err := snapshot.Of(&recordpb.Record{}, settings)
	if err != nil {
		t.Fatal(err)
	}
	set := now.Files()
	if change != nil {
		change(set.File[len(set.File)-1])
	}
	root := now.MessageName()
	if change != nil && set.File[len(set.File)-1].GetMessageType()[0].GetName() == "Older" {
		root = root.Parent().Append("Older")
	}
	saved, err := snapshot.OfFiles(set, root, settings)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func record(f *descriptorpb.FileDescriptorProto) *descriptorpb.DescriptorProto {
	for _, m := range f.MessageType {
		if m.GetName() == "Record" {
			return m
		}
	}
	panic("no Record")
}

// field returns the field of a number.
func field(f *descriptorpb.FileDescriptorProto, number int32) *descriptorpb.FieldDescriptorProto {
	for _, fd := range record(f).Field {
		if fd.GetNumber() == number {
			return fd
		}
	}
	panic("no such field")
}

func TestRestoreSettings(t *testing.T) {
	saved := savedRecord(t, snapshot.Settings{Deterministic: true, MaxMessageSize: 1000, RecursionLimit: 7}, nil)
	s, err := flinkser.Restore[*recordpb.Record](saved)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(nil, &recordpb.Record{Payload: make([]byte, 1001)}); !errors.Is(err, flinkser.ErrTooLarge) {
		t.Errorf("a payload over the saved limit: %v", err)
	}
	now, err := s.Snapshot()
	if err != nil || now.MaxMessageSize() != 1000 || now.RecursionLimit() != 7 || !now.Deterministic() || now.Digest() != saved.Digest() {
		t.Errorf("snapshot of the restored serializer: %v, %d, %d, %v", err, now.MaxMessageSize(), now.RecursionLimit(), now.Deterministic())
	}
	for _, c := range []struct {
		name string
		opt  flinkser.Option
		code snapshot.Code // of the break, or nothing
	}{
		{"size raised", flinkser.WithMaxMessageSize(1001), ""},
		{"size lowered", flinkser.WithMaxMessageSize(999), "MAX_MESSAGE_SIZE_LOWERED"},
		{"depth raised", flinkser.WithRecursionLimit(8), ""},
		{"depth lowered", flinkser.WithRecursionLimit(6), "RECURSION_LIMIT_LOWERED"},
		{"class", flinkser.WithJavaClass("other.Record"), "JAVA_CLASS_CHANGED"},
	} {
		_, err := flinkser.Restore[*recordpb.Record](saved, c.opt)
		if c.code == "" && err != nil || c.code != "" && !breaks(err, c.code) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// breaks reports whether an error carries a verdict with a break of that code.
func breaks(err error, code snapshot.Code) bool {
	var incompatible *snapshot.IncompatibleError
	if !errors.Is(err, flinkser.ErrIncompatible) || !errors.As(err, &incompatible) {
		return false
	}
	for _, f := range incompatible.Verdict.Findings {
		if f.Code == code && f.Level == snapshot.Break {
			return true
		}
	}
	return false
}

// TestRestoreDeepLimit restores with a recursion limit that no stack bears.
func TestRestoreDeepLimit(t *testing.T) {
	saved := savedRecord(t, snapshot.Settings{RecursionLimit: math.MaxInt32}, nil)
	s, err := flinkser.Restore[*recordpb.Record](saved)
	if err != nil {
		t.Fatal(err)
	}
	now, err := s.Snapshot()
	if err != nil || now.RecursionLimit() != math.MaxInt32 {
		t.Errorf("the saved number is not kept: %v, %d", err, now.RecursionLimit())
	}
	frame, err := s.Append(nil, &recordpb.Record{Id: 1, Child: &recordpb.Child{Code: 2}})
	if err != nil {
		t.Fatal(err)
	}
	got := new(recordpb.Record)
	if _, err := s.Decode(frame, got); err != nil || got.GetChild().GetCode() != 2 {
		t.Errorf("%v, %v", err, got)
	}
	if _, err := flinkser.Restore[*recordpb.Record](saved, flinkser.WithRecursionLimit(flinkser.MaxRecursionLimit)); !breaks(err, "RECURSION_LIMIT_LOWERED") {
		t.Errorf("a limit lowered by an option: %v", err)
	}
}

func TestRestoreSchemas(t *testing.T) {
	for _, c := range []struct {
		name         string
		change       func(*descriptorpb.FileDescriptorProto) // what the saved schema had otherwise
		opts         []flinkser.Option
		strict, wire snapshot.Code // of the break, or nothing
	}{
		{name: "same", change: func(*descriptorpb.FileDescriptorProto) {}},
		{name: "field added since", change: func(f *descriptorpb.FileDescriptorProto) {
			m := record(f)
			m.Field = m.Field[:len(m.Field)-1]
			m.NestedType = nil
		}},
		{name: "field renamed", change: func(f *descriptorpb.FileDescriptorProto) { field(f, 4).Name = proto.String("title") }, strict: "FIELD_RENAMED"},
		{name: "type changed", change: func(f *descriptorpb.FileDescriptorProto) {
			field(f, 4).Type = descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum()
		}, strict: "BYTES_TO_STRING", wire: "BYTES_TO_STRING"},
		{name: "root renamed", change: func(f *descriptorpb.FileDescriptorProto) {
			m := record(f)
			m.Name = proto.String("Older")
			for i, o := range f.MessageType {
				if o == m {
					f.MessageType[0], f.MessageType[i] = f.MessageType[i], f.MessageType[0]
				}
			}
			for _, fd := range m.Field {
				fd.TypeName = replaced(fd.TypeName, ".Record.", ".Older.")
			}
		}, strict: "ROOT_RENAMED", wire: "ROOT_RENAMED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			saved := savedRecord(t, snapshot.Settings{JavaClass: "x.Record"}, c.change)
			for policy, code := range map[snapshot.Policy]snapshot.Code{snapshot.Strict: c.strict, snapshot.Wire: c.wire} {
				s, err := flinkser.Restore[*recordpb.Record](saved, flinkser.WithRestorePolicy(policy), flinkser.WithJavaClass("x.Record"))
				if code == "" && (err != nil || s == nil) || code != "" && (s != nil || !breaks(err, code)) {
					t.Errorf("%v: %v", policy, err)
				}
				if code == "ROOT_RENAMED" {
					_, err := flinkser.Restore[*recordpb.Record](saved, flinkser.WithRestorePolicy(policy), flinkser.WithJavaClass("x.Record"),
						flinkser.WithRename(saved.MessageName(), saved.MessageName().Parent().Append("Record")))
					if policy == snapshot.Wire && err != nil {
						t.Errorf("%v, with the rename: %v", policy, err)
					}
				}
			}
		})
	}
}

// TestRestoreRollback restores what code with a field more, and a field less, has written.
func TestRestoreRollback(t *testing.T) {
	newer := savedRecord(t, snapshot.Settings{}, func(f *descriptorpb.FileDescriptorProto) {
		m := record(f)
		m.Field = slices.DeleteFunc(m.Field, func(fd *descriptorpb.FieldDescriptorProto) bool { return fd.GetNumber() == 4 })
		m.ReservedRange = append(m.ReservedRange, &descriptorpb.DescriptorProto_ReservedRange{Start: proto.Int32(4), End: proto.Int32(5)})
		m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
			Name: proto.String("more"), Number: proto.Int32(100),
			Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		})
	})
	if _, err := flinkser.Restore[*recordpb.Record](newer); !breaks(err, "RESERVED_NUMBER_USED") || !breaks(err, "FIELD_REMOVED") {
		t.Errorf("as if it were older: %v", err)
	}
	if _, err := flinkser.Restore[*recordpb.Record](newer, flinkser.WithRollback()); err != nil {
		t.Errorf("as a rollback: %v", err)
	}
}

func replaced(s *string, old, new string) *string {
	if s == nil {
		return nil
	}
	return proto.String(strings.Replace(*s, old, new, 1))
}

func TestRestoreErrors(t *testing.T) {
	saved := savedRecord(t, snapshot.Settings{}, nil)
	if s, err := flinkser.Restore[*recordpb.Record](nil); s != nil || !breaks(err, "UNINITIALIZED") {
		t.Errorf("no snapshot: %v", err)
	}
	if s, err := flinkser.Restore[*recordpb.Child](saved); s != nil || !breaks(err, "ROOT_RENAMED") {
		t.Errorf("another message: %v", err)
	}
	var snapshotError *snapshot.Error
	if s, err := flinkser.Restore[proto.Message](saved); s != nil || !errors.As(err, &snapshotError) {
		t.Errorf("no type: %v", err)
	}
	var option *flinkser.OptionError
	for _, o := range []flinkser.Option{flinkser.WithRestorePolicy(7), flinkser.WithRename("", "a"), flinkser.WithRename("a", "1"), flinkser.WithJavaClass("")} {
		if s, err := flinkser.Restore[*recordpb.Record](saved, o); s != nil || !errors.As(err, &option) {
			t.Errorf("%v", err)
		}
	}
}
