// Package samepackage holds the output of protoc-gen-go, protoc-gen-connect-go,
// protoc-gen-go-vtproto and protoc-gen-flinkser for one file.
package samepackage
