package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/flinkser/flinkser/golden/editions"
	"github.com/flinkser/flinkser/golden/external"
	"github.com/flinkser/flinkser/golden/external/legacy"
	"github.com/flinkser/flinkser/golden/external/legacy/descriptor"
	legacyeditions "github.com/flinkser/flinkser/golden/external/legacy/editions"
	"github.com/flinkser/flinkser/golden/external/wkt"
	"github.com/flinkser/flinkser/internal/differ"
	"github.com/flinkser/flinkser/internal/fingerprint"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/wire"
)

// external mode: the codecs for messages of other modules, with their types.
type externalCodec struct {
	typ    protoreflect.MessageType
	option flinkser.Option
	schema [32]byte
}

func codecOf[M proto.Message](c wire.Codec[M]) externalCodec {
	return externalCodec{(*new(M)).ProtoReflect().Type(), flinkser.WithCodec(c), c.Schema()}
}

// externalCodecs are all that golden/external has.
func externalCodecs() []externalCodec {
	return []externalCodec{
		codecOf(wkt.Any), codecOf(wkt.Duration), codecOf(wkt.Empty), codecOf(wkt.Timestamp),
		codecOf(wkt.Struct), codecOf(wkt.Value), codecOf(wkt.ListValue),
		codecOf(wkt.DoubleValue), codecOf(wkt.FloatValue), codecOf(wkt.Int64Value), codecOf(wkt.UInt64Value), codecOf(wkt.Int32Value),
		codecOf(wkt.UInt32Value), codecOf(wkt.BoolValue), codecOf(wkt.StringValue), codecOf(wkt.BytesValue),
		codecOf(descriptor.FileDescriptorSet), codecOf(descriptor.FileDescriptorProto),
		codecOf(descriptor.DescriptorProto), codecOf(descriptor.DescriptorProto_ExtensionRange), codecOf(descriptor.DescriptorProto_ReservedRange),
		codecOf(descriptor.ExtensionRangeOptions), codecOf(descriptor.ExtensionRangeOptions_Declaration), codecOf(descriptor.FieldDescriptorProto),
		codecOf(descriptor.OneofDescriptorProto), codecOf(descriptor.EnumDescriptorProto), codecOf(descriptor.EnumDescriptorProto_EnumReservedRange),
		codecOf(descriptor.EnumValueDescriptorProto), codecOf(descriptor.ServiceDescriptorProto), codecOf(descriptor.MethodDescriptorProto),
		codecOf(descriptor.FileOptions), codecOf(descriptor.MessageOptions), codecOf(descriptor.FieldOptions),
		codecOf(descriptor.FieldOptions_EditionDefault), codecOf(descriptor.FieldOptions_FeatureSupport), codecOf(descriptor.OneofOptions),
		codecOf(descriptor.EnumOptions), codecOf(descriptor.EnumValueOptions), codecOf(descriptor.ServiceOptions), codecOf(descriptor.MethodOptions),
		codecOf(descriptor.UninterpretedOption), codecOf(descriptor.UninterpretedOption_NamePart),
		codecOf(descriptor.FeatureSet), codecOf(descriptor.FeatureSet_VisibilityFeature),
		codecOf(descriptor.FeatureSetDefaults), codecOf(descriptor.FeatureSetDefaults_FeatureSetEditionDefault),
		codecOf(descriptor.SourceCodeInfo), codecOf(descriptor.SourceCodeInfo_Location),
		codecOf(descriptor.GeneratedCodeInfo), codecOf(descriptor.GeneratedCodeInfo_Annotation),
		codecOf(legacyeditions.Node),
	}
}

func externalOptions() []flinkser.Option {
	var list []flinkser.Option
	for _, c := range externalCodecs() {
		list = append(list, c.option)
	}
	return list
}

