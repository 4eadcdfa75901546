package testee_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/conformance/conformancepb"
	_ "github.com/flinkser/flinkser/conformance/open/edition2023pb"
	_ "github.com/flinkser/flinkser/conformance/open/proto2editionspb"
	"github.com/flinkser/flinkser/conformance/open/proto2pb"
	_ "github.com/flinkser/flinkser/conformance/open/proto3editionspb"
	"github.com/flinkser/flinkser/conformance/open/proto3pb"
	"github.com/flinkser/flinkser/conformance/testee"
)

// messages are the test messages of the suite, with the names of their files' Go packages.
var messages = map[string]string{
	"proto2pb":         "protobuf_test_messages.proto2.TestAllTypesProto2",
	"proto3pb":         "protobuf_test_messages.proto3.TestAllTypesProto3",
	"proto2editionspb": "protobuf_test_messages.editions.proto2.TestAllTypesProto2",
	"proto3editionspb": "protobuf_test_messages.editions.proto3.TestAllTypesProto3",
	"edition2023pb":    "protobuf_test_messages.editions.TestAllTypesEdition2023",
}

const proto3 = "protobuf_test_messages.proto3.TestAllTypesProto3"

// Short names for what requests consist of.
type (
	request  = conformancepb.ConformanceRequest
	binaryIn = conformancepb.ConformanceRequest_ProtobufPayload
	jsonIn   = conformancepb.ConformanceRequest_JsonPayload
	textIn   = conformancepb.ConformanceRequest_TextPayload
	jspbIn   = conformancepb.ConformanceRequest_JspbPayload
)

const (
	toBinary = conformancepb.WireFormat_PROTOBUF
	toJSON   = conformancepb.WireFormat_JSON
	toText   = conformancepb.WireFormat_TEXT_FORMAT
	toJspb   = conformancepb.WireFormat_JSPB
)

// seven is a message whose field 1, optional_int32, is 7.
const seven = "\x08\x07"

// result returns which result an answer has, by the name of its field, and the result.
func result(resp *conformancepb.ConformanceResponse) (name, value string) {
	m := resp.ProtoReflect()
	field := m.WhichOneof(m.Descriptor().Oneofs().ByName("result"))
	if field == nil {
		return "", ""
	}
	name = string(field.Name())
	if name == "protobuf_payload" {
		return name, string(resp.GetProtobufPayload())
	}
	return name, m.Get(field).String()
}

