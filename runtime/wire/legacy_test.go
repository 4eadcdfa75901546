//go:build protolegacy

package wire_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/randpb"
	"github.com/flinkser/flinkser/runtime/wire"
)

// The tests of message sets run with the tag protolegacy: google.golang.org/protobuf does not
// know them otherwise, and protoc-gen-go does not generate them. What it would generate is
// built here.

const setSchema = `syntax = "proto2"; package wire.set;
message Set { option message_set_wire_format = true; extensions 4 to max; }
message Holder { optional Set set = 1; repeated Set sets = 2; optional int32 after = 3; }
message Item { extend Set { optional Item message_set_extension = 1000; } optional int32 id = 1; optional Set set = 2; optional string s = 3; }
message Big { extend Set { optional Big message_set_extension = 2147483000; } required int32 id = 1; }`

type (
	setMessage struct {
		state           protoimpl.MessageState
		extensionFields protoimpl.ExtensionFields
		unknownFields   protoimpl.UnknownFields
		sizeCache       protoimpl.SizeCache
	}
	setHolder struct {
		state         protoimpl.MessageState
		Set           *setMessage   `protobuf:"bytes,1,opt,name=set"`
		Sets          []*setMessage `protobuf:"bytes,2,rep,name=sets"`
		After         *int32        `protobuf:"varint,3,opt,name=after"`
		unknownFields protoimpl.UnknownFields
		sizeCache     protoimpl.SizeCache
	}
	setItem struct {
		state         protoimpl.MessageState
		ID            *int32      `protobuf:"varint,1,opt,name=id"`
		Set           *setMessage `protobuf:"bytes,2,opt,name=set"`
		S             *string     `protobuf:"bytes,3,opt,name=s"`
		unknownFields protoimpl.UnknownFields
		sizeCache     protoimpl.SizeCache
	}
	setBig struct {
		state         protoimpl.MessageState
		ID            *int32 `protobuf:"varint,1,req,name=id"`
		unknownFields protoimpl.UnknownFields
		sizeCache     protoimpl.SizeCache
	}
)

func (x *setMessage) ProtoReflect() protoreflect.Message { return setView(0, x, protoimpl.Pointer(x)) }

func (x *setHolder) ProtoReflect() protoreflect.Message { return setView(1, x, protoimpl.Pointer(x)) }

func (x *setItem) ProtoReflect() protoreflect.Message { return setView(2, x, protoimpl.Pointer(x)) }

func (x *setBig) ProtoReflect() protoreflect.Message { return setView(3, x, protoimpl.Pointer(x)) }

func setView(n int, x any, p protoimpl.Pointer) protoreflect.Message {
	if p == nil {
		return setInfos[n].MessageOf(x)
	}
	state := protoimpl.X.MessageStateOf(p)
	if state.LoadMessageInfo() == nil {
		state.StoreMessageInfo(&setInfos[n])
	}
	return state
}

var (
	setInfos      [4]protoimpl.MessageInfo
	setExtensions [2]protoimpl.ExtensionInfo
)

func init() {
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{"wire/set.proto": setSchema}),
	})}
	files, err := compiler.Compile(context.Background(), "wire/set.proto")
	if err != nil {
		panic(err)
	}
	raw, err := proto.Marshal(protodesc.ToFileDescriptorProto(files[0]))
	if err != nil {
		panic(err)
	}
	protoimpl.TypeBuilder{
		File: protoimpl.DescBuilder{
			GoPackagePath: reflect.TypeFor[setMessage]().PkgPath(),
			RawDescriptor: raw,
			NumMessages:   int32(len(setInfos)),
			NumExtensions: int32(len(setExtensions)),
		},
		GoTypes: []any{(*setMessage)(nil), (*setHolder)(nil), (*setItem)(nil), (*setBig)(nil)},
		// The types of fields, the extended types, the types of extensions, and where each
		// of these begins.
		DependencyIndexes: []int32{0, 0, 0, 0, 0, 2, 3, 7, 7, 5, 3, 0},
		MessageInfos:      setInfos[:],
		ExtensionInfos:    setExtensions[:],
	}.Build()
}

