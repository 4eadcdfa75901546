package gen

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// Run reads a request from in and writes the answer to out, as protoc and buf run a plugin.
func Run(in io.Reader, out io.Writer) error {
	b, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	req := &pluginpb.CodeGeneratorRequest{}
	if err := proto.Unmarshal(b, req); err != nil {
		return err
	}
	resp, err := Answer(req)
	if err != nil {
		return err
	}
	if b, err = proto.Marshal(resp); err != nil {
		return err
	}
	_, err = out.Write(b)
	return err
}

// Answer does what the plugin does with a request of protoc or buf. What is wrong with
// the .proto files stands in the answer; the error is about the request itself.
func Answer(req *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	var o Options
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	RegisterFlags(fs, &o)
	plugin, err := protogen.Options{ParamFunc: ParamFunc(fs)}.New(req)
	if err != nil {
		// The descriptor library refuses message sets before the generator sees the file, and
		// does not say what can be done.
		if sets := messageSets(req); len(sets) > 0 && strings.Contains(err.Error(), "MessageSet") {
			return &pluginpb.CodeGeneratorResponse{Error: &sets}, nil
		}
		return nil, err
	}
	if err := Generate(plugin, o); err != nil {
		plugin.Error(err)
	}
	return plugin.Response(), nil
}

// messageSets lists the messages of a request that are in message set wire format, with what
// can be done about each, or returns "".
func messageSets(req *pluginpb.CodeGeneratorRequest) string {
	var lines []string
	for _, file := range req.GetProtoFile() {
		var visit func(scope string, path []int32, messages []*descriptorpb.DescriptorProto)
		visit = func(scope string, path []int32, messages []*descriptorpb.DescriptorProto) {
			for i, m := range messages {
				name, at := scope+m.GetName(), append(path[:len(path):len(path)], int32(i))
				if m.GetOptions().GetMessageSetWireFormat() {
					lines = append(lines, place(file, at)+name+": message_set_wire_format is only supported by plugins and programs "+
						"that are built with the tag protolegacy of google.golang.org/protobuf: install protoc-gen-go and protoc-gen-flinkser with "+
						"go install -tags protolegacy, and build with -tags protolegacy; or take the option away")
				}
				const nested = 3 // field nested_type of DescriptorProto
				visit(name+".", append(at, nested), m.GetNestedType())
			}
		}
		scope := ""
		if file.GetPackage() != "" {
			scope = file.GetPackage() + "."
		}
		const messageType = 4 // field message_type of FileDescriptorProto
		visit(scope, []int32{messageType}, file.GetMessageType())
	}
	return strings.Join(lines, "\n")
}

// place returns file:line:column of what is at a path in a file, as far as it is known.
func place(file *descriptorpb.FileDescriptorProto, path []int32) string {
	for _, loc := range file.GetSourceCodeInfo().GetLocation() {
		if len(loc.GetSpan()) >= 3 && slices.Equal(loc.GetPath(), path) {
			return fmt.Sprintf("%s:%d:%d: ", file.GetName(), loc.GetSpan()[0]+1, loc.GetSpan()[1]+1)
		}
	}
	return file.GetName() + ": "
}
