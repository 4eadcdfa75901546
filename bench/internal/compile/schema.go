package compile

import (
	"fmt"
	"strings"
)

// name returns the name of message i.
func name(i int) string { return fmt.Sprintf("Entry%03d", i) }

// schema returns the text of a .proto file of so many messages for a Go package: about
// seven fields a message, mostly plain ones, and among them every shape of field that
// people use.
func schema(goPackage string, messages int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "syntax = \"proto3\";\n\npackage bench.compile;\n\noption go_package = %q;\n\n", goPackage)
	b.WriteString("enum Status {\n  STATUS_UNKNOWN = 0;\n  STATUS_OPEN = 1;\n  STATUS_CLOSED = 2;\n}\n")
	for i := range messages {
		other := name(i / 2)
		number := 0
		field := func(typ, name string) {
			number++
			fmt.Fprintf(&b, "  %s %s = %d;\n", typ, name, number)
		}
		fmt.Fprintf(&b, "\nmessage %s {\n", name(i))
		field("int64", "id")
		field("string", "name")
		field("Status", "status")
		switch i % 8 {
		case 0:
			field("string", "owner")
			field("bool", "active")
			field(other, "parent")
		case 1:
			field("repeated "+other, "children")
			field("uint32", "flags")
			field("bytes", "content")
		case 2:
			field("optional string", "note")
			field("optional int32", "priority")
			field("double", "score")
			field("repeated string", "labels")
		case 3:
			field("map<string, string>", "attributes")
			field("bool", "hidden")
			field(other, "source")
			field(other, "target")
		case 4:
			field("repeated int64", "values")
			field("repeated double", "samples")
			field("fixed64", "hash")
			field("float", "weight")
		case 5:
			b.WriteString("  oneof choice {\n")
			field("  string", "text")
			field("  int64", "number")
			field("  "+other, "entry")
			b.WriteString("  }\n")
			field("repeated Status", "history")
		case 6:
			field("string", "title")
			field("string", "description")
			field("sint64", "balance")
			field("int32", "count")
			field("optional bool", "confirmed")
			field("repeated string", "tags")
		case 7:
			field("map<int32, "+other+">", "index")
			field("repeated bytes", "chunks")
			field("fixed32", "checksum")
			field("string", "region")
		}
		b.WriteString("}\n")
	}
	return b.String()
}
