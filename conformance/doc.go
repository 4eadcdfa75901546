// Package conformance is for the official conformance suite of protocol buffers, which
// "make conformance" runs against this project's code; docs/conformance.md says how.
//
//   - proto: the suite's .proto files; its README says where they come from.
//   - conformancepb: the protocol between the suite's runner and a testee.
//   - open, hybrid, opaque: the test messages at the three API levels of protoc-gen-go.
//   - testee: what a testee does with a request.
//   - cmd: a testee for each API level. One program cannot hold two levels, as both
//     would register the same message types. The build tag protoopaque makes a fourth
//     testee of cmd/hybrid.
package conformance
