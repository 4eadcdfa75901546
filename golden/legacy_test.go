//go:build protolegacy

package golden_test

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/golden/messageset"
	"github.com/flinkser/flinkser/golden/messageset/opaque"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// protoLegacy says whether the descriptor library takes message sets.
const protoLegacy = true

// set returns a message set with these extensions: a type and its value each.
func set(fields ...any) *messageset.Set {
	m := new(messageset.Set)
	for ; len(fields) > 0; fields = fields[2:] {
		proto.SetExtension(m, fields[0].(protoreflect.ExtensionType), fields[1])
	}
	return m
}

// checkMessageSets writes and reads message sets in every form and place.
func checkMessageSets(t *testing.T) {
	item, far, needs := messageset.E_Item_MessageSetExtension, messageset.E_Far_MessageSetExtension, messageset.E_Needs
	const one = "0b" + "10e807" + "1a030a0161" + "0c"
	text := &messageset.Item{Text: proto.String("a")}
	checkValue(t, set(), "")
	checkValue(t, set(item, text), one)
	checkValue(t, set(far, &messageset.Far{}, needs, &messageset.Needs{Id: proto.Int32(1)}, item, text),
		"0b"+"1004"+"1a020801"+"0c"+one+"0b"+"10feffffff07"+"1a00"+"0c")
	checkValue(t, set(item, &messageset.Item{Below: set(item, text)}), "0b10e8071a0c"+"1a0a"+one+"0c")
	checkValue(t, &messageset.Holder{
		Set: set(item, text), Sets: []*messageset.Set{nil, set(item, text)}, Named: map[string]*messageset.Set{"": set(item, text)},
		Choice: &messageset.Holder_Chosen{Chosen: set(item, text)}, Around: &messageset.Holder_Around{Set: set(item, text)}, After: proto.Int32(1),
	}, "0a0a"+one+"1200"+"120a"+one+"1a0e0a00120a"+one+"220a"+one+"330a0a"+one+"34"+"3801")

	o := new(opaque.Set)
	proto.SetExtension(o, opaque.E_Item_MessageSetExtension, opaque.Item_builder{
		Text: proto.String("a"), Below: new(opaque.Set), Sets: []*opaque.Set{{}},
	}.Build())
	checkValue(t, o, "0b10e807"+"1a07"+"0a0161"+"1200"+"1a00"+"0c")

	// An item that the program does not know is written again, behind the others.
	checkRead := func(in, out string) {
		t.Helper()
		want := new(messageset.Set)
		if err := proto.Unmarshal(unhex(t, in), want); err != nil {
			t.Errorf("reference: %s: %v", in, err)
		}
		for _, f := range forms {
			m := f.empty(want.ProtoReflect().Type())
			if err := flinkser.Unmarshal(unhex(t, in), m); err != nil {
				t.Errorf("%s: %s: %v", f.name, in, err)
				continue
			}
			checkWritten(t, f.name, m, unhex(t, out))
			if !proto.Equal(want, toGenerated(t, m)) {
				t.Errorf("%s: %s is read as %v, reference %v", f.name, in, m, want)
			}
		}
	}
	checkRead("0b1005"+"1a020801"+"0c"+one, one+"0b1005"+"1a020801"+"0c")
	checkRead("0b"+"1a030a0161"+"10e807"+"0c", one)                          // the message in front of its number
	checkRead("0b"+"10e807"+"0c", "0b10e8071a000c")                          // no message
	checkRead(one+"0b"+"10e807"+"1a021001"+"0c", "0b10e8071a050a016110010c") // two items of one number
	for _, in := range []string{"0b", "0b10e807", "0b10e8071a05", "0c", "0b10011a0114"} {
		b := unhex(t, in)
		want := proto.Unmarshal(b, new(messageset.Set))
		for _, f := range forms {
			err := flinkser.Unmarshal(b, f.empty(new(messageset.Set).ProtoReflect().Type()))
			if (err == nil) != (want == nil) {
				t.Errorf("%s: %s: error %v, reference %v", f.name, in, err, want)
			}
		}
	}
	for _, f := range forms {
		out, err := flinkser.Marshal(f.of(set(needs, &messageset.Needs{})))
		if !errors.Is(err, flinkser.ErrUninitialized) || len(out) != 0 {
			t.Errorf("%s: a required field is missing: %x, %v", f.name, out, err)
		}
		err = flinkser.Unmarshal(unhex(t, "0b10041a000c"), f.empty(new(messageset.Set).ProtoReflect().Type()))
		if !errors.Is(err, flinkser.ErrUninitialized) {
			t.Errorf("%s: a required field is missing: %v", f.name, err)
		}
	}

	// The reference writes the same, where one extension leaves it no choice of order.
	want, err := proto.Marshal(set(item, text))
	if err != nil || !bytes.Equal(want, unhex(t, one)) {
		t.Errorf("the reference writes %x (%v)", want, err)
	}
}