// TestExternalDifferential compares the codecs with google.golang.org/protobuf as TestDifferential
// does with other code.
func TestExternalDifferential(t *testing.T) {
	codecs, err := differ.New(externalOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	inputs := 0
	files := map[protoreflect.FileDescriptor]int{}
	for i, x := range externalCodecs() {
		files[x.typ.Descriptor().ParentFile()]++
		c := codecs.Compare(newRand(uint64(i)), x.typ)
		for range 2 {
			if err := c.Round(effort); err != nil {
				t.Errorf("%s: %v", x.typ.Descriptor().FullName(), err)
				break
			}
		}
		inputs += c.Inputs
	}
	t.Logf("differential inputs: %d", inputs)
	for fd, n := range files {
		want := 0
		eachMessage(fd.Messages(), func(protoreflect.MessageDescriptor) { want++ })
		if n != want {
			t.Errorf("%s: %d messages are compared, it has %d", fd.Path(), n, want)
		}
	}
}

func eachMessage(mds protoreflect.MessageDescriptors, f func(protoreflect.MessageDescriptor)) {
	for i := range mds.Len() {
		if md := mds.Get(i); !md.IsMapEntry() {
			f(md)
			eachMessage(md.Messages(), f)
		}
	}
}

// TestExternalLinkedFiles writes and reads the descriptors of all files that this test links.
func TestExternalLinkedFiles(t *testing.T) {
	codecs, err := differ.New(flinkser.WithCodec(descriptor.FileDescriptorProto))
	if err != nil {
		t.Fatal(err)
	}
	c := codecs.Compare(newRand(1), (&descriptorpb.FileDescriptorProto{}).ProtoReflect().Type())
	seen := 0
	for _, typ := range goldenTypes() {
		fd := typ.Descriptor().ParentFile()
		if typ.Descriptor() != fd.Messages().Get(0) || fd.Messages().Len() > 60 {
			continue
		}
		seen++
		if _, err := c.Message(protodesc.ToFileDescriptorProto(fd)); err != nil {
			t.Errorf("%s: %v", fd.Path(), err)
		}
	}
	if seen < 15 {
		t.Errorf("%d files", seen)
	}
}

// TestExternalIsUsed shows that the codec that was given is what handles a message, in every way
// that there is to write and read one.
func TestExternalIsUsed(t *testing.T) {
	m := timestamppb.New(timestamppb.Now().AsTime())
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 100, protowire.VarintType), 7))
	want, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	count := &counting{}
	typed, err := flinkser.New[*timestamppb.Timestamp](flinkser.WithCodec[*timestamppb.Timestamp](count))
	if err != nil {
		t.Fatal(err)
	}
	untyped := serializer(t, flinkser.WithCodec[*timestamppb.Timestamp](count))
	frame, err := typed.Append(nil, m)
	if err != nil || !bytes.Equal(frame[4:], want) {
		t.Errorf("%x, want %x (%v)", frame, want, err)
	}
	got, err := untyped.AppendPayload(nil, m)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%x, want %x (%v)", got, want, err)
	}
	for i := range 2 {
		read := &timestamppb.Timestamp{Nanos: 5}
		if i == 0 {
			_, err = typed.Decode(frame, read)
		} else {
			err = untyped.DecodePayload(want, read)
		}
		if err != nil || !proto.Equal(read, m) {
			t.Errorf("read %v, want %v (%v)", read, m, err)
		}
	}
	if n, err := typed.Size(m); n != len(want) || err != nil {
		t.Errorf("size %d, want %d (%v)", n, len(want), err)
	}
	if c, err := untyped.Clone(m); err != nil || !proto.Equal(c, m) || c == proto.Message(m) {
		t.Errorf("clone %v (%v)", c, err)
	}
	var out bytes.Buffer
	w := flinkser.NewWriter[*timestamppb.Timestamp](&out, flinkser.WithCodec[*timestamppb.Timestamp](count))
	if err := w.Write(m); err != nil || !bytes.Equal(out.Bytes(), frame) {
		t.Errorf("written: %x (%v)", out.Bytes(), err)
	}
	r := flinkser.NewReader[*timestamppb.Timestamp](&out, flinkser.WithCodec[*timestamppb.Timestamp](count))
	if read := new(timestamppb.Timestamp); !r.Next(read) || !proto.Equal(read, m) {
		t.Errorf("read %v (%v)", read, r.Err())
	}
	if count.appends != 3 || count.decodes != 3 || count.sizes != 2 || count.clones != 1 {
		t.Errorf("the codec was called %+v times", *count)
	}
	// Other types do not care.
	if _, err := untyped.AppendPayload(nil, durationpb.New(1)); err != nil || count.appends != 3 {
		t.Errorf("a message of another type: %v", err)
	}
}

// counting counts the calls of a codec.
type counting struct{ appends, decodes, sizes, clones int }

