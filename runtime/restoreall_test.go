package flinkser_test

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func withField(number int32, typ descriptorpb.FieldDescriptorProto_Type) func(*descriptorpb.FileDescriptorProto) {
	return func(f *descriptorpb.FileDescriptorProto) {
		m := record(f)
		m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
			Name: proto.String("extra"), Number: &number, Type: &typ, Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		})
	}
}

// TestRestoreAll restores with what several snapshots say together.
func TestRestoreAll(t *testing.T) {
	small := savedRecord(t, snapshot.Settings{MaxMessageSize: 1000, RecursionLimit: 50}, nil)
	deep := savedRecord(t, snapshot.Settings{MaxMessageSize: 500, RecursionLimit: 70, Deterministic: true}, nil)
	more := savedRecord(t, snapshot.Settings{}, withField(5000, descriptorpb.FieldDescriptorProto_TYPE_INT32))
	wire := flinkser.WithRestorePolicy(snapshot.Wire)

	s, verdict, err := flinkser.RestoreAll[*recordpb.Record]([]*snapshot.Snapshot{small, deep})
	if err != nil || !verdict.Compatible {
		t.Fatalf("%v, %v", verdict, err)
	}
	now, err := s.Snapshot()
	if err != nil || now.MaxMessageSize() != 1000 || now.RecursionLimit() != 70 || !now.Deterministic() {
		t.Errorf("the largest limits: %v, %d, %d, %v", err, now.MaxMessageSize(), now.RecursionLimit(), now.Deterministic())
	}
	if _, verdict, err := flinkser.RestoreAll[*recordpb.Record](nil); err != nil || !verdict.Compatible {
		t.Errorf("no snapshot: %v, %v", verdict, err)
	}
	var refused *snapshot.IncompatibleError
	if s, _, err := flinkser.RestoreAll[*recordpb.Record]([]*snapshot.Snapshot{more, small}); s != nil || !errors.As(err, &refused) {
		t.Errorf("the earlier of two: %v", err)
	}
	if _, verdict, err := flinkser.RestoreAll[*recordpb.Record]([]*snapshot.Snapshot{more, small}, wire); err != nil || verdict.Count(snapshot.Warning) != 1 {
		t.Errorf("the verdict of what is accepted: %v, %v", verdict, err)
	}
	if _, _, err := flinkser.RestoreAll[*recordpb.Record]([]*snapshot.Snapshot{small, nil}); !errors.As(err, &refused) {
		t.Errorf("a snapshot that is none: %v", err)
	}
}

// TestRestoreAllRollback takes the snapshots in front of its own as earlier ones, and those behind it as newer ones.
func TestRestoreAllRollback(t *testing.T) {
	own := savedRecord(t, snapshot.Settings{}, nil)
	other := savedRecord(t, snapshot.Settings{}, withField(5000, descriptorpb.FieldDescriptorProto_TYPE_INT32))
	another := savedRecord(t, snapshot.Settings{MaxMessageSize: 65 << 20}, withField(5000, descriptorpb.FieldDescriptorProto_TYPE_INT32))
	back := flinkser.WithRollback()
	if _, verdict, err := flinkser.RestoreAll[*recordpb.Record]([]*snapshot.Snapshot{own, other, another}, back); err != nil || verdict.Direction != snapshot.Rollback {
		t.Errorf("newer ones: %v, %v", verdict, err)
	}
	var refused *snapshot.IncompatibleError
	if _, _, err := flinkser.RestoreAll[*recordpb.Record]([]*snapshot.Snapshot{other, own}, back); !errors.As(err, &refused) {
		t.Errorf("an earlier one with a field more: %v", err)
	}
	_, _, err := flinkser.RestoreAll[*recordpb.Record]([]*snapshot.Snapshot{own, other, another}, back, flinkser.WithMaxMessageSize(1<<20))
	if !errors.As(err, &refused) {
		t.Fatalf("a lower limit: %v", err)
	}
	shown := [][]int{}
	for _, f := range refused.Verdict.Findings {
		if strings.HasPrefix(string(f.Code), "MAX_MESSAGE_SIZE") {
			shown = append(shown, f.Snapshots)
		}
	}
	if len(shown) == 0 || refused.Verdict.Level() != snapshot.Break || refused.Verdict.Findings[0].Level != snapshot.Break {
		t.Errorf("verdict: %v", refused.Verdict)
	}
}
