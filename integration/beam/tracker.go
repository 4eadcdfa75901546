package flinkserbeam

import (
	"fmt"
	"math"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// A span is a part of a file that begins with a frame. Its end is that of a frame, or of the file, or endless for a file
// that grows. It is what Beam calls a restriction; its fields are exported because Beam writes them.
type span struct{ Start, End int64 }

// endless is the end of a file that still grows.
const endless = math.MaxInt64

// A frame is what is claimed: where it starts and where the next one does.
type frame struct{ start, end int64 }

// tracker tracks how far a span has been read. Unlike Beam's offsetrange.Tracker, which leaves off at the byte behind the
// last claim, in the middle of a frame, it leaves off where the last claimed frame ends. It is never split otherwise:
// frames have no mark that a reader in the middle of a file could look for.
type tracker struct {
	span    span
	next    int64 // where the last claimed frame ends
	stopped bool
	err     error
}

func newTracker(s span) *tracker { return &tracker{span: s, next: s.Start} }

// TryClaim claims a frame, which has to begin where the last one has ended.
func (t *tracker) TryClaim(pos any) bool {
	f, ok := pos.(frame)
	switch {
	case t.stopped || t.err != nil:
		return false
	case !ok:
		t.err = fmt.Errorf("flinkserbeam: %T was claimed, not a frame", pos)
	case f.start != t.next || f.end < f.start:
		t.err = fmt.Errorf("flinkserbeam: the frame from %d to %d was claimed, where one that starts at %d is next", f.start, f.end, t.next)
	case f.end > t.span.End:
		t.err = fmt.Errorf("flinkserbeam: the frame from %d to %d ends behind its span, at %d", f.start, f.end, t.span.End)
	case f.start == t.span.End:
		t.stopped = true
		return false
	default:
		t.next = f.end
		return true
	}
	return false
}

// GetError returns what was wrong with a claim.
func (t *tracker) GetError() error { return t.err }

// TrySplit leaves off behind the last claimed frame if that is asked for, with the fraction 0, and never splits.
func (t *tracker) TrySplit(fraction float64) (primary, residual any, err error) {
	if fraction > 0 || t.stopped || t.err != nil || t.IsDone() {
		return t.span, nil, nil
	}
	rest := span{t.next, t.span.End}
	t.span.End = t.next
	t.stopped = true
	return t.span, rest, nil
}

// GetProgress returns how many bytes have been read, and how many are left. How many a growing file will have is
// not known.
func (t *tracker) GetProgress() (done, remaining float64) {
	done = float64(t.next - t.span.Start)
	if t.span.End == endless {
		return done, 1
	}
	return done, float64(t.span.End - t.next)
}

// IsDone reports whether all of the span has been claimed.
func (t *tracker) IsDone() bool { return t.err == nil && t.next >= t.span.End }

// GetRestriction returns the span.
func (t *tracker) GetRestriction() any { return t.span }

// IsBounded reports whether the span has an end.
func (t *tracker) IsBounded() bool { return t.span.End != endless }

func init() { beam.RegisterType(reflect.TypeFor[span]()) }