func (c *counting) Size(e *wire.Encoder, depth int, m *timestamppb.Timestamp) int {
	c.sizes++
	return wkt.Timestamp.Size(e, depth, m)
}

func (c *counting) Append(e *wire.Encoder, b []byte, i, depth int, m *timestamppb.Timestamp) ([]byte, int) {
	c.appends++
	return wkt.Timestamp.Append(e, b, i, depth, m)
}

func (c *counting) Decode(d *wire.Decoder, s string, depth int, m *timestamppb.Timestamp) error {
	c.decodes++
	return wkt.Timestamp.Decode(d, s, depth, m)
}

func (c *counting) Reuse(d *wire.Decoder, s string, depth int, m *timestamppb.Timestamp) error {
	return wkt.Timestamp.Reuse(d, s, depth, m)
}
func (c *counting) Reset(m *timestamppb.Timestamp) { wkt.Timestamp.Reset(m) }
func (c *counting) Schema() [32]byte               { return wkt.Timestamp.Schema() }
func (c *counting) Clone(m *timestamppb.Timestamp) *timestamppb.Timestamp {
	c.clones++
	return wkt.Timestamp.Clone(m)
}

// TestExternalRequireGenerated accepts a type for which a codec is given, and messages whose code
// calls codecs, and lists what is left.
func TestExternalRequireGenerated(t *testing.T) {
	require := flinkser.RequireGenerated()
	missing := func(err error) []string {
		var failed *flinkser.NotGeneratedError
		errors.As(err, &failed)
		if failed == nil {
			return nil
		}
		return failed.Types
	}
	if _, err := flinkser.New[*structpb.Struct](require); !slices.Contains(missing(err), "google.protobuf.ListValue") {
		t.Errorf("without a codec: %v", err)
	}
	if _, err := flinkser.New[*structpb.Struct](require, flinkser.WithCodec(wkt.Struct)); err != nil {
		t.Errorf("with a codec: %v", err)
	}
	if _, err := flinkser.New[*structpb.Struct](require, flinkser.WithCodec(wkt.Timestamp)); err == nil {
		t.Error("with the codec of another type: no error")
	}
	if _, err := flinkser.New[*external.Event](require); err != nil {
		t.Errorf("code that calls codecs: %v", err)
	}
	// Empty is mapped nowhere; that the serializer has a codec for it changes nothing within a message.
	for _, opts := range [][]flinkser.Option{{require}, {require, flinkser.WithCodec(wkt.Empty)}} {
		_, err := flinkser.New[*legacy.Legacy](opts...)
		if got := missing(err); !slices.Equal(got, []string{"google.protobuf.Empty"}) {
			t.Errorf("missing %v (%v)", got, err)
		}
	}
	s := serializer(t, require, flinkser.WithCodec(wkt.Any))
	if _, err := s.Append(nil, &anypb.Any{}); err != nil {
		t.Errorf("any message, one with a codec: %v", err)
	}
	if _, err := s.Append(nil, durationpb.New(1)); !slices.Equal(missing(err), []string{"google.protobuf.Duration"}) {
		t.Errorf("any message, one without: %v", err)
	}
}

// TestExternalOption refuses what is no codec.
func TestExternalOption(t *testing.T) {
	var failed *flinkser.OptionError
	if _, err := flinkser.New[proto.Message](flinkser.WithCodec[*anypb.Any](nil)); !errors.As(err, &failed) || err.Error() != "flinkser: WithCodec wants a codec" {
		t.Errorf("no codec: %v", err)
	}
	var any wire.Codec[proto.Message] = anyCodec{}
	if _, err := flinkser.New[proto.Message](flinkser.WithCodec(any)); !errors.As(err, &failed) || !strings.Contains(err.Error(), "the type of a message") {
		t.Errorf("a codec for an interface: %v", err)
	}
	if _, err := flinkser.New[proto.Message](flinkser.WithCodec(wire.Codec[*dynamicpb.Message](dynamicCodec{}))); !errors.As(err, &failed) {
		t.Errorf("a codec for messages of any type: %v", err)
	}
}

type anyCodec struct{ wire.Codec[proto.Message] }

type dynamicCodec struct{ wire.Codec[*dynamicpb.Message] }

