package golden_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/numbers"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/differ"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// row is a row of the table of inputs that have broken protobuf codecs; testdata/wire.ids
// lists them and says where they come from.
type row struct {
	id   string
	test func(*testing.T)
}

// rows returns the rows that have a test, in the order of the table.
func rows() []row {
	var list []row
	for _, id := range []string{
		"A01", "A02", "A04", "A06", "A07", "A08", "A09", "A12", "A14", "A15", "A16", "A17", "A18", "A20", "A22", "A23",
		"A27", "A28", "A30", "A31", "A32", "A33", "A34", "A36", "A37",
	} {
		list = append(list, row{id, corpusRow(id)})
	}
	return slices.Concat(list, []row{
		{"A39", testA39},
		{"A40", testA40},
		{"A41", corpusRow("A41")},
		{"A42", corpusRow("A42")},
		{"A43", corpusRow("A43")},
		{"A44", corpusRow("A44")},
		{"A45", corpusRow("A45")},
		{"A47", corpusRow("A47")},
		{"A48", corpusRow("A48")},
		{"A49", testA49},
		{"A50", corpusRow("A50")},
		{"B01", testB01},
		{"B02", testB02},
		{"B03", testB03},
		{"B05", testB05},
		{"B06", testB06},
		{"B07", testB07},
		{"B09", testB09},
		{"B10", testB10},
		{"B11", testB11},
		{"B12", testB12},
		{"B13", testB13},
		{"B14", testB14},
		{"B15", testB15},
		{"B16", testB16},
		{"B19", testB19},
		{"C02", testC02},
		{"C03", testC03},
		{"C04", testC04},
		{"D01", testD01},
		{"D02", testD02},
		{"D03", testD03},
		{"D04", testD04},
		{"D05", testD05},
		{"D06", testD06},
		{"D07", testD07},
		{"D08", testD08},
		{"D10", testD10},
		{"D12", testD12},
		{"D13", testD13},
		{"D14", testD14},
		{"D15", testD15},
		{"D17", testD17},
		{"D19", testD19},
		{"D20", testD20},
		{"D22", testD22},
		{"D24", testD24},
		{"E01", testE01},
		{"E02", testE02},
		{"E03", testE03},
		{"E04", testE04},
		{"E07", testE07},
		{"E08", testE08},
		{"E09", testE09},
		{"E11", testE11},
		{"E12", testE12},
		{"E13", testE13},
		{"E14", testE14},
		{"S01", corpusRow("S01")},
		{"S04", testS04},
		{"S06", testS06},
		{"S10", testS10},
	})
}

func TestWire(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.id, r.test)
	}
}

// reasons are the errors that the cases name.
var reasons = map[string]error{
	"truncated": flinkser.ErrTruncated,
	"overflow":  flinkser.ErrOverflow,
	"malformed": flinkser.ErrMalformed,
	"utf8":      flinkser.ErrInvalidUTF8,

	"uninitialized": flinkser.ErrUninitialized,
}

// contents says what the messages of cases hold, where the bytes leave doubt.
var contents = map[string]proto.Message{
	"A01/1": &cases.All{Msm: map[string]*cases.Inner{"": {}}},
	"A02/1": &cases.All{Mss: map[string]string{"testKey": ""}},
	"A02/2": &cases.All{Msm: map[string]*cases.Inner{"a": {}}},
	"A04/1": &cases.All{Mss: map[string]string{"a": "b"}},
	"A06/1": &cases.All{Mss: map[string]string{"a": "b"}},
	"A07/1": &cases.All{Mss: map[string]string{"": "b"}},
	"A08/1": &cases.All{Msm: map[string]*cases.Inner{"a": {B: 2}}},
	"A09/1": &cases.All{Msm: map[string]*cases.Inner{"a": {A: 1, B: 2}}},
	"A12/1": &cases.All{M: &cases.Inner{A: 1, B: 2}},
	"A14/1": &cases.All{O: &cases.All_Oi{Oi: 7}},
	"A15/1": &cases.All{O: &cases.All_Oe{Oe: &cases.Empty{}}},
	"A15/2": &cases.All{O: &cases.All_Os{}},
	"A15/3": &cases.All{O: &cases.All_Od{}},
	"A16/1": &cases.All{Pk: []int32{1, 2}},
	"A16/2": &cases.All{Up: []int32{1, 2}},
	"A16/3": &cases.All{Pk: []int32{1, 2, 3, 4}},
	"A17/1": &cases.All{},
	"A22/1": &cases.All{E: cases.Neg_NEG_M1},
	"A22/2": &cases.All{E: cases.Neg_NEG_M1},
	"A23/1": &cases.All{E: 99},
	"A23/2": &cases.All{Mie: map[int32]cases.Neg{1: 99}},
	"A31/2": &cases.All{Hi: 7},
	"A41/1": &cases.All{},

	"A43/7":  &cases.Msg{S: proto.String("\xff")},
	"A43/8":  &cases.M{Raw: proto.String("\xff")},
	"A43/10": extended(&cases.Msg{}, cases.E_ExtS, []string{"\xff"}),
	"A43/11": &cases.Msg{O: &cases.Msg_Os{Os: "\xff"}, Me: map[string]cases.ClosedZ{"\xff": 0}},
	"A44/1":  &cases.Msg{E: cases.Closed(99).Enum()},
	"A44/2":  &cases.Msg{Pe: []cases.Closed{1, 99, 2}},
	"A44/3":  &cases.Msg{Re: []cases.Closed{1, 99, 2}},
	"A44/4":  &cases.Msg{O: &cases.Msg_Oe{Oe: 99}},
	"A44/5":  &cases.Msg{Me: map[string]cases.ClosedZ{"a": 99}},
	"A44/6":  &cases.Msg{Re: []cases.Closed{1, 99, 2}, Pe: []cases.Closed{1, 99}},
	"A44/7":  &cases.M{Cl: cases.Cl(99).Enum(), Cls: []cases.Cl{1, 99}},
	"A45/1":  &cases.Msg{Grp: &cases.Msg_Grp{X: proto.Int32(1)}},
	"A45/2":  &cases.Msg{Grp: &cases.Msg_Grp{X: proto.Int32(1), Sub: &cases.Msg{E: cases.Closed_CLOSED_ONE.Enum()}}},
	"A45/4":  &cases.Msg{Grp: &cases.Msg_Grp{}},
	"A45/5":  &cases.G{Rg: []*cases.G_Rg{{Y: proto.Int32(1)}, {}, {Y: proto.Int32(2)}}},
	"A45/6":  &cases.G{O: &cases.G_Og_{Og: &cases.G_Og{}}},
	"A45/7":  &cases.G{O: &cases.G_Og_{Og: &cases.G_Og{Z: proto.Int32(1)}}},
	"A47/1":  &cases.M{Del: &cases.M{Exp: proto.Int32(2)}},
	"A47/3":  &cases.M{Del: &cases.M{Exp: proto.Int32(2), Del: &cases.M{Exp: proto.Int32(3)}}},
	"A48/1":  extended(&cases.Msg{S: proto.String("a"), R: []int32{7}}, cases.E_ExtI, int32(5)),
	"A48/2":  extended(&cases.Msg{}, cases.E_ExtI, int32(5), cases.E_ExtS, []string{"a"}, cases.E_ExtM, &cases.Req{Id: proto.Int32(1)}),
	"A48/3":  extended(&cases.Msg{S: proto.String("a")}, cases.E_ExtI, int32(6), cases.E_ExtS, []string{"a", "b"}, cases.E_ExtM, &cases.Req{Id: proto.Int32(1)}),
	"A48/5":  extended(&cases.Msg{S: proto.String("a")}, cases.E_ExtM, &cases.Req{Id: proto.Int32(1), Child: &cases.Req{Id: proto.Int32(2)}}),
	"A49/3":  &cases.Req{Id: proto.Int32(1), Child: &cases.Req{Id: proto.Int32(2)}},
	"A49/6":  &cases.Msg{Rq: &cases.Req{Id: proto.Int32(1)}},
	"A49/10": &cases.Must{Has: &cases.Must_Has{X: proto.Int32(1), Deep: []*cases.Must_Has_Deep{{S: proto.String("a")}}}},
	"A50/1":  &cases.M{},
	"A50/2":  &cases.M{Exp: proto.Int32(0)},
	"A50/3":  &cases.M{Ex: []int32{1, 2}, Pk: []int32{3, 4}},
}