// setTypes returns messages with sets: of Go types and dynamic ones.
func setTypes() []proto.Message {
	var all []proto.Message
	for _, m := range []proto.Message{new(setMessage), new(setHolder), new(setItem)} {
		all = append(all, m, dynamicpb.NewMessage(m.ProtoReflect().Descriptor()))
	}
	return all
}

func TestMessageSetDifferential(t *testing.T) {
	for _, typ := range setTypes() {
		for seed := range uint64(150) {
			r := newRand(seed)
			m := fresh(typ)
			randpb.Message(r, m, randpb.Options{Depth: r.IntN(5), Extensions: true})
			b := reference(t, m)
			compare(t, typ, b)
			out, err := encode(m, referenceDepth, true)
			if err != nil || !bytes.Equal(out, b) {
				t.Fatalf("seed %d: %x (%v), want %x", seed, out, err, b)
			}
			for range 30 {
				compare(t, typ, randpb.Mutate(r, b))
			}
			if seed < 10 {
				for n := range b {
					compare(t, typ, b[:n])
				}
			}
		}
	}
}

const (
	item1000 = "0b 10e807 1a020801 0c" // with id 1
	item5    = "0b 1005 1a0161 0c"     // of no known type
)

// TestMessageSetWire has items in forms that nobody writes.
func TestMessageSetWire(t *testing.T) {
	const known = "[wire.set.Item.message_set_extension]"
	for _, c := range []struct {
		what, in string
		want     any // text, or the error
		unknown  string
		out      string // if it is not in
	}{
		{what: "nothing", in: "", want: ""},
		{what: "item", in: item1000, want: known + ":{id:1}"},
		{what: "unknown item", in: item5, want: "", unknown: "2a0161"},
		{what: "largest number", in: "0b 10f8faffff07 1a020807 0c", want: "[wire.set.Big.message_set_extension]:{id:7}"},
		{what: "unknown largest number", in: "0b 10ffffffff07 1a00 0c", want: "", unknown: "faffffff3f00"},
		{what: "message first", in: "0b 1a020801 10e807 0c", want: known + ":{id:1}", out: item1000},
		{what: "pieces of a message", in: "0b 1a0108 10e807 1a0101 0c", want: known + ":{id:1}", out: item1000},
		{what: "pieces of an unknown one", in: "0b 1a0161 1005 1a0162 1a0163 0c", want: "", unknown: "2a03616263", out: "0b 1005 1a03616263 0c"},
		{what: "two items", in: item1000 + item1000, want: known + ":{id:1}", out: item1000},
		{what: "merged items", in: item1000 + "0b 10e807 1a031a0161 0c", want: known + `:{id:1 s:"a"}`, out: "0b 10e807 1a0508011a0161 0c"},
		{what: "two numbers", in: "0b 1005 10e807 1a020801 0c", want: known + ":{id:1}", out: item1000},
		{what: "no message", in: "0b 10e807 0c", want: known + ":{}", out: "0b 10e807 1a00 0c"},
		{what: "no message, unknown", in: "0b 1005 0c", want: "", unknown: "2a00", out: "0b 1005 1a00 0c"},
		{what: "no number", in: "0b 1a020801 0c", want: "", out: "-"},
		{what: "empty item", in: "0b 0c", want: "", out: "-"},
		{what: "more in an item", in: "0b 2001 10e807 2b 0801 2c 1a020801 0c", want: known + ":{id:1}", out: item1000},
		{what: "other wire types in an item", in: "0b 1201ff 1801 10e807 1a020801 0c", want: known + ":{id:1}", out: item1000},
		{what: "other fields", in: "1001" + item1000 + "c23e020801 13 14", want: known + ":{id:1}", out: item1000},
		{what: "a number too large for a field", in: "8080808010 01" + item1000, want: known + ":{id:1}", out: item1000},
		{what: "longer tags", in: "8b00 9000e807 9a00020801 8c00", want: known + ":{id:1}", out: item1000},
		{what: "set in a set", in: "0b 10e807 1a0d 120b 0b 10e807 1a03 1a0161 0c 0c", want: wire.ErrTruncated},
		{what: "set in a set", in: "0b 10e807 1a0c 120a 0b 10e807 1a03 1a0161 0c 0c", want: known + `:{set:{` + known + `:{s:"a"}}}`},

		{what: "number 0", in: "0b 1000 1a00 0c", want: wire.ErrMalformed},
		{what: "number of 32 bits", in: "0b 108080808008 1a00 0c", want: wire.ErrMalformed},
		{what: "negative number", in: "0b 10ffffffffffffffffff01 1a00 0c", want: wire.ErrMalformed},
		{what: "number above 64 bits", in: "0b 10ffffffffffffffffff7f", want: wire.ErrOverflow},
		{what: "no end", in: "0b 10e807 1a020801", want: wire.ErrTruncated},
		{what: "end of another group", in: "0b 10e807 14", want: wire.ErrMalformed},
		{what: "end without a start", in: "0c", want: wire.ErrMalformed},
		{what: "truncated message", in: "0b 10e807 1a05", want: wire.ErrTruncated},
		{what: "truncated inside", in: "0b 10e807 1a0108 0c", want: wire.ErrTruncated},
		{what: "field number 0", in: "0001", want: wire.ErrMalformed},
		{what: "field number 0 in an item", in: "0b 0001", want: wire.ErrMalformed},
		{what: "wire type 7", in: "17", want: wire.ErrMalformed},
		{what: "required", in: "0b 10f8faffff07 1a00 0c", want: wire.ErrUninitialized},
	} {
		in := unhex(t, strings.ReplaceAll(c.in, " ", ""))
		for _, typ := range []proto.Message{new(setMessage), dynamicpb.NewMessage(setInfos[0].Desc)} {
			compare(t, typ, in)
			m := fresh(typ)
			err := decode(wire.NewDecoder(0), string(in), 100, m)
			if want, ok := c.want.(error); ok {
				if !errors.Is(err, want) {
					t.Errorf("%s: %v, want %v", c.what, err, want)
				}
				continue
			}
			unknown := m.ProtoReflect().GetUnknown()
			if err != nil || hex.EncodeToString(unknown) != c.unknown {
				t.Errorf("%s: %v, unknown %x, want %s", c.what, err, unknown, c.unknown)
				continue
			}
			right := in
			switch c.out {
			case "":
			case "-":
				right = nil
			default:
				right = unhex(t, strings.ReplaceAll(c.out, " ", ""))
			}
			if out, err := encode(m, 100, true); err != nil || !bytes.Equal(out, right) {
				t.Errorf("%s: %x (%v), want %x", c.what, out, err, right)
			}
			m.ProtoReflect().SetUnknown(nil)
			if want := set(t, fresh(typ), c.want.(string)); !proto.Equal(m, want) {
				t.Errorf("%s: %v, want %v", c.what, m, want)
			}
		}
	}
}

