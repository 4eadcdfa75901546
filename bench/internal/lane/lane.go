// Package lane holds the ways to write and to read the records of the corpus that
// the benchmarks compare, and the gate that each of them has to pass before it is
// timed.
package lane

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/internal/corpus"
)

// The operations. Each handles one record a call, frame included: the 4-byte length
// that stands before every payload.
const (
	Serialize   = "serialize"   // into a buffer that is large enough and used again
	Deserialize = "deserialize" // into a new message, or one used again in lane OursReuse
)

// The lanes. None shares memory between a message and the bytes it was read from.
const (
	Ours        = "ours"
	OursReuse   = "ours-reuse"   // decodes into the message of the record before
	Protobuf    = "protobuf"     // google.golang.org/protobuf
	VTProto     = "vtprotobuf"   // checks no UTF-8
	Memcpy      = "memcpy"       // copies the frame, no message
	MemcpyAlloc = "memcpy+alloc" // copies the frame into new memory, no message

	OursDynamic     = "ours-dynamic"     // dynamic messages, by runtime/dynamic
	ProtobufDynamic = "protobuf-dynamic" // the same by google.golang.org/protobuf
)

// The API levels of protoc-gen-go beside the open one, whose lanes have the plain names.
const (
	Hybrid = "hybrid"
	Opaque = "opaque"
)

// At returns the name of a lane over messages of an API level.
func At(lane, level string) string { return lane + "-" + level }

// bufferBytes is the size of the buffer that records are serialized into: twice what
// the largest one takes.
const bufferBytes = 128 << 10

// prefixBytes is the length of the length before a payload.
const prefixBytes = 4

// Ops returns the operations in the order of reports.
func Ops() []string { return []string{Serialize, Deserialize} }

// Workloads returns the names of the workloads in the order of reports.
func Workloads() []string { return append(corpusWorkloads(), Traces, ForeignTraces) }

// Traces is the name of the workload of OTLP batches.
const Traces = "traces"

// ForeignTraces is the name of the same with the messages of go.opentelemetry.io/proto/otlp, whose
// code is in external mode: apart from them, in another module.
const ForeignTraces = "traces-external"

// corpusWorkloads returns the names of the workloads of internal/corpus.
func corpusWorkloads() []string { return append(corpus.Workloads(), corpus.Social) }

// Lane is one way to do one operation on the records of one workload. It is not for
// concurrent use.
type Lane struct {
	Name string
	Op   string

	// Run does the operation on the records from, from+1, ... to-1. It is what is
	// timed, so its loop calls the library under test directly.
	Run func(from, to int) error

	// last is where Run leaves what the last record came to. The gate compares it, and
	// the compiler cannot leave out the work. It is set once a call: a store of a pointer for
	// each record would pass through the write barrier, which costs more than some lanes do.
	last *result
}

// result is what one record came to. Lanes that serialize and Memcpy set frame,
// others message.
type result struct {
	frame   []byte
	message proto.Message
}

// Set is a workload with all lanes over it.
type Set struct {
	Workload string
	Lanes    []*Lane

	want   []proto.Message // the records
	frames [][]byte        // what the lanes deserialize from
}

// New makes the records of a workload, their frames and the lanes of a comparison. It makes no
// others, since what protobuf keeps of a message type that has been used costs the collector
// time in every cycle.
func New(c Comparison, workload string) (*Set, error) {
	switch {
	case !slices.Contains(c.Workloads, workload):
		return nil, fmt.Errorf("no workload %q; there are %q", workload, c.Workloads)
	case c.Name == dynamicMessages:
		return newDynamic(workload)
	case workload == Traces:
		return newTraces()
	case workload == ForeignTraces:
		return newForeignTraces()
	case workload == corpus.Social:
		return newPosts(c)
	default:
		return newRecords(c, workload)
	}
}

// addEach calls functions that add lanes.
func addEach(adds ...func() error) error {
	for _, add := range adds {
		if err := add(); err != nil {
			return err
		}
	}
	return nil
}

// newSet makes a set of records, without lanes.
func newSet[M proto.Message](workload string, records []M) (*Set, error) {
	s := &Set{Workload: workload}
	for _, m := range records {
		f, err := frame(m)
		if err != nil {
			return nil, err
		}
		s.want = append(s.want, m)
		s.frames = append(s.frames, f)
	}
	return s, nil
}

// Records returns the number of records.
func (s *Set) Records() int { return len(s.want) }

// FrameBytes returns the mean size of a frame in bytes.
func (s *Set) FrameBytes() float64 {
	sum := 0
	for _, f := range s.frames {
		sum += len(f)
	}
	return float64(sum) / float64(len(s.frames))
}

// Of returns the lanes of one operation.
func (s *Set) Of(op string) []*Lane {
	var lanes []*Lane
	for _, l := range s.Lanes {
		if l.Op == op {
			lanes = append(lanes, l)
		}
	}
	return lanes
}

// add adds a lane. The argument last of run is where it leaves its result.
func (s *Set) add(op, name string, run func(last *result) func(from, to int) error) {
	last := &result{frame: make([]byte, 0, bufferBytes)}
	s.Lanes = append(s.Lanes, &Lane{Name: name, Op: op, Run: run(last), last: last})
}

// frame returns the frame of m as google.golang.org/protobuf writes it, with maps in
// one order whatever run it is.
func frame(m proto.Message) ([]byte, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(make([]byte, prefixBytes), m)
	if err != nil {
		return nil, err
	}
	putPrefix(b)
	return b, nil
}

// putPrefix sets the first bytes of a frame to the length of the others.
func putPrefix(frame []byte) {
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-prefixBytes))
}

var (
	errShort = errors.New("frame is shorter than its prefix says")
	errRest  = errors.New("bytes are left behind the frame")
)

// payload returns the payload of a frame, for libraries that know no frames.
func payload(frame []byte) ([]byte, error) {
	if len(frame) < prefixBytes {
		return nil, errShort
	}
	n := uint(binary.BigEndian.Uint32(frame))
	if n > uint(len(frame)-prefixBytes) {
		return nil, errShort
	}
	return frame[prefixBytes : prefixBytes+n], nil
}
