package traces

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// TestBatches pins the bytes, so that figures of different days are of the same work.
func TestBatches(t *testing.T) {
	all := Batches()
	if len(all) != Size {
		t.Fatalf("there are %d batches, want %d", len(all), Size)
	}
	sum := sha256.New()
	for i, m := range all {
		if n := messages(m.ProtoReflect()); n != 300 {
			t.Errorf("batch %d consists of %d messages, want 300", i, n)
		}
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(b)
	}
	const want = "de9359348f4869878cce843ab8f3b65ccd5fca5fe3bfe06bae14d13300c0e914"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("the payloads have SHA-256 %s, want %s", got, want)
	}
	again := Batches()
	again[0].ResourceSpans[0].ScopeSpans[0].Spans[0].TraceId[0]++
	if proto.Equal(all[0], again[0]) {
		t.Error("batches of two calls share memory")
	}
}

// messages counts m and the messages in it.
func messages(m protoreflect.Message) int {
	n := 1
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				n += messages(v.List().Get(i).Message())
			}
		default:
			n += messages(v.Message())
		}
		return true
	})
	return n
}