// TestExternalErrors checks the place and the reason of errors within messages of other modules.
func TestExternalErrors(t *testing.T) {
	deep := func(n int) *structpb.Value {
		v := structpb.NewNumberValue(1)
		for range n {
			v = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{v}})
		}
		return v
	}
	for _, tt := range []struct {
		m     proto.Message
		opts  []flinkser.Option
		field string
		err   error
	}{
		{&external.Event{Labels: &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewStringValue("\xff")}}}, nil, `labels.fields["a"].string_value`, flinkser.ErrInvalidUTF8},
		{&external.Lists{Values: []*structpb.Value{nil, structpb.NewStringValue("\xff")}}, nil, "values[1].string_value", flinkser.ErrInvalidUTF8},
		{&external.Only{Value: deep(60)}, nil, "", flinkser.ErrDepth},
		{&external.Event{Detail: &anypb.Any{Value: make([]byte, 200)}}, []flinkser.Option{flinkser.WithMaxMessageSize(100)}, "", flinkser.ErrTooLarge},
		{&legacy.Legacy{At: timestamppb.Now(), Uninterpreted: &descriptorpb.UninterpretedOption{Name: []*descriptorpb.UninterpretedOption_NamePart{{}}}}, nil, "uninterpreted.name[0].name_part", flinkser.ErrUninitialized},
		{&legacy.Legacy{}, nil, "at", flinkser.ErrUninitialized},
		{deep(60), nil, "", flinkser.ErrDepth},
		{structpb.NewStringValue("\xff"), nil, "string_value", flinkser.ErrInvalidUTF8},
		{&descriptorpb.UninterpretedOption{Name: []*descriptorpb.UninterpretedOption_NamePart{{}}}, nil, "name[0].name_part", flinkser.ErrUninitialized},
	} {
		s := serializer(t, append(tt.opts, externalOptions()...)...)
		dst, err := s.Append([]byte("before"), tt.m)
		var failed *flinkser.EncodeError
		if !errors.Is(err, tt.err) || !errors.As(err, &failed) || string(dst) != "before" || tt.field != "" && failed.Field != tt.field {
			t.Errorf("write %T: %v, want %v in %s", tt.m, err, tt.err, tt.field)
		}
		if tt.err == flinkser.ErrTooLarge {
			continue
		}
		wide := serializer(t, append([]flinkser.Option{flinkser.WithPartial(), flinkser.WithRecursionLimit(900)}, externalOptions()...)...)
		b, err := wide.AppendPayload(nil, invalid(tt.m))
		if err != nil {
			t.Fatal(err)
		}
		b = bytes.ReplaceAll(b, []byte("\x01?"), []byte("\x01\xff"))
		var refused *flinkser.DecodeError
		err = s.DecodePayload(b, tt.m.ProtoReflect().New().Interface())
		if !errors.Is(err, tt.err) || !errors.As(err, &refused) || tt.field != "" && refused.Field != tt.field || refused.Offset > len(b) {
			t.Errorf("read %T: %v, want %v in %s", tt.m, err, tt.err, tt.field)
		}
	}
}

// invalid returns m with question marks where it has strings that cannot be written.
func invalid(m proto.Message) proto.Message {
	m = proto.Clone(m)
	var mend func(m protoreflect.Message)
	mend = func(m protoreflect.Message) {
		m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			switch {
			case fd.IsMap():
				v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					if fd.MapValue().Message() != nil {
						mend(v.Message())
					}
					return true
				})
			case fd.IsList() && fd.Message() != nil:
				for i := range v.List().Len() {
					mend(v.List().Get(i).Message())
				}
			case fd.Message() != nil && !fd.IsList():
				mend(v.Message())
			case fd.Kind() == protoreflect.StringKind && !fd.IsList() && v.String() == "\xff":
				m.Set(fd, protoreflect.ValueOfString("?"))
			}
			return true
		})
	}
	mend(m.ProtoReflect())
	return m
}

// TestExternalNil writes nothing for a nil message, unless fields are required, and reads into none.
func TestExternalNil(t *testing.T) {
	s := serializer(t, externalOptions()...)
	for _, x := range externalCodecs() {
		m := x.typ.Zero().Interface()
		b, err := s.AppendPayload(nil, m)
		if required := x.typ.Descriptor().RequiredNumbers().Len() > 0; len(b) != 0 || errors.Is(err, flinkser.ErrUninitialized) != required || !required && err != nil {
			t.Errorf("%T: %x, %v", m, b, err)
		}
		if err := s.DecodePayload(nil, m); !errors.Is(err, flinkser.ErrNilMessage) {
			t.Errorf("%T: read into nil: %v", m, err)
		}
		if c, err := s.Clone(m); err != nil || c != m {
			t.Errorf("%T: clone of nil: %v, %v", m, c, err)
		}
	}
}

