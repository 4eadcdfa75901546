package flinkserbeam

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// WriteOptions say how files are written. The zero value writes one file, and stops at the first bad record.
type WriteOptions struct {
	// Shards is the number of files, 1 by default. A file without records is not written, and one of an earlier run stays
	// then: give each run a prefix of its own, or remove what was written under it.
	Shards int
	// SkipBad makes messages that cannot be written elements of the second collection instead of errors that fail the
	// pipeline. They must not have left a stage before, where the coder has refused them.
	SkipBad bool
}

// Written is a file that a Sink has written.
type Written struct {
	File   string // its path
	Frames int64  // how many there are in it
	Bytes  int64  // its length, the prefixes of frames included
}

// A Sink writes files of frames. Make one for each type of message as a variable of a package, because Beam wants to know
// all types before its Init.
type Sink[M proto.Message] struct{}

// NewSink returns a sink, and registers what Beam has to know of it.
func NewSink[M proto.Message]() Sink[M] {
	registerDirect(func(w *shard[M]) reflectx.Func {
		return call3x1[M, func(int, []byte), func(Bad)](w.ProcessElement)
	})
	return Sink[M]{}
}

func init() {
	beam.RegisterType(reflect.TypeFor[writeFile]()) // called once for a file
	register.Emitter2[int, []byte]()
	register.Emitter1[Written]()
	register.Iter1[[]byte]()
	beam.RegisterType(reflect.TypeFor[Written]())
}

// Write writes the messages of a collection to files named prefix-00000-of-00001.frames and so on; those of a window
// other than the global one have its start and its end in milliseconds behind the prefix. The order of messages is
// lost, as it is in any collection.
//
// A file appears, or replaces an earlier one, when it is complete and on disk, so a reader never sees a part of one. What a
// worker was writing when it was killed stays behind as a file whose name begins with a dot. A file is written when its
// window is over: with an unbounded source, give windows, without early or late panes, which Check refuses.
func (Sink[M]) Write(s beam.Scope, messages beam.PCollection, prefix string, o WriteOptions) (files, bad beam.PCollection) {
	s = s.Scope("flinkserbeam.Write")
	o.Shards = max(o.Shards, 1)
	payloads, bad := beam.ParDo2(s, &shard[M]{Shards: o.Shards, SkipBad: o.SkipBad}, messages)
	return beam.ParDo(s, &writeFile{Prefix: prefix, Shards: o.Shards}, beam.GroupByKey(s, payloads)), bad
}

// shard encodes messages, and deals them out to files.
type shard[M proto.Message] struct {
	Shards  int
	SkipBad bool

	next int
}

// Setup is called by Beam before all else on a worker.
func (w *shard[M]) Setup() error { return started() }

// ProcessElement encodes a message.
func (w *shard[M]) ProcessElement(m M, emit func(int, []byte), bad func(Bad)) error {
	payload, err := Encode(m)
	var refused *flinkser.EncodeError
	if errors.As(err, &refused) && w.SkipBad {
		bad(Bad{Offset: -1, Cause: err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	emit(w.next, payload)
	w.next = (w.next + 1) % w.Shards
	return nil
}

// writeFile writes one file.
type writeFile struct {
	Prefix string
	Shards int
}

func (w *writeFile) onePane() {}

// name returns the name of a file.
func (w *writeFile) name(win beam.Window, shard int) string {
	prefix := w.Prefix
	if i, ok := win.(window.IntervalWindow); ok {
		prefix += fmt.Sprintf("-%d-%d", i.Start.Milliseconds(), i.End.Milliseconds())
	}
	return fmt.Sprintf("%s-%05d-of-%05d.frames", prefix, shard, w.Shards)
}

// ProcessElement writes the payloads of one file.
func (w *writeFile) ProcessElement(ctx context.Context, win beam.Window, shard int, payloads func(*[]byte) bool, emit func(Written)) error {
	out := Written{File: w.name(win, shard)}
	if err := writeWhole(out.File, func(to io.Writer) error { return writeFrames(ctx, to, payloads, &out) }); err != nil {
		return err
	}
	emit(out)
	return nil
}

// writeFrames writes payloads with their lengths in front, and counts.
func writeFrames(ctx context.Context, to io.Writer, payloads func(*[]byte) bool, out *Written) error {
	var payload, prefix []byte
	for payloads(&payload) {
		if err := ctx.Err(); err != nil {
			return err
		}
		prefix = binary.BigEndian.AppendUint32(prefix[:0], uint32(len(payload)))
		if _, err := to.Write(prefix); err != nil {
			return err
		}
		if _, err := to.Write(payload); err != nil {
			return err
		}
		out.Frames++
		out.Bytes += int64(len(prefix) + len(payload))
	}
	return nil
}
