// This program measures records that nothing was tuned on: descriptors of Google's published APIs, and
// batches that the SDK of OpenTelemetry has sent. It prints a table.
package main

import (
	_ "embed"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/bench/internal/clock"
	"github.com/flinkser/flinkser/bench/internal/pin"
	trace "github.com/flinkser/flinkser/bench/otlp/trace/v1"
	"github.com/flinkser/flinkser/golden/external/legacy/descriptor"
	flinkser "github.com/flinkser/flinkser/runtime"

	// Their descriptors are the records.
	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/genproto/googleapis/api/distribution"
	_ "google.golang.org/genproto/googleapis/api/metric"
	_ "google.golang.org/genproto/googleapis/api/monitoredres"
	_ "google.golang.org/genproto/googleapis/api/serviceconfig"
	_ "google.golang.org/genproto/googleapis/rpc/code"
	_ "google.golang.org/genproto/googleapis/rpc/context/attribute_context"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	_ "google.golang.org/genproto/googleapis/rpc/status"
)

// otlp holds frames that record_test.go has recorded.
//
//go:embed testdata/otlp.frames
var otlp []byte

// set is a number of records with the lanes over them.
type set struct {
	name     string
	payloads [][]byte
	lanes    []lane
	equal    func(a, b []byte) error // whether two payloads hold the same
}

// lane is a library. write writes record i, read reads it.
type lane struct {
	name        string
	write       func(buf []byte, i int) ([]byte, error)
	read        func(i int) error
	roundTripOf func(payload []byte) ([]byte, error)
}

func main() {
	if _, err := pin.Pin(); err != nil {
		fmt.Fprintln(os.Stderr, "heldout: not on one core:", err)
	}
	runtime.GOMAXPROCS(1)
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "heldout:", err)
		os.Exit(1)
	}
}

func run() error {
	sets, err := samples()
	if err != nil {
		return err
	}
	out := csv.NewWriter(os.Stdout)
	if err := out.Write([]string{"records", "number", "mean_bytes", "operation", "lane", "ns_per_record", "to_protobuf_go"}); err != nil {
		return err
	}
	for _, s := range sets {
		if err := s.check(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, op := range []string{"serialize", "deserialize"} {
			if err := s.measure(out, op); err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, op, err)
			}
		}
	}
	out.Flush()
	return out.Error()
}

// samples returns the sets of records.
func samples() ([]*set, error) {
	descriptors, err := googleapis()
	if err != nil {
		return nil, err
	}
	batches, err := batches()
	return []*set{descriptors, batches}, err
}

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// newSet makes a set of payloads with the lanes that every type has.
func newSet[T any, M pointer[T]](name string, payloads [][]byte, opts ...flinkser.Option) (*set, error) {
	s := &set{name: name, payloads: payloads}
	s.equal = func(a, b []byte) error {
		x, y := M(new(T)), M(new(T))
		if err := errors.Join(proto.Unmarshal(a, x), proto.Unmarshal(b, y)); err != nil {
			return err
		}
		if !proto.Equal(x, y) {
			return fmt.Errorf("what was written differs from what was read")
		}
		return nil
	}
	ours, err := flinkser.New[M](append(opts, flinkser.RequireGenerated())...)
	if err != nil {
		return nil, err
	}
	messages, err := read[T, M](payloads)
	if err != nil {
		return nil, err
	}
	s.lanes = []lane{
		{
			"protobuf-go",
			func(buf []byte, i int) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(buf, messages[i]) },
			func(i int) error { return proto.Unmarshal(payloads[i], M(new(T))) },
			func(b []byte) ([]byte, error) {
				m := M(new(T))
				if err := proto.Unmarshal(b, m); err != nil {
					return nil, err
				}
				return proto.Marshal(m)
			},
		},
		{
			"ours",
			func(buf []byte, i int) ([]byte, error) { return ours.AppendPayload(buf, messages[i]) },
			func(i int) error { return ours.DecodePayload(payloads[i], new(T)) },
			func(b []byte) ([]byte, error) {
				m := M(new(T))
				if err := ours.DecodePayload(b, m); err != nil {
					return nil, err
				}
				return ours.AppendPayload(nil, m)
			},
		},
	}
	return s, nil
}