// extended sets extensions of m, which is returned: a type and its value each.
func extended(m *cases.Msg, fields ...any) *cases.Msg {
	for ; len(fields) > 0; fields = fields[2:] {
		proto.SetExtension(m, fields[0].(protoreflect.ExtensionType), fields[1])
	}
	return m
}

// places says which field and byte the error of a case names.
var places = map[string]struct {
	field  string
	offset int
}{
	"A18/1": {"pk", 0},
	"A18/2": {"pk", 0},
	"A27/1": {"oi", 0},
	"A27/2": {"", 0},
	"A28/1": {"oi", 0},
	"A28/2": {"", 0},
	"A30/1": {"", 0},
	"A31/1": {"", 0},
	"A32/1": {"", 0},
	"A33/1": {"", 0},
	"A34/1": {"", 0},
	"A37/1": {"s", 0},
	"A37/2": {"", 0},
	"A37/3": {"pk", 0},
	"A37/4": {"mss", 0},
	"A37/5": {"m", 0},
	"A39/1": {"m", 0},
	"A39/2": {"pk", 0},
	"A40/1": {"", 0},
	"A40/2": {"f64", 0},
	"A40/3": {"pk", 0},
	"A40/4": {"", 0},
	"A43/1": {"s", 0},
	"A43/2": {`mss[""].key`, 2},
	"A43/3": {`mss["a"]`, 5},
	"A43/4": {"rs", 0},
	"A43/5": {"os", 0},
	"A43/6": {"opt", 0},
	"A43/9": {"ver", 0},
	"A45/9": {"grp", 3},
	"S01/1": {`mss[""]`, 2},
}

// corpusRow tests the cases of the corpus whose names start with id, read in every way.
func corpusRow(id string) func(*testing.T) {
	return func(t *testing.T) {
		tested := 0
		for _, c := range corpus.Cases() {
			if row, _, _ := strings.Cut(c.ID, "/"); row != id {
				continue
			}
			tested++
			for _, f := range forms {
				t.Run(strings.ReplaceAll(c.ID, "/", "-")+"-"+f.name, func(t *testing.T) { testCase(t, f, c) })
			}
		}
		if tested == 0 {
			t.Fatalf("the corpus has no case %s", id)
		}
	}
}

// dirtied returns a message of the form with all kinds of content that it alone owns.
func dirtied(t *testing.T, f form, mt protoreflect.MessageType) proto.Message {
	t.Helper()
	m := mt.New().Interface()
	randpb.Message(newRand(11), m, randpb.Options{Depth: 3, Unknown: true})
	b, err := differ.Reference(m)
	if err != nil {
		t.Fatal(err)
	}
	m = f.empty(mt)
	if err := flinkser.Unmarshal(b, m); err != nil {
		t.Fatal(err)
	}
	return m
}

func testCase(t *testing.T, f form, c corpus.Case) {
	mt := typeOf(t, c.Message)
	for _, way := range []struct {
		name string
		opts []flinkser.Option
		into proto.Message
	}{
		{"safe", nil, f.empty(mt)},
		{"safe, over other content", nil, dirtied(t, f, mt)},
		{"aliasing", []flinkser.Option{flinkser.WithAliasing()}, f.empty(mt)},
		{"reuse", []flinkser.Option{flinkser.WithReuse()}, dirtied(t, f, mt)},
		{"reuse and aliasing", []flinkser.Option{flinkser.WithReuse(), flinkser.WithAliasing()}, dirtied(t, f, mt)},
		{"merge into nothing", []flinkser.Option{flinkser.WithMerge()}, f.empty(mt)},
	} {
		in := bytes.Clone(c.In)
		err := serializer(t, way.opts...).DecodePayload(in, way.into)
		if !bytes.Equal(in, c.In) {
			t.Errorf("%s: the input is %x now", way.name, in)
		}
		if c.Rejected() {
			checkRefused(t, way.name, c, err)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", way.name, err)
			continue
		}
		checkWritten(t, way.name, way.into, c.Out)
		if want := contents[c.ID]; want != nil {
			// The reference reads them into the same type, for what it sees must be equal.
			got := mt.New().Interface()
			proto.Merge(got, toGenerated(t, way.into))
			if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", way.name, diff)
			}
		}
	}
}

// toGenerated returns the content of a message of any form in its generated type.
func toGenerated(t *testing.T, m proto.Message) proto.Message {
	t.Helper()
	if h, ok := m.(differ.Hidden); ok {
		return h.Message
	}
	mt := typeOf(t, string(m.ProtoReflect().Descriptor().FullName()))
	if mt.Descriptor() != m.ProtoReflect().Descriptor() {
		t.Fatalf("%T has another descriptor", m)
	}
	g := mt.New().Interface()
	proto.Merge(g, m)
	return g
}

func checkRefused(t *testing.T, way string, c corpus.Case, err error) {
	t.Helper()
	if !errors.Is(err, reasons[c.Reason]) {
		t.Errorf("%s: error %v, want %v", way, err, reasons[c.Reason])
		return
	}
	var failed *flinkser.DecodeError
	if !errors.As(err, &failed) || failed.Message != c.Message {
		t.Errorf("%s: error %#v, want one about %s", way, err, c.Message)
		return
	}
	if place, ok := places[c.ID]; ok && (failed.Field != place.field || failed.Offset != place.offset) {
		t.Errorf("%s: field %q at byte %d, want %q at %d", way, failed.Field, failed.Offset, place.field, place.offset)
	}
}

// checkWritten checks the size of m, and that it is written as want, its clone too.
func checkWritten(t *testing.T, what string, m proto.Message, want []byte) {
	t.Helper()
	s := serializer(t, flinkser.WithDeterministic())
	clone, err := s.Clone(m)
	if err != nil {
		t.Errorf("%s: clone: %v", what, err)
	}
	for name, m := range map[string]proto.Message{what: m, what + ", clone": clone} {
		if got, err := s.AppendPayload(nil, m); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: deterministic %x (%v), want %x", name, got, err, want)
		}
		got, err := flinkser.Marshal(m)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: written as %x (%v), want %x", name, got, err, want)
		}
		if n, err := s.Size(m); err != nil || n != len(want) {
			t.Errorf("%s: size %d (%v), want %d", name, n, err, len(want))
		}
		frame, err := s.Append([]byte("before"), m)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		prefix := binary.BigEndian.AppendUint32([]byte("before"), uint32(len(want)))
		if !bytes.Equal(frame, append(prefix, want...)) {
			t.Errorf("%s: frame %x", name, frame)
		}
	}
}

// checkValue checks that m is written as the payload in hex in every form, and read back.
func checkValue(t *testing.T, m proto.Message, want string) {
	t.Helper()
	payload := unhex(t, want)
	for _, f := range forms {
		checkWritten(t, f.name, f.of(m), payload)
		back := f.empty(m.ProtoReflect().Type())
		if err := flinkser.Unmarshal(payload, back); err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		checkWritten(t, f.name+", read back", back, payload)
	}
}

func testA39(t *testing.T) {
	corpusRow("A39")(t)
	mt := typeOf(t, "cases.t3.All")
	for _, in := range []string{"1affffffff07", "22f0ffffff07", "0affffffff07", "12ffffffff07", "32ffffffff07", "9a01ffffffff07", "fa01f8ffffff07", "a206ffffffff07"} {
		b := unhex(t, in)
		for _, f := range forms {
			m := f.empty(mt)
			s := serializer(t, flinkser.WithLimits(flinkser.ProtobufLimits))
			var err error
			n := allocated(func() { err = s.DecodePayload(b, m) })
			if !errors.Is(err, flinkser.ErrTruncated) {
				t.Errorf("%s %s: error %v", f.name, in, err)
			}
			if n >= 1<<20 {
				t.Errorf("%s %s: %d bytes were allocated", f.name, in, n)
			}
		}
	}
}

