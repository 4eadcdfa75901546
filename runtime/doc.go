// Package flinkser writes and reads protobuf messages: alone, as payloads, and as
// records of a stream, as frames.
//
//	import flinkser "github.com/flinkser/flinkser/runtime"
//
// Messages that protoc-gen-flinkser has generated code for are handled by that code.
// All others go through protoreflect, with the same guards, the same bytes and the
// same errors.
//
// # Frames
//
// A frame is the length of a payload in 4 bytes, most significant first, and the
// payload: one message in the protobuf wire format. An empty message is the frame
// 00 00 00 00. Frames follow one another without anything between them. This is
// framing version 1 of the Java library flink-datastream-protobuf.
//
// # Bytes
//
// Fields are written in the order of their numbers, members of oneofs and extensions
// included, and unknown fields behind them in the order in which they arrived. Maps are
// written in the order in which Go ranges over them, or sorted as protobuf-java sorts
// them ([WithDeterministic]). Deterministic bytes are no canonical form: other
// versions of a schema, unknown fields and other libraries give other bytes for equal
// messages, so do not use them as keys.
//
// # Limits
//
// What is written and read is limited in size, in depth and in the number of its
// elements; see [Limits]. A message that is refused leaves the output as it was.
package flinkser
