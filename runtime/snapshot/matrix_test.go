package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/fingerprint"
	"github.com/flinkser/flinkser/internal/randpb"
)

// A change is a difference between two bodies of the message X.
type change struct {
	name     string
	syntax   string // of both files, or "old|new"
	old, new string // bodies
	types    string // declarations beside X, of both or "old|new"
	before   string // body of an earlier schema, where a break is one of history
	// The words of strict restore, wire restore and wire rollback.
	strict, restore, rollback string
}

const (
	proto2 = `syntax = "proto2";`
	proto3 = `syntax = "proto3";`
	ed2023 = `edition = "2023";`
)

var changes = []change{
	{name: "same", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 1;", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "field added", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 1; string b = 2;", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "message field added", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 1; S b = 2;", types: "message S { int32 x = 1; }", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "map and list added", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 1; map<string, int32> b = 2; repeated bytes c = 3;", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "oneof added", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 1; oneof o { string b = 2; int32 c = 3; }", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "field added to oneof", syntax: proto3, old: "oneof o { int32 a = 1; }", new: "oneof o { int32 a = 1; string b = 2; }", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "removed and reserved", syntax: proto3, old: "int32 a = 1; string b = 2;", new: "int32 a = 1; reserved 2;", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "oneof removed and reserved", syntax: proto3, old: "int32 a = 1; oneof o { string b = 2; int32 c = 3; }", new: "int32 a = 1; reserved 2, 3;", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "map removed and reserved", syntax: proto3, old: "int32 a = 1; map<int32, string> b = 2;", new: "int32 a = 1; reserved 2;", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "removed", syntax: proto3, old: "int32 a = 1; string b = 2;", new: "int32 a = 1;", strict: "break", restore: "warning", rollback: "ok"},
	{name: "removed, name reserved", syntax: proto3, old: "int32 a = 1; string b = 2;", new: `int32 a = 1; reserved "b";`, strict: "break", restore: "warning", rollback: "ok"},
	{name: "renamed", syntax: proto3, old: "int32 a = 1;", new: "int32 z = 1;", strict: "break", restore: "warning", rollback: "warning"},
	{name: "renumbered", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 2;", strict: "break", restore: "break", rollback: "break"},
	{name: "renumbered and reserved", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 2; reserved 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "swapped", syntax: proto3, old: "int32 a = 1; int32 b = 2;", new: "int32 a = 2; int32 b = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "reserved number used", syntax: proto3, old: "int32 a = 1; reserved 2;", new: "int32 a = 1; string b = 2;", before: "int32 a = 1; string was = 2;", strict: "break", restore: "break", rollback: "ok"},
	{name: "reserved name used", syntax: proto3, old: `int32 a = 1; reserved "b";`, new: "int32 a = 1; string b = 2;", strict: "break", restore: "warning", rollback: "ok"},
	{name: "reservation dropped", syntax: proto3, old: "int32 a = 1; reserved 2 to 4;", new: "int32 a = 1; reserved 2, 4;", strict: "break", restore: "warning", rollback: "ok"},
	{name: "reserved name dropped", syntax: proto3, old: `int32 a = 1; reserved "b";`, new: "int32 a = 1;", strict: "break", restore: "warning", rollback: "ok"},
	{name: "reservation added", syntax: proto3, old: "int32 a = 1; reserved 2 to 4;", new: `int32 a = 1; reserved 2, 3, 4 to 9; reserved "x";`, strict: "ok", restore: "ok", rollback: "ok"},
	{name: "number reused", syntax: proto3, old: "int32 a = 1;", new: "string b = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "reordered", syntax: proto3, old: "int32 a = 1; string b = 2;", new: "string b = 2; int32 a = 1;", strict: "break", restore: "ok", rollback: "ok"},
	{name: "option", syntax: proto3, old: "int32 a = 1;", new: "int32 a = 1 [deprecated = true];", strict: "break", restore: "ok", rollback: "ok"},
	{name: "message option", syntax: proto3, old: "int32 a = 1;", new: "option deprecated = true; int32 a = 1;", strict: "break", restore: "ok", rollback: "ok"},
	{name: "json_name", syntax: proto3, old: "int32 a = 1;", new: `int32 a = 1 [json_name = "zz"];`, strict: "break", restore: "ok", rollback: "ok"},

	{name: "int32 to int64", syntax: proto3, old: "int32 a = 1;", new: "int64 a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "uint32 to int64", syntax: proto3, old: "uint32 a = 1;", new: "int64 a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "uint32 to uint64", syntax: proto3, old: "uint32 a = 1;", new: "uint64 a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "bool to int32", syntax: proto3, old: "bool a = 1;", new: "int32 a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "bool to uint64", syntax: proto3, old: "bool a = 1;", new: "uint64 a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "sint32 to sint64", syntax: proto3, old: "sint32 a = 1;", new: "sint64 a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "int32 to uint32", syntax: proto3, old: "int32 a = 1;", new: "uint32 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "int32 to uint64", syntax: proto3, old: "int32 a = 1;", new: "uint64 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "int64 to uint64", syntax: proto3, old: "int64 a = 1;", new: "uint64 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "bool to sint32", syntax: proto3, old: "bool a = 1;", new: "sint32 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "int32 to sint32", syntax: proto3, old: "int32 a = 1;", new: "sint32 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "fixed32 to sfixed32", syntax: proto3, old: "fixed32 a = 1;", new: "sfixed32 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "fixed64 to double", syntax: proto3, old: "fixed64 a = 1;", new: "double a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "float to double", syntax: proto3, old: "float a = 1;", new: "double a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "int32 to fixed32", syntax: proto3, old: "int32 a = 1;", new: "fixed32 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "int32 to string", syntax: proto3, old: "int32 a = 1;", new: "string a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "string to bytes", syntax: proto3, old: "string a = 1;", new: "bytes a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "string to message", syntax: proto3, old: "optional string a = 1;", new: "S a = 1;", types: "message S { int32 x = 1; string y = 2; }", strict: "break", restore: "break", rollback: "break"},
	{name: "bytes to message", syntax: proto3, old: "optional bytes a = 1;", new: "S a = 1;", types: "message S { int32 x = 1; }", strict: "break", restore: "break", rollback: "warning"},
	{name: "bytes to unchecked string", syntax: proto2, old: "optional bytes a = 1;", new: "optional string a = 1;", strict: "break", restore: "break", rollback: "ok"},
	{name: "check dropped", syntax: ed2023, old: "string a = 1;", new: "string a = 1 [features.utf8_validation = NONE];", strict: "break", restore: "ok", rollback: "break"},
	{name: "proto2 to proto3", syntax: proto2 + "|" + proto3, old: "optional string a = 1;", new: "optional string a = 1;", strict: "break", restore: "break", rollback: "ok"},
	{name: "group to message", syntax: proto2, old: "optional group G = 1 { optional int32 x = 1; }", new: "message G { optional int32 x = 1; } optional G g = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "delimited", syntax: ed2023, old: "S a = 1;", new: "S a = 1 [features.message_encoding = DELIMITED];", types: "message S { int32 x = 1; }", strict: "break", restore: "break", rollback: "break"},

	{name: "enum to int32", syntax: proto3, old: "E a = 1;", new: "int32 a = 1;", types: "enum E { Z = 0; A = 1; }", strict: "break", restore: "warning", rollback: "warning"},
	{name: "enum to int64", syntax: proto3, old: "E a = 1;", new: "int64 a = 1;", types: "enum E { Z = 0; A = 1; }", strict: "break", restore: "warning", rollback: "break"},
	{name: "enum to uint32", syntax: proto3, old: "E a = 1;", new: "uint32 a = 1;", types: "enum E { Z = 0; A = 1; }", strict: "break", restore: "break", rollback: "break"},
	{name: "enum to bool", syntax: proto3, old: "E a = 1;", new: "bool a = 1;", types: "enum E { Z = 0; A = 1; }", strict: "break", restore: "break", rollback: "break"},
	{name: "int32 to closed enum", syntax: proto2, old: "optional int32 a = 1;", new: "optional E a = 1;", types: "enum E { Z = 0; A = 1; }", strict: "break", restore: "break", rollback: "warning"},
	{name: "enum value added", syntax: proto3, old: "E a = 1;", new: "E a = 1;", types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; A = 1; B = 2; }", strict: "ok", restore: "ok", rollback: "ok"},
	{name: "closed enum value added", syntax: proto2, old: "optional E a = 1;", new: "optional E a = 1;", types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; A = 1; B = 2; }", strict: "ok", restore: "ok", rollback: "break"},
	{name: "enum value removed", syntax: proto3, old: "E a = 1;", new: "E a = 1;", types: "enum E { Z = 0; A = 1; B = 2; }|enum E { Z = 0; A = 1; reserved 2; }", strict: "break", restore: "warning", rollback: "ok"},
	{name: "closed enum value removed", syntax: proto2, old: "optional E a = 1;", new: "optional E a = 1;", types: "enum E { Z = 0; A = 1; B = 2; }|enum E { Z = 0; A = 1; }", strict: "break", restore: "break", rollback: "ok"},
	{name: "enum value renamed", syntax: proto3, old: "E a = 1;", new: "E a = 1;", types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; B = 1; }", strict: "break", restore: "warning", rollback: "warning"},
	{name: "enum value renumbered", syntax: proto3, old: "E a = 1;", new: "E a = 1;", types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; A = 2; }", strict: "break", restore: "warning", rollback: "warning"},
	{name: "enum alias added", syntax: proto3, old: "E a = 1;", new: "E a = 1;", types: "enum E { option allow_alias = true; Z = 0; Y = 0; }|enum E { option allow_alias = true; Z = 0; Y = 0; W = 0; }", strict: "break", restore: "ok", rollback: "ok"},
	{name: "enum opened", syntax: ed2023, old: "E a = 1;", new: "E a = 1;", types: "enum E { option features.enum_type = CLOSED; Z = 0; }|enum E { Z = 0; }", strict: "break", restore: "ok", rollback: "break"},
	{name: "enum number reserved", syntax: proto3, old: "E a = 1;", new: "E a = 1;", types: "enum E { Z = 0; reserved 5; }|enum E { Z = 0; F = 5; }", strict: "break", restore: "break", rollback: "ok"},
	{name: "enum replaced", syntax: proto3, old: "E a = 1;", new: "F a = 1;", types: "enum E { Z = 0; A = 1; } enum F { Z2 = 0; A2 = 1; B2 = 2; }", strict: "break", restore: "warning", rollback: "warning"},
	{name: "enum reordered", syntax: proto3, old: "E a = 1;", new: "E a = 1;", types: "enum E { Z = 0; A = 1; B = 2; }|enum E { Z = 0; B = 2; A = 1; }", strict: "break", restore: "ok", rollback: "ok"},
	{name: "first value of a closed enum", syntax: proto2, old: "optional E a = 1;", new: "optional E a = 1;", types: "enum E { Z = 0; A = 1; }|enum E { A = 1; Z = 0; }", strict: "break", restore: "break", rollback: "break"},

	{name: "presence added", syntax: proto3, old: "int32 a = 1;", new: "optional int32 a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "optional to oneof", syntax: proto3, old: "optional int32 a = 1;", new: "oneof o { int32 a = 1; }", strict: "break", restore: "ok", rollback: "ok"},
	{name: "implicit to oneof", syntax: proto3, old: "int32 a = 1; int32 b = 2;", new: "oneof o { int32 a = 1; } int32 b = 2;", strict: "break", restore: "ok", rollback: "break"},
	{name: "into a oneof", syntax: proto3, old: "oneof o { int32 a = 1; } int32 b = 2;", new: "oneof o { int32 a = 1; int32 b = 2; }", strict: "break", restore: "break", rollback: "break"},
	{name: "two into a new oneof", syntax: proto3, old: "optional int32 a = 1; optional int32 b = 2;", new: "oneof o { int32 a = 1; int32 b = 2; }", strict: "break", restore: "break", rollback: "ok"},
	{name: "out of a oneof", syntax: proto3, old: "oneof o { int32 a = 1; int32 b = 2; }", new: "oneof o { int32 a = 1; } optional int32 b = 2;", strict: "break", restore: "ok", rollback: "break"},
	{name: "between oneofs", syntax: proto3, old: "oneof o { int32 a = 1; int32 b = 2; } oneof p { int32 c = 3; }", new: "oneof o { int32 a = 1; } oneof p { int32 b = 2; int32 c = 3; }", strict: "break", restore: "break", rollback: "break"},
	{name: "oneof renamed", syntax: proto3, old: "oneof o { int32 a = 1; int32 b = 2; }", new: "oneof p { int32 a = 1; int32 b = 2; }", strict: "break", restore: "ok", rollback: "ok"},
	{name: "oneof split", syntax: proto3, old: "oneof o { int32 a = 1; int32 b = 2; }", new: "oneof o { int32 a = 1; } oneof p { int32 b = 2; }", strict: "break", restore: "ok", rollback: "break"},
	{name: "required added", syntax: proto2, old: "optional int32 a = 1;", new: "optional int32 a = 1; required int32 b = 2;", strict: "break", restore: "break", rollback: "ok"},
	{name: "optional to required", syntax: proto2, old: "optional int32 a = 1;", new: "required int32 a = 1;", strict: "break", restore: "break", rollback: "ok"},
	{name: "default", syntax: proto2, old: "optional int32 a = 1 [default = 4];", new: "optional int32 a = 1 [default = 5];", strict: "break", restore: "break", rollback: "break"},
	{name: "default written out", syntax: proto2, old: "optional int32 a = 1;", new: "optional int32 a = 1 [default = 0];", strict: "break", restore: "ok", rollback: "ok"},
	{name: "string default", syntax: proto2, old: `optional string a = 1 [default = "x"];`, new: "optional string a = 1;", strict: "break", restore: "break", rollback: "break"},

	{name: "implicit to repeated", syntax: proto3, old: "int32 a = 1;", new: "repeated int32 a = 1;", strict: "break", restore: "warning", rollback: "break"},
	{name: "optional to repeated", syntax: proto3, old: "optional string a = 1;", new: "repeated string a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "message to repeated", syntax: proto3, old: "S a = 1;", new: "repeated S a = 1;", types: "message S { int32 x = 1; }", strict: "break", restore: "ok", rollback: "break"},
	{name: "packed", syntax: proto3, old: "repeated int32 a = 1;", new: "repeated int32 a = 1 [packed = false];", strict: "break", restore: "ok", rollback: "ok"},
	{name: "map to list", syntax: proto3, old: "map<string, int32> a = 1;", new: "repeated KV a = 1;", types: "message KV { string key = 1; int32 value = 2; }", strict: "break", restore: "warning", rollback: "break"},
	{name: "map to bytes", syntax: proto3, old: "map<string, int32> a = 1;", new: "repeated bytes a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "map key", syntax: proto3, old: "map<int32, string> a = 1;", new: "map<string, string> a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "map key widened", syntax: proto3, old: "map<int32, string> a = 1;", new: "map<int64, string> a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "map value", syntax: proto3, old: "map<int32, string> a = 1;", new: "map<int32, bytes> a = 1;", strict: "break", restore: "ok", rollback: "break"},
	{name: "map value message", syntax: proto3, old: "map<int32, S> a = 1;", new: "map<int32, S> a = 1;", types: "message S { int32 x = 1; }|message S { string x = 1; }", strict: "break", restore: "break", rollback: "break"},
	{name: "elements", syntax: proto3, old: "repeated sint64 a = 1;", new: "repeated int64 a = 1;", strict: "break", restore: "break", rollback: "break"},
	{name: "type renamed", syntax: proto3, old: "S a = 1;", new: "T a = 1;", types: "message S { int32 x = 1; } message T { int32 x = 1; string y = 2; }", strict: "break", restore: "warning", rollback: "warning"},
	{name: "type replaced", syntax: proto3, old: "S a = 1;", new: "T a = 1;", types: "message S { int32 x = 1; } message T { string x = 1; }", strict: "break", restore: "break", rollback: "break"},
	{name: "recursive type", syntax: proto3, old: "S a = 1;", new: "S a = 1;", types: "message S { S s = 1; int32 x = 2; }|message S { S s = 1; int64 x = 2; }", strict: "break", restore: "ok", rollback: "break"},
	{name: "extension range used", syntax: proto2, old: "optional int32 a = 1; extensions 5 to 9;", new: "optional int32 a = 1; optional bytes b = 5; extensions 6 to 9;", strict: "break", restore: "break", rollback: "ok"},
	{name: "extension range added", syntax: proto2, old: "optional int32 a = 1;", new: "optional int32 a = 1; extensions 5 to 9;", strict: "break", restore: "ok", rollback: "warning"},
}

// A site is a place of the message X below the root R.
type site struct{ name, root string }

var sites = []site{
	{"root", ""},
	{"nested", "message R { $opt X x = 1; }"},
	{"map value", "message R { map<string, X> x = 1; }"},
	{"list", "message R { repeated X x = 1; }"},
	{"oneof", "message R { oneof where { X x = 1; int32 other = 2; } }"},
	{"recursive", "message R { $opt X x = 1; $opt R r = 2; repeated R rs = 3; }"},
	{"other file", "message R { $opt X x = 1; }"},
}

func (c change) side(second bool, of string) string {
	a, b, two := strings.Cut(of, "|")
	if second && two {
		return b
	}
	return a
}

// files returns the .proto files of a schema whose X has a body, and its root.
func (c change) files(at site, second bool, body string) (map[string]string, protoreflect.FullName) {
	syntax, types := c.side(second, c.syntax), c.side(second, c.types)
	optional := ""
	if syntax == proto2 {
		optional = "optional"
	}
	x := "message X { " + body + " } " + types
	root := strings.ReplaceAll(at.root, "$opt", optional)
	switch at.name {
	case "root":
		return map[string]string{"v.proto": syntax + " package v; " + x}, "v.X"
	case "other file":
		return map[string]string{
			"x.proto": syntax + " package v; " + x,
			"v.proto": syntax + ` package v; import "x.proto"; ` + root,
		}, "v.R"
	default:
		return map[string]string{"v.proto": syntax + " package v; " + root + " " + x}, "v.R"
	}
}

// TestMatrix gives every kind of change its verdict at every place, and proves the wire policy
// on bytes: what it calls compatible survives every payload tried, and for a break whose basis
// is bytes or history there is a payload that does not.
func TestMatrix(t *testing.T) {
	pairs, payloads := 0, 0
	levels := map[string]int{}
	for _, c := range changes {
		for _, at := range sites {
			t.Run(c.name+"/"+at.name, func(t *testing.T) {
				oldFiles, root := c.files(at, false, c.old)
				newFiles, _ := c.files(at, true, c.new)
				old, new := compileFiles(t, oldFiles, root), compileFiles(t, newFiles, root)
				pairs++
				check := func(o Options, want string) Verdict {
					t.Helper()
					v := Check(old, new, o)
					if got := word(v); got != want {
						t.Errorf("%v %v: got %s, want %s\n%s", o.Policy, o.Direction, got, want, v)
					}
					levels[fmt.Sprintf("%v %v %s", o.Policy, o.Direction, want)]++
					t.Logf("%v %v: %s %v", o.Policy, o.Direction, want, bases(v))
					return v
				}
				strict := check(Options{}, c.strict)
				restore := check(Options{Policy: Wire}, c.restore)
				rollback := check(Options{Policy: Wire, Direction: Rollback}, c.rollback)
				if strict.Compatible && !restore.Compatible {
					t.Error("strict accepts what wire refuses")
				}
				payloads += prove(t, restore, old, new)
				payloads += prove(t, rollback, new, old)
				if c.before != "" {
					files, _ := c.files(at, false, c.before)
					payloads += proveHistory(t, restore, compileFiles(t, files, root), new)
				}
			})
		}
	}
	if pairs < 300 {
		t.Errorf("%d pairs, want 300 at least", pairs)
	}
	t.Logf("%d changes at %d places: %d pairs, %d payloads", len(changes), len(sites), pairs, payloads)
	for _, level := range sortedKeys(levels) {
		t.Logf("%s: %d", level, levels[level])
	}
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// bases lists the codes of a verdict with their bases.
func bases(v Verdict) []string {
	var list []string
	for _, f := range v.Findings {
		list = append(list, fmt.Sprintf("%s (%v, %v)", f.Code, f.Level, f.Basis))
	}
	return list
}

const (
	enoughPayloads = 40   // for what is called compatible
	mostPayloads   = 3000 // until a break must have shown
)

// prove tries payloads of the writer's schema on the reader's.
func prove(t *testing.T, v Verdict, writer, reader *Snapshot) int {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	byBytes := false
	for _, f := range v.Findings {
		byBytes = byBytes || f.Level == Break && f.Basis == Bytes
	}
	if !v.Compatible && !byBytes {
		return 0
	}
	for i := range mostPayloads {
		if !byBytes && i == enoughPayloads {
			return i
		}
		payload, err := write(r, writer, i)
		if err != nil {
			t.Fatal(err)
		}
		lost := survives(writer.root, reader.root, payload)
		if lost != nil && byBytes {
			return i + 1
		}
		if lost != nil {
			t.Fatalf("%v, but payload %x: %v\n%s", v.Direction, payload, lost, v)
		}
	}
	t.Errorf("%v: no payload shows the break\n%s", v.Direction, v)
	return mostPayloads
}

// proveHistory looks for a payload of an earlier schema that the new one reads as something else.
func proveHistory(t *testing.T, v Verdict, before, new *Snapshot) int {
	t.Helper()
	byHistory := false
	for _, f := range v.Findings {
		byHistory = byHistory || f.Level == Break && f.Basis == History
	}
	if !byHistory {
		t.Fatalf("no break by history\n%s", v)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range mostPayloads {
		payload, err := write(r, before, i)
		if err != nil {
			t.Fatal(err)
		}
		m := dynamicpb.NewMessage(new.root)
		if err := proto.Unmarshal(payload, m); err != nil {
			return i + 1
		}
		was := dynamicpb.NewMessage(before.root)
		if err := proto.Unmarshal(payload, was); err != nil {
			t.Fatal(err)
		}
		if readsOther(was, m) {
			return i + 1
		}
	}
	t.Errorf("no payload of the earlier schema shows the break\n%s", v)
	return mostPayloads
}

// readsOther reports whether a value is found under another name.
func readsOther(was, is protoreflect.Message) bool {
	other := false
	is.Range(func(t protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		f := was.Descriptor().Fields().ByNumber(t.Number())
		switch {
		case f == nil || f.Name() != t.Name():
			other = true
		case t.IsMap() && t.MapValue().Message() != nil:
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				other = other || readsOther(was.Get(f).Map().Get(k).Message(), v.Message())
				return true
			})
		case t.IsMap():
		case t.IsList() && t.Message() != nil:
			for i := range v.List().Len() {
				other = other || readsOther(was.Get(f).List().Get(i).Message(), v.List().Get(i).Message())
			}
		case t.Message() != nil && !t.IsList():
			other = other || readsOther(was.Get(f).Message(), v.Message())
		}
		return true
	})
	return other
}

// write returns a random payload of a schema. Some have data in the extension ranges.
func write(r *rand.Rand, s *Snapshot, i int) ([]byte, error) {
	m := dynamicpb.NewMessage(s.root)
	if i > 0 { // the first is empty where it may be
		randpb.Message(r, m, randpb.Options{Depth: 3, InvalidUTF8: true})
	}
	extend(r, m)
	b, err := proto.Marshal(m)
	if err != nil && i == 0 {
		return write(r, s, 1)
	}
	return b, err
}

// extend puts bytes into the extension ranges of some messages.
func extend(r *rand.Rand, m protoreflect.Message) {
	if ranges := m.Descriptor().ExtensionRanges(); ranges.Len() > 0 && r.IntN(3) == 0 {
		m.SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, ranges.Get(0)[0], protowire.BytesType), []byte("ext")))
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() && f.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				extend(r, v.Message())
				return true
			})
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				extend(r, v.List().Get(i).Message())
			}
		case f.Message() != nil && !f.IsMap() && !f.IsList():
			extend(r, v.Message())
		}
		return true
	})
}

// survives reads a payload of the writer as the reader, compares all values, writes it again,
// and compares that with what the writer had.
func survives(writer, reader protoreflect.MessageDescriptor, payload []byte) error {
	was, is := dynamicpb.NewMessage(writer), dynamicpb.NewMessage(reader)
	if err := proto.Unmarshal(payload, was); err != nil {
		return fmt.Errorf("the writer does not read its own: %w", err)
	}
	if err := proto.Unmarshal(payload, is); err != nil {
		return err
	}
	if err := sameValues(was, is); err != nil {
		return err
	}
	again, err := proto.Marshal(is)
	if err != nil {
		return fmt.Errorf("written again: %w", err)
	}
	second := dynamicpb.NewMessage(reader)
	if err := proto.Unmarshal(again, second); err != nil {
		return fmt.Errorf("written again: %w", err)
	}
	if err := sameValues(was, second); err != nil {
		return fmt.Errorf("written again: %w", err)
	}
	// What the reader does not know has to come back when the writer reads it.
	back := dynamicpb.NewMessage(writer)
	if err := proto.Unmarshal(again, back); err != nil {
		return fmt.Errorf("written again, read by the writer: %w", err)
	}
	return kept(was, back, second)
}

// kept compares the fields that the reader does not have.
func kept(was, back, reader protoreflect.Message) error {
	var err error
	was.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		t := reader.Descriptor().Fields().ByNumber(f.Number())
		switch {
		case t == nil:
			if !v.Equal(back.Get(f)) {
				err = fmt.Errorf("%s is not kept", f.FullName())
			}
		case f.IsMap() || t.IsMap() || f.IsList() != t.IsList() || f.Message() == nil || t.Message() == nil:
		case f.IsList():
			for i := 0; i < v.List().Len() && err == nil; i++ {
				err = kept(v.List().Get(i).Message(), back.Get(f).List().Get(i).Message(), reader.Get(t).List().Get(i).Message())
			}
		default:
			err = kept(v.Message(), back.Get(f).Message(), reader.Get(t).Message())
		}
		return err == nil
	})
	return err
}