func TestMessageSetErrors(t *testing.T) {
	for _, c := range []struct {
		in, field string
		offset    int
		err       error
	}{
		{"0a0a 0b 10e807 1a0108 0c", "set", 0, wire.ErrTruncated},
		{"0a08 0b 10e807 1a0108 0c", "set.[wire.set.Item.message_set_extension].id", 8, wire.ErrTruncated},
		{"1200 120b 0b 10e807 1a04 120219ff 0c", "sets[1].[wire.set.Item.message_set_extension].set", 12, wire.ErrTruncated},
		{"0a06 0b 1000 1a00 0c", "set", 3, wire.ErrMalformed},
		{"0a0a 0b 10f8faffff07 1a00 0c", "set.[wire.set.Big.message_set_extension].id", 0, wire.ErrUninitialized},
	} {
		in := string(unhex(t, strings.ReplaceAll(c.in, " ", "")))
		for _, m := range []proto.Message{new(setHolder), dynamicpb.NewMessage(setInfos[1].Desc)} {
			err := decode(wire.NewDecoder(0), in, 100, m)
			var failed *wire.DecodeError
			if !errors.As(err, &failed) || failed.Field != c.field || failed.Offset != c.offset || !errors.Is(err, c.err) {
				t.Errorf("%s: %v, want field %s, offset %d, %v", c.in, err, c.field, c.offset, c.err)
			}
		}
	}
	bad := new(setMessage)
	proto.SetExtension(bad, &setExtensions[1], &setBig{})
	var failed *wire.EncodeError
	if _, err := encode(&setHolder{Set: bad}, 100, true); !errors.As(err, &failed) || failed.Field != "set.[wire.set.Big.message_set_extension].id" || failed.Err != wire.ErrUninitialized {
		t.Errorf("%v", err)
	}
	// Unknown fields that are no items cannot be written.
	for _, u := range []string{"0801", "0b0c", "0a05", "0a", "8080808040", "0200", "8280808080 0100"} {
		m := new(setMessage)
		m.ProtoReflect().SetUnknown(unhex(t, strings.ReplaceAll(u, " ", "")))
		if _, err := proto.Marshal(m); err == nil {
			t.Errorf("unknown %s: reference accepts it", u)
		}
		e := wire.NewEncoder(maxBytes)
		if _, i := wire.AppendMessage(&e, nil, 0, 100, m); i != wire.FailMalformed {
			t.Errorf("unknown %s: append %d", u, i)
		}
		if n := wire.SizeMessage(&e, 100, m); n != wire.FailMalformed {
			t.Errorf("unknown %s: size %d", u, n)
		}
	}
}