// TestFormats asks for every format from every format, for each message and from both codecs.
func TestFormats(t *testing.T) {
	tests := map[string]struct {
		req         *request
		name, value string
	}{
		"BinaryToBinary": {&request{Payload: &binaryIn{ProtobufPayload: []byte(seven)}, RequestedOutputFormat: toBinary}, "protobuf_payload", seven},
		"BinaryToJSON":   {&request{Payload: &binaryIn{ProtobufPayload: []byte(seven)}, RequestedOutputFormat: toJSON}, "json_payload", `{"optionalInt32":7}`},
		"BinaryToText":   {&request{Payload: &binaryIn{ProtobufPayload: []byte(seven)}, RequestedOutputFormat: toText}, "text_payload", "optional_int32:7"},
		"JSONToBinary":   {&request{Payload: &jsonIn{JsonPayload: `{"optionalInt32": 7}`}, RequestedOutputFormat: toBinary}, "protobuf_payload", seven},
		"JSONToJSON":     {&request{Payload: &jsonIn{JsonPayload: `{"optional_int32": "7"}`}, RequestedOutputFormat: toJSON}, "json_payload", `{"optionalInt32":7}`},
		"JSONToText":     {&request{Payload: &jsonIn{JsonPayload: `{"optionalInt32": 7}`}, RequestedOutputFormat: toText}, "text_payload", "optional_int32:7"},
		"TextToBinary":   {&request{Payload: &textIn{TextPayload: "optional_int32: 7"}, RequestedOutputFormat: toBinary}, "protobuf_payload", seven},
		"TextToJSON":     {&request{Payload: &textIn{TextPayload: "optional_int32: 7"}, RequestedOutputFormat: toJSON}, "json_payload", `{"optionalInt32":7}`},
		"TextToText":     {&request{Payload: &textIn{TextPayload: "optional_int32: 7"}, RequestedOutputFormat: toText}, "text_payload", "optional_int32:7"},

		"Nothing":        {&request{Payload: &binaryIn{}, RequestedOutputFormat: toBinary}, "protobuf_payload", ""},
		"BadBinary":      {&request{Payload: &binaryIn{ProtobufPayload: []byte("\x08")}, RequestedOutputFormat: toBinary}, "parse_error", ""},
		"BadUTF8":        {&request{Payload: &jsonIn{JsonPayload: "{\"optionalString\": \"\xff\"}"}, RequestedOutputFormat: toBinary}, "parse_error", ""},
		"BadJSON":        {&request{Payload: &jsonIn{JsonPayload: `{"optionalInt32": `}, RequestedOutputFormat: toBinary}, "parse_error", ""},
		"BadText":        {&request{Payload: &textIn{TextPayload: "optional_int32: {"}, RequestedOutputFormat: toBinary}, "parse_error", ""},
		"JspbIn":         {&request{Payload: &jspbIn{JspbPayload: "[]"}, RequestedOutputFormat: toBinary}, "skipped", ""},
		"JspbOut":        {&request{Payload: &binaryIn{}, RequestedOutputFormat: toJspb}, "skipped", ""},
		"NoPayload":      {&request{RequestedOutputFormat: toBinary}, "runtime_error", "the request has no payload"},
		"NoFormat":       {&request{Payload: &binaryIn{}}, "runtime_error", "output format UNSPECIFIED is not known"},
		"NoSuchFormat":   {&request{Payload: &binaryIn{}, RequestedOutputFormat: 99}, "runtime_error", "output format 99 is not known"},
		"UnknownJSON":    {&request{Payload: &jsonIn{JsonPayload: `{"nothing": 1, "optionalInt32": 7}`}, RequestedOutputFormat: toBinary, TestCategory: conformancepb.TestCategory_JSON_TEST}, "parse_error", ""},
		"UnknownIgnored": {&request{Payload: &jsonIn{JsonPayload: `{"nothing": 1, "optionalInt32": 7}`}, RequestedOutputFormat: toBinary, TestCategory: conformancepb.TestCategory_JSON_IGNORE_UNKNOWN_PARSING_TEST}, "protobuf_payload", seven},
		// Field 100000 is in none of the messages.
		"UnknownKept":    {&request{Payload: &binaryIn{ProtobufPayload: []byte("\x80\xea\x30\x05" + seven)}, RequestedOutputFormat: toBinary}, "protobuf_payload", seven + "\x80\xea\x30\x05"},
		"UnknownLeftOut": {&request{Payload: &binaryIn{ProtobufPayload: []byte("\x80\xea\x30\x05")}, RequestedOutputFormat: toText}, "text_payload", ""},
		"UnknownPrinted": {&request{Payload: &binaryIn{ProtobufPayload: []byte("\x80\xea\x30\x05")}, RequestedOutputFormat: toText, PrintUnknownFields: true}, "text_payload", "100000:5"},
	}
	for pkg, message := range messages {
		for test, tt := range tests {
			t.Run(pkg+"/"+test, func(t *testing.T) {
				req := proto.CloneOf(tt.req)
				req.MessageType = message
				for _, target := range []testee.Testee{{}, {Reference: true}} {
					name, value := result(target.Answer(req))
					// The words of a codec's error are its own.
					if strings.HasSuffix(name, "_payload") || name == "runtime_error" {
						value = strings.TrimSpace(value)
						if name == "json_payload" || name == "text_payload" {
							value = strings.ReplaceAll(value, " ", "") // protobuf-go varies the spaces
						}
					} else if value == "" {
						t.Errorf("%s without a text", name)
					} else {
						value = ""
					}
					if name != tt.name || value != tt.value {
						t.Errorf("reference %v: got %s %q, want %s %q", target.Reference, name, value, tt.name, tt.value)
					}
				}
			})
		}
	}
}

