package wire

import (
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"
	"google.golang.org/protobuf/types/known/structpb"
)

func TestReflectCache(t *testing.T) {
	var c cache[int]
	compiled := 0
	get := func(key int) *int {
		return c.get(key, func() *int {
			compiled++
			return &key
		})
	}
	for key := range cacheMax {
		if first, second := get(key), get(key); first != second {
			t.Fatalf("key %d has two values", key)
		}
	}
	if compiled != cacheMax {
		t.Fatalf("%d values for %d keys", compiled, cacheMax)
	}
	// One more than can be remembered: everything is forgotten.
	if v := get(cacheMax); *v != cacheMax {
		t.Errorf("value %d", *v)
	}
	c.entries.Range(func(key, _ any) bool {
		t.Errorf("%v is still there", key)
		return true
	})
	if get(0); compiled != cacheMax+2 {
		t.Errorf("%d values compiled", compiled)
	}
}

func TestReflectTable(t *testing.T) {
	md := new(structpb.Value).ProtoReflect().Descriptor()
	got := make([]*table, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i] = tableOf(md) })
	}
	wg.Wait()
	for _, x := range got {
		if x != got[0] {
			t.Fatal("two tables for one type")
		}
	}
	for i, f := range got[0].fields {
		if int(f.number) != i+1 || got[0].byNumber(uint64(f.number)) != f {
			t.Errorf("field %d is %s", i, f.name)
		}
	}
	for _, number := range []uint64{0, 7, 1000, maxNumber, maxNumber + 1, 1<<32 + 1, 1<<64 - 1} {
		if f := got[0].byNumber(number); f != nil {
			t.Errorf("number %d is %s", number, f.name)
		}
	}
}

// lacking is a message whose code checks required fields.
type lacking struct{ proto.Message }

func (lacking) RequiredFlinkser() error { return nil }

// TestReflectMeet checks when generated messages without such code begin to be checked.
func TestReflectMeet(t *testing.T) {
	before := requiredMet.Load()
	defer requiredMet.Store(before)
	requiredMet.Store(false)
	if meet(new(structpb.Value)); MetRequired() {
		t.Error("a message without required fields counts")
	}
	if meet(lacking{new(structpb.Value)}); !MetRequired() {
		t.Error("a message that may lack required fields does not count")
	}
}

// TestReflectStack checks how many levels messages with extensions may have: what is in
// them is not known in advance.
func TestReflectStack(t *testing.T) {
	features := new(descriptorpb.FeatureSet).ProtoReflect().Descriptor()
	child := new(gofeaturespb.GoFeatures).ProtoReflect()
	if got, most := MaxDepth(features), MaxDepth(child.Descriptor()); got >= most || got < 10_000 {
		t.Errorf("%d levels with extensions, %d without", got, most)
	}
	f := extensionField(gofeaturespb.E_Go.TypeDescriptor())
	if got, want := f.levels(1<<30, child), MaxDepth(child.Descriptor())/2; got != want {
		t.Errorf("%d levels in an extension, want %d", got, want)
	}
	if got := f.levels(100, child); got != 100 {
		t.Errorf("%d levels of 100 in an extension", got)
	}
	file := new(descriptorpb.FileDescriptorProto).ProtoReflect()
	if got := tableOf(file.Descriptor()).byNumber(4).levels(1<<30, file); got != 1<<30 {
		t.Errorf("%d levels in a field", got)
	}
}
