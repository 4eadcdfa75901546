// This program measures what is done once: the first message of a type, opening a snapshot of a schema,
// and a verdict on two schemas. Called without an argument it starts itself anew for each timing, since
// there is only one first time in a process, and prints a table.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// repeats is the number of processes for each step.
const repeats = 15

// step is something that is done once. prepare is not timed.
type step struct {
	name, library string
	prepare       func() (func() error, error)
}

// payload is a record that no library has written, so that none has been used before.
var payload = []byte("\x08\x07\x22\x05first\x3a\x02\x08\x01\x42\x01\x05")

func steps() []step {
	return []step{
		{"new serializer, first message written", "flinkser", func() (func() error, error) {
			m := &recordpb.Record{Id: 7, Name: "first", Values: []int64{5}}
			return func() error {
				s, err := flinkser.New[*recordpb.Record]()
				if err != nil {
					return err
				}
				_, err = s.Append(nil, m)
				return err
			}, nil
		}},
		{"first message written", "google.golang.org/protobuf", func() (func() error, error) {
			m := &recordpb.Record{Id: 7, Name: "first", Values: []int64{5}}
			return func() error {
				_, err := proto.Marshal(m)
				return err
			}, nil
		}},
		{"new serializer, first message read", "flinkser", func() (func() error, error) {
			return func() error {
				s, err := flinkser.New[*recordpb.Record]()
				if err != nil {
					return err
				}
				return s.DecodePayload(payload, new(recordpb.Record))
			}, nil
		}},
		{"first message read", "google.golang.org/protobuf", func() (func() error, error) {
			return func() error { return proto.Unmarshal(payload, new(recordpb.Record)) }, nil
		}},
		{"snapshot of a type made", "flinkser", func() (func() error, error) {
			s, err := flinkser.New[*recordpb.Record]()
			return func() error {
				_, err := s.Snapshot()
				return err
			}, err
		}},
		{"snapshot opened", "flinkser", func() (func() error, error) {
			s, err := flinkser.New[*recordpb.Record]()
			if err != nil {
				return nil, err
			}
			saved, err := s.Snapshot()
			if err != nil {
				return nil, err
			}
			b, err := saved.Append(nil)
			return func() error {
				_, _, err := snapshot.Parse(b)
				return err
			}, err
		}},
		{"verdict on a schema of 1000 messages", "flinkser", verdict},
	}
}

// verdict compares two schemas that differ by a field.
func verdict() (func() error, error) {
	older, err := manyMessages(1000, false)
	if err != nil {
		return nil, err
	}
	newer, err := manyMessages(1000, true)
	if err != nil {
		return nil, err
	}
	return func() error {
		v := snapshot.Check(older, newer, snapshot.Options{Policy: snapshot.Wire})
		if !v.Compatible {
			return fmt.Errorf("an optional field more is refused: %v", v)
		}
		return nil
	}, nil
}

// manyMessages returns a schema of n messages, all of which a root reaches.
func manyMessages(n int, more bool) (*snapshot.Snapshot, error) {
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("many.proto"), Package: proto.String("many"), Syntax: proto.String("proto3"),
		Options: &descriptorpb.FileOptions{JavaPackage: proto.String("many"), JavaMultipleFiles: proto.Bool(true)},
	}
	field := func(name string, number int32, t descriptorpb.FieldDescriptorProto_Type, message string) *descriptorpb.FieldDescriptorProto {
		f := &descriptorpb.FieldDescriptorProto{
			Name: proto.String(name), Number: proto.Int32(number), Type: t.Enum(),
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		}
		if message != "" {
			f.TypeName = proto.String(message)
		}
		return f
	}
	for i := range n {
		m := &descriptorpb.DescriptorProto{Name: proto.String(fmt.Sprintf("M%d", i)), Field: []*descriptorpb.FieldDescriptorProto{
			field("id", 1, descriptorpb.FieldDescriptorProto_TYPE_INT64, ""),
			field("name", 2, descriptorpb.FieldDescriptorProto_TYPE_STRING, ""),
		}}
		for k := 2*i + 1; k <= 2*i+2 && k < n; k++ {
			m.Field = append(m.Field, field(fmt.Sprintf("m%d", k), int32(3+k-2*i), descriptorpb.FieldDescriptorProto_TYPE_MESSAGE, fmt.Sprintf(".many.M%d", k)))
		}
		if more && i == n-1 {
			m.Field = append(m.Field, field("more", 9, descriptorpb.FieldDescriptorProto_TYPE_INT64, ""))
		}
		file.MessageType = append(file.MessageType, m)
	}
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}}
	return snapshot.OfFiles(set, "many.M0", snapshot.Settings{})
}

func main() {
	var err error
	if len(os.Args) == 2 {
		err = once(os.Args[1])
	} else {
		err = all()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "firstuse:", err)
		os.Exit(1)
	}
}

// once times a step in this process and prints nanoseconds.
func once(arg string) error {
	i, err := strconv.Atoi(arg)
	if err != nil || i < 0 || i >= len(steps()) {
		return fmt.Errorf("no step %q", arg)
	}
	f, err := steps()[i].prepare()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := f(); err != nil {
		return err
	}
	fmt.Println(time.Since(start).Nanoseconds())
	return nil
}

// all prints the median, the least and the most of each step.
func all() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	out := csv.NewWriter(os.Stdout)
	if err := out.Write([]string{"step", "library", "processes", "median_us", "least_us", "most_us"}); err != nil {
		return err
	}
	for i, s := range steps() {
		var times []float64
		for range repeats {
			b, err := exec.Command(self, strconv.Itoa(i)).Output()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			ns, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
			if err != nil {
				return err
			}
			times = append(times, ns/1000)
		}
		slices.Sort(times)
		us := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
		err := out.Write([]string{s.name, s.library, strconv.Itoa(repeats), us(times[repeats/2]), us(times[0]), us(times[repeats-1])})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
