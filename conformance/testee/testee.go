// Package testee answers the requests of the conformance suite with this project's codec.
//
// Every payload in the binary format is read by flinkser.Unmarshal and written by
// flinkser.Marshal, under their default limits. JSON and text are left to protojson and
// prototext, so that their tests go through the codec on one side. The requests and answers
// themselves are read and written by google.golang.org/protobuf, so that an error of ours
// shows up as a failed test and not as a broken connection.
//
// A request or answer comes after its length in bytes, a little-endian uint32.
package testee

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/conformance/conformancepb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// What Main takes from its environment.
const (
	// LogVariable names the file to which a line is appended for each payload; see
	// Testee.Log.
	LogVariable = "CONFORMANCE_LOG"
	// ReferenceVariable, if it is 1, sets Testee.Reference.
	ReferenceVariable = "CONFORMANCE_REFERENCE"
	// DynamicVariable, if it is 1, sets Testee.Dynamic.
	DynamicVariable = "CONFORMANCE_DYNAMIC"
)

// Main serves standard input and output until the input ends. It returns the exit code.
func Main() int {
	if err := serveStandard(); err != nil {
		fmt.Fprintln(os.Stderr, "testee:", err)
		return 1
	}
	return 0
}

func serveStandard() error {
	t := Testee{Reference: os.Getenv(ReferenceVariable) == "1", Dynamic: os.Getenv(DynamicVariable) == "1"}
	if name := os.Getenv(LogVariable); name != "" {
		// The runner starts several testees, one after another.
		log, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		defer log.Close()
		t.Log = log
	}
	return t.Serve(os.Stdin, os.Stdout)
}

// Testee answers requests. It serves one connection at a time.
type Testee struct {
	// Log, if not nil, gets a line for each payload in the binary format, before it is
	// read or written:
	//
	//	read generated protobuf_test_messages.proto3.TestAllTypesProto3
	//	write protoreflect protobuf_test_messages.proto2.TestAllTypesProto2
	//
	// The second word says which code does the work: that of the message itself, or the
	// runtime's for messages without generated code. It is "reference" for all payloads
	// where Reference is set.
	Log io.Writer

	// Reference has google.golang.org/protobuf read and write, to show what it makes of
	// the suite.
	Reference bool

	// Dynamic has all payloads read into and written from dynamic messages.
	Dynamic bool

	logErr error // the first one of Log
}

// Serve answers the requests in in, until it ends. What is no request is an error.
func (t *Testee) Serve(in io.Reader, out io.Writer) error {
	for {
		frame, err := readFrame(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		req := &conformancepb.ConformanceRequest{}
		if err := proto.Unmarshal(frame, req); err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		resp := t.Answer(req)
		if t.logErr != nil {
			return fmt.Errorf("writing the log: %w", t.logErr)
		}
		if err := writeFrame(out, resp); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
	}
}

// readFrame returns the next frame, and io.EOF at the end of the input. A length takes no
// memory, only bytes that arrive do.
func readFrame(in io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(in, size[:]); err != nil {
		return nil, err
	}
	var frame bytes.Buffer
	_, err := io.CopyN(&frame, in, int64(binary.LittleEndian.Uint32(size[:])))
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return frame.Bytes(), err
}

// writeFrame writes an answer in one call.
func writeFrame(out io.Writer, resp *conformancepb.ConformanceResponse) error {
	b, err := proto.MarshalOptions{}.MarshalAppend(make([]byte, 4), resp)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	_, err = out.Write(b)
	return err
}

// Answer returns the answer to a request.
func (t *Testee) Answer(req *conformancepb.ConformanceRequest) *conformancepb.ConformanceResponse {
	if isJspb(req) {
		// A format that Google uses inside the house.
		return &conformancepb.ConformanceResponse{Result: &conformancepb.ConformanceResponse_Skipped{Skipped: "JSPB is not supported"}}
	}
	if req.GetPayload() == nil {
		return runtimeError("the request has no payload")
	}
	typ, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(req.GetMessageType()))
	if err != nil {
		return runtimeError("message type %q: %v", req.GetMessageType(), err)
	}
	if t.Dynamic {
		typ = dynamicpb.NewMessageType(typ.Descriptor())
	}
	m := typ.New().Interface()
	if err := t.read(req, m); err != nil {
		return &conformancepb.ConformanceResponse{Result: &conformancepb.ConformanceResponse_ParseError{ParseError: err.Error()}}
	}
	resp, err := t.write(req, m)
	if err != nil {
		return &conformancepb.ConformanceResponse{Result: &conformancepb.ConformanceResponse_SerializeError{SerializeError: err.Error()}}
	}
	return resp
}