// sameValues compares all that the writer's message holds, and what it gives for absent fields,
// with the reader's.
func sameValues(was, is protoreflect.Message) error {
	fields := was.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if moved := is.Descriptor().Fields().ByName(f.Name()); moved != nil && moved.Number() != f.Number() && was.Has(f) {
			if !is.Has(moved) || sameValue(f, was.Get(f), moved, is.Get(moved)) != nil {
				return fmt.Errorf("%s is not found", f.FullName())
			}
		}
		t := is.Descriptor().Fields().ByNumber(f.Number())
		if t == nil {
			continue // an unknown field; the second half of survives looks after it
		}
		if err := sameField(was, f, is, t); err != nil {
			return fmt.Errorf("%s: %w", f.FullName(), err)
		}
	}
	var strange error
	is.Range(func(t protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if fields.ByNumber(t.Number()) == nil {
			strange = fmt.Errorf("%s is set", t.FullName())
		}
		return true
	})
	return strange
}

var errOther = errors.New("another value")

func sameField(was protoreflect.Message, f protoreflect.FieldDescriptor, is protoreflect.Message, t protoreflect.FieldDescriptor) error {
	if !was.Has(f) {
		switch {
		case is.Has(t) && t.HasPresence() && !f.HasPresence():
			return errors.New("an absent field is present")
		case f.Message() == nil && t.Message() == nil && !f.IsList() && !t.IsList():
			return sameValue(f, was.Get(f), t, is.Get(t))
		}
		return nil
	}
	if !is.Has(t) && (t.HasPresence() || t.IsList() || t.IsMap()) {
		return errors.New("not found")
	}
	if f.HasPresence() && !t.HasPresence() && !t.IsList() && !t.IsMap() && !is.Has(t) {
		return errors.New("a present zero is lost")
	}
	return sameValue(f, was.Get(f), t, is.Get(t))
}