// TestExternalUnknown keeps unknown fields where a message is read whole, merged in pieces,
// and reused, and those of an older content go away.
func TestExternalUnknown(t *testing.T) {
	piece := func(n uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, 77, protowire.VarintType), n)
	}
	two := slices.Concat(piece(1), piece(300))
	for name, tt := range map[string]struct {
		opts []flinkser.Option
		want []byte // after two were read three times
	}{
		"replaced": {nil, two},
		"reused":   {[]flinkser.Option{flinkser.WithReuse()}, two},
		"merged":   {[]flinkser.Option{flinkser.WithMerge()}, bytes.Repeat(two, 3)},
	} {
		s := serializer(t, append(tt.opts, externalOptions()...)...)
		for _, x := range externalCodecs() {
			m := x.typ.New().Interface()
			var first []byte
			for i := range 3 {
				in := bytes.Clone(two)
				if err := s.DecodePayload(in, m); err != nil && !errors.Is(err, flinkser.ErrUninitialized) {
					t.Fatalf("%s: %T: %v", name, m, err)
				}
				clear(in)
				if i == 0 {
					first = m.ProtoReflect().GetUnknown()
				}
			}
			if got := m.ProtoReflect().GetUnknown(); !bytes.Equal(got, tt.want) || !bytes.HasPrefix(first, two) {
				t.Errorf("%s: %T: unknown %x, want %x", name, m, got, tt.want)
			}
		}
	}
	// Pieces of one message in a field.
	e := new(external.Event)
	at := func(b []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), b)
	}
	if err := flinkser.Unmarshal(slices.Concat(at(piece(1)), at(piece(300))), e); err != nil || !bytes.Equal(e.GetAt().ProtoReflect().GetUnknown(), two) {
		t.Errorf("pieces: %x (%v)", e.GetAt().ProtoReflect().GetUnknown(), err)
	}
}

// TestExternalExtensions keeps the extension fields of a message of another module: those that the
// program knows in its own storage, others as unknown fields.
func TestExternalExtensions(t *testing.T) {
	m := &descriptorpb.FieldOptions{Packed: proto.Bool(true)}
	proto.SetExtension(m, legacy.E_Note, "text")
	proto.SetExtension(m, legacy.E_History, []*timestamppb.Timestamp{{Seconds: 1}, {Nanos: 2}})
	proto.SetExtension(m, legacy.E_Tree, &editions.Node{Must: proto.Int32(3)})
	proto.SetExtension(m, legacy.E_Numbers, []int32{-1, 2})
	s := serializer(t, flinkser.WithCodec(descriptor.FieldOptions), flinkser.WithReuse())
	want := differ.Canonical(nil, m.ProtoReflect())
	for _, m := range []proto.Message{m, must(s.Clone(m))} {
		if b, err := s.AppendPayload(nil, m); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%x, want %x (%v)", b, want, err)
		}
		if n, err := s.Size(m); err != nil || n != len(want) {
			t.Errorf("size %d, want %d (%v)", n, len(want), err)
		}
	}
	got := proto.Clone(m).(*descriptorpb.FieldOptions)
	proto.SetExtension(got, legacy.E_Note, "older")
	if err := s.DecodePayload(want, got); err != nil || !proto.Equal(got, m) || len(got.ProtoReflect().GetUnknown()) != 0 {
		t.Errorf("read %v, want %v (%v)", got, m, err)
	}
	if err := s.DecodePayload(nil, got); err != nil || proto.HasExtension(got, legacy.E_Note) || proto.Size(got) != 0 {
		t.Errorf("read %v from nothing (%v)", got, err)
	}
	proto.SetExtension(m, legacy.E_Tree, &editions.Node{})
	if _, err := s.AppendPayload(nil, m); !errors.Is(err, flinkser.ErrUninitialized) {
		t.Errorf("a required field in an extension: %v", err)
	}
}