func testA40(t *testing.T) {
	corpusRow("A40")(t)
	// A message with every field, cut at every byte: the answer to each is that of the
	// reference, which accepts the cuts between two fields.
	full := &cases.All{
		S: "string", By: []byte("bytes"), M: &cases.Inner{A: 1, Next: &cases.Inner{S: "deep"}}, Pk: []int32{1, -1, 300}, Up: []int32{1, -1},
		Mss: map[string]string{"key": "value"}, Msm: map[string]*cases.Inner{"k": {R: []int32{1, 2}}}, Mie: map[int32]cases.Neg{-1: cases.Neg_NEG_MAX},
		O: &cases.All_Ob{Ob: []byte("oneof")}, Opt: proto.String("o"), Optb: []byte{}, E: cases.Neg_NEG_MIN, Re: []cases.Neg{1, -1}, Bo: true,
		Rm: []*cases.Inner{{A: 1}, {}}, Rs: []string{"", "two"}, Si: -3, F64: 1 << 60, D: math.Pi, F: -1, U32: 1 << 31,
		Mbb: map[bool][]byte{true: {1}}, Rd: []float64{1, 2}, Rb: []bool{true, false}, I64: math.MinInt64, Re0: []*cases.Empty{{}}, Hi: 1,
	}
	full.ProtoReflect().SetUnknown(unhex(t, "a20603616263 9b06 a801 01 9c06 f806ff01 fd0601020304"))
	b, err := flinkser.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		accepted := 0
		m := f.empty(typeOf(t, "cases.t3.All"))
		for n := range b {
			err, want := flinkser.Unmarshal(b[:n], m), proto.Unmarshal(b[:n], new(cases.All))
			if (err == nil) != (want == nil) {
				t.Fatalf("%s: %d bytes: error %v, reference %v", f.name, n, err, want)
			}
			if err == nil {
				accepted++
			} else if !errors.Is(err, flinkser.ErrTruncated) {
				t.Fatalf("%s: %d bytes: error %v", f.name, n, err)
			}
		}
		// 26 numbered fields, a few elements more, 4 unknown ones.
		if accepted < 30 || accepted > 60 {
			t.Errorf("%s: %d prefixes were accepted", f.name, accepted)
		}
	}
}

func testA49(t *testing.T) {
	corpusRow("A49")(t)
	// Whoever asks for it gets what there is.
	s := serializer(t, flinkser.WithPartial())
	for _, c := range corpus.Cases() {
		if c.Reason != "uninitialized" {
			continue
		}
		want := typeOf(t, c.Message).New().Interface()
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(c.In, want); err != nil {
			t.Fatal(err)
		}
		for _, f := range forms {
			m := f.empty(typeOf(t, c.Message))
			if err := s.DecodePayload(c.In, m); err != nil {
				t.Errorf("%s %s: partial: %v", f.name, c.ID, err)
				continue
			}
			if diff := cmp.Diff(want, toGenerated(t, m), protocmp.Transform()); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", f.name, c.ID, diff)
			}
		}
	}
}

func testB01(t *testing.T) {
	checkValue(t, &cases.All{O: &cases.All_Oe{}}, "5200")
	checkValue(t, &cases.All{O: &cases.All_Oe{Oe: &cases.Empty{}}}, "5200")
	checkValue(t, &cases.All{O: &cases.All_Om{}}, "5a00")
	// Nil values of maps are empty messages, too.
	checkValue(t, &cases.All{Msm: map[string]*cases.Inner{"k": nil}}, "3a050a016b1200")
}

func testB02(t *testing.T) {
	for _, m := range []*cases.All{
		{O: (*cases.All_Os)(nil)},
		{O: (*cases.All_Oe)(nil)},
		{O: (*cases.All_Om)(nil)},
		{O: (*cases.All_Od)(nil)},
		{O: (*cases.All_Ob)(nil)},
		{O: (*cases.All_Oi)(nil)},
		{O: (*cases.All_Of)(nil)},
		{O: (*cases.All_On)(nil)},
		{O: (*cases.All_Obl)(nil)},
	} {
		checkValue(t, m, "")
	}
}

func testB03(t *testing.T) {
	m := &cases.All{Rm: []*cases.Inner{nil, {A: 1}}}
	checkValue(t, m, "9201009201020801")
	if m.Rm[0] != nil {
		t.Error("the nil element has changed")
	}
}

func testB05(t *testing.T) {
	checkValue(t, &cases.All{M: &cases.Inner{}, Rm: []*cases.Inner{{}, {}}}, "1a00920100920100")
}

func testB06(t *testing.T) {
	checkValue(t, &cases.All{Opt: proto.String("")}, "6a00")
	checkValue(t, &cases.All{Optb: []byte{}}, "7200")
	checkValue(t, &cases.All{O: &cases.All_Ob{}}, "ca0100")
	checkValue(t, &cases.All{O: &cases.All_Ob{Ob: []byte{}}}, "ca0100")
	checkValue(t, &cases.All{O: &cases.All_Os{}}, "4a00")
	checkValue(t, &cases.All{By: []byte{}}, "") // implicit presence: empty is absent

	// The default of a field is not what it is when it is absent.
	checkValue(t, &cases.Msg{S: proto.String("")}, "3a00")
	checkValue(t, &cases.Msg{S: proto.String("dflt")}, "3a0464666c74")
	checkValue(t, &cases.Msg{B: []byte{}}, "4200")
	checkValue(t, &cases.Msg{O: &cases.Msg_Os{}}, "6200")
	checkValue(t, &cases.M{Raw: proto.String(""), Ver: proto.String("")}, "1a002200")
	checkValue(t, &cases.M{Imp: 0, Exp: proto.Int32(0)}, "1000")

	m := new(cases.All)
	if err := flinkser.Unmarshal(unhex(t, "7200"), m); err != nil || m.Optb == nil {
		t.Errorf("an empty byte string that is present is read as %v (%v)", m.Optb, err)
	}
}

func testB07(t *testing.T) {
	zero := math.Copysign(0, -1)
	checkValue(t, &cases.All{D: zero, F: float32(zero), Rd: []float64{zero}}, "b1010000000000000080bd0100000080fa01080000000000000080")
	checkValue(t, &cases.All{D: math.Float64frombits(0x7ff8000000000001)}, "b101010000000000f87f")
	checkValue(t, &cases.All{Rd: []float64{math.Float64frombits(0xfff8dead0000beef)}}, "fa0108efbe0000addef8ff")
	checkValue(t, &cases.All{F: math.Float32frombits(0x7fc00001)}, "bd010100c07f")

	// A signaling NaN survives where no protoreflect.Value, which holds all floats as
	// float64, stands between.
	for _, in := range []string{"bd010100a07f", "b101010000000000f47f", "dd010100a07f"} {
		m := new(cases.All)
		if err := flinkser.Unmarshal(unhex(t, in), m); err != nil {
			t.Fatal(err)
		}
		clone, err := serializer(t).Clone(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []proto.Message{m, clone} {
			if out, err := flinkser.Marshal(m); err != nil || !bytes.Equal(out, unhex(t, in)) {
				t.Errorf("NaN %s is written as %x (%v)", in, out, err)
			}
		}
	}
}

func testB09(t *testing.T) {
	checkValue(t, &cases.All{Mss: map[string]string{"": ""}}, "32040a001200")
	checkValue(t, &cases.All{Mie: map[int32]cases.Neg{0: 0}}, "420408001000")
	checkValue(t, &cases.All{Mbb: map[bool][]byte{false: nil}}, "f2010408001200")
}

func testB10(t *testing.T) {
	build := func() *cases.All {
		m := &cases.All{Mss: map[string]string{}, Msm: map[string]*cases.Inner{}, Mie: map[int32]cases.Neg{}, Mbb: map[bool][]byte{true: {1}, false: {0}}}
		for i := range 60 {
			k := strings.Repeat("key", i%4) + string(rune('a'+i%23)) + strings.Repeat("\U0001f600", i%3) + strings.Repeat("\ue000", i%2)
			m.Mss[k] = k
			m.Msm[k] = &cases.Inner{A: int32(i), R: []int32{int32(i)}}
			m.Mie[int32(i-30)] = cases.Neg(i)
		}
		return m
	}
	want := differ.Canonical(nil, build().ProtoReflect())
	eachForm(t, func(t *testing.T, f form) {
		s := serializer(t, flinkser.WithDeterministic())
		for range 100 {
			if got, err := s.AppendPayload(nil, f.of(build())); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%x (%v)\nwant\n%x", got, err, want)
			}
		}
	})
	// U+E000 is above the surrogates that Java writes U+1F600 with; 4294967295 is -1 there.
	checkValue(t, &cases.All{Mss: map[string]string{"\ue000": "", "\U0001f600": "", "a": ""}},
		"32050a01611200"+"32080a04f09f98801200"+"32070a03ee80801200")
	checkValue(t, &cases.All{Mie: map[int32]cases.Neg{1: 1, -1: 0, math.MinInt32: 0}},
		"420d0880808080f8ffffffff011000"+"420d08ffffffffffffffffff011000"+"420408011001")
	checkValue(t, &cases.All{Mbb: map[bool][]byte{true: nil, false: nil}}, "f2010408001200f2010408011200")
}

