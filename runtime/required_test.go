package flinkser_test

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/internal/extpb"
)

// TestRequired reads messages that have code which checks their required fields: it is asked
// once for each message that was read, whatever else this program has met.
func TestRequired(t *testing.T) {
	lacking := []byte{0xea, 0x12, 0x00}                 // need:{}
	extension := []byte{0xd2, 0x02, 0x00}               // [need]:{}
	whole := []byte{0x08, 0x01, 0xea, 0x12, 0x02, 8, 1} // before:1 need:{id:1}
	reader := func(opts ...flinkser.Option) func([]byte, *extpb.Host) error {
		return func(b []byte, m *extpb.Host) error {
			frame := append([]byte{0, 0, 0, byte(len(b))}, b...)
			r := flinkser.NewReader[*extpb.Host](bytes.NewReader(frame), opts...)
			r.Next(m)
			return r.Err()
		}
	}
	serializer := func(opts ...flinkser.Option) func([]byte, *extpb.Host) error {
		s, err := flinkser.New[*extpb.Host](opts...)
		if err != nil {
			t.Fatal(err)
		}
		return s.DecodePayload
	}
	anyMessage := func(b []byte, m *extpb.Host) error {
		s, err := flinkser.New[proto.Message]()
		if err != nil {
			t.Fatal(err)
		}
		return s.DecodePayload(b, m)
	}
	for what, c := range map[string]struct {
		read    func([]byte, *extpb.Host) error
		partial bool
	}{
		"Unmarshal":          {func(b []byte, m *extpb.Host) error { return flinkser.Unmarshal(b, m) }, false},
		"Limits":             {func(b []byte, m *extpb.Host) error { return flinkser.ProtobufLimits.Unmarshal(b, m) }, false},
		"Serializer":         {serializer(), false},
		"reuse":              {serializer(flinkser.WithReuse()), false},
		"merge":              {serializer(flinkser.WithMerge()), false},
		"any":                {anyMessage, false},
		"Reader":             {reader(), false},
		"partial Serializer": {serializer(flinkser.WithPartial()), true},
		"partial Reader":     {reader(flinkser.WithPartial()), true},
	} {
		for _, in := range [][]byte{whole, lacking, extension} {
			before := extpb.Calls.Required.Load()
			err := c.read(in, new(extpb.Host))
			asked := extpb.Calls.Required.Load() - before
			if c.partial && asked != 0 || !c.partial && asked != 1 {
				t.Errorf("%s %x: asked %d times", what, in, asked)
			}
			if wrong := len(in) < len(whole) && !c.partial; wrong != errors.Is(err, flinkser.ErrUninitialized) || !wrong && err != nil {
				t.Errorf("%s %x: %v", what, in, err)
			}
		}
	}
	if _, err := flinkser.Marshal(&extpb.Host{Need: new(extpb.Need)}); !errors.Is(err, flinkser.ErrUninitialized) {
		t.Errorf("written without a required field: %v", err)
	}
	if _, err := flinkser.Marshal((*extpb.Need)(nil)); !errors.Is(err, flinkser.ErrUninitialized) {
		t.Errorf("nil message with a required field: %v", err)
	}
}
