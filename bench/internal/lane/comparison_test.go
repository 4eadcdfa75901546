package lane

import (
	"bytes"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/levels/hybridpb"
	"github.com/flinkser/flinkser/bench/levels/opaquepb"
	"github.com/flinkser/flinkser/internal/corpus"
)

func TestPick(t *testing.T) {
	for _, tt := range []struct{ names, libraries, levels, dynamic []string }{
		{[]string{Protobuf, Ours}, []string{Ours, Protobuf}, nil, nil},
		{[]string{VTProto}, []string{VTProto}, nil, nil},
		{
			[]string{At(Ours, Opaque), Ours},
			[]string{Ours},
			[]string{Ours, At(Ours, Opaque)},
			nil,
		},
		{[]string{At(OursReuse, Hybrid)}, nil, []string{At(OursReuse, Hybrid)}, nil},
		{[]string{Ours, OursDynamic}, []string{Ours}, nil, []string{Ours, OursDynamic}},
	} {
		if got := Libraries().Pick(tt.names); !slices.Equal(got, tt.libraries) {
			t.Errorf("the libraries of %q are %q, want %q", tt.names, got, tt.libraries)
		}
		if got := Levels().Pick(tt.names); !slices.Equal(got, tt.levels) {
			t.Errorf("the levels of %q are %q, want %q", tt.names, got, tt.levels)
		}
		if got := Dynamic().Pick(tt.names); !slices.Equal(got, tt.dynamic) {
			t.Errorf("those on dynamic messages of %q are %q, want %q", tt.names, got, tt.dynamic)
		}
	}
}

func TestBase(t *testing.T) {
	for lane, want := range map[string]string{
		Ours: Ours, At(Ours, Opaque): Ours, At(OursReuse, Hybrid): OursReuse, At(Protobuf, Hybrid): Protobuf,
	} {
		if got := Levels().Base(lane); got != want {
			t.Errorf("%s is compared with %s, want %s", lane, got, want)
		}
	}
}

// TestLevelsHaveTheSameBytes compares what google.golang.org/protobuf writes for messages of
// the three API levels: otherwise their times would be those of different work.
func TestLevelsHaveTheSameBytes(t *testing.T) {
	for _, w := range Levels().Workloads {
		s, err := New(Levels(), w)
		if err != nil {
			t.Fatal(err)
		}
		types := []proto.Message{&hybridpb.Record{}, &opaquepb.Record{}}
		if w == corpus.Social {
			types = []proto.Message{&hybridpb.SocialMediaPost{}, &opaquepb.SocialMediaPost{}}
		}
		for _, m := range types {
			for i, want := range s.frames {
				if err := proto.Unmarshal(want[prefixBytes:], m); err != nil {
					t.Fatal(err)
				}
				if len(m.ProtoReflect().GetUnknown()) > 0 {
					t.Fatalf("%s does not know all fields of the open message", m.ProtoReflect().Descriptor().FullName())
				}
				if got := mustFrame(m); !bytes.Equal(got, want) {
					t.Fatalf("%s, record %d: %s has the frame %x, the open message %x", w, i, m.ProtoReflect().Descriptor().FullName(), got, want)
				}
			}
		}
	}
}