// TestMessageSetGenerated uses the functions for generated code.
func TestMessageSetGenerated(t *testing.T) {
	m := new(setMessage)
	proto.SetExtension(m, &setExtensions[1], &setBig{ID: proto.Int32(3)})
	proto.SetExtension(m, &setExtensions[0], &setItem{S: proto.String(strings.Repeat("long", 50)), Set: &setMessage{}})
	m.unknownFields = unhex(t, "2a01613200")
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	e := wire.NewEncoder(maxBytes)
	for room := range 300 {
		b, i := wire.AppendMessageSet(&e, make([]byte, room), 0, 100, m.extensionFields)
		if i < 0 || i != wire.SizeMessageSet(&e, 100, m.extensionFields) {
			t.Fatalf("%d bytes", i)
		}
		if b, i = wire.AppendMessageSetUnknown(&e, b, i, m.unknownFields); i < 0 || !bytes.Equal(b[:i], want) {
			t.Fatalf("%x, want %x", b[:max(i, 0)], want)
		}
		if n := wire.SizeMessageSet(&e, 100, m.extensionFields) + wire.SizeMessageSetUnknown(m.unknownFields); n != i {
			t.Fatalf("size %d, %d bytes written", n, i)
		}
	}
	if n := wire.SizeMessageSet(&e, 0, m.extensionFields); n != wire.FailDepth {
		t.Errorf("size with no level left: %d", n)
	}
	if _, i := wire.AppendMessageSet(&e, nil, 0, 0, m.extensionFields); i != wire.FailDepth {
		t.Errorf("append with no level left: %d", i)
	}
	small := wire.NewEncoder(20)
	if n := wire.SizeMessageSet(&small, 100, m.extensionFields); n != wire.FailSize {
		t.Errorf("size above the limit: %d", n)
	}
	got := new(setMessage)
	d := wire.NewDecoder(0)
	s := string(want)
	for i := 0; i < len(s); {
		tag, next := wire.Varint(s, i)
		if i, err = d.MessageSetItem(got, &got.unknownFields, s, i, next, tag, 100); err != nil {
			t.Fatal(err)
		}
	}
	if !proto.Equal(got, m) {
		t.Errorf("%v, want %v", got, m)
	}
	if clone := wire.CloneMessage(m); !proto.Equal(clone, m) {
		t.Errorf("clone %v", clone)
	}
	// As a group it ends with the tag of the group.
	for _, end := range []uint64{0x0c, 0x1c} {
		m := dynamicpb.NewMessage(setInfos[0].Desc)
		in := string(unhex(t, strings.ReplaceAll(item1000+item5, " ", ""))) + string(rune(end)) + "rest"
		if n, err := wire.DecodeGroup(&d, in, 100, end, m); err != nil || n != len(in)-4 || len(m.GetUnknown()) == 0 {
			t.Errorf("group: %d, %v", n, err)
		}
	}
}