func must[M any](m M, err error) M {
	if err != nil {
		panic(err)
	}
	return m
}

// TestExternalHostile reads payloads that promise more than they hold: no more is allocated than
// arrived, and nothing panics.
func TestExternalHostile(t *testing.T) {
	s := serializer(t, externalOptions()...)
	huge := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.BytesType), math.MaxInt32)
	for _, x := range externalCodecs() {
		m := x.typ.New().Interface()
		for _, b := range [][]byte{huge, {0x0a}, {0x0b}, {0x0c}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, bytes.Repeat([]byte{0x0b}, 5000), bytes.Repeat([]byte{0x32, 0x7f}, 5000)} {
			n := allocated(func() {
				_ = s.DecodePayload(b, m)
			})
			if most := uint64(400*len(b) + 64<<10); n > most {
				t.Errorf("%T: %d bytes of input, %d allocated", m, len(b), n)
			}
		}
	}
	// The element budget counts what is within them.
	few := serializer(t, flinkser.WithElementBudget(10), flinkser.WithCodec(wkt.ListValue))
	list := &structpb.ListValue{Values: slices.Repeat([]*structpb.Value{structpb.NewBoolValue(true)}, 11)}
	b, err := proto.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := few.DecodePayload(b, new(structpb.ListValue)); !errors.Is(err, flinkser.ErrBudget) {
		t.Errorf("11 elements of 10: %v", err)
	}
	list.Values = list.Values[:10]
	if b, err = proto.Marshal(list); err != nil {
		t.Fatal(err)
	}
	if err := few.DecodePayload(b, new(structpb.ListValue)); err != nil {
		t.Errorf("10 elements of 10: %v", err)
	}
	// A stack that cannot overflow, however wide the messages are.
	if _, err := flinkser.New[*descriptorpb.FileDescriptorProto](flinkser.WithRecursionLimit(flinkser.MaxRecursionLimit), flinkser.WithCodec(descriptor.FileDescriptorProto)); !strings.Contains(fmt.Sprint(err), "RecursionLimit") {
		t.Errorf("the largest recursion limit for wide messages: %v", err)
	}
}

// TestExternalAllocations checks that neither writing nor reading into a reused message allocates.
func TestExternalAllocations(t *testing.T) {
	m := &external.Wrappers{Double: wrapperspb.Double(1), Int64: wrapperspb.Int64(2), String_: wrapperspb.String("text"), Bytes: wrapperspb.Bytes([]byte{1})}
	s := serializer(t, flinkser.WithReuse())
	buf := make([]byte, 0, 1000)
	got := new(external.Wrappers)
	if n := testing.AllocsPerRun(100, func() {
		b, err := s.Append(buf, m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Decode(b, got); err != nil {
			t.Fatal(err)
		}
	}); n != 0 || !proto.Equal(m, got) {
		t.Errorf("%v allocations", n)
	}
}

// TestExternalSchema checks that a codec and the descriptor agree on the fingerprint of a schema.
func TestExternalSchema(t *testing.T) {
	seen := map[[32]byte]bool{}
	for _, x := range externalCodecs() {
		if want := fingerprint.Of(x.typ.Descriptor()); x.schema != want {
			t.Errorf("%s: %x, want %x", x.typ.Descriptor().FullName(), x.schema, want)
		}
		if seen[x.schema] {
			t.Errorf("%s: a fingerprint that another type has", x.typ.Descriptor().FullName())
		}
		seen[x.schema] = true
	}
}

// FuzzExternal does what FuzzDifferential does for messages with codecs.
func FuzzExternal(f *testing.F) {
	codecs, err := differ.New(externalOptions()...)
	if err != nil {
		f.Fatal(err)
	}
	list := externalCodecs()
	r := newRand(3)
	for i, x := range list {
		m := x.typ.New().Interface()
		randpb.Message(r, m, randpb.Options{Depth: 2, Unknown: true})
		if b, err := differ.Reference(m); err == nil && len(b) <= 300 {
			f.Add(uint16(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, i uint16, b []byte) {
		c := codecs.Compare(newRand(uint64(len(b))), list[int(i)%len(list)].typ)
		for range 2 {
			if err := c.Payload(b, true); err != nil {
				t.Fatalf("%s: %v", c.Type.Descriptor().FullName(), err)
			}
		}
	})
}
