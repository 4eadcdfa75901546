package flinkserbeam

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// EventTimes says when what a message tells has happened. It is a type without content, so that workers have it too:
//
//	type created struct{}
//
//	func (created) EventTime(o *shop.Order) time.Time { return time.UnixMilli(o.CreatedMs) }
type EventTimes[M any] interface{ EventTime(m M) time.Time }

// NoTimes leaves open when it has happened: messages have the time of the element with the file's name, or in a growing
// file the time at which they were read.
type NoTimes[M any] struct{}

// EventTime returns the zero time.
func (NoTimes[M]) EventTime(M) time.Time { return time.Time{} }

// A Bad record is one that could not be read or written.
type Bad struct {
	File   string // "" where it was not in a file yet
	Offset int64  // of the frame's first byte, or -1
	Cause  string
}

// ReadOptions say how files are read. The zero value reads files as they are now, and stops at the first bad record.
type ReadOptions struct {
	// SkipBad makes bad records elements of the second collection instead of errors that fail the pipeline. Behind a
	// payload that is refused the next frame is read. Behind a broken frame there is none, so what
	// is left of the file is one bad record.
	SkipBad bool

	// Growing keeps reading what is appended to the files, and waits for files that are not there yet. The
	// collection is unbounded then.
	Growing bool
	// Quiet ends a growing file that has not changed for so long. The default is that it never ends. A file that is
	// not there is waited for without an end.
	Quiet time.Duration
	// Poll is the time between two looks at a growing file that has no more frames: 1 second by default.
	Poll time.Duration
	// Burst is how many frames of a growing file are read at once: 1000 by default. A checkpoint waits for the
	// end of a burst.
	Burst int
	// Pause is a time between two bursts, 0 by default.
	Pause time.Duration
	// Disorder is how much earlier than the latest message of a growing file a message may be without being late.
	Disorder time.Duration
}

// A Source reads files of frames. Make one for each type of message as a variable of a package, because Beam
// wants to know all types before its Init. T says when a message has happened; NoTimes leaves that open.
type Source[M proto.Message, T EventTimes[M]] struct{}

// NewSource returns a source, and registers what Beam has to know of it.
func NewSource[M proto.Message, T EventTimes[M]]() Source[M, T] {
	// Not register.DoFn: these are called once for a file or a burst, and its code takes a compiler long.
	beam.RegisterType(reflect.TypeFor[readFiles[M, T]]())
	beam.RegisterType(reflect.TypeFor[readGrowing[M, T]]())
	register.Emitter2[beam.EventTime, M]()
	return Source[M, T]{}
}

func init() {
	beam.RegisterType(reflect.TypeFor[Bad]())
	register.Emitter1[Bad]()
}

// Read reads the files whose paths are the elements of a collection of strings. Files are read in parallel, each one by one
// worker from its start to its end. Workers must see the same files.
func (Source[M, T]) Read(s beam.Scope, files beam.PCollection, o ReadOptions) (messages, bad beam.PCollection) {
	s = s.Scope("flinkserbeam.Read")
	r := reading[M, T]{SkipBad: o.SkipBad}
	if !o.Growing {
		return beam.ParDo2(s, &readFiles[M, T]{r}, beam.Reshuffle(s, files))
	}
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Burst <= 0 {
		o.Burst = 1000
	}
	// No Reshuffle: Flink keeps what is not read yet per element, wherever that came from.
	return beam.ParDo2(s, &readGrowing[M, T]{reading: r, Quiet: o.Quiet, Poll: o.Poll, Burst: o.Burst, Pause: o.Pause, Disorder: o.Disorder}, files)
}

// reading is what both kinds of sources have. Fields are exported because Beam sends them to the workers.
type reading[M proto.Message, T EventTimes[M]] struct {
	SkipBad bool

	typ  reflect.Type
	time T
}

// Setup is called by Beam before all else on a worker.
func (r *reading[M, T]) Setup() error {
	r.typ = reflect.TypeFor[M]()
	return started()
}

// SplitRestriction leaves a file in one piece.
func (r *reading[M, T]) SplitRestriction(_ string, s span) []span { return []span{s} }

// CreateTracker returns the tracker of a span.
func (r *reading[M, T]) CreateTracker(s span) *sdf.LockRTracker {
	return sdf.NewLockRTracker(newTracker(s))
}

