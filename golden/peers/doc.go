// Package peers holds the output of protoc-gen-go, protoc-gen-go-grpc,
// protoc-gen-go-vtproto and protoc-gen-flinkser for one file, and that of
// protoc-gen-connect-go in a package below it. Package samepackage has connect's code
// beside the messages. The tests show that none is in another's way.
package peers