func sameValue(f protoreflect.FieldDescriptor, was protoreflect.Value, t protoreflect.FieldDescriptor, is protoreflect.Value) error {
	switch {
	case f.IsMap() && t.IsMap():
		return sameMap(f, was.Map(), t, is.Map())
	case f.IsMap() && t.IsList() && t.Message() != nil:
		return sameEntries(f, was.Map(), is.List())
	case f.IsMap():
		return errOther
	case f.IsList() && t.IsList():
		if was.List().Len() != is.List().Len() {
			return errOther
		}
		for i := range was.List().Len() {
			if err := sameSingle(f, was.List().Get(i), t, is.List().Get(i)); err != nil {
				return err
			}
		}
		return nil
	case f.IsList():
		if was.List().Len() != 1 || t.IsMap() {
			return errOther
		}
		return sameSingle(f, was.List().Get(0), t, is)
	case t.IsList():
		if is.List().Len() != 1 {
			return errOther
		}
		return sameSingle(f, was, t, is.List().Get(0))
	default:
		return sameSingle(f, was, t, is)
	}
}

func sameMap(f protoreflect.FieldDescriptor, was protoreflect.Map, t protoreflect.FieldDescriptor, is protoreflect.Map) error {
	if was.Len() != is.Len() {
		return errOther
	}
	var err error
	was.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		found := false
		is.Range(func(l protoreflect.MapKey, w protoreflect.Value) bool {
			if sameSingle(f.MapKey(), k.Value(), t.MapKey(), l.Value()) == nil {
				found = true
				err = sameSingle(f.MapValue(), v, t.MapValue(), w)
			}
			return !found
		})
		if !found {
			err = errOther
		}
		return err == nil
	})
	return err
}