// An input is a file that is being read.
type input[M proto.Message] struct {
	name   string
	file   *os.File
	frames *flinkser.Reader[M]
	start  int64 // of the span
}

// open opens a file at the start of a span.
func (r *reading[M, T]) open(name string, s span) (*input[M], error) {
	// A pipe would block, and cannot be read again.
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(s.Start, io.SeekStart); err != nil {
		file.Close()
		return nil, err
	}
	opts := append(options(), flinkser.WithReadAhead(64<<10))
	return &input[M]{name: name, file: file, frames: flinkser.NewReader[M](io.LimitReader(file, s.End-s.Start), opts...), start: s.Start}, nil
}

// offset returns the byte of the file at which the next frame starts.
func (in *input[M]) offset() int64 { return in.start + in.frames.Offset() }

// What next has found.
type found int

const (
	message   found = iota
	badRecord       // the next frame may follow
	broken          // no next frame can be found
	cut             // the file ends in a frame
	end             // the file ends behind a frame
)

// next reads the next frame.
func (r *reading[M, T]) next(in *input[M]) (m M, f frame, what found, err error) {
	m = reflect.New(r.typ.Elem()).Interface().(M)
	f.start = in.offset()
	ok := in.frames.Next(m)
	f.end = in.offset()
	err = in.frames.Err()
	var refused *flinkser.DecodeError
	switch {
	case ok:
		what = message
	case err == nil:
		what = end
	case errors.As(err, &refused):
		what = badRecord
	case errors.Is(err, flinkser.ErrTruncated):
		what = cut
	default:
		what = broken
	}
	return m, f, what, err
}

// report hands over a bad record, or returns it as an error.
func (r *reading[M, T]) report(name string, offset int64, cause error, bad func(Bad)) error {
	if !r.SkipBad {
		return fmt.Errorf("flinkserbeam: %s: frame at offset %d: %w", name, offset, cause)
	}
	bad(Bad{File: name, Offset: offset, Cause: cause.Error()})
	return nil
}

// readFiles reads files as they are.
type readFiles[M proto.Message, T EventTimes[M]] struct{ reading[M, T] }

// CreateInitialRestriction returns the whole file. One that cannot be read gets a span of one byte, so that its error
// comes where it may be skipped.
func (r *readFiles[M, T]) CreateInitialRestriction(name string) span {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return span{0, 1}
	}
	return span{0, info.Size()}
}

// RestrictionSize returns the bytes of a span.
func (r *readFiles[M, T]) RestrictionSize(_ string, s span) float64 { return float64(s.End - s.Start) }

// ProcessElement reads a file.
func (r *readFiles[M, T]) ProcessElement(_ context.Context, et beam.EventTime, rt *sdf.LockRTracker, name string, emit func(beam.EventTime, M), bad func(Bad)) error {
	s := rt.GetRestriction().(span)
	in, err := r.open(name, s)
	if err != nil {
		return r.rest(rt, s, name, s.Start, err, bad)
	}
	defer in.file.Close()
	for {
		m, f, what, err := r.next(in)
		switch what {
		case message, badRecord:
			if !rt.TryClaim(f) {
				return rt.GetError()
			}
			if what == message {
				emit(r.when(m, et), m)
			} else if err := r.report(name, f.start, err, bad); err != nil {
				return err
			}
		case end:
			if f.start == s.End {
				rt.TryClaim(f)
				return rt.GetError()
			}
			return r.rest(rt, s, name, f.start, fmt.Errorf("the file has shrunk, it had %d bytes", s.End), bad)
		default:
			return r.rest(rt, s, name, f.start, err, bad)
		}
	}
}

// rest claims what is left of a span and reports it as one bad record.
func (r *reading[M, T]) rest(rt *sdf.LockRTracker, s span, name string, offset int64, cause error, bad func(Bad)) error {
	if !rt.TryClaim(frame{offset, s.End}) {
		return rt.GetError()
	}
	return r.report(name, offset, cause, bad)
}

func (r *reading[M, T]) when(m M, et beam.EventTime) beam.EventTime {
	if t := r.time.EventTime(m); !t.IsZero() {
		return mtime.FromTime(t)
	}
	return et
}