func isJspb(req *conformancepb.ConformanceRequest) bool {
	_, payload := req.GetPayload().(*conformancepb.ConformanceRequest_JspbPayload)
	return payload || req.GetRequestedOutputFormat() == conformancepb.WireFormat_JSPB
}

// runtimeError is an answer that always counts as a failed test.
func runtimeError(format string, args ...any) *conformancepb.ConformanceResponse {
	return &conformancepb.ConformanceResponse{Result: &conformancepb.ConformanceResponse_RuntimeError{
		RuntimeError: fmt.Sprintf(format, args...),
	}}
}

// read reads the payload of a request into m.
func (t *Testee) read(req *conformancepb.ConformanceRequest, m proto.Message) error {
	switch req.GetPayload().(type) {
	case *conformancepb.ConformanceRequest_JsonPayload:
		ignore := req.GetTestCategory() == conformancepb.TestCategory_JSON_IGNORE_UNKNOWN_PARSING_TEST
		return protojson.UnmarshalOptions{DiscardUnknown: ignore}.Unmarshal([]byte(req.GetJsonPayload()), m)
	case *conformancepb.ConformanceRequest_TextPayload:
		return prototext.Unmarshal([]byte(req.GetTextPayload()), m)
	default:
		return t.unmarshal(req.GetProtobufPayload(), m)
	}
}

// write returns m in the format that the request asks for.
func (t *Testee) write(req *conformancepb.ConformanceRequest, m proto.Message) (*conformancepb.ConformanceResponse, error) {
	switch format := req.GetRequestedOutputFormat(); format {
	case conformancepb.WireFormat_PROTOBUF:
		b, err := t.marshal(m)
		return &conformancepb.ConformanceResponse{Result: &conformancepb.ConformanceResponse_ProtobufPayload{ProtobufPayload: b}}, err
	case conformancepb.WireFormat_JSON:
		b, err := protojson.Marshal(m)
		return &conformancepb.ConformanceResponse{Result: &conformancepb.ConformanceResponse_JsonPayload{JsonPayload: string(b)}}, err
	case conformancepb.WireFormat_TEXT_FORMAT:
		b, err := prototext.MarshalOptions{EmitUnknown: req.GetPrintUnknownFields()}.Marshal(m)
		return &conformancepb.ConformanceResponse{Result: &conformancepb.ConformanceResponse_TextPayload{TextPayload: string(b)}}, err
	default:
		return runtimeError("output format %v is not known", format), nil
	}
}

func (t *Testee) unmarshal(b []byte, m proto.Message) error {
	t.note("read", m)
	if t.Reference {
		return proto.Unmarshal(b, m)
	}
	return flinkser.Unmarshal(b, m)
}

func (t *Testee) marshal(m proto.Message) ([]byte, error) {
	t.note("write", m)
	if t.Reference {
		return proto.Marshal(m)
	}
	return flinkser.Marshal(m)
}

// note logs that m is about to be read or written.
func (t *Testee) note(verb string, m proto.Message) {
	if t.Log == nil {
		return
	}
	code := "protoreflect"
	if _, ok := m.(flinkser.Message); ok {
		code = "generated"
	}
	if t.Reference {
		code = "reference"
	}
	_, err := fmt.Fprintf(t.Log, "%s %s %s\n", verb, code, m.ProtoReflect().Descriptor().FullName())
	if t.logErr == nil {
		t.logErr = err
	}
}
