// Package changes is a table of the kinds of change that a schema can go through, each with the verdicts on it, and
// of the places in a message where each can be. It is for tests.
package changes

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Change is a difference between two bodies of the message X.
type Change struct {
	Name     string
	Syntax   string // of both files, or "old|new"
	Old, New string // bodies
	Types    string // declarations beside X, of both or "old|new"
	Before   string // body of an earlier schema, where a break is one of history
	// The words "ok", "warning" and "break" for strict restore, wire restore and wire rollback.
	Strict, Restore, Rollback string
}

const (
	proto2 = `syntax = "proto2";`
	proto3 = `syntax = "proto3";`
	ed2023 = `edition = "2023";`
)

// All returns the changes. The caller owns the slice.
func All() []Change { return slices.Clone(all) }

var all = []Change{
	{Name: "same", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 1;", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "field added", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 1; string b = 2;", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "message field added", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 1; S b = 2;", Types: "message S { int32 x = 1; }", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "map and list added", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 1; map<string, int32> b = 2; repeated bytes c = 3;", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "oneof added", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 1; oneof o { string b = 2; int32 c = 3; }", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "field added to oneof", Syntax: proto3, Old: "oneof o { int32 a = 1; }", New: "oneof o { int32 a = 1; string b = 2; }", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "removed and reserved", Syntax: proto3, Old: "int32 a = 1; string b = 2;", New: "int32 a = 1; reserved 2;", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "oneof removed and reserved", Syntax: proto3, Old: "int32 a = 1; oneof o { string b = 2; int32 c = 3; }", New: "int32 a = 1; reserved 2, 3;", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "map removed and reserved", Syntax: proto3, Old: "int32 a = 1; map<int32, string> b = 2;", New: "int32 a = 1; reserved 2;", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "removed", Syntax: proto3, Old: "int32 a = 1; string b = 2;", New: "int32 a = 1;", Strict: "break", Restore: "warning", Rollback: "ok"},
	{Name: "removed, name reserved", Syntax: proto3, Old: "int32 a = 1; string b = 2;", New: `int32 a = 1; reserved "b";`, Strict: "break", Restore: "warning", Rollback: "ok"},
	{Name: "renamed", Syntax: proto3, Old: "int32 a = 1;", New: "int32 z = 1;", Strict: "break", Restore: "warning", Rollback: "warning"},
	{Name: "renumbered", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 2;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "renumbered and reserved", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 2; reserved 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "swapped", Syntax: proto3, Old: "int32 a = 1; int32 b = 2;", New: "int32 a = 2; int32 b = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "reserved number used", Syntax: proto3, Old: "int32 a = 1; reserved 2;", New: "int32 a = 1; string b = 2;", Before: "int32 a = 1; string was = 2;", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "reserved name used", Syntax: proto3, Old: `int32 a = 1; reserved "b";`, New: "int32 a = 1; string b = 2;", Strict: "break", Restore: "warning", Rollback: "ok"},
	{Name: "reservation dropped", Syntax: proto3, Old: "int32 a = 1; reserved 2 to 4;", New: "int32 a = 1; reserved 2, 4;", Strict: "break", Restore: "warning", Rollback: "ok"},
	{Name: "reserved name dropped", Syntax: proto3, Old: `int32 a = 1; reserved "b";`, New: "int32 a = 1;", Strict: "break", Restore: "warning", Rollback: "ok"},
	{Name: "reservation added", Syntax: proto3, Old: "int32 a = 1; reserved 2 to 4;", New: `int32 a = 1; reserved 2, 3, 4 to 9; reserved "x";`, Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "number reused", Syntax: proto3, Old: "int32 a = 1;", New: "string b = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "reordered", Syntax: proto3, Old: "int32 a = 1; string b = 2;", New: "string b = 2; int32 a = 1;", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "option", Syntax: proto3, Old: "int32 a = 1;", New: "int32 a = 1 [deprecated = true];", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "message option", Syntax: proto3, Old: "int32 a = 1;", New: "option deprecated = true; int32 a = 1;", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "json_name", Syntax: proto3, Old: "int32 a = 1;", New: `int32 a = 1 [json_name = "zz"];`, Strict: "break", Restore: "ok", Rollback: "ok"},

	{Name: "int32 to int64", Syntax: proto3, Old: "int32 a = 1;", New: "int64 a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "uint32 to int64", Syntax: proto3, Old: "uint32 a = 1;", New: "int64 a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "uint32 to uint64", Syntax: proto3, Old: "uint32 a = 1;", New: "uint64 a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "bool to int32", Syntax: proto3, Old: "bool a = 1;", New: "int32 a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "bool to uint64", Syntax: proto3, Old: "bool a = 1;", New: "uint64 a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "sint32 to sint64", Syntax: proto3, Old: "sint32 a = 1;", New: "sint64 a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "int32 to uint32", Syntax: proto3, Old: "int32 a = 1;", New: "uint32 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "int32 to uint64", Syntax: proto3, Old: "int32 a = 1;", New: "uint64 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "int64 to uint64", Syntax: proto3, Old: "int64 a = 1;", New: "uint64 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "bool to sint32", Syntax: proto3, Old: "bool a = 1;", New: "sint32 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "int32 to sint32", Syntax: proto3, Old: "int32 a = 1;", New: "sint32 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "fixed32 to sfixed32", Syntax: proto3, Old: "fixed32 a = 1;", New: "sfixed32 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "fixed64 to double", Syntax: proto3, Old: "fixed64 a = 1;", New: "double a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "float to double", Syntax: proto3, Old: "float a = 1;", New: "double a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "int32 to fixed32", Syntax: proto3, Old: "int32 a = 1;", New: "fixed32 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "int32 to string", Syntax: proto3, Old: "int32 a = 1;", New: "string a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "string to bytes", Syntax: proto3, Old: "string a = 1;", New: "bytes a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "string to message", Syntax: proto3, Old: "optional string a = 1;", New: "S a = 1;", Types: "message S { int32 x = 1; string y = 2; }", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "bytes to message", Syntax: proto3, Old: "optional bytes a = 1;", New: "S a = 1;", Types: "message S { int32 x = 1; }", Strict: "break", Restore: "break", Rollback: "warning"},
	{Name: "bytes to unchecked string", Syntax: proto2, Old: "optional bytes a = 1;", New: "optional string a = 1;", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "check dropped", Syntax: ed2023, Old: "string a = 1;", New: "string a = 1 [features.utf8_validation = NONE];", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "proto2 to proto3", Syntax: proto2 + "|" + proto3, Old: "optional string a = 1;", New: "optional string a = 1;", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "group to message", Syntax: proto2, Old: "optional group G = 1 { optional int32 x = 1; }", New: "message G { optional int32 x = 1; } optional G g = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "delimited", Syntax: ed2023, Old: "S a = 1;", New: "S a = 1 [features.message_encoding = DELIMITED];", Types: "message S { int32 x = 1; }", Strict: "break", Restore: "break", Rollback: "break"},

	{Name: "enum to int32", Syntax: proto3, Old: "E a = 1;", New: "int32 a = 1;", Types: "enum E { Z = 0; A = 1; }", Strict: "break", Restore: "warning", Rollback: "warning"},
	{Name: "enum to int64", Syntax: proto3, Old: "E a = 1;", New: "int64 a = 1;", Types: "enum E { Z = 0; A = 1; }", Strict: "break", Restore: "warning", Rollback: "break"},
	{Name: "enum to uint32", Syntax: proto3, Old: "E a = 1;", New: "uint32 a = 1;", Types: "enum E { Z = 0; A = 1; }", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "enum to bool", Syntax: proto3, Old: "E a = 1;", New: "bool a = 1;", Types: "enum E { Z = 0; A = 1; }", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "int32 to closed enum", Syntax: proto2, Old: "optional int32 a = 1;", New: "optional E a = 1;", Types: "enum E { Z = 0; A = 1; }", Strict: "break", Restore: "break", Rollback: "warning"},
	{Name: "enum value added", Syntax: proto3, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; A = 1; B = 2; }", Strict: "ok", Restore: "ok", Rollback: "ok"},
	{Name: "closed enum value added", Syntax: proto2, Old: "optional E a = 1;", New: "optional E a = 1;", Types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; A = 1; B = 2; }", Strict: "ok", Restore: "ok", Rollback: "break"},
	{Name: "enum value removed", Syntax: proto3, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { Z = 0; A = 1; B = 2; }|enum E { Z = 0; A = 1; reserved 2; }", Strict: "break", Restore: "warning", Rollback: "ok"},
	{Name: "closed enum value removed", Syntax: proto2, Old: "optional E a = 1;", New: "optional E a = 1;", Types: "enum E { Z = 0; A = 1; B = 2; }|enum E { Z = 0; A = 1; }", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "enum value renamed", Syntax: proto3, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; B = 1; }", Strict: "break", Restore: "warning", Rollback: "warning"},
	{Name: "enum value renumbered", Syntax: proto3, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { Z = 0; A = 1; }|enum E { Z = 0; A = 2; }", Strict: "break", Restore: "warning", Rollback: "warning"},
	{Name: "enum alias added", Syntax: proto3, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { option allow_alias = true; Z = 0; Y = 0; }|enum E { option allow_alias = true; Z = 0; Y = 0; W = 0; }", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "enum opened", Syntax: ed2023, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { option features.enum_type = CLOSED; Z = 0; }|enum E { Z = 0; }", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "enum number reserved", Syntax: proto3, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { Z = 0; reserved 5; }|enum E { Z = 0; F = 5; }", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "enum replaced", Syntax: proto3, Old: "E a = 1;", New: "F a = 1;", Types: "enum E { Z = 0; A = 1; } enum F { Z2 = 0; A2 = 1; B2 = 2; }", Strict: "break", Restore: "warning", Rollback: "warning"},
	{Name: "enum reordered", Syntax: proto3, Old: "E a = 1;", New: "E a = 1;", Types: "enum E { Z = 0; A = 1; B = 2; }|enum E { Z = 0; B = 2; A = 1; }", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "first value of a closed enum", Syntax: proto2, Old: "optional E a = 1;", New: "optional E a = 1;", Types: "enum E { Z = 0; A = 1; }|enum E { A = 1; Z = 0; }", Strict: "break", Restore: "break", Rollback: "break"},

	{Name: "presence added", Syntax: proto3, Old: "int32 a = 1;", New: "optional int32 a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "optional to oneof", Syntax: proto3, Old: "optional int32 a = 1;", New: "oneof o { int32 a = 1; }", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "implicit to oneof", Syntax: proto3, Old: "int32 a = 1; int32 b = 2;", New: "oneof o { int32 a = 1; } int32 b = 2;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "into a oneof", Syntax: proto3, Old: "oneof o { int32 a = 1; } int32 b = 2;", New: "oneof o { int32 a = 1; int32 b = 2; }", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "two into a new oneof", Syntax: proto3, Old: "optional int32 a = 1; optional int32 b = 2;", New: "oneof o { int32 a = 1; int32 b = 2; }", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "out of a oneof", Syntax: proto3, Old: "oneof o { int32 a = 1; int32 b = 2; }", New: "oneof o { int32 a = 1; } optional int32 b = 2;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "between oneofs", Syntax: proto3, Old: "oneof o { int32 a = 1; int32 b = 2; } oneof p { int32 c = 3; }", New: "oneof o { int32 a = 1; } oneof p { int32 b = 2; int32 c = 3; }", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "oneof renamed", Syntax: proto3, Old: "oneof o { int32 a = 1; int32 b = 2; }", New: "oneof p { int32 a = 1; int32 b = 2; }", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "oneof split", Syntax: proto3, Old: "oneof o { int32 a = 1; int32 b = 2; }", New: "oneof o { int32 a = 1; } oneof p { int32 b = 2; }", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "required added", Syntax: proto2, Old: "optional int32 a = 1;", New: "optional int32 a = 1; required int32 b = 2;", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "optional to required", Syntax: proto2, Old: "optional int32 a = 1;", New: "required int32 a = 1;", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "default", Syntax: proto2, Old: "optional int32 a = 1 [default = 4];", New: "optional int32 a = 1 [default = 5];", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "default written out", Syntax: proto2, Old: "optional int32 a = 1;", New: "optional int32 a = 1 [default = 0];", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "string default", Syntax: proto2, Old: `optional string a = 1 [default = "x"];`, New: "optional string a = 1;", Strict: "break", Restore: "break", Rollback: "break"},

	{Name: "implicit to repeated", Syntax: proto3, Old: "int32 a = 1;", New: "repeated int32 a = 1;", Strict: "break", Restore: "warning", Rollback: "break"},
	{Name: "optional to repeated", Syntax: proto3, Old: "optional string a = 1;", New: "repeated string a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "message to repeated", Syntax: proto3, Old: "S a = 1;", New: "repeated S a = 1;", Types: "message S { int32 x = 1; }", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "packed", Syntax: proto3, Old: "repeated int32 a = 1;", New: "repeated int32 a = 1 [packed = false];", Strict: "break", Restore: "ok", Rollback: "ok"},
	{Name: "map to list", Syntax: proto3, Old: "map<string, int32> a = 1;", New: "repeated KV a = 1;", Types: "message KV { string key = 1; int32 value = 2; }", Strict: "break", Restore: "warning", Rollback: "break"},
	{Name: "map to bytes", Syntax: proto3, Old: "map<string, int32> a = 1;", New: "repeated bytes a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "map key", Syntax: proto3, Old: "map<int32, string> a = 1;", New: "map<string, string> a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "map key widened", Syntax: proto3, Old: "map<int32, string> a = 1;", New: "map<int64, string> a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "map value", Syntax: proto3, Old: "map<int32, string> a = 1;", New: "map<int32, bytes> a = 1;", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "map value message", Syntax: proto3, Old: "map<int32, S> a = 1;", New: "map<int32, S> a = 1;", Types: "message S { int32 x = 1; }|message S { string x = 1; }", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "elements", Syntax: proto3, Old: "repeated sint64 a = 1;", New: "repeated int64 a = 1;", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "type renamed", Syntax: proto3, Old: "S a = 1;", New: "T a = 1;", Types: "message S { int32 x = 1; } message T { int32 x = 1; string y = 2; }", Strict: "break", Restore: "warning", Rollback: "warning"},
	{Name: "type replaced", Syntax: proto3, Old: "S a = 1;", New: "T a = 1;", Types: "message S { int32 x = 1; } message T { string x = 1; }", Strict: "break", Restore: "break", Rollback: "break"},
	{Name: "recursive type", Syntax: proto3, Old: "S a = 1;", New: "S a = 1;", Types: "message S { S s = 1; int32 x = 2; }|message S { S s = 1; int64 x = 2; }", Strict: "break", Restore: "ok", Rollback: "break"},
	{Name: "extension range used", Syntax: proto2, Old: "optional int32 a = 1; extensions 5 to 9;", New: "optional int32 a = 1; optional bytes b = 5; extensions 6 to 9;", Strict: "break", Restore: "break", Rollback: "ok"},
	{Name: "extension range added", Syntax: proto2, Old: "optional int32 a = 1;", New: "optional int32 a = 1; extensions 5 to 9;", Strict: "break", Restore: "ok", Rollback: "warning"},
}

// A Site is a place of the message X below the root R.
type Site struct{ Name, root string }

// Sites returns all places. The caller owns the slice.
func Sites() []Site { return slices.Clone(sites) }

var sites = []Site{
	{"root", ""},
	{"nested", "message R { $opt X x = 1; }"},
	{"map value", "message R { map<string, X> x = 1; }"},
	{"list", "message R { repeated X x = 1; }"},
	{"oneof", "message R { oneof where { X x = 1; int32 other = 2; } }"},
	{"recursive", "message R { $opt X x = 1; $opt R r = 2; repeated R rs = 3; }"},
	{"other file", "message R { $opt X x = 1; }"},
}

// Proto3 reports whether both schemas of a change are of proto3.
func (c Change) Proto3() bool { return c.Syntax == proto3 }

func side(second bool, of string) string {
	a, b, two := strings.Cut(of, "|")
	if second && two {
		return b
	}
	return a
}

// Files returns the .proto files of a schema whose X has a body, and its root: with second the schema has the syntax and the types of
// the new one.
func (c Change) Files(at Site, second bool, body string) (map[string]string, protoreflect.FullName) {
	syntax, types := side(second, c.Syntax), side(second, c.Types)
	optional := ""
	if syntax == proto2 {
		optional = "optional"
	}
	x := "message X { " + body + " } " + types
	root := strings.ReplaceAll(at.root, "$opt", optional)
	switch at.Name {
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
