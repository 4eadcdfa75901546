// Package snapshot reads and writes the serializer snapshots of the Java library for Flink, which say of
// stored values what schema and limits they were written with.
//
// # Version 1
//
// All numbers are big-endian. A text is 2 bytes of length and as many bytes of Java's modified UTF-8: U+0000 is
// C0 80, and a character beyond U+FFFF is its two surrogates, of 3 bytes each.
//
//	offset  bytes
//	0       61 + 4      what Flink puts in front: the text
//	                    "io.github.flink.gcp.protobuf.ProtobufTypeSerializerSnapshot", version 1
//	0       4           framing version 1; the payload begins here
//	4       4           descriptor normalization version 1
//	8       2 + n       Java class: binary name, not empty
//	        2 + n       message: full name, not empty
//	        1           deterministic: 0 or 1
//	        4           largest payload in bytes: 1 to 2147483647
//	        4           depth of nesting: 1 to 2147483647
//	        4           length of the descriptors: 1 to 67108864
//	        n           descriptors: a google.protobuf.FileDescriptorSet
//	        32          SHA-256 of the descriptors
//
// The descriptors are the file of the message and all that it imports, each after its imports and otherwise in the
// order of names by UTF-16 code unit. Imports of options alone (edition 2024) do not belong to them. Each file
// is what the Java class of it holds, without source info:
//
//   - json_name stands only where the .proto file writes it, even if it is the default one then. The files that
//     come with protobuf-java, which are of google/protobuf, have it everywhere.
//   - default values of float and double are as C prints them.
//   - custom options are unknown fields, merged, in the order of their numbers; options of source retention are gone.
//   - fields are in the order of their numbers, unknown ones last: by number, then varint, fixed32, fixed64,
//     length-delimited, group.
//
// # Where descriptors come from
//
// Of and OfDescriptor take the bytes that protoc-gen-go embeds in a program, and make of them what Java has. Generated code
// of this project adds what those do not tell: a json_name that is written although it is the default. Descriptors
// that a program made itself tell it if they have source info. OfFiles takes a set as it is.
//
// # Reading
//
// Reading needs no generated code, and never looks at the program's own descriptors. Every part is checked in the order
// of the format, and what is refused is an error of its own: see the variables. Memory is taken as
// bytes arrive, and the descriptors take no more than a multiple of their bytes. A snapshot that was read
// has been checked completely, and is written again as Java would do it: byte for byte as it was, if Java wrote it.
package snapshot
