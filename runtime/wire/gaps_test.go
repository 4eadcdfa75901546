package wire_test

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/runtime/wire"
)

// large returns an unknown field of n bytes, of which 5 are its tag and length.
func large(n int) []byte {
	b := protowire.AppendTag(nil, 15, protowire.BytesType)
	b = append(b, byte(n-5)|0x80, byte((n-5)>>7)|0x80, byte((n-5)>>14)|0x80, byte((n-5)>>21))
	return append(b, make([]byte, n-5)...)
}

// TestRetry checks when an append asks for AppendDeep: never without Levels, and otherwise
// where a content that has more than 8 levels around it would be moved too often.
func TestRetry(t *testing.T) {
	for _, c := range []struct {
		levels, size int
		retry        bool
	}{
		{8, 1 << 20, false},
		{9, 58_253, false},
		{9, 58_254, true}, // 512 KiB for 9 levels, and one more byte
		{31, 16_800, false},
		{33, 16_200, false},
		{33, 16_384, true},
		{99, 16_384, true},
	} {
		m := new(cases.Rec)
		m.ProtoReflect().SetUnknown(large(c.size))
		for range c.levels {
			m = &cases.Rec{Next: m}
		}
		want := reference(t, m)
		for _, append := range []func(*wire.Encoder, []byte, int, int, proto.Message) ([]byte, int){wire.AppendMessage, wire.AppendPlain} {
			e := wire.NewEncoder(maxBytes)
			if b, i := append(&e, nil, 0, 100, m); i < 0 || !bytes.Equal(b[:i], want) {
				t.Errorf("%d levels, %d bytes: index %d", c.levels, c.size, i)
			}
			e.Levels = 100
			b, i := append(&e, nil, 0, 100, m)
			if retry := i == wire.FailRetry; retry != c.retry {
				t.Errorf("%d levels, %d bytes: index %d", c.levels, c.size, i)
			}
			if i < 0 {
				b, i = wire.AppendDeep(&e, b, 0, 100, m)
			}
			if i < 0 || !bytes.Equal(b[:i], want) {
				t.Errorf("%d levels, %d bytes: index %d at last", c.levels, c.size, i)
			}
		}
	}
}

// TestGapsInGroups writes gaps in groups and extensions, which have no lengths of their own
// or no generated code.
func TestGapsInGroups(t *testing.T) {
	for name, holders := range map[string][]protoreflect.Name{
		"t2.Msg": {"grp", "ext_r"},
		"e.M":    {"del", "len", "dels", "od"},
	} {
		for _, size := range []int{100, 16_384, 70_000} {
			for _, levels := range []int{1, 10, 40} {
				m := dynamic(t, name)
				r := m.ProtoReflect()
				for level := range levels {
					r = below(t, r, holders[level%len(holders)])
				}
				r.SetUnknown(large(size))
				want := reference(t, m)
				for limit := len(want) - 1; limit <= len(want); limit++ {
					e := wire.NewEncoder(limit)
					b, i := wire.AppendDeep(&e, nil, 0, 100, m)
					if limit < len(want) && i != wire.FailSize || limit == len(want) && (i < 0 || !bytes.Equal(b[:i], want)) {
						t.Errorf("%s, %d levels, %d bytes, limit %d of %d: index %d", name, levels, size, limit, len(want), i)
					}
				}
			}
		}
	}
}

// below adds a message to m in the field, or extension, of a name, and returns it. A group
// that does not hold messages of m's type is passed through.
func below(t *testing.T, m protoreflect.Message, name protoreflect.Name) protoreflect.Message {
	t.Helper()
	fd := m.Descriptor().Fields().ByName(name)
	if fd == nil {
		xt, err := protoregistry.GlobalTypes.FindExtensionByName(m.Descriptor().ParentFile().Package().Append(name))
		if err != nil {
			t.Fatal(err)
		}
		fd = xt.TypeDescriptor()
	}
	if fd.IsList() {
		list := m.Mutable(fd).List()
		list.AppendMutable()
		return list.AppendMutable().Message()
	}
	sub := m.Mutable(fd).Message()
	if next := sub.Descriptor().Fields().ByName("sub"); next != nil {
		return sub.Mutable(next).Message()
	}
	return sub
}
