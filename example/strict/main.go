// Command strict wants generated code for every message. A message without it works too, but slower; with
// RequireGenerated a program finds out when it starts, and not from a profile.
//
//	go run ./example/strict
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "strict:", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	orders, err := flinkser.New[*orderpb.Order](flinkser.RequireGenerated())
	if err != nil {
		return err
	}
	frame, err := orders.Append(nil, &orderpb.Order{Id: "A-1"})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "orders: generated code for all types, a frame of %d bytes\n", len(frame))

	// The well-known types have no code of ours. The plugin option external= makes some.
	_, err = flinkser.New[*timestamppb.Timestamp](flinkser.RequireGenerated())
	var missing *flinkser.NotGeneratedError
	if !errors.As(err, &missing) {
		return fmt.Errorf("a timestamp is not refused: %w", err)
	}
	fmt.Fprintln(out, "timestamps:", err)

	// Where any message may come, each is looked at when it comes.
	all, err := flinkser.New[proto.Message](flinkser.RequireGenerated())
	if err != nil {
		return err
	}
	_, err = all.Append(nil, timestamppb.Now())
	if !errors.As(err, &missing) {
		return fmt.Errorf("a timestamp is not refused: %w", err)
	}
	fmt.Fprintln(out, "any message:", err)
	return nil
}
