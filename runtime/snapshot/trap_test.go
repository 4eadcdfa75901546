package snapshot

import (
	"maps"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// noteOptions are custom options for the tests of this file.
const noteOptions = `syntax = "proto2"; package s; import "google/protobuf/descriptor.proto";
	message Note { optional string a = 1; optional string b = 2; optional string gone = 3 [retention = RETENTION_SOURCE]; optional Note note = 4; }
	extend google.protobuf.FieldOptions { optional Note note = 50001; optional string source = 50002 [retention = RETENTION_SOURCE]; }
	extend google.protobuf.FileOptions { optional Note file_note = 50001; }`

// TestTrap makes one schema in different ways, all of which are the same Java class: numbers are those of the traps
// in golden/testdata/traps.ids that are about descriptors.
func TestTrap(t *testing.T) {
	set := func(text string) *descriptorpb.FileDescriptorSet {
		return compile(t, map[string]string{"m.proto": text, "s.proto": noteOptions, "user.proto": `syntax = "proto3"; import "m.proto"; message User { M m = 1; }`})
	}
	change := func(s *descriptorpb.FileDescriptorSet, f func(m *descriptorpb.FileDescriptorProto)) *descriptorpb.FileDescriptorSet {
		for _, file := range s.GetFile() {
			if file.GetName() == "m.proto" {
				f(file)
			}
		}
		return s
	}
	for _, c := range []struct {
		id       string
		variants map[string]*descriptorpb.FileDescriptorSet
		settings Settings
		same     bool // digests; fingerprints always are
	}{
		{"19 JSON name", map[string]*descriptorpb.FileDescriptorSet{
			"left out": set(`syntax = "proto3"; message M { string some_name = 1; }`),
			"cleared": change(set(`syntax = "proto3"; message M { string some_name = 1; }`), func(f *descriptorpb.FileDescriptorProto) {
				f.GetMessageType()[0].GetField()[0].JsonName = nil
			}),
		}, Settings{}, true},
		{"19 JSON name that is written", map[string]*descriptorpb.FileDescriptorSet{
			"left out":     set(`syntax = "proto3"; message M { string some_name = 1; }`),
			"the default":  set(`syntax = "proto3"; message M { string some_name = 1 [json_name = "someName"]; }`),
			"another name": set(`syntax = "proto3"; message M { string some_name = 1 [json_name = "x"]; }`),
		}, Settings{}, false},
		{"20 default of a double", map[string]*descriptorpb.FileDescriptorSet{
			"as protoc": change(set(`syntax = "proto2"; message M { optional double d = 1 [default = 1000000]; }`), func(f *descriptorpb.FileDescriptorProto) {
				f.GetMessageType()[0].GetField()[0].DefaultValue = proto.String("1000000")
			}),
			"as buf": change(set(`syntax = "proto2"; message M { optional double d = 1 [default = 1000000]; }`), func(f *descriptorpb.FileDescriptorProto) {
				f.GetMessageType()[0].GetField()[0].DefaultValue = proto.String("1e+06")
			}),
			"compiled": set(`syntax = "proto2"; message M { optional double d = 1 [default = 1e6]; }`),
		}, Settings{}, true},
		{"21 split option, in an import of the root's file", map[string]*descriptorpb.FileDescriptorSet{
			"split": set(`syntax = "proto3"; import "s.proto"; message M { int32 i = 1 [(s.note).b = "2", (s.note).note.b = "4", (s.note).a = "1", (s.note).note.a = "3"]; }`),
			"whole": set(`syntax = "proto3"; import "s.proto"; message M { int32 i = 1 [(s.note) = {note {b: "4" a: "3"} b: "2" a: "1"}]; }`),
		}, Settings{}, true},
		{"22 options of the source, in an import of the root's file", map[string]*descriptorpb.FileDescriptorSet{
			"none":       set(`syntax = "proto2"; import "s.proto"; message M { optional int32 i = 1; optional int32 k = 2 [(s.note) = {a: "x" note {}}]; extensions 5 to 9; }`),
			"some":       set(`syntax = "proto2"; import "s.proto"; message M { optional int32 i = 1 [(s.source) = "x"]; optional int32 k = 2 [(s.note) = {a: "x" note {gone: "z"} gone: "y"}, (s.source) = "z"]; extensions 5 to 9; }`),
			"of ranges":  set(`syntax = "proto2"; import "s.proto"; message M { optional int32 i = 1; optional int32 k = 2 [(s.note) = {a: "x" note {}}]; extensions 5 to 9 [verification = UNVERIFIED]; }`),
			"with empty": set(`syntax = "proto2"; import "s.proto"; message M { optional int32 i = 1 [(s.source) = ""]; optional int32 k = 2 [(s.note).a = "x", (s.note).note = {}]; extensions 5 to 9; }`),
		}, Settings{}, true},
		{"22 empty options that are there", map[string]*descriptorpb.FileDescriptorSet{
			"none": set(`syntax = "proto3"; message M {}`),
			"empty": change(set(`syntax = "proto3"; message M {}`), func(f *descriptorpb.FileDescriptorProto) {
				f.GetMessageType()[0].Options = &descriptorpb.MessageOptions{}
			}),
		}, Settings{}, false},
		{"24 managed mode", map[string]*descriptorpb.FileDescriptorSet{
			"off": set(`syntax = "proto3"; message M { int32 i = 1; }`),
			"on": change(set(`syntax = "proto3"; message M { int32 i = 1; }`), func(f *descriptorpb.FileDescriptorProto) {
				f.Options = &descriptorpb.FileOptions{JavaPackage: proto.String("com.m"), JavaMultipleFiles: proto.Bool(true), GoPackage: proto.String("example.com/m")}
			}),
		}, Settings{JavaClass: "given"}, false},
	} {
		t.Run(c.id, func(t *testing.T) {
			digests := map[[32]byte]string{}
			var first *Snapshot
			for _, name := range slices.Sorted(maps.Keys(c.variants)) {
				// The root is in a file that imports the one in question.
				s, err := OfDescriptor(message(t, c.variants[name], "User"), c.settings)
				if err != nil {
					t.Fatal(err)
				}
				if read := mustParse(t, mustAppend(t, s)); show(read) != show(s) {
					t.Errorf("%s: read again:\n%s\n%s", name, show(s), show(read))
				}
				if first == nil {
					first = s
				}
				if s.Fingerprint() != first.Fingerprint() {
					t.Errorf("%s has another fingerprint", name)
				}
				digests[s.Digest()] = name
				if c.same && s.Digest() != first.Digest() {
					t.Errorf("%s has another digest:\n%v\n%v", name, first.files, s.files)
				}
			}
			if !c.same && len(digests) != len(c.variants) {
				t.Errorf("only these have a digest of their own: %v", digests)
			}
		})
	}
}
