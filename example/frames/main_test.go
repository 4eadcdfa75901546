package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// want is the output but for the times, which are N here.
const want = `A file of frames, read record by record:
  offset   0: order A-1001, STATUS_PAID, items 2, labels 2
  offset 162: order A-1002, STATUS_NEW, items 1, labels 0
  offset 245: order A-1003, STATUS_SHIPPED, items 1, labels 1

The same file without its last 10 bytes:
  offset   0: order A-1001, STATUS_PAID, items 2, labels 2
  offset 162: order A-1002, STATUS_NEW, items 1, labels 0
  read:  flinkser: frame at offset 245 of 76 bytes: input is truncated

A frame over the limit, here of 64 bytes:
  write: flinkser: encode example.orders.v1.Order FIELD: message size limit exceeded
  read:  flinkser: frame at offset 0 of 79 bytes: message size limit exceeded

A message too deep, here of more than 3 levels below the order:
  write: flinkser: encode example.orders.v1.Order: field items[0].parts[0].parts[0].parts[0]: recursion limit exceeded
  read:  flinkser: decode example.orders.v1.Order: field items[0].parts[0].parts[0].parts[0]: offset 37: recursion limit exceeded

Time per record, fastest of 60 rounds:
                            flinkser  protobuf ratio
  write                     N ns N ns N
  read                      N ns N ns N
  read, keeping the message N ns N ns N
`

var (
	times = regexp.MustCompile(` +\d+ ns +\d+ ns +\d+\.\d\d\n`)
	head  = regexp.MustCompile(`(flinkser +protobuf) +ratio`)
	// Which field is the one too many depends on how the output buffer grows.
	field = regexp.MustCompile(`(encode example\.orders\.v1\.Order)(: field [^:]+)?(: message size)`)
)

func TestOutput(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	got := times.ReplaceAllString(out.String(), " N ns N ns N\n")
	got = head.ReplaceAllString(got, "$1 ratio")
	got = field.ReplaceAllString(got, "$1 FIELD$3")
	if got, want := normal(got), normal(want); got != want {
		t.Errorf("output:\n%s\nwant:\n%s", got, want)
	}
}

// normal drops what only aligns the columns.
func normal(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

// TestOrders makes sure that the orders that the example compares the time of mean the
// same to both libraries.
func TestOrders(t *testing.T) {
	for _, order := range buildOrders() {
		b, err := flinkser.Marshal(order)
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := new(orderpb.Order), new(orderpb.Order)
		if err := flinkser.Unmarshal(b, ours); err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(b, theirs); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(ours, order) || !proto.Equal(theirs, order) {
			t.Errorf("order %s: read back as\n%v\n%v", order.Id, ours, theirs)
		}
	}
}