// readGrowing reads files that others append to.
type readGrowing[M proto.Message, T EventTimes[M]] struct {
	reading[M, T]
	Quiet, Poll, Pause, Disorder time.Duration
	Burst                        int
}

// CreateInitialRestriction returns a span without an end.
func (r *readGrowing[M, T]) CreateInitialRestriction(string) span { return span{0, endless} }

// RestrictionSize returns the bytes that are there to be read.
func (r *readGrowing[M, T]) RestrictionSize(name string, s span) float64 {
	info, err := os.Stat(name)
	if err != nil || s.End != endless {
		return 0
	}
	return float64(max(info.Size()-s.Start, 0))
}

// InitialWatermarkEstimatorState returns the beginning of time.
func (r *readGrowing[M, T]) InitialWatermarkEstimatorState(beam.EventTime, span, string) int64 {
	return mtime.MinTimestamp.Milliseconds()
}

// CreateWatermarkEstimator returns the estimator that goes on from a state, in milliseconds.
func (r *readGrowing[M, T]) CreateWatermarkEstimator(state int64) *sdf.ManualWatermarkEstimator {
	e := &sdf.ManualWatermarkEstimator{}
	e.UpdateWatermark(time.UnixMilli(state))
	return e
}

// WatermarkEstimatorState returns the state of an estimator.
func (r *readGrowing[M, T]) WatermarkEstimatorState(e *sdf.ManualWatermarkEstimator) int64 {
	return e.CurrentWatermark().UnixMilli()
}

// TruncateRestriction says that a pipeline which is drained reads no further.
func (r *readGrowing[M, T]) TruncateRestriction(*sdf.LockRTracker, string) span { return span{} }

// ProcessElement reads a burst of frames.
func (r *readGrowing[M, T]) ProcessElement(_ context.Context, we *sdf.ManualWatermarkEstimator, rt *sdf.LockRTracker, name string, emit func(beam.EventTime, M), bad func(Bad)) (sdf.ProcessContinuation, error) {
	s := rt.GetRestriction().(span)
	if s.Start == s.End { // drained
		return sdf.StopProcessing(), nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist) && s.Start == 0:
		return sdf.ResumeProcessingIn(r.Poll), nil
	case err == nil && info.Size() < s.Start:
		err = fmt.Errorf("the file has shrunk to %d bytes", info.Size())
	}
	if err != nil {
		return sdf.StopProcessing(), r.rest(rt, s, name, s.Start, err, bad)
	}
	in, err := r.open(name, s)
	if err != nil {
		return sdf.StopProcessing(), r.rest(rt, s, name, s.Start, err, bad)
	}
	defer in.file.Close()
	for range r.Burst {
		m, f, what, err := r.next(in)
		switch what {
		case message, badRecord:
			if !rt.TryClaim(f) {
				return sdf.StopProcessing(), rt.GetError()
			}
			if what == message {
				at := r.when(m, mtime.Now())
				emit(at, m)
				r.advance(we, at)
			} else if err := r.report(name, f.start, err, bad); err != nil {
				return sdf.StopProcessing(), err
			}
		case end, cut:
			// Only now: it may have grown while it was read.
			now, statErr := in.file.Stat()
			if statErr != nil {
				return sdf.StopProcessing(), statErr
			}
			if r.Quiet == 0 || now.Size() != info.Size() || time.Since(now.ModTime()) < r.Quiet {
				return sdf.ResumeProcessingIn(r.Poll), nil // what is half there will be whole
			}
			if what == cut {
				return sdf.StopProcessing(), r.rest(rt, s, name, f.start, err, bad)
			}
			rt.TryClaim(frame{f.start, s.End})
			return sdf.StopProcessing(), rt.GetError()
		default:
			return sdf.StopProcessing(), r.rest(rt, s, name, f.start, err, bad)
		}
	}
	return sdf.ResumeProcessingIn(r.Pause), nil
}

// advance moves the watermark on; it never goes back.
func (r *readGrowing[M, T]) advance(we *sdf.ManualWatermarkEstimator, at mtime.Time) {
	if t := at.ToTime().Add(-r.Disorder); t.After(we.CurrentWatermark()) {
		we.UpdateWatermark(t)
	}
}
