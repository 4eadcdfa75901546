package main

import (
	"bytes"
	"testing"
)

const want = `orders: generated code for all types, a frame of 9 bytes
timestamps: flinkser: message types without generated code: google.protobuf.Timestamp
any message: flinkser: message types without generated code: google.protobuf.Timestamp
`

func TestOutput(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant:\n%s", err, out.String(), want)
	}
}