func TestUnknownMessageType(t *testing.T) {
	for _, message := range []string{"", "x", "no.such.Message", "protobuf_test_messages.proto3.ForeignEnum", proto3 + ".optional_int32"} {
		req := &request{Payload: &binaryIn{}, RequestedOutputFormat: toBinary, MessageType: message}
		name, value := result(new(testee.Testee).Answer(req))
		if name != "runtime_error" || !strings.Contains(value, `"`+message+`"`) {
			t.Errorf("message type %q: got %s %q", message, name, value)
		}
	}
}

// TestParseErrors gives our codec what it has to refuse.
func TestParseErrors(t *testing.T) {
	str := protowire.AppendTag(nil, 14, protowire.BytesType)
	tests := map[string]string{
		"tag without a value":        "\x08",
		"field number 0":             "\x00\x00",
		"wire type 7":                "\x0f",
		"varint of 11 bytes":         "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"length beyond the end":      string(str) + "\x05abc",
		"end of a group not begun":   "\x0c",
		"group without an end":       "\x83\xea\x30\x08\x01",
		"string that is not UTF-8":   string(str) + "\x01\xff",
		"fewer bytes than a fixed64": "\x41\x01\x02",
	}
	for name, payload := range tests {
		req := &request{Payload: &binaryIn{ProtobufPayload: []byte(payload)}, RequestedOutputFormat: toBinary, MessageType: proto3}
		if got, value := result(new(testee.Testee).Answer(req)); got != "parse_error" || value == "" {
			t.Errorf("%s: got %s %q, want a parse_error", name, got, value)
		}
	}
	missing := &request{Payload: &binaryIn{}, RequestedOutputFormat: toBinary, MessageType: "protobuf_test_messages.proto2.TestAllRequiredTypesProto2"}
	if got, value := result(new(testee.Testee).Answer(missing)); got != "parse_error" || value == "" {
		t.Errorf("required field not set: got %s %q, want a parse_error", got, value)
	}
}

// TestSerializeErrors asks for messages that can be read, but not written in the format asked for.
func TestSerializeErrors(t *testing.T) {
	// The codec's default limit is 100 levels; protojson goes deeper.
	const levels = 200
	deep := strings.Repeat(`{"recursiveMessage":`, levels) + "{}" + strings.Repeat("}", levels)
	// An Any of a type that nobody knows has no form in JSON.
	unknownAny := protowire.AppendTag(nil, 305, protowire.BytesType)
	unknownAny = protowire.AppendString(unknownAny, "\x0a\x0bexample/x.Y")

	for name, req := range map[string]*request{
		"too deep":       {Payload: &jsonIn{JsonPayload: deep}, RequestedOutputFormat: toBinary},
		"Any of no type": {Payload: &binaryIn{ProtobufPayload: unknownAny}, RequestedOutputFormat: toJSON},
	} {
		req.MessageType = proto3
		if got, value := result(new(testee.Testee).Answer(req)); got != "serialize_error" || value == "" {
			t.Errorf("%s: got %s %.200q, want a serialize_error", name, got, value)
		}
	}
}