func read[T any, M pointer[T]](payloads [][]byte) ([]M, error) {
	var all []M
	for _, b := range payloads {
		m := M(new(T))
		if err := proto.Unmarshal(b, m); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// googleapis returns a FileDescriptorSet for each file of the published APIs that this program has, with
// the files that it imports.
func googleapis() (*set, error) {
	var payloads [][]byte
	var failed error
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(f.Path(), "google/") || strings.HasPrefix(f.Path(), "google/protobuf/") {
			return true
		}
		files := &descriptorpb.FileDescriptorSet{}
		collect(f, files, map[string]bool{})
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(files)
		if err != nil {
			failed = err
			return false
		}
		payloads = append(payloads, b)
		return true
	})
	if failed != nil {
		return nil, failed
	}
	// The registry has no order.
	slices.SortFunc(payloads, slices.Compare)
	return newSet[descriptorpb.FileDescriptorSet]("googleapis descriptors", payloads, flinkser.WithCodec(descriptor.FileDescriptorSet))
}

// collect adds a file behind its imports.
func collect(f protoreflect.FileDescriptor, set *descriptorpb.FileDescriptorSet, seen map[string]bool) {
	if seen[f.Path()] {
		return
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		collect(f.Imports().Get(i).FileDescriptor, set, seen)
	}
	set.File = append(set.File, protodesc.ToFileDescriptorProto(f))
}

// batches returns the recorded batches.
func batches() (*set, error) {
	var payloads [][]byte
	for rest := otlp; len(rest) > 0; {
		if len(rest) < 4 || uint64(binary.BigEndian.Uint32(rest)) > uint64(len(rest)-4) {
			return nil, errors.New("testdata/otlp.frames ends inside of a frame")
		}
		n := binary.BigEndian.Uint32(rest)
		payloads = append(payloads, rest[4:4+n])
		rest = rest[4+n:]
	}
	s, err := newSet[trace.TracesData]("recorded OTLP batches", payloads)
	if err != nil {
		return nil, err
	}
	messages, err := read[trace.TracesData](payloads)
	s.lanes = append(s.lanes, lane{
		"vtprotobuf",
		func(buf []byte, i int) ([]byte, error) {
			n := messages[i].SizeVT()
			buf = slices.Grow(buf, n)[:n]
			_, err := messages[i].MarshalToSizedBufferVT(buf)
			return buf, err
		},
		func(i int) error { return new(trace.TracesData).UnmarshalVT(payloads[i]) },
		func(b []byte) ([]byte, error) {
			m := new(trace.TracesData)
			if err := m.UnmarshalVT(b); err != nil {
				return nil, err
			}
			return m.MarshalVT()
		},
	})
	return s, err
}

// check looks whether every lane reads and writes every record right.
func (s *set) check() error {
	for _, l := range s.lanes {
		for i, b := range s.payloads {
			again, err := l.roundTripOf(b)
			if err == nil {
				err = s.equal(b, again)
			}
			if err != nil {
				return fmt.Errorf("lane %s, record %d: %w", l.name, i, err)
			}
			written, err := l.write(nil, i)
			if err == nil {
				err = s.equal(b, written)
			}
			if err != nil {
				return fmt.Errorf("lane %s, record %d, written: %w", l.name, i, err)
			}
		}
	}
	return nil
}

// rounds and slice say how long each lane is measured, in turns with the others.
const (
	rounds = 15
	slice  = 15 * time.Millisecond
)

// measure prints a row for each lane: the middle one of its times, and of its ratios to the first lane in
// the same round.
func (s *set) measure(out *csv.Writer, op string) error {
	buf := make([]byte, 0, 1<<20)
	times := make([][]float64, len(s.lanes))
	for range rounds {
		for k, l := range s.lanes {
			one := func(i int) error { return l.read(i) }
			if op == "serialize" {
				one = func(i int) error {
					_, err := l.write(buf[:0], i)
					return err
				}
			}
			ns, err := s.slice(one)
			if err != nil {
				return err
			}
			times[k] = append(times[k], ns)
		}
	}
	bytes := 0
	for _, b := range s.payloads {
		bytes += len(b)
	}
	for k, l := range s.lanes {
		ratios := make([]float64, rounds)
		for r := range rounds {
			ratios[r] = times[k][r] / times[0][r]
		}
		slices.Sort(ratios)
		// A copy: the next lane needs the rounds of the first one in their order.
		sorted := slices.Sorted(slices.Values(times[k]))
		err := out.Write([]string{
			s.name, strconv.Itoa(len(s.payloads)), strconv.Itoa(bytes / len(s.payloads)), op, l.name,
			strconv.FormatFloat(sorted[rounds/2], 'f', 0, 64), strconv.FormatFloat(ratios[rounds/2], 'f', 3, 64),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// slice returns the nanoseconds for a record.
func (s *set) slice(one func(i int) error) (float64, error) {
	records := 0
	start := clock.Now()
	for clock.Now()-start < int64(slice) {
		for i := range s.payloads {
			if err := one(i); err != nil {
				return 0, err
			}
		}
		records += len(s.payloads)
	}
	return float64(clock.Now()-start) / float64(records), nil
}