func testB11(t *testing.T) {
	m := &cases.All{S: "a", O: &cases.All_Oi{Oi: 1}, Bo: true, Hi: 1}
	checkValue(t, m, "0a0161880101d00101f8ffffff0f01")
}

func testB12(t *testing.T) {
	const bad = "\xff"
	for field, m := range map[string]*cases.All{
		"s":               {S: bad},
		`mss["\xff"].key`: {Mss: map[string]string{bad: ""}},
		`mss["a"]`:        {Mss: map[string]string{"a": bad}},
		"rs[1]":           {Rs: []string{"", bad}},
		"os":              {O: &cases.All_Os{Os: bad}},
		"opt":             {Opt: proto.String(bad)},
		"m.next.s":        {M: &cases.Inner{Next: &cases.Inner{S: bad}}},
		`msm["k"].s`:      {Msm: map[string]*cases.Inner{"k": {S: bad}}},
		"rm[0].s":         {Rm: []*cases.Inner{{S: bad}}},
	} {
		for _, f := range forms {
			for _, opts := range [][]flinkser.Option{nil, {flinkser.WithDeterministic()}} {
				dst := append(make([]byte, 0, 200), "before"...)
				out, err := serializer(t, opts...).Append(dst, f.of(m))
				var failed *flinkser.EncodeError
				if !errors.Is(err, flinkser.ErrInvalidUTF8) || !errors.As(err, &failed) || failed.Field != field || failed.Message != "cases.t3.All" {
					t.Errorf("%s %s: error %v", f.name, field, err)
				}
				if string(out) != "before" || cap(out) != cap(dst) {
					t.Errorf("%s %s: the output is %q now", f.name, field, out)
				}
			}
		}
	}
}

func testB13(t *testing.T) {
	m := &cases.All{S: "x"}
	unknown := unhex(t, "a2060161")
	m.ProtoReflect().SetUnknown(unknown)
	checkValue(t, m, "0a0178a2060161")

	clone, err := serializer(t).Clone(m)
	if err != nil {
		t.Fatal(err)
	}
	unknown[3] = 'b'
	if got := clone.ProtoReflect().GetUnknown(); !bytes.Equal(got, unhex(t, "a2060161")) {
		t.Errorf("the clone has the unknown fields %x", got)
	}
}

func testB14(t *testing.T) {
	checkValue(t, extended(&cases.Msg{}, cases.E_ExtI, int32(5)), "a00605")
	// Between the fields of a message, by number; nil messages and empty lists as elsewhere.
	checkValue(t, extended(&cases.Msg{S: proto.String("a"), Rq: &cases.Req{Id: proto.Int32(1)}}, cases.E_ExtM, &cases.Req{Id: proto.Int32(2)}, cases.E_ExtI, int32(0), cases.E_ExtS, []string{"", "\xff"}),
		"3a0161"+"6a020801"+"a00600"+"aa0600"+"aa0601ff"+"b206020802")
	checkValue(t, extended(&cases.Msg{}, cases.E_ExtS, []string{}), "")
	// What the program knows nothing of stays as it came, behind those.
	m := extended(&cases.Msg{}, cases.E_ExtI, int32(5))
	m.ProtoReflect().SetUnknown(unhex(t, "c00c01"))
	checkValue(t, m, "a00605c00c01")
}

