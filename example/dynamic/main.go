// Command dynamic reads messages that it was not built with. It is given a file of frames and the snapshot of
// their schema, and needs nothing else.
//
//	go run ./example/dynamic
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/dynamic"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func main() {
	saved, frames, err := write()
	if err == nil {
		err = read(os.Stdout, saved, frames)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dynamic:", err)
		os.Exit(1)
	}
}

// write is what some other program does, which has the generated code.
func write() (saved, frames []byte, err error) {
	s, err := flinkser.New[*orderpb.Order]()
	if err != nil {
		return nil, nil, err
	}
	for _, id := range []string{"A-1", "A-2"} {
		order := &orderpb.Order{Id: id, Labels: map[string]string{"from": "another program"}}
		if frames, err = s.Append(frames, order); err != nil {
			return nil, nil, err
		}
	}
	now, err := s.Snapshot()
	if err != nil {
		return nil, nil, err
	}
	saved, err = now.Append(nil)
	return saved, frames, err
}

// read prints all messages as lines of JSON.
func read(out io.Writer, saved, frames []byte) error {
	schema, _, err := snapshot.Parse(saved)
	if err != nil {
		return err
	}
	s, err := dynamic.New(schema.Descriptor(), flinkser.WithMaxMessageSize(schema.MaxMessageSize()))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "The frames hold", schema.MessageName())
	for len(frames) > 0 {
		m := s.NewMessage()
		if frames, err = s.Decode(frames, m); err != nil {
			return err
		}
		b, err := protojson.Marshal(m)
		if err != nil {
			return err
		}
		var line bytes.Buffer // protojson puts spaces at random
		if err := json.Compact(&line, b); err != nil {
			return err
		}
		fmt.Fprintln(out, line.String())
	}
	return nil
}
