// Command frames writes orders to a file, one frame for each, and reads them back
// record by record. Then it shows what is refused and with which error, and how long a
// record takes beside google.golang.org/protobuf.
//
//	go run ./example/frames
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "frames:", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	dir, err := os.MkdirTemp("", "frames")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "orders.frames")
	orders := buildOrders()

	if err := writeFile(path, orders); err != nil {
		return err
	}
	fmt.Fprintln(out, "A file of frames, read record by record:")
	if err := readFile(out, path); err != nil {
		return err
	}

	fmt.Fprintln(out, "\nThe same file without its last 10 bytes:")
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := os.Truncate(path, info.Size()-10); err != nil {
		return err
	}
	if err := readFile(out, path); errors.Is(err, flinkser.ErrTruncated) {
		fmt.Fprintln(out, "  read: ", err)
	} else {
		return fmt.Errorf("a truncated file gave: %w", err)
	}

	fmt.Fprintln(out, "\nA frame over the limit, here of 64 bytes:")
	if err := refused(out, orders[1], flinkser.ErrTooLarge, flinkser.WithMaxMessageSize(64)); err != nil {
		return err
	}

	fmt.Fprintln(out, "\nA message too deep, here of more than 3 levels below the order:")
	if err := refused(out, kitOfKits(4), flinkser.ErrDepth, flinkser.WithRecursionLimit(3)); err != nil {
		return err
	}
	return compare(out, orders)
}

// writeFile writes each order as one frame: the length of its payload in 4 bytes, then
// the payload.
func writeFile(path string, orders []*orderpb.Order) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	w := flinkser.NewWriter[*orderpb.Order](buffered)
	for _, order := range orders {
		if err := w.Write(order); err != nil {
			return err
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// readFile prints the orders of a file. It reads all of them into one message.
func readFile(out io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r := flinkser.NewReader[*orderpb.Order](file, flinkser.WithReadAhead(64<<10))
	order := new(orderpb.Order)
	for at := r.Offset(); r.Next(order); at = r.Offset() {
		fmt.Fprintf(out, "  offset %3d: order %s, %s, items %d, labels %d\n",
			at, order.Id, order.Status, len(order.Items), len(order.Labels))
	}
	return r.Err()
}

// refused prints the errors of writing an order, and of reading it where somebody else
// has written it. Both must be want.
func refused(out io.Writer, order *orderpb.Order, want error, limit flinkser.Option) error {
	s, err := flinkser.New[*orderpb.Order](limit)
	if err != nil {
		return err
	}
	frame, err := s.Append(nil, order)
	if !errors.Is(err, want) || len(frame) != 0 {
		return fmt.Errorf("append returned %d bytes and the error %w", len(frame), err)
	}
	fmt.Fprintln(out, "  write:", err)

	if frame, err = appendOther(nil, order); err != nil {
		return err
	}
	if _, err = s.Decode(frame, new(orderpb.Order)); !errors.Is(err, want) {
		return fmt.Errorf("decode returned the error %w", err)
	}
	fmt.Fprintln(out, "  read: ", err)
	return nil
}

// appendOther makes a frame with google.golang.org/protobuf alone.
func appendOther(dst []byte, order *orderpb.Order) ([]byte, error) {
	frame, err := proto.MarshalOptions{}.MarshalAppend(append(dst, 0, 0, 0, 0), order)
	if err != nil {
		return dst, err
	}
	binary.BigEndian.PutUint32(frame[len(dst):], uint32(len(frame)-len(dst)-4))
	return frame, nil
}

// compare prints how long a record takes.
func compare(out io.Writer, orders []*orderpb.Order) error {
	s, err := flinkser.New[*orderpb.Order]()
	if err != nil {
		return err
	}
	again, err := flinkser.New[*orderpb.Order](flinkser.WithReuse())
	if err != nil {
		return err
	}
	var frames [][]byte
	for _, order := range orders {
		frame, err := s.Append(nil, order)
		if err != nil {
			return err
		}
		frames = append(frames, frame)
	}
	var buf []byte
	ours, theirs, kept := new(orderpb.Order), new(orderpb.Order), new(orderpb.Order)
	writeOurs := func(i int) (err error) { buf, err = s.Append(buf[:0], orders[i]); return }
	writeTheirs := func(i int) (err error) { buf, err = appendOther(buf[:0], orders[i]); return }
	readOurs := func(i int) error { _, err := s.Decode(frames[i], ours); return err }
	readTheirs := func(i int) error { return proto.Unmarshal(frames[i][4:], theirs) }
	readKept := func(i int) error { _, err := again.Decode(frames[i], kept); return err }

	fmt.Fprintf(out, "\nTime per record, fastest of %d rounds:\n", rounds)
	fmt.Fprintf(out, "  %-26s%10s%10s%8s\n", "", "flinkser", "protobuf", "ratio")
	for _, row := range []struct {
		name         string
		ours, theirs func(int) error
	}{
		{"write", writeOurs, writeTheirs},
		{"read", readOurs, readTheirs},
		{"read, keeping the message", readKept, readTheirs},
	} {
		a, b, err := fastest(row.ours, row.theirs, len(frames))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %-26s%7.0f ns%7.0f ns%8.2f\n", row.name, a, b, a/b)
	}
	return nil
}

const (
	rounds   = 60
	perRound = 600
)

// fastest runs two operations on n records in turn and returns the nanoseconds that a
// call takes in the fastest round of each: what else the machine does only adds.
func fastest(a, b func(int) error, n int) (float64, float64, error) {
	var best [2]time.Duration
	for round := range rounds {
		for lane, op := range []func(int) error{a, b} {
			start := time.Now()
			for i := range perRound {
				if err := op(i % n); err != nil {
					return 0, 0, err
				}
			}
			if took := time.Since(start); round == 0 || took < best[lane] {
				best[lane] = took
			}
		}
	}
	return float64(best[0]) / perRound, float64(best[1]) / perRound, nil
}