func testB15(t *testing.T) {
	for name, m := range map[string]proto.Message{
		"Req":                  &cases.Req{},
		"Req.child":            &cases.Req{Id: proto.Int32(1), Child: &cases.Req{}},
		"Req.kids[1]":          &cases.Req{Id: proto.Int32(1), Kids: []*cases.Req{{Id: proto.Int32(0)}, {}}},
		"Req.kids[0], nil":     &cases.Req{Id: proto.Int32(1), Kids: []*cases.Req{nil}},
		"Msg.rq":               &cases.Msg{Rq: &cases.Req{}},
		"Msg.grp.sub.rq":       &cases.Msg{Grp: &cases.Msg_Grp{Sub: &cases.Msg{Rq: &cases.Req{}}}},
		"Msg.ext_m":            extended(&cases.Msg{}, cases.E_ExtM, &cases.Req{}),
		"Must":                 &cases.Must{},
		"Must.has":             &cases.Must{Has: &cases.Must_Has{}},
		"Must.has.deep[0]":     &cases.Must{Has: &cases.Must_Has{X: proto.Int32(1), Deep: []*cases.Must_Has_Deep{{}}}},
		"nil with required id": (*cases.Req)(nil),
	} {
		if _, err := proto.Marshal(m); err == nil {
			t.Errorf("%s: the reference writes it", name)
		}
		want, err := differ.Reference(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forms {
			if !m.ProtoReflect().IsValid() && f.name == "dynamic" {
				continue // it has no nil messages
			}
			v := f.of(m)
			for _, opts := range [][]flinkser.Option{nil, {flinkser.WithDeterministic()}} {
				out, err := serializer(t, opts...).Append([]byte("before"), v)
				var failed *flinkser.EncodeError
				if !errors.Is(err, flinkser.ErrUninitialized) || !errors.As(err, &failed) || failed.Message != string(m.ProtoReflect().Descriptor().FullName()) || string(out) != "before" {
					t.Errorf("%s %s: %q, error %v", f.name, name, out, err)
				}
				out, err = serializer(t, append(opts, flinkser.WithPartial())...).AppendPayload(nil, v)
				if err != nil || len(out) != len(want) {
					t.Errorf("%s %s: partial: %x (%v), want %x", f.name, name, out, err, want)
				}
			}
		}
	}
	checkValue(t, &cases.Req{Id: proto.Int32(0)}, "0800")
}

func testB16(t *testing.T) {
	s := serializer(t, flinkser.WithDeterministic())
	for name, m := range map[string]proto.Message{"nil": nil, "generated": (*cases.All)(nil), "reflected": differ.Hidden{Message: (*cases.All)(nil)}} {
		if out, err := flinkser.Marshal(m); err != nil || len(out) != 0 {
			t.Errorf("%s: written as %x (%v)", name, out, err)
		}
		if out, err := s.Append(nil, m); err != nil || !bytes.Equal(out, make([]byte, 4)) {
			t.Errorf("%s: framed as %x (%v)", name, out, err)
		}
		if n, err := s.Size(m); err != nil || n != 0 {
			t.Errorf("%s: size %d (%v)", name, n, err)
		}
	}
	for name, m := range map[string]proto.Message{"nil": nil, "generated": (*cases.All)(nil)} {
		if c, err := s.Clone(m); err != nil || c != m {
			t.Errorf("%s: clone %v (%v)", name, c, err)
		}
		for _, opts := range [][]flinkser.Option{nil, {flinkser.WithReuse()}, {flinkser.WithMerge()}} {
			if err := serializer(t, opts...).DecodePayload([]byte{}, m); !errors.Is(err, flinkser.ErrNilMessage) {
				t.Errorf("%s: decode: error %v", name, err)
			}
		}
	}
}

func testB19(t *testing.T) {
	checkValue(t, &numbers.Varints{F536870911: 1}, "f8ffffff0f01")
	checkValue(t, &numbers.Varints{F18999: 1}, "b8a30901")
	checkValue(t, &numbers.Varints{F20000: 1}, "80e20901")
	checkValue(t, &numbers.Varints{F1: 1, F15: 2, F16: 3, F2047: 4, F2048: 5, F262143: 6, F262144: 7, F33554431: 8, F33554432: 9},
		"0801"+"7802"+"800103"+"f87f04"+"80800105"+"f8ff7f06"+"8080800107"+"f8ffff7f08"+"808080800109")
}

func testC02(t *testing.T) {
	in := unhex(t, "0a03616263 1203646566 6a0167 720168 9a010169 32060a016a12016b f20105080112016c 3a080a016e12032a016f 4a0170 1a072a0172a2060173 a2060171")
	for _, f := range forms {
		for _, opts := range [][]flinkser.Option{nil, {flinkser.WithReuse()}, {flinkser.WithMerge()}} {
			m := f.empty(typeOf(t, "cases.t3.All"))
			b := bytes.Clone(in)
			if err := serializer(t, opts...).DecodePayload(b, m); err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			before, err := flinkser.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			for i := range b {
				b[i] = 0xee
			}
			after, err := flinkser.Marshal(m)
			if err != nil || !bytes.Equal(before, after) || bytes.Contains(after, []byte{0xee}) {
				t.Errorf("%s: changing the input changed the message to %x (%v) from %x", f.name, after, err, before)
			}
		}
	}
}

func testC03(t *testing.T) {
	first := unhex(t, "9201062a01781a0101")
	second := unhex(t, "9201020801")
	for _, f := range forms {
		for _, opts := range [][]flinkser.Option{{flinkser.WithReuse()}, {flinkser.WithReuse(), flinkser.WithAliasing()}} {
			s := serializer(t, opts...)
			m := f.empty(typeOf(t, "cases.t3.All"))
			for range 3 {
				for _, in := range [][]byte{first, second} {
					if err := s.DecodePayload(in, m); err != nil {
						t.Fatalf("%s: %v", f.name, err)
					}
				}
				checkWritten(t, f.name, m, second)
			}
			g := toGenerated(t, m).(*cases.All)
			if diff := cmp.Diff(&cases.All{Rm: []*cases.Inner{{A: 1}}}, g, protocmp.Transform()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", f.name, diff)
			}
		}
	}
	// The point of it: the second and later reads find their memory there.
	s := serializer(t, flinkser.WithReuse())
	m := new(cases.All)
	if err := s.DecodePayload(first, m); err != nil {
		t.Fatal(err)
	}
	child := m.Rm[0]
	n := testing.AllocsPerRun(100, func() {
		if err := s.DecodePayload(first, m); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 || m.Rm[0] != child {
		t.Errorf("reuse of the same content allocates %v times", n)
	}
}

func testC04(t *testing.T) {
	base := &cases.All{
		S: "a", By: []byte("b"), M: &cases.Inner{A: 1, R: []int32{1}}, Pk: []int32{1}, Rs: []string{"x"}, Rm: []*cases.Inner{{A: 1}},
		Mss: map[string]string{"k": "1", "l": "1"}, Msm: map[string]*cases.Inner{"k": {A: 1}}, O: &cases.All_Om{Om: &cases.Inner{A: 1}}, Opt: proto.String("p"),
	}
	base.ProtoReflect().SetUnknown(unhex(t, "a2060161"))
	more := &cases.All{
		S: "c", M: &cases.Inner{B: 2, R: []int32{2}}, Pk: []int32{2}, Rs: []string{"y"}, Rm: []*cases.Inner{{B: 2}},
		Mss: map[string]string{"l": "2", "m": "2"}, Msm: map[string]*cases.Inner{"k": {B: 2}}, O: &cases.All_Om{Om: &cases.Inner{B: 2}},
	}
	more.ProtoReflect().SetUnknown(unhex(t, "a2060162"))
	want := &cases.All{
		S: "c", By: []byte("b"), M: &cases.Inner{A: 1, B: 2, R: []int32{1, 2}}, Pk: []int32{1, 2}, Rs: []string{"x", "y"}, Rm: []*cases.Inner{{A: 1}, {B: 2}},
		Mss: map[string]string{"k": "1", "l": "2", "m": "2"}, Msm: map[string]*cases.Inner{"k": {B: 2}}, O: &cases.All_Om{Om: &cases.Inner{A: 1, B: 2}}, Opt: proto.String("p"),
	}
	want.ProtoReflect().SetUnknown(unhex(t, "a2060161a2060162"))
	payload, err := flinkser.Marshal(more)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		m := f.of(proto.Clone(base))
		if err := serializer(t, flinkser.WithMerge()).DecodePayload(payload, m); err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		if diff := cmp.Diff(proto.Message(want), toGenerated(t, m), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.name, diff)
		}
	}
	reference := proto.Clone(base)
	if err := (proto.UnmarshalOptions{Merge: true}).Unmarshal(payload, reference); err != nil || !proto.Equal(reference, want) {
		t.Errorf("the reference merges to %v (%v)", reference, err)
	}
}

// chain returns a Rec with this many levels below it, linked by link.
func chain(levels int, link func(parent, child *cases.Rec)) *cases.Rec {
	m := &cases.Rec{Id: 1}
	for range levels {
		parent := new(cases.Rec)
		link(parent, m)
		m = parent
	}
	return m
}

// links are the ways in which a Rec holds another one, and the levels that each costs.
var links = []struct {
	name   string
	link   func(parent, child *cases.Rec)
	levels int
}{
	{"next", func(p, c *cases.Rec) { p.Next = c }, 1},
	{"list", func(p, c *cases.Rec) { p.List = []*cases.Rec{{}, c} }, 1},
	{"alt", func(p, c *cases.Rec) { p.K = &cases.Rec_Alt{Alt: c} }, 1},
	{"kids", func(p, c *cases.Rec) { p.Kids = map[string]*cases.Rec{"k": c} }, 2},
}

// checkDepth checks that m needs exactly this recursion limit, on write and on read, in
// every form.
func checkDepth(t *testing.T, m proto.Message, limit int) {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		value := f.of(m)
		for _, det := range []bool{false, true} {
			opts := func(limit int) []flinkser.Option {
				o := []flinkser.Option{flinkser.WithRecursionLimit(limit)}
				if det {
					o = append(o, flinkser.WithDeterministic())
				}
				return o
			}
			pass := serializer(t, opts(limit)...)
			if out, err := pass.AppendPayload(nil, value); err != nil || len(out) != len(b) {
				t.Errorf("%s: limit %d: write: %v", f.name, limit, err)
			}
			if n, err := pass.Size(value); err != nil || n != len(b) {
				t.Errorf("%s: limit %d: size: %d, %v", f.name, limit, n, err)
			}
			if _, err := pass.Clone(value); err != nil {
				t.Errorf("%s: limit %d: clone: %v", f.name, limit, err)
			}
			if limit == 1 {
				continue // there is no limit below
			}
			fail := serializer(t, opts(limit-1)...)
			out, err := fail.Append([]byte("before"), value)
			var failed *flinkser.EncodeError
			if !errors.Is(err, flinkser.ErrDepth) || !errors.As(err, &failed) || failed.Field == "" || string(out) != "before" {
				t.Errorf("%s: limit %d: write: %v", f.name, limit-1, err)
			}
			if _, err := fail.Size(value); !errors.Is(err, flinkser.ErrDepth) {
				t.Errorf("%s: limit %d: size: %v", f.name, limit-1, err)
			}
			if _, err := fail.Clone(value); !errors.Is(err, flinkser.ErrDepth) {
				t.Errorf("%s: limit %d: clone: %v", f.name, limit-1, err)
			}
		}
		checkReadDepth(t, f, m.ProtoReflect().Type(), b, limit)
	}
}

