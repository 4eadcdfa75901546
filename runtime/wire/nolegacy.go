//go:build !protolegacy

package wire

// protoLegacy says whether google.golang.org/protobuf was built with its tag protolegacy,
// which is not visible otherwise. Only then it reads and writes message sets.
const protoLegacy = false
