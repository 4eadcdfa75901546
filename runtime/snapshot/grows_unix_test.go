//go:build unix

package snapshot

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// processorTime returns the time that the process has used on all processors, so that a busy
// machine does not change what a test measures.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// chainOf returns a schema of n messages, each with a field of the next and of another one near.
func chainOf(t testing.TB, n int, changed bool) *Snapshot {
	t.Helper()
	file := &descriptorpb.FileDescriptorProto{Name: proto.String("v.proto"), Package: proto.String("v"), Syntax: proto.String("proto3")}
	field := func(name string, number int32, typeName string) *descriptorpb.FieldDescriptorProto {
		f := &descriptorpb.FieldDescriptorProto{
			Name: proto.String(name), Number: proto.Int32(number), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			Type: descriptorpb.FieldDescriptorProto_TYPE_INT32.Enum(),
		}
		if typeName != "" {
			f.Type, f.TypeName = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), proto.String(".v."+typeName)
		}
		return f
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		m := &descriptorpb.DescriptorProto{Name: proto.String(fmt.Sprintf("M%d", i))}
		m.Field = append(m.Field, field("next", 1, fmt.Sprintf("M%d", (i+1)%n)), field("other", 2, fmt.Sprintf("M%d", (i+1+r.IntN(20))%n)), field("value", 3, ""))
		if changed {
			m.Field = append(m.Field, field("added", 4, ""))
			m.Field[2].Type = descriptorpb.FieldDescriptorProto_TYPE_UINT32.Enum()
		}
		file.MessageType = append(file.MessageType, m)
	}
	s, err := OfFiles(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}}, "v.M0", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCheckGrows holds the time of a verdict to the number of messages: ten times as many take
// twelve times as long at most.
func TestCheckGrows(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector changes times; the run without it measures them")
	}
	sizes := []int{100, 1000, 10_000}
	// The least of several rounds is closest to the work itself; small sizes repeat, so that all
	// are measured over about the same time. Only the schemas of one size are in memory.
	measure := func(n int) time.Duration {
		old, new := chainOf(t, n, false), chainOf(t, n, true)
		runtime.GC()
		least := time.Duration(1 << 62)
		for range 6 {
			repeat := sizes[len(sizes)-1] / n
			start := processorTime()
			for range repeat {
				if v := Check(old, new, Options{}); v.Count(Break) < n {
					t.Fatalf("%d breaks of %d messages", v.Count(Break), n)
				}
			}
			least = min(least, (processorTime()-start)/time.Duration(repeat))
		}
		return least
	}
	for attempt := 1; ; attempt++ {
		times := make([]time.Duration, len(sizes))
		steep := false
		for i := range sizes {
			times[i] = measure(sizes[i])
			steep = steep || i > 0 && times[i] > 12*times[i-1]
		}
		for i, d := range times {
			t.Logf("%d messages: %.2f ms", sizes[i], d.Seconds()*1e3)
		}
		if !steep {
			return
		}
		if attempt == 5 {
			t.Fatal("the time grows faster than the number of messages, five times in a row")
		}
	}
}
