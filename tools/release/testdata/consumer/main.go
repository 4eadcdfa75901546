// Consumer is what release-check builds with a released version: it uses the library with
// code generated on the spot, and with a generated package of the library's own module.
package main

import (
	"bytes"
	"fmt"
	"os"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"example.com/consumer/notepb"
	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var _ flinkser.Message = (*notepb.Note)(nil)
	var _ flinkser.Message = (*orderpb.Order)(nil)

	note := &notepb.Note{
		Text:    "hello",
		Tags:    []string{"a", "b"},
		Counts:  map[string]int64{"x": 1},
		ReplyTo: &notepb.Note{Text: "hi"},
		Written: timestamppb.New(timestamppb.Now().AsTime()),
	}
	var file bytes.Buffer
	w := flinkser.NewWriter[*notepb.Note](&file)
	for range 3 {
		if err := w.Write(note); err != nil {
			return err
		}
	}
	r := flinkser.NewReader[*notepb.Note](&file)
	got, n := &notepb.Note{}, 0
	for r.Next(got) {
		if !proto.Equal(note, got) {
			return fmt.Errorf("record %d: read %v, wrote %v", n, got, note)
		}
		n++
	}
	if err := r.Err(); err != nil {
		return err
	}
	if n != 3 {
		return fmt.Errorf("read %d records, wrote 3", n)
	}
	fmt.Println("consumer: 3 records written and read back")
	return nil
}