// frame returns a request as it goes over the pipe.
func frame(t *testing.T, req *request) []byte {
	t.Helper()
	b, err := proto.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// answers splits what a testee wrote.
func answers(t *testing.T, b []byte) []*conformancepb.ConformanceResponse {
	t.Helper()
	var list []*conformancepb.ConformanceResponse
	for len(b) > 0 {
		if len(b) < 4 || uint64(len(b)-4) < uint64(binary.LittleEndian.Uint32(b)) {
			t.Fatalf("the end of the output is no frame: %q", b)
		}
		n := 4 + int(binary.LittleEndian.Uint32(b))
		resp := &conformancepb.ConformanceResponse{}
		if err := proto.Unmarshal(b[4:n], resp); err != nil {
			t.Fatal(err)
		}
		list, b = append(list, resp), b[n:]
	}
	return list
}

func TestServe(t *testing.T) {
	good := frame(t, &request{Payload: &binaryIn{ProtobufPayload: []byte(seven)}, RequestedOutputFormat: toBinary, MessageType: proto3})
	empty := []byte{0, 0, 0, 0} // a request without anything
	tests := map[string]struct {
		in      []byte
		answers int
		err     error
	}{
		"nothing":              {nil, 0, nil},
		"one":                  {good, 1, nil},
		"three":                {bytes.Join([][]byte{good, empty, good}, nil), 3, nil},
		"part of a length":     {append(bytes.Clone(good), 1, 0), 1, io.ErrUnexpectedEOF},
		"length without bytes": {append(bytes.Clone(good), 1, 0, 0, 0), 1, io.ErrUnexpectedEOF},
		"part of a request":    {good[:len(good)-1], 0, io.ErrUnexpectedEOF},
		"no request":           {[]byte{1, 0, 0, 0, 0xff}, 0, proto.Error},
	}
	for name, tt := range tests {
		var out bytes.Buffer
		err := new(testee.Testee).Serve(bytes.NewReader(tt.in), &out)
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: error %v, want %v", name, err, tt.err)
		}
		got := answers(t, out.Bytes())
		if len(got) != tt.answers {
			t.Errorf("%s: %d answers, want %d", name, len(got), tt.answers)
		}
		if len(got) > 0 && string(got[0].GetProtobufPayload()) != seven {
			t.Errorf("%s: first answer %v", name, got[0])
		}
		if len(got) == 3 && (got[1].GetRuntimeError() == "" || string(got[2].GetProtobufPayload()) != seven) {
			t.Errorf("%s: other answers %v", name, got[1:])
		}
	}
}

// TestLengthTakesNoMemory announces 4 GiB and sends 3 bytes.
func TestLengthTakesNoMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := new(testee.Testee).Serve(strings.NewReader("\xff\xff\xff\xffabc"), io.Discard)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// broken is a writer that refuses.
type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestServeCannotWrite(t *testing.T) {
	in := frame(t, &request{Payload: &binaryIn{}, RequestedOutputFormat: toBinary, MessageType: proto3})
	if err := new(testee.Testee).Serve(bytes.NewReader(in), broken{}); !errors.Is(err, errBroken) {
		t.Errorf("broken output: error %v", err)
	}
	var out bytes.Buffer
	if err := (&testee.Testee{Log: broken{}}).Serve(bytes.NewReader(in), &out); !errors.Is(err, errBroken) || out.Len() > 0 {
		t.Errorf("broken log: error %v, %d bytes written", err, out.Len())
	}
}

func TestLog(t *testing.T) {
	requests := []*request{
		{Payload: &binaryIn{ProtobufPayload: []byte(seven)}, RequestedOutputFormat: toBinary},
		{Payload: &binaryIn{ProtobufPayload: []byte("\x08")}, RequestedOutputFormat: toBinary}, // is not read to its end
		{Payload: &binaryIn{}, RequestedOutputFormat: toJSON},
		{Payload: &jsonIn{JsonPayload: "{}"}, RequestedOutputFormat: toBinary},
		{Payload: &textIn{}, RequestedOutputFormat: toText},
	}
	for _, message := range []proto.Message{&proto3pb.TestAllTypesProto3{}, &proto2pb.TestAllTypesProto2{}} {
		for _, reference := range []bool{false, true} {
			var log strings.Builder
			target := testee.Testee{Log: &log, Reference: reference}
			name := string(message.ProtoReflect().Descriptor().FullName())
			for _, req := range requests {
				req.MessageType = name
				target.Answer(req)
			}
			end := " " + code(message, reference) + " " + name + "\n"
			want := "read" + end + "write" + end + "read" + end + "read" + end + "write" + end
			if log.String() != want {
				t.Errorf("reference %v: log is\n%swant\n%s", reference, log.String(), want)
			}
		}
	}
}

// code is the word in the log for who reads and writes m.
func code(m proto.Message, reference bool) string {
	_, generated := m.(interface{ ResetFlinkser() })
	switch {
	case reference:
		return "reference"
	case generated:
		return "generated"
	default:
		return "protoreflect"
	}
}
