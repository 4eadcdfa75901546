//go:build !protolegacy

package wire_test

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/runtime/wire"
)

// messageSet is a message whose descriptor has the option message_set_wire_format, which
// google.golang.org/protobuf refuses to build.
type messageSet struct{ protoreflect.Message }

type messageSetDescriptor struct{ protoreflect.MessageDescriptor }

func (messageSetDescriptor) IsMessageSet() bool { return true }

func (m messageSet) ProtoReflect() protoreflect.Message { return m }
func (m messageSet) Descriptor() protoreflect.MessageDescriptor {
	return messageSetDescriptor{m.Message.Descriptor()}
}

func TestReflectMessageSet(t *testing.T) {
	m := messageSet{dynamic(t, "t3.Empty").ProtoReflect()}
	e := wire.NewEncoder(maxBytes)
	if _, i := wire.AppendMessage(&e, nil, 0, 100, m); i != wire.FailUnsupported {
		t.Errorf("append: %d", i)
	}
	if n := wire.SizeMessage(&e, 100, m); n != wire.FailUnsupported {
		t.Errorf("size: %d", n)
	}
	if err := wire.Diagnose(&e, m, 100); !errors.Is(err, wire.ErrUnsupported) {
		t.Errorf("diagnosis: %v", err)
	}
	d := wire.NewDecoder(0)
	if err := wire.DecodeMessage(&d, "", 100, m); !errors.Is(err, wire.ErrUnsupported) {
		t.Errorf("decode: %v", err)
	}
	if _, err := wire.DecodeGroup(&d, "\x0c", 100, 0x0c, m); !errors.Is(err, wire.ErrUnsupported) {
		t.Errorf("group: %v", err)
	}
	if _, err := d.MessageSetItem(m, nil, "\x0b\x0c", 0, 1, 0x0b, 100); !errors.Is(err, wire.ErrUnsupported) {
		t.Errorf("item: %v", err)
	}
	if _, i := wire.AppendMessageSet(&e, nil, 0, 100, nil); i != wire.FailUnsupported {
		t.Errorf("append of extensions: %d", i)
	}
	if n := wire.SizeMessageSet(&e, 100, nil); n != wire.FailUnsupported {
		t.Errorf("size of extensions: %d", n)
	}
}
