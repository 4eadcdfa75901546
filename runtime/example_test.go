package flinkser_test

import (
	"bytes"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime" // package name is flinkser; always aliased in docs
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// The README shows the lines between the two marks, without those that only check. A
// test in folder example compares them.
func Example() {
	m := &orderpb.Order{Id: "A-1001", Status: orderpb.Status_STATUS_PAID}
	order, got := m, new(orderpb.Order)
	stream := new(bytes.Buffer)
	src, dst := stream, stream

	// README begin
	b, err := flinkser.Marshal(m) // payload; any proto.Message, generated code where there is some
	check(err)
	err = flinkser.Unmarshal(b, m) // replaces m's content, as proto.Unmarshal does
	check(err)

	s, err := flinkser.New[*orderpb.Order](flinkser.WithMaxMessageSize(8 << 20)) // immutable, safe for concurrent use
	check(err)
	frame, err := s.Append(nil, order) // 4-byte length + payload
	check(err)
	rest, err := s.Decode(frame, got) // *flinkser.DecodeError with field path and offset
	check(err)

	r := flinkser.NewReader[*orderpb.Order](src) // for r.Next(got) { ... }; r.Err()
	w := flinkser.NewWriter[*orderpb.Order](dst)
	// README end

	check(w.Write(order))
	fmt.Printf("%x, %d bytes behind it\n", frame, len(rest))
	for r.Next(got) {
		fmt.Println(got.Id, got.Status)
	}
	fmt.Println(r.Err())
	// Output:
	// 0000000a0a06412d313030312002, 0 bytes behind it
	// A-1001 STATUS_PAID
	// <nil>
}

// A reader goes on behind a frame whose payload is refused.
func ExampleReader_Next() {
	broken := protowire.AppendTag(nil, 1, protowire.BytesType)
	broken = protowire.AppendString(broken, "\xff")
	var stream bytes.Buffer
	w := flinkser.NewWriter[*orderpb.Order](&stream)
	check(w.Write(&orderpb.Order{Id: "first"}))
	stream.Write([]byte{0, 0, 0, byte(len(broken))})
	stream.Write(broken)
	check(w.Write(&orderpb.Order{Id: "last"}))

	r := flinkser.NewReader[*orderpb.Order](&stream)
	order := new(orderpb.Order)
	for {
		var bad *flinkser.DecodeError
		switch {
		case r.Next(order):
			fmt.Println("order", order.Id)
			continue
		case errors.As(r.Err(), &bad):
			fmt.Printf("skipped the frame at %d, field %s: %v\n", bad.FrameOffset, bad.Field, bad.Err)
			continue
		}
		check(r.Err())
		break
	}
	// Output:
	// order first
	// skipped the frame at 11, field id: string field holds invalid UTF-8
	// order last
}