// checkReadDepth checks that payload b needs exactly this recursion limit, in every way
// to read it.
func checkReadDepth(t *testing.T, f form, mt protoreflect.MessageType, b []byte, limit int) {
	t.Helper()
	for _, opts := range [][]flinkser.Option{nil, {flinkser.WithReuse()}, {flinkser.WithMerge()}, {flinkser.WithAliasing()}} {
		m := f.empty(mt)
		if err := serializer(t, append(opts, flinkser.WithRecursionLimit(limit))...).DecodePayload(b, m); err != nil {
			t.Errorf("%s: limit %d: read: %v", f.name, limit, err)
		}
		if limit == 1 {
			continue // there is no limit below
		}
		err := serializer(t, append(opts, flinkser.WithRecursionLimit(limit-1))...).DecodePayload(b, m)
		if !errors.Is(err, flinkser.ErrDepth) {
			t.Errorf("%s: limit %d: read: %v", f.name, limit-1, err)
		}
	}
}

func testE01(t *testing.T) {
	for _, l := range links[:3] {
		t.Run(l.name, func(t *testing.T) {
			for _, levels := range []int{2, 100, 101, 1000} {
				checkDepth(t, chain(levels, l.link), levels)
			}
			// The default limit.
			b, err := flinkser.Marshal(chain(100, l.link))
			if err != nil {
				t.Errorf("100 levels: %v", err)
			}
			if err := flinkser.Unmarshal(b, new(cases.Rec)); err != nil {
				t.Errorf("100 levels: %v", err)
			}
			if _, err := flinkser.Marshal(chain(101, l.link)); !errors.Is(err, flinkser.ErrDepth) {
				t.Errorf("101 levels: %v", err)
			}
			if b, err = proto.Marshal(chain(101, l.link)); err != nil {
				t.Fatal(err)
			}
			if err := flinkser.Unmarshal(b, new(cases.Rec)); !errors.Is(err, flinkser.ErrDepth) {
				t.Errorf("101 levels: %v", err)
			}
		})
	}
}

func testE02(t *testing.T) {
	kids := links[3]
	for _, levels := range []int{1, 2, 50} {
		checkDepth(t, chain(levels, kids.link), kids.levels*levels)
	}
	// One level for the entry of a scalar map, below two messages.
	checkDepth(t, &cases.All{Msm: map[string]*cases.Inner{"k": {}}, Mss: map[string]string{"k": "v"}}, 2)
	scalar := &cases.All{Mss: map[string]string{"k": "v"}, Mie: map[int32]cases.Neg{1: 1}, Mbb: map[bool][]byte{true: nil}}
	b, err := serializer(t, flinkser.WithRecursionLimit(1)).AppendPayload(nil, scalar)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		checkReadDepth(t, f, scalar.ProtoReflect().Type(), b, 1)
	}
	// An entry whose value is absent is one level on the wire, and two when written.
	for _, f := range forms {
		m := f.empty(typeOf(t, "cases.t3.All"))
		s := serializer(t, flinkser.WithRecursionLimit(1))
		if err := s.DecodePayload(unhex(t, "3a030a0161"), m); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if _, err := s.Append(nil, m); !errors.Is(err, flinkser.ErrDepth) {
			t.Errorf("%s: write: %v", f.name, err)
		}
	}
}

// groups returns a payload of nested unknown groups of field 1.
func groups(levels int) []byte {
	return append(bytes.Repeat([]byte{0x0b}, levels), bytes.Repeat([]byte{0x0c}, levels)...)
}

func testE03(t *testing.T) {
	for _, f := range forms {
		checkReadDepth(t, f, typeOf(t, "cases.t3.Empty"), groups(100), 100)
		checkReadDepth(t, f, typeOf(t, "cases.t3.Empty"), groups(101), 101)
		err := flinkser.Unmarshal(groups(101), f.empty(typeOf(t, "cases.t3.Empty")))
		if !errors.Is(err, flinkser.ErrDepth) {
			t.Errorf("%s: %v", f.name, err)
		}
		// Below a message and a map entry.
		below := func(b []byte, tags ...byte) []byte {
			for _, tag := range tags {
				b = append(protowire.AppendVarint([]byte{tag}, uint64(len(b))), b...)
			}
			return b
		}
		unknown := bytes.ReplaceAll(bytes.ReplaceAll(groups(20), []byte{0x0b}, unhex(t, "a306")), []byte{0x0c}, unhex(t, "a406"))
		all := typeOf(t, "cases.t3.All")
		checkReadDepth(t, f, all, unknown, 20)
		checkReadDepth(t, f, all, below(unknown, 0x32), 21)
		checkReadDepth(t, f, all, below(unknown, 0x1a), 21)
		checkReadDepth(t, f, all, below(unknown, 0x12, 0x3a), 22)
		checkReadDepth(t, f, all, below(unknown, 0x22, 0x1a), 22)
	}
}

// nested returns a payload of at least n bytes: a Rec that holds a Rec that holds a Rec.
func nested(n int) []byte {
	b := make([]byte, n+16)
	at := len(b)
	for size := 0; size < n; size = len(b) - at {
		length := protowire.AppendVarint(nil, uint64(size))
		at -= copy(b[at-len(length):], length)
		at--
		b[at] = 0x12
	}
	return b[at:]
}

// stack returns the memory that goroutine stacks take.
func stack() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.StackSys
}

func testE04(t *testing.T) {
	deep := nested(12 << 20)
	for name, in := range map[string]struct {
		message string
		b       []byte
	}{
		"nested messages":         {"cases.t3.Rec", deep},
		"groups":                  {"cases.t3.Empty", groups(100_000)},
		"groups that do not end":  {"cases.t3.Empty", bytes.Repeat([]byte{0x0b}, 100_000)},
		"nested, in a map":        {"cases.t3.Rec", append(protowire.AppendVarint([]byte{0x1a}, uint64(len(deep))), deep...)},
		"groups in a small input": {"cases.t3.All", bytes.Repeat([]byte{0xa3, 0x06}, 50_000)},
	} {
		for _, f := range forms {
			m := f.empty(typeOf(t, in.message))
			var err error
			before := stack()
			start := time.Now()
			n := allocated(func() { err = flinkser.Unmarshal(in.b, m) })
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("%s %s: it took %v", f.name, name, took)
			}
			if !errors.Is(err, flinkser.ErrDepth) {
				t.Errorf("%s %s: error %v", f.name, name, err)
			}
			if grown := int64(stack() - before); grown > 4<<20 {
				t.Errorf("%s %s: stacks have grown by %d bytes", f.name, name, grown)
			}
			if n > 1<<20 {
				t.Errorf("%s %s: %d bytes were allocated", f.name, name, n)
			}
		}
	}
}

