package golden_test

import (
	"encoding/hex"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	// Every package with golden code, so that the registry lists its messages.
	_ "github.com/flinkser/flinkser/golden/cases"
	_ "github.com/flinkser/flinkser/golden/descriptors"
	_ "github.com/flinkser/flinkser/golden/edition2024"
	_ "github.com/flinkser/flinkser/golden/editions"
	_ "github.com/flinkser/flinkser/golden/empty"
	_ "github.com/flinkser/flinkser/golden/enums"
	_ "github.com/flinkser/flinkser/golden/external"
	_ "github.com/flinkser/flinkser/golden/external/legacy"
	_ "github.com/flinkser/flinkser/golden/hybrid"
	_ "github.com/flinkser/flinkser/golden/imports"
	_ "github.com/flinkser/flinkser/golden/imports/unused"
	_ "github.com/flinkser/flinkser/golden/keyword"
	_ "github.com/flinkser/flinkser/golden/kinds"
	_ "github.com/flinkser/flinkser/golden/names"
	_ "github.com/flinkser/flinkser/golden/numbers"
	_ "github.com/flinkser/flinkser/golden/opaque"
	_ "github.com/flinkser/flinkser/golden/otel"
	_ "github.com/flinkser/flinkser/golden/proto2"
	_ "github.com/flinkser/flinkser/golden/recursive"
	_ "github.com/flinkser/flinkser/golden/suffix"
	_ "github.com/flinkser/flinkser/golden/wellknown"
	_ "github.com/flinkser/flinkser/golden/wide"
	"github.com/flinkser/flinkser/internal/differ"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// goldenTypes returns the message types of the golden files, by name.
func goldenTypes() []protoreflect.MessageType {
	var types []protoreflect.MessageType
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		if strings.HasPrefix(mt.Descriptor().ParentFile().Path(), "golden/") && !mt.Descriptor().IsMapEntry() {
			types = append(types, mt)
		}
		return true
	})
	slices.SortFunc(types, func(a, b protoreflect.MessageType) int {
		return strings.Compare(string(a.Descriptor().FullName()), string(b.Descriptor().FullName()))
	})
	return types
}

func typeOf(t testing.TB, name string) protoreflect.MessageType {
	t.Helper()
	mt, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	if err != nil {
		t.Fatal(err)
	}
	return mt
}

// form is a way to hold the messages of a schema in Go.
type form struct {
	name  string
	empty func(protoreflect.MessageType) proto.Message
	// of returns a message with the content of m. What only a Go struct can say, as a nil
	// element of a list, becomes what it means.
	of func(m proto.Message) proto.Message
}

// forms are the ways that the module handles by different code.
var forms = []form{
	{
		name:  "generated",
		empty: func(mt protoreflect.MessageType) proto.Message { return mt.New().Interface() },
		of:    func(m proto.Message) proto.Message { return m },
	},
	{
		name:  "reflected",
		empty: func(mt protoreflect.MessageType) proto.Message { return differ.Hidden{Message: mt.New().Interface()} },
		of:    func(m proto.Message) proto.Message { return differ.Hidden{Message: m} },
	},
	{
		name:  "dynamic",
		empty: func(mt protoreflect.MessageType) proto.Message { return dynamicpb.NewMessage(mt.Descriptor()) },
		of: func(m proto.Message) proto.Message {
			d := dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
			proto.Merge(d, m)
			return d
		},
	},
}

// eachForm runs test for every form, as subtests.
func eachForm(t *testing.T, test func(t *testing.T, f form)) {
	t.Helper()
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) { test(t, f) })
	}
}

// serializer returns a serializer for messages of any type.
func serializer(t testing.TB, opts ...flinkser.Option) *flinkser.Serializer[proto.Message] {
	t.Helper()
	s, err := flinkser.New[proto.Message](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// allocated returns how many bytes f allocates, those that are free again included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