func TestMessageSetLimits(t *testing.T) {
	// As google.golang.org/protobuf counts, an item is no level, and its message is one.
	d := wire.NewDecoder(0)
	item := string(unhex(t, strings.ReplaceAll(item1000, " ", "")))
	if err := wire.DecodeMessage(&d, item, 1, new(setMessage)); err != nil {
		t.Errorf("limit 1: %v", err)
	}
	if err := wire.DecodeMessage(&d, item, 0, new(setMessage)); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("limit 0: %v", err)
	}
	for levels := 4_998; levels <= 5_001; levels++ {
		for _, typ := range []proto.Message{new(setMessage), dynamicpb.NewMessage(setInfos[0].Desc)} {
			in := nestSets(levels)
			wantErr := proto.Unmarshal(in, fresh(typ))
			if typ.ProtoReflect().ProtoMethods() != nil && 2*levels > referenceDepth {
				wantErr = wire.ErrDepth // it begins to count anew in each extension
			}
			if err := decode(wire.NewDecoder(referenceGroups), string(in), referenceDepth, fresh(typ)); (err == nil) != (wantErr == nil) {
				t.Errorf("%T, %d levels: %v, reference %v", typ, levels, err, wantErr)
			}
		}
	}
	for _, in := range []string{strings.Repeat("0b", 10_001), "0b" + strings.Repeat("2b", 10_001), "0b 1a ffffffff07", "0b1a01611affffffff07"} {
		raw := string(unhex(t, strings.ReplaceAll(in, " ", "")))
		if n := allocated(func() {
			if err := wire.DecodeMessage(&d, raw, 100, new(setMessage)); err == nil {
				t.Errorf("%s is accepted", in[:8])
			}
		}); n > 1<<18 {
			t.Errorf("%s: %d bytes allocated", in[:8], n)
		}
	}
	budget := strings.Repeat(item, 100)
	if err := wire.DecodeMessage(d.Counting(99), budget, 100, new(setMessage)); !errors.Is(err, wire.ErrBudget) {
		t.Errorf("100 messages, budget 99: %v", err)
	}
	if err := wire.DecodeMessage(d.Counting(100), budget, 100, new(setMessage)); err != nil {
		t.Errorf("100 messages, budget 100: %v", err)
	}
	// Many pieces of one message take linear time.
	read := func(pieces int) time.Duration {
		in := "\x0b\x10\x05" + strings.Repeat("\x1a\x08abcdefgh", pieces) + "\x0c"
		best := time.Hour
		for range 3 {
			start := time.Now()
			if err := wire.DecodeMessage(&d, in, 100, new(setMessage)); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	if small, large := read(1_000), read(64_000); large > 800*max(small, 20*time.Microsecond) {
		t.Errorf("1,000 pieces in %v, 64,000 in %v", small, large)
	}
}

// nestSets returns levels sets, each in the item of the one around it.
func nestSets(levels int) []byte {
	var b []byte
	for range levels {
		b = protowire.AppendBytes([]byte("\x12"), b)
		b = append(protowire.AppendBytes([]byte("\x0b\x10\xe8\x07\x1a"), b), 0x0c)
	}
	return b
}