func testE07(t *testing.T) {
	const elements = 1_000_000
	b := bytes.Repeat(unhex(t, "920100"), elements)
	mt := typeOf(t, "cases.t3.All")
	for _, f := range forms {
		m := f.empty(mt)
		var err error
		var n uint64
		// Generated code counts ahead; protoreflect takes elements until the budget is spent,
		// which is a smaller one here.
		if f.name == "generated" {
			n = allocated(func() { err = flinkser.Unmarshal(b, m) })
			if !errors.Is(err, flinkser.ErrBudget) || n > 1<<20 {
				t.Errorf("%s: %d bytes were allocated, error %v", f.name, n, err)
			}
		}
		tight := serializer(t, flinkser.WithElementBudget(1000))
		n = allocated(func() { err = tight.DecodePayload(b, m) })
		if !errors.Is(err, flinkser.ErrBudget) || n > 1<<20 {
			t.Errorf("%s: budget of 1000: %d bytes were allocated, error %v", f.name, n, err)
		}
	}
	generous := serializer(t, flinkser.WithElementBudget(elements))
	m := new(cases.All)
	if err := generous.DecodePayload(b, m); err != nil || len(m.Rm) != elements {
		t.Errorf("a budget of %d: %d elements, %v", elements, len(m.Rm), err)
	}
	if err := serializer(t, flinkser.WithElementBudget(elements-1)).DecodePayload(b, m); !errors.Is(err, flinkser.ErrBudget) {
		t.Errorf("a budget of %d: error %v", elements-1, err)
	}
	if err := serializer(t, flinkser.WithoutElementBudget()).DecodePayload(b, m); err != nil || len(m.Rm) != elements {
		t.Errorf("no budget: %d elements, %v", len(m.Rm), err)
	}
}

// checkLinear checks that reading 4 times the chunks takes about 4 times the memory, and no
// more than most bytes for each chunk.
func checkLinear(t *testing.T, chunk []byte, chunks int, most uint64) {
	t.Helper()
	for _, f := range forms {
		for _, opts := range [][]flinkser.Option{nil, {flinkser.WithReuse()}, {flinkser.WithMerge()}} {
			s := serializer(t, append(opts, flinkser.WithoutElementBudget())...)
			chunks := chunks
			if f.name != "generated" {
				chunks /= 4 // it takes longer
			}
			read := func(chunks int) (uint64, time.Duration) {
				b := bytes.Repeat(chunk, chunks)
				m := f.empty(typeOf(t, "cases.t3.All"))
				start := time.Now()
				n := allocated(func() {
					if err := s.DecodePayload(b, m); err != nil {
						t.Fatalf("%s: %x: %v", f.name, chunk, err)
					}
				})
				return n, time.Since(start)
			}
			fewBytes, _ := read(chunks / 4)
			bytes, took := read(chunks)
			// Slices that double have a factor of their own; quadratic work has 16.
			if bytes > 9*fewBytes+1<<20 || bytes > most*uint64(chunks) {
				t.Errorf("%s: %d times %x: %d bytes were allocated, for a quarter of it %d", f.name, chunks, chunk, bytes, fewBytes)
			}
			if took > 3*time.Second {
				t.Errorf("%s: %d times %x: it took %v", f.name, chunks, chunk, took)
			}
		}
	}
}

func testE08(t *testing.T) {
	checkLinear(t, unhex(t, "220101"), 100_000, 200)
	checkLinear(t, unhex(t, "fa0108000000000000f03f"), 100_000, 200)
	checkLinear(t, unhex(t, "82010101"), 100_000, 200)
	checkLinear(t, unhex(t, "82020101"), 100_000, 200)
	checkLinear(t, unhex(t, "1a031a0101"), 100_000, 400)
	checkLinear(t, unhex(t, "1a021801"), 100_000, 400)
	checkLinear(t, unhex(t, "2001"), 100_000, 200)
	checkLinear(t, unhex(t, "200122010128012a0101"), 50_000, 800)
	checkLinear(t, unhex(t, "5a031a0101"), 100_000, 400)
	checkLinear(t, unhex(t, "3a0a0a016112031a01011a00"), 20_000, 1500)
	checkLinear(t, unhex(t, "9a010161920100"), 50_000, 1500)
	// Lists in many runs of a few elements.
	checkLinear(t, unhex(t, "920100920100920100 d00101"), 30_000, 2000)
	checkLinear(t, unhex(t, "9a0101619a010162 2001"), 30_000, 1000)
	checkLinear(t, unhex(t, "32040a001200 32040a001200 2001"), 30_000, 1000)
}

func testE09(t *testing.T) {
	for _, prefix := range []string{"7fffffff", "ffffffff", "80000000", "04000001"} {
		b := unhex(t, prefix)
		length := int64(binary.BigEndian.Uint32(b))
		b = append(b, make([]byte, 100)...)
		for _, f := range forms {
			m := f.empty(typeOf(t, "cases.t3.All"))
			var errDecode, errRead error
			s := serializer(t)
			r := flinkser.NewReader[proto.Message](bytes.NewReader(b))
			src := bytes.NewReader(b)
			n := allocated(func() {
				_, errDecode = s.Decode(b, m)
				r.Next(m)
				errRead = r.Err()
				_, _ = flinkser.CopyFrame(io.Discard, src, flinkser.Limits{})
			})
			for what, err := range map[string]error{"slice": errDecode, "reader": errRead} {
				var failed *flinkser.FrameError
				if !errors.Is(err, flinkser.ErrTooLarge) || !errors.As(err, &failed) || failed.Length != length || failed.Offset != 0 {
					t.Errorf("%s %s %s: error %v", f.name, prefix, what, err)
				}
			}
			if n > 64<<10 {
				t.Errorf("%s %s: %d bytes were allocated", f.name, prefix, n)
			}
			if src.Len() != len(b)-4 {
				t.Errorf("%s: CopyFrame has taken %d bytes", prefix, len(b)-src.Len())
			}
		}
	}
	// The largest limit takes no prefix with bit 31 either.
	s := serializer(t, flinkser.WithMaxMessageSize(math.MaxInt32))
	for _, prefix := range []string{"80000000", "ffffffff"} {
		if _, err := s.Decode(unhex(t, prefix), new(cases.All)); !errors.Is(err, flinkser.ErrTooLarge) {
			t.Errorf("%s: error %v", prefix, err)
		}
	}
	if _, err := s.Decode(unhex(t, "7fffffff"), new(cases.All)); !errors.Is(err, flinkser.ErrTruncated) {
		t.Errorf("7fffffff: error %v", err)
	}
}

func testE11(t *testing.T) {
	stream := unhex(t, "00000000 00000003 0a0161")
	for _, f := range forms {
		m := dirtied(t, f, typeOf(t, "cases.t3.All"))
		r := flinkser.NewReader[proto.Message](bytes.NewReader(stream))
		for _, want := range []string{"", "0a0161"} {
			if !r.Next(m) {
				t.Fatalf("%s: %v", f.name, r.Err())
			}
			checkWritten(t, f.name, m, unhex(t, want))
		}
		if r.Next(m) || r.Err() != nil || r.Offset() != int64(len(stream)) {
			t.Errorf("%s: at the clean end: error %v, offset %d", f.name, r.Err(), r.Offset())
		}
		for n := 1; n < len(stream); n++ {
			if n == 4 {
				continue // behind the first frame
			}
			r := flinkser.NewReader[proto.Message](bytes.NewReader(stream[:n]))
			for r.Next(m) {
			}
			if err := r.Err(); !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, flinkser.ErrTruncated) {
				t.Errorf("%s: %d bytes: error %v", f.name, n, err)
			}
		}
	}
	var out bytes.Buffer
	if _, err := flinkser.CopyFrame(&out, bytes.NewReader(nil), flinkser.Limits{}); err != io.EOF {
		t.Errorf("CopyFrame at a clean end: %v", err)
	}
}

