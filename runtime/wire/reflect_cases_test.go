package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/runtime/wire"
)

var reasons = map[string]error{
	"truncated":     wire.ErrTruncated,
	"overflow":      wire.ErrOverflow,
	"malformed":     wire.ErrMalformed,
	"utf8":          wire.ErrInvalidUTF8,
	"uninitialized": wire.ErrUninitialized,
}

// TestReflectCases reads the cases of the corpus into messages of protoc-gen-go and into
// dynamic ones.
func TestReflectCases(t *testing.T) {
	for _, c := range corpus.Cases() {
		mt, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(c.Message))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []proto.Message{mt.New().Interface(), dynamicpb.NewMessage(mt.Descriptor())} {
			err := decode(wire.NewDecoder(0), string(c.In), 100, m)
			if c.Rejected() {
				if !errors.Is(err, reasons[c.Reason]) {
					t.Errorf("%s %T: %v, want %s", c.ID, m, err, c.Reason)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s %T: %v", c.ID, m, err)
				continue
			}
			if out, err := encode(m, 100, true); err != nil || !bytes.Equal(out, c.Out) {
				t.Errorf("%s %T: %x (%v), want %x", c.ID, m, out, err, c.Out)
			}
		}
	}
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestReflectWire has the cases that need proto2 or editions. An answer is the message as
// text, or the error. Messages are written as they were read, unless out says otherwise.
func TestReflectWire(t *testing.T) {
	for _, c := range []struct {
		id, message, in string
		want            any
		out             string
	}{
		{"A43/1", "t2.Msg", "3a01ff", `s:"\xff"`, ""},
		{"A43/2", "e.M", "1a01ff", `raw:"\xff"`, ""},
		{"A43/3", "e.M", "2201ff", wire.ErrInvalidUTF8, ""},
		{"A43/4", "e.M", "7a060a01fe1201ff", `raws:{key:"\xfe" value:"\xff"}`, ""},
		{"A44/1", "t2.Msg", "0863", "e:99", ""},
		{"A44/2", "t2.Msg", "1a03016302", "pe:CLOSED_ONE pe:99 pe:CLOSED_TWO", ""},
		{"A44/3", "t2.Msg", "100110631002", "re:CLOSED_ONE re:99 re:CLOSED_TWO", ""},
		{"A44/4", "t2.Msg", "22050a01611063", `me:{key:"a" value:99}`, ""},
		{"A44/5", "t2.Msg", "5863", "oe:99", ""},
		{"A44/6", "e.M", "40634863", "cl:99 cls:99", "40634a0163"},
		{"A45/1", "t2.Msg", "2b08012c", "Grp{x:1}", ""},
		{"A45/2", "t2.Msg", "2b08012c2b120208012c", "Grp{x:1 sub:{e:CLOSED_ONE}}", "2b0801120208012c"},
		{"A45/3", "t2.Msg", "2a020801", "", ""},
		{"A45/4", "t2.Msg", "2b0801", wire.ErrTruncated, ""},
		{"A45/5", "t2.Msg", "2b080134", wire.ErrMalformed, ""},
		{"A45/6", "t2.G", "3308013c", wire.ErrMalformed, ""},
		{"A45/7", "t2.G", "3308013433343b08013c4002", "Rg{y:1} Rg{} n:2", "3308013433344002"},
		{"A45/8", "t2.G", "3b08013c3b3c", "Og{z:1}", "3b08013c"},
		{"A47/1", "e.M", "3b10023c", "del:{exp:2}", ""},
		{"A47/2", "e.M", "3a021002", "", ""},
		{"A47/3", "e.M", "3b3b10023c3c53545354", "del:{del:{exp:2}} dels:{} dels:{}", ""},
		{"A47/4", "e.M", "5b10025c", "od:{exp:2}", ""},
		{"A48/1", "t2.Msg", "3a01614807a00605", `s:"a" r:7 [reflect.t2.ext_i]:5`, ""},
		{"A48/2", "t2.Msg", "a00605aa060161b206020801", `[reflect.t2.ext_i]:5 [reflect.t2.ext_s]:"a" [reflect.t2.ext_m]:{id:1}`, ""},
		{"A48/3", "t2.Msg", "a00605e01201a00607", `[reflect.t2.ext_i]:7 after:1`, "a00607e01201"},
		{"A48/4", "t2.Msg", "e01201a2060161", "after:1", ""},
		{"A48/5", "t2.Msg", "c30608 01c406c80602", `[reflect.t2.extg]:{x:1} [reflect.t2.ext_e]:CLOSED_TWO`, ""},
		{"A48/6", "t2.Msg", "b80601ba06020203", `[reflect.t2.ext_p]:1 [reflect.t2.ext_p]:2 [reflect.t2.ext_p]:3`, "ba0603010203"},
		{"A48/7", "t2.Msg", "f00c01", "", ""}, // number 206 is no extension, 199 below is none that is known
		{"A48/8", "t2.Msg", "b80c01", "", ""},
		{"A49/1", "t2.Req", "", wire.ErrUninitialized, ""},
		{"A49/2", "t2.Msg", "6a00", wire.ErrUninitialized, ""},
		{"A49/3", "t2.Req", "0801120012020802", "id:1 child:{id:2}", "080112020802"},
		{"A49/4", "t2.Msg", "ea12050a01611200", wire.ErrUninitialized, ""},
		{"A49/5", "t2.Msg", "b20600", wire.ErrUninitialized, ""},
		{"A49/6", "t2.NeedsGroup", "0b0c", wire.ErrUninitialized, ""},
		{"A49/7", "t2.NeedsGroup", "0b08010c", "Need:{x:1}", ""},
		{"A49/8", "e.M", "8a0100", wire.ErrUninitialized, ""},
		{"A50/1", "e.M", "0800", "", "-"},
		{"A50/2", "e.M", "1000", "exp:0", ""},
		{"A50/3", "e.M", "7500000080", "zero:-0", ""},
	} {
		in := unhex(t, strings.ReplaceAll(c.in, " ", ""))
		m := dynamic(t, c.message)
		err := decode(wire.NewDecoder(0), string(in), 100, m)
		if want, ok := c.want.(error); ok {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", c.id, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.id, err)
			continue
		}
		known := proto.Clone(m)
		known.ProtoReflect().SetUnknown(nil)
		want := fresh(m)
		if !strings.Contains(c.want.(string), `\x`) { // text must be UTF-8
			if err := prototext.Unmarshal([]byte(c.want.(string)), want); err != nil {
				t.Fatalf("%s: %v", c.id, err)
			}
			if !proto.Equal(known, want) {
				t.Errorf("%s: %v, want %v", c.id, known, want)
			}
		}
		right := in
		switch c.out {
		case "":
		case "-":
			right = nil
		default:
			right = unhex(t, c.out)
		}
		if out, err := encode(m, 100, false); err != nil || !bytes.Equal(out, right) {
			t.Errorf("%s: %x (%v), want %x", c.id, out, err, right)
		}
	}
}

func set(t testing.TB, m proto.Message, text string) proto.Message {
	t.Helper()
	if err := (prototext.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestReflectWrite has the rows on writing.
func TestReflectWrite(t *testing.T) {
	unknown := func(m proto.Message, hex string) proto.Message {
		m.ProtoReflect().SetUnknown(unhex(t, hex))
		return m
	}
	nan := math.Float64frombits(0x7ff8000000000001)
	for _, c := range []struct {
		id   string
		m    proto.Message
		want any // hex, or the error
	}{
		{"B01/1", &cases.All{O: &cases.All_Oe{}}, "5200"},
		{"B01/2", &cases.All{O: &cases.All_Oe{Oe: new(cases.Empty)}}, "5200"},
		{"B02", &cases.All{O: (*cases.All_Oe)(nil)}, ""},
		{"B03", &cases.All{Rm: []*cases.Inner{nil, {A: 1}}}, "9201009201020801"},
		{"B03/map", &cases.All{Msm: map[string]*cases.Inner{"": nil}}, "3a040a001200"},
		{"B05", &cases.All{M: new(cases.Inner), Rm: []*cases.Inner{{}, {}}}, "1a00920100920100"},
		{"B06/1", &cases.All{Opt: proto.String("")}, "6a00"},
		{"B06/2", &cases.All{Optb: []byte{}}, "7200"},
		{"B06/3", &cases.All{O: &cases.All_Ob{}}, "ca0100"},
		{"B06/4", &cases.All{O: &cases.All_Ob{Ob: []byte{}}}, "ca0100"},
		{"B06/5", set(t, dynamic(t, "t2.Msg"), `s:""`), "3a00"},
		{"B06/6", set(t, dynamic(t, "t2.Msg"), `s:"dflt"`), "3a0464666c74"},
		{"B06/7", set(t, dynamic(t, "t2.Msg"), `b:""`), "4200"},
		{
			"B07/1", &cases.All{D: math.Copysign(0, -1), F: float32(math.Copysign(0, -1)), Rd: []float64{math.Copysign(0, -1)}},
			"b1010000000000000080bd0100000080fa01080000000000000080",
		},
		{"B07/2", set(t, dynamic(t, "t3.All"), "d:-0 f:-0 rd:-0"), "b1010000000000000080bd0100000080fa01080000000000000080"},
		{"B07/3", &cases.All{D: nan, Rd: []float64{nan}}, "b101010000000000f87ffa0108010000000000f87f"},
		{"B09", &cases.All{Mss: map[string]string{"": ""}}, "32040a001200"},
		{"B11", &cases.All{S: "a", O: &cases.All_Oi{Oi: 1}, Bo: true, Hi: 1}, "0a0161880101d00101f8ffffff0f01"},
		{"B12/1", &cases.All{S: "\xff"}, wire.ErrInvalidUTF8},
		{"B12/2", &cases.All{Mss: map[string]string{"\xff": ""}}, wire.ErrInvalidUTF8},
		{"B12/3", &cases.All{Mss: map[string]string{"": "\xff"}}, wire.ErrInvalidUTF8},
		{"B12/4", &cases.All{Rs: []string{"", "\xff"}}, wire.ErrInvalidUTF8},
		{"B12/5", &cases.All{O: &cases.All_Os{Os: "\xff"}}, wire.ErrInvalidUTF8},
		{"B13", unknown(&cases.All{S: "x"}, "a2060161"), "0a0178a2060161"},
		{"B14", set(t, dynamic(t, "t2.Msg"), "[reflect.t2.ext_i]:5"), "a00605"},
		{"B15/1", dynamic(t, "t2.Req"), wire.ErrUninitialized},
		{"B15/2", set(t, dynamic(t, "t2.Msg"), "rq:{}"), wire.ErrUninitialized},
		{"B15/3", set(t, dynamic(t, "t2.Msg"), "[reflect.t2.ext_m]:{}"), wire.ErrUninitialized},
		{"B16/1", (*cases.All)(nil), ""},
		{"B16/2", proto.Message(nil), ""},
		{"B19", set(t, dynamic(t, "t3.Numbers"), "a:1 b:2"), "b8a3090180e20902"},
	} {
		out, err := encode(c.m, 100, true)
		if want, ok := c.want.(error); ok {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", c.id, err, want)
			}
			continue
		}
		if err != nil || hex.EncodeToString(out) != c.want {
			t.Errorf("%s: %x (%v), want %s", c.id, out, err, c.want)
		}
		if c.m == nil {
			continue
		}
		if out, err = encode(wire.CloneMessage(c.m), 100, true); err != nil || hex.EncodeToString(out) != c.want {
			t.Errorf("%s: clone: %x (%v), want %s", c.id, out, err, c.want)
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestReflectHugeLength(t *testing.T) {
	for _, in := range []string{"1affffffff07", "22f0ffffff07", "320a1af4ffffffffffffff7f", "0af1ffffffffffffffff01"} {
		m := dynamic(t, "t3.All")
		var err error
		n := allocated(func() { err = decode(wire.NewDecoder(0), string(unhex(t, in)), 100, m) })
		if !errors.Is(err, wire.ErrTruncated) || n > 1<<20 {
			t.Errorf("%s: %v, %d bytes allocated", in, err, n)
		}
	}
}
