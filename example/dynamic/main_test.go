package main

import (
	"bytes"
	"testing"
)

const want = `The frames hold example.orders.v1.Order
{"id":"A-1","labels":{"from":"another program"}}
{"id":"A-2","labels":{"from":"another program"}}
`

func TestOutput(t *testing.T) {
	saved, frames, err := write()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := read(&out, saved, frames); err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant:\n%s", err, out.String(), want)
	}
	if err := read(&out, saved, frames[:len(frames)-1]); err == nil {
		t.Error("a frame that is cut short is read")
	}
	if err := read(&out, saved[:10], frames); err == nil {
		t.Error("a snapshot that is cut short is read")
	}
}
