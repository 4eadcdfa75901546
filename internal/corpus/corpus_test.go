package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// frameAppender appends the frame of m to dst: a 4-byte big-endian length and the
// deterministic encoding.
type frameAppender func(dst []byte, m proto.Message) ([]byte, error)

// referenceFrame is google.golang.org/protobuf with the length put in front.
func referenceFrame(dst []byte, m proto.Message) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(dst, m)
	if err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst, nil
}

// testCheckValues encodes every workload and compares sizes and SHA-256 with the
// table. With -v it prints the values it found.
func testCheckValues(t *testing.T, frame frameAppender) {
	for _, workload := range append(Workloads(), Social) {
		t.Run(workload, func(t *testing.T) {
			var got CheckValue
			sum := sha256.New()
			for i, m := range messages(workload) {
				b, err := frame(nil, m)
				if err != nil {
					t.Fatalf("record %d: %v", i, err)
				}
				sum.Write(b)
				got.Total += len(b)
				if i == 0 {
					got.Min = len(b)
				}
				got.Min = min(got.Min, len(b))
				got.Max = max(got.Max, len(b))
			}
			got.SHA256 = hex.EncodeToString(sum.Sum(nil))
			t.Logf("%-11s mean %.6f min %d max %d sha256 %s", workload, float64(got.Total)/Size, got.Min, got.Max, got.SHA256)
			if want := CheckValues()[workload]; got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func messages(workload string) []proto.Message {
	var all []proto.Message
	if workload == Social {
		for _, m := range Posts() {
			all = append(all, m)
		}
		return all
	}
	for _, m := range Records(workload) {
		all = append(all, m)
	}
	return all
}

func TestReferenceCheckValues(t *testing.T) { testCheckValues(t, referenceFrame) }

// TestCheckValues compares our frames, as generated code writes them and as the
// protoreflect codec does.
func TestCheckValues(t *testing.T) {
	s, err := flinkser.New[proto.Message](flinkser.WithDeterministic())
	if err != nil {
		t.Fatal(err)
	}
	t.Run("generated", func(t *testing.T) { testCheckValues(t, s.Append) })
	t.Run("dynamic", func(t *testing.T) {
		testCheckValues(t, func(dst []byte, m proto.Message) ([]byte, error) {
			b, err := proto.Marshal(m)
			if err != nil {
				return nil, err
			}
			dynamic := dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
			if err := proto.Unmarshal(b, dynamic); err != nil {
				return nil, err
			}
			return s.Append(dst, dynamic)
		})
	})
}

func TestRecords(t *testing.T) {
	scalar := Records("scalar")
	if len(scalar) != Size {
		t.Fatalf("got %d records, want %d", len(scalar), Size)
	}
	for i, want := range []*string{nil, proto.String(""), proto.String("note-2")} {
		if diff := cmp.Diff(want, scalar[i].Note); diff != "" {
			t.Errorf("note of record %d (-want +got):\n%s", i, diff)
		}
	}
	if diff := cmp.Diff(&recordpb.Record{Id: -32, Active: true, Child: &recordpb.Child{}}, scalar[0], protocmp.Transform()); diff != "" {
		t.Errorf("record 0 of scalar (-want +got):\n%s", diff)
	}

	first := Records("collections")[0]
	got := []int64{first.Values[0], first.Values[1], first.Attributes["key-15"], first.Attributes["key-0"]}
	want := []int64{-8428264557028818484, 3670358867723507746, -7019070245537174365, 257405718441632692}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("collections (-want +got):\n%s", diff)
	}

	head := []byte{0x8b, 0x4d, 0x9e, 0xe1, 0x32, 0x9c, 0x70, 0x94}
	large := Records("large")
	for name, payload := range map[string][]byte{"text": Records("text")[0].Payload, "large": large[0].Payload} {
		if !bytes.HasPrefix(payload, head) {
			t.Errorf("%s: the payload starts % x, want % x", name, payload[:8], head)
		}
	}
	sum := sha256.Sum256(large[7].Payload)
	if got, want := hex.EncodeToString(sum[:]), "c6850c05e118bb499a8aaa156ff2cfdea91749ec531265aa221c5da39c1cd23f"; got != want {
		t.Errorf("payload of large[7]: SHA-256 %s, want %s", got, want)
	}
}

func TestRecordsAreMadeAnew(t *testing.T) {
	for _, workload := range append(Workloads(), Social) {
		changed, again := messages(workload), messages(workload)
		for i := range changed {
			if !proto.Equal(changed[i], again[i]) {
				t.Errorf("%s: record %d is another one the second time", workload, i)
			}
			proto.Reset(changed[i])
			if proto.Equal(changed[i], again[i]) {
				t.Errorf("%s: record %d shares memory between two calls", workload, i)
			}
		}
	}
	names := Workloads()
	names[0] = "other"
	if got := Workloads()[0]; got != "scalar" {
		t.Errorf("Workloads shares its result: first name is %q", got)
	}
}

func TestRecordsRefusesUnknownWorkload(t *testing.T) {
	defer func() {
		if got, _ := recover().(string); !strings.Contains(got, `no workload "wide"`) || !strings.Contains(got, "collections") {
			t.Errorf("panic says %q", got)
		}
	}()
	Records("wide")
	t.Error("Records returned for a workload that does not exist")
}