// sameEntries compares a map with a list of messages that have its fields.
func sameEntries(f protoreflect.FieldDescriptor, was protoreflect.Map, is protoreflect.List) error {
	if was.Len() != is.Len() {
		return errOther
	}
	for i := range is.Len() {
		entry := is.Get(i).Message()
		key, value := entry.Descriptor().Fields().ByNumber(1), entry.Descriptor().Fields().ByNumber(2)
		found := false
		was.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			found = sameSingle(f.MapKey(), k.Value(), key, entry.Get(key)) == nil &&
				sameSingle(f.MapValue(), v, value, entry.Get(value)) == nil
			return !found
		})
		if !found {
			return errOther
		}
	}
	return nil
}

func sameSingle(f protoreflect.FieldDescriptor, was protoreflect.Value, t protoreflect.FieldDescriptor, is protoreflect.Value) error {
	if f.Message() != nil && t.Message() != nil {
		return sameValues(was.Message(), is.Message())
	}
	a, b := was.Interface(), is.Interface()
	if number, ok := b.(protoreflect.EnumNumber); ok && f.Enum() == nil && fingerprint.IsClosed(t.Enum()) && t.Enum().Values().ByNumber(number) == nil {
		return errors.New("outside of the closed enum")
	}
	if m, ok := a.(protoreflect.Message); ok {
		raw, isBytes := b.([]byte)
		copied := dynamicpb.NewMessage(m.Descriptor())
		if !isBytes || proto.Unmarshal(raw, copied) != nil || !proto.Equal(m.Interface(), copied) {
			return errOther
		}
		return nil
	}
	switch x := a.(type) {
	case string:
		if y, ok := asText(b); ok && y == x {
			return nil
		}
	case []byte:
		if y, ok := asText(b); ok && y == string(x) {
			return nil
		}
	case float32, float64:
		if was.Equal(is) {
			return nil
		}
	default:
		if x, ok := integer(a); ok {
			if y, ok := integer(b); ok && x == y {
				return nil
			}
		}
	}
	return errOther
}

func asText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(bytes.Clone(v)), true
	}
	return "", false
}

// integer returns an integer as its decimal text, so that signed and unsigned ones compare.
func integer(v any) (string, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return "1", true
		}
		return "0", true
	case int32, int64, uint32, uint64:
		return fmt.Sprint(v), true
	case protoreflect.EnumNumber:
		return fmt.Sprint(int32(v)), true
	}
	return "", false
}