func testE12(t *testing.T) {
	var stream []byte
	s := serializer(t)
	var err error
	want := []*cases.All{{S: "a"}, {}, {Rm: []*cases.Inner{{A: 1}, {S: strings.Repeat("x", 9000)}}}}
	for _, m := range want {
		if stream, err = s.Append(stream, m); err != nil {
			t.Fatal(err)
		}
	}
	for name, src := range map[string]io.Reader{
		"one byte at a time":       iotest.OneByteReader(bytes.NewReader(stream)),
		"half of what is asked":    iotest.HalfReader(bytes.NewReader(stream)),
		"the end with the data":    iotest.DataErrReader(bytes.NewReader(stream)),
		"nothing, every few reads": &lazyReader{r: iotest.OneByteReader(bytes.NewReader(stream)), empty: 3},
	} {
		r := flinkser.NewReader[*cases.All](src)
		for i, want := range want {
			m := new(cases.All)
			if !r.Next(m) {
				t.Fatalf("%s: message %d: %v", name, i, r.Err())
			}
			if !proto.Equal(m, want) {
				t.Errorf("%s: message %d is %v", name, i, m)
			}
		}
		if r.Next(new(cases.All)) || r.Err() != nil {
			t.Errorf("%s: at the end: %v", name, r.Err())
		}
	}
	r := flinkser.NewReader[*cases.All](&lazyReader{r: bytes.NewReader(stream), empty: math.MaxInt})
	if r.Next(new(cases.All)) || !errors.Is(r.Err(), io.ErrNoProgress) {
		t.Errorf("a source that gives nothing: %v", r.Err())
	}
}

// lazyReader returns no bytes and no error this many times before each read.
type lazyReader struct {
	r           io.Reader
	empty, done int
}

func (l *lazyReader) Read(b []byte) (int, error) {
	if l.done < l.empty {
		l.done++
		return 0, nil
	}
	l.done = 0
	return l.r.Read(b)
}

func testE13(t *testing.T) {
	mt := typeOf(t, "cases.t3.All")
	for _, m := range []*cases.All{
		{By: make([]byte, 5000)},
		{S: strings.Repeat("x", 3000), M: &cases.Inner{S: strings.Repeat("y", 2000)}},
		{Rm: []*cases.Inner{{A: 1}, {A: 2}}, Rs: []string{"abc"}},
		{Pk: []int32{1, 2, 3, -4}, Rd: []float64{1}, Rb: []bool{true}},
		{Mss: map[string]string{"key": "value"}, Msm: map[string]*cases.Inner{"k": {A: 1}}},
		{O: &cases.All_Os{Os: "oneof"}, Hi: 1},
	} {
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forms {
			value := f.of(m)
			for _, limit := range []int{len(b) - 1, len(b), len(b) + 1} {
				s := serializer(t, flinkser.WithMaxMessageSize(limit))
				frame, writeErr := s.Append([]byte("before"), value)
				_, sizeErr := s.Size(value)
				_, cloneErr := s.Clone(value)
				payloadErr := s.DecodePayload(b, f.empty(mt))
				_, frameErr := s.Decode(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...), f.empty(mt))
				for what, err := range map[string]error{"write": writeErr, "size": sizeErr, "clone": cloneErr, "payload": payloadErr, "frame": frameErr} {
					if limit >= len(b) && err != nil || limit < len(b) && !errors.Is(err, flinkser.ErrTooLarge) {
						t.Errorf("%s: %d bytes, limit %d: %s: %v", f.name, len(b), limit, what, err)
					}
				}
				if writeErr != nil && string(frame) != "before" {
					t.Errorf("%s: the output is %x", f.name, frame)
				}
			}
		}
	}
}

func testE14(t *testing.T) {
	s := serializer(t)
	good, err := s.Append(nil, &cases.All{S: "good"})
	if err != nil {
		t.Fatal(err)
	}
	bad := append([]byte{0, 0, 0, 5}, unhex(t, "1a032a01ff")...)
	b := slices.Concat(good, bad, good)
	for _, f := range forms {
		m := f.empty(typeOf(t, "cases.t3.All"))
		rest, read, skipped := b, 0, 0
		for len(rest) > 0 {
			var err error
			rest, err = s.Decode(rest, m)
			var frame *flinkser.FrameError
			var payload *flinkser.DecodeError
			switch {
			case err == nil:
				read++
			case errors.As(err, &payload) && !errors.As(err, &frame):
				skipped++
				if payload.Field != "m.s" || payload.Offset != 2 || payload.FrameOffset != 0 || payload.Message != "cases.t3.All" {
					t.Errorf("%s: %#v", f.name, payload)
				}
			default:
				t.Fatalf("%s: %v", f.name, err)
			}
		}
		if read != 2 || skipped != 1 {
			t.Errorf("%s: %d frames were read, %d skipped", f.name, read, skipped)
		}
		r := flinkser.NewReader[proto.Message](bytes.NewReader(b))
		if !r.Next(m) || r.Next(m) {
			t.Fatalf("%s: %v", f.name, r.Err())
		}
		var payload *flinkser.DecodeError
		if !errors.As(r.Err(), &payload) || payload.FrameOffset != int64(len(good)) {
			t.Errorf("%s: %v", f.name, r.Err())
		}
		if !r.Next(m) {
			t.Errorf("%s: behind the bad frame: %v", f.name, r.Err())
		}

		// What ends in a frame is another matter: there is nothing to skip to.
		for _, cut := range []int{2, 7} {
			left, err := s.Decode(good[:cut], m)
			var frame *flinkser.FrameError
			if !errors.As(err, &frame) || errors.As(err, new(*flinkser.DecodeError)) || len(left) != cut {
				t.Errorf("%s: %d bytes: rest of %d bytes, %v", f.name, cut, len(left), err)
			}
		}
	}
}

func testS04(t *testing.T) {
	// Groups count from where they are: below three messages there are three levels less.
	g := bytes.ReplaceAll(bytes.ReplaceAll(groups(97), []byte{0x0b}, unhex(t, "a306")), []byte{0x0c}, unhex(t, "a406"))
	b := g
	for range 3 {
		b = append(protowire.AppendVarint([]byte{0x12}, uint64(len(b))), b...)
	}
	for _, f := range forms {
		checkReadDepth(t, f, typeOf(t, "cases.t3.Rec"), b, 100)
		// They are kept, and do not count as levels of what is written.
		m := f.empty(typeOf(t, "cases.t3.Rec"))
		if err := flinkser.Unmarshal(b, m); err != nil {
			t.Fatal(err)
		}
		checkWritten(t, f.name, m, b)
		if _, err := serializer(t, flinkser.WithRecursionLimit(3)).AppendPayload(nil, m); err != nil {
			t.Errorf("%s: write: %v", f.name, err)
		}
	}
}

func testS06(t *testing.T) {
	entry := func(tag byte, levels int) []byte {
		inner := append([]byte{0x0a, 1, 'a'}, bytes.ReplaceAll(bytes.ReplaceAll(groups(levels), []byte{0x0b}, []byte{0x1b}), []byte{0x0c}, []byte{0x1c})...)
		return append(protowire.AppendVarint([]byte{tag}, uint64(len(inner))), inner...)
	}
	for _, f := range forms {
		for _, tag := range []byte{0x32, 0x3a} { // values that are strings and messages
			checkReadDepth(t, f, typeOf(t, "cases.t3.All"), entry(tag, 99), 100)
			if err := flinkser.Unmarshal(entry(tag, 100), f.empty(typeOf(t, "cases.t3.All"))); !errors.Is(err, flinkser.ErrDepth) {
				t.Errorf("%s: %v", f.name, err)
			}
			m := f.empty(typeOf(t, "cases.t3.All"))
			if err := flinkser.Unmarshal(entry(tag, 99), m); err != nil || len(m.ProtoReflect().GetUnknown()) != 0 {
				t.Errorf("%s: %v", f.name, err)
			}
		}
		for _, bad := range []string{"32030a001b", "32021b24", "32011c", "3a021b24", "3a011c"} {
			err := flinkser.Unmarshal(unhex(t, bad), f.empty(typeOf(t, "cases.t3.All")))
			if !errors.Is(err, flinkser.ErrMalformed) && !errors.Is(err, flinkser.ErrTruncated) {
				t.Errorf("%s %s: %v", f.name, bad, err)
			}
		}
	}
}

func testS10(t *testing.T) {
	checkLinear(t, unhex(t, "a2060161aa060161"), 100_000, 200)
	checkLinear(t, unhex(t, "a2060161aa060161b30608 01b406"), 30_000, 400)
	// Inside a message in many pieces.
	checkLinear(t, unhex(t, "1a08a2060161aa060161"), 50_000, 400)
}
