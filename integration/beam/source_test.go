package flinkserbeam

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// TestTrap10 leaves off after every frame in turn: the rest always begins with a frame, and nothing is claimed twice or
// left out. Beam's own tracker leaves off at the next byte.
func TestTrap10(t *testing.T) {
	frames := []frame{{0, 5}, {5, 9}, {9, 40}, {40, 44}}
	for leave := range len(frames) {
		first := newTracker(span{0, 44})
		for _, f := range frames[:leave] {
			if !first.TryClaim(f) {
				t.Fatalf("%v is refused: %v", f, first.GetError())
			}
		}
		_, rest, err := first.TrySplit(0)
		check(t, err)
		if want := (span{frames[leave].start, 44}); rest != want {
			t.Fatalf("after %d frames the rest is %v, want %v", leave, rest, want)
		}
		if !first.IsDone() || first.TryClaim(frames[leave]) || first.GetError() != nil {
			t.Errorf("after %d frames: the first part goes on", leave)
		}
		second := newTracker(rest.(span))
		for _, f := range frames[leave:] {
			if !second.TryClaim(f) {
				t.Fatalf("%v is refused in the rest: %v", f, second.GetError())
			}
		}
		if !second.IsDone() {
			t.Error("the rest is not done")
		}
	}
	other := offsetrange.NewTracker(offsetrange.Restriction{Start: 0, End: 44})
	other.TryClaim(int64(0))
	if _, rest, err := other.TrySplit(0); err != nil || rest.(offsetrange.Restriction).Start == frames[1].start {
		t.Errorf("Beam's tracker leaves off at a frame now (%v, %v): ours may be unnecessary", rest, err)
	}
}

// TestTracker is about what else engines and sources do with it.
func TestTracker(t *testing.T) {
	r := newTracker(span{4, 44})
	for _, fraction := range []float64{0.1, 0.5, 1} {
		if primary, rest, err := r.TrySplit(fraction); primary != (span{4, 44}) || rest != nil || err != nil {
			t.Errorf("split at %v: %v, %v, %v", fraction, primary, rest, err)
		}
	}
	if !r.TryClaim(frame{4, 14}) {
		t.Fatal(r.GetError())
	}
	if done, left := r.GetProgress(); done != 10 || left != 30 || !r.IsBounded() {
		t.Errorf("progress %v, %v", done, left)
	}
	for _, wrong := range []any{frame{4, 14}, frame{15, 20}, frame{14, 45}, frame{14, 13}, int64(14), nil} {
		r := newTracker(span{4, 44})
		r.TryClaim(frame{4, 14})
		if r.TryClaim(wrong) || r.GetError() == nil || r.IsDone() || r.TryClaim(frame{14, 20}) {
			t.Errorf("%v was claimed, or is no error", wrong)
		}
	}
	if !r.TryClaim(frame{14, 44}) || !r.IsDone() || r.TryClaim(frame{44, 44}) || r.GetError() != nil {
		t.Errorf("the end: %v", r.GetError())
	}
	if _, rest, err := r.TrySplit(0); rest != nil || err != nil {
		t.Errorf("a rest of nothing: %v, %v", rest, err)
	}
	growing := newTracker(span{0, endless})
	growing.TryClaim(frame{0, 10})
	if _, left := growing.GetProgress(); growing.IsBounded() || growing.IsDone() || left != 1 {
		t.Error("a growing file has an end")
	}
	if !growing.TryClaim(frame{10, endless}) || !growing.IsDone() {
		t.Error("a growing file cannot be ended")
	}
}

// orderFile writes orders with the numbers from one to another to a file, and returns where their frames start.
func orderFile(t *testing.T, name string, from, to int) (starts []int64) {
	t.Helper()
	s, err := flinkser.New[*orderpb.Order]()
	check(t, err)
	var b []byte
	for i := from; i < to; i++ {
		starts = append(starts, int64(len(b)))
		b, err = s.Append(b, numberedOrder(i))
		check(t, err)
	}
	check(t, os.WriteFile(name, b, 0o600))
	return starts
}

func numberedOrder(i int) *orderpb.Order {
	return &orderpb.Order{Id: fmt.Sprint(i), CreatedMs: int64(i), Customer: strings.Repeat("c", i%70)}
}

// numbers returns the numbers of the orders that were gathered, in order, and empties that.
func numbers(t *testing.T) (list []int) {
	t.Helper()
	for _, m := range gathered.messages {
		list = append(list, int(m.(*orderpb.Order).CreatedMs))
	}
	slices.Sort(list)
	return list
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// readAll runs a pipeline that reads files.
func readAll(files []string, o ReadOptions) error {
	fresh()
	p, s := beam.NewPipelineWithRoot()
	orders, bad := orderSource.Read(s, beam.CreateList(s, files), o)
	beam.ParDo0(s, gatherOrder, orders)
	beam.ParDo0(s, gatherBad, bad)
	_, err := Run(context.Background(), p, Prism{})
	return err
}

// TestRead reads files of several sizes, empty ones too, as they are and as if they grew.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	var files []string
	n := 0
	for i, size := range []int{0, 1, 700, 3000} {
		files = append(files, filepath.Join(dir, fmt.Sprint(i)))
		orderFile(t, files[i], n, n+size)
		n += size
	}
	for name, o := range map[string]ReadOptions{
		"as they are": {}, "growing": {Growing: true, Quiet: time.Millisecond, Burst: 100, Poll: 10 * time.Millisecond},
	} {
		check(t, readAll(files, o))
		if got := numbers(t); !slices.Equal(got, upTo(n)) || len(gathered.bad) > 0 {
			t.Errorf("%s: %d orders, %v", name, len(got), gathered.bad)
		}
	}
}

// TestReadGrowing reads a file that is not there yet, then grows in pieces that cut frames, and is quiet at last.
func TestReadGrowing(t *testing.T) {
	dir := t.TempDir()
	whole, growing := filepath.Join(dir, "whole"), filepath.Join(dir, "growing")
	const n = 400
	orderFile(t, whole, 0, n)
	b, err := os.ReadFile(whole)
	check(t, err)
	writer := make(chan error, 1)
	go func() {
		writer <- func() error {
			time.Sleep(100 * time.Millisecond)
			file, err := os.Create(growing)
			for i := 0; err == nil && i < len(b); i += 999 {
				_, err = file.Write(b[i:min(i+999, len(b))])
				time.Sleep(10 * time.Millisecond)
			}
			return errors.Join(err, file.Close())
		}()
	}()
	check(t, readAll([]string{growing}, ReadOptions{Growing: true, Quiet: time.Second, Poll: 5 * time.Millisecond, Burst: 7}))
	check(t, <-writer)
	if got := numbers(t); !slices.Equal(got, upTo(n)) {
		t.Errorf("%d orders", len(got))
	}
}

// damaged is a file in which something is wrong.
type damaged struct {
	name   string
	damage func(b []byte, starts []int64) []byte
	orders int // that can still be read
	at     int // number of the bad frame
	cause  error
}

var damages = []damaged{
	{"a payload", func(b []byte, starts []int64) []byte {
		copy(b[starts[5]+4:], "\xff\xff\xff\xff")
		return b
	}, 9, 5, flinkser.ErrMalformed},
	{"a length beyond the limit", func(b []byte, starts []int64) []byte {
		binary.BigEndian.PutUint32(b[starts[5]:], 1<<31)
		return b
	}, 5, 5, flinkser.ErrTooLarge},
	{"a length beyond the file", func(b []byte, starts []int64) []byte {
		binary.BigEndian.PutUint32(b[starts[5]:], 9000)
		return b
	}, 5, 5, flinkser.ErrTruncated},
	{"an end in a payload", func(b []byte, starts []int64) []byte { return b[:len(b)-1] }, 9, 9, flinkser.ErrTruncated},
	{"an end in a length", func(b []byte, starts []int64) []byte { return b[:starts[9]+3] }, 9, 9, flinkser.ErrTruncated},
}

// TestBadRecords stops at a bad record with file and offset, or hands it over, in both kinds of sources.
func TestBadRecords(t *testing.T) {
	for _, x := range damages {
		for _, growing := range []bool{false, true} {
			name := filepath.Join(t.TempDir(), "bad.frames")
			starts := orderFile(t, name, 0, 10)
			b, err := os.ReadFile(name)
			check(t, err)
			check(t, os.WriteFile(name, x.damage(b, starts), 0o600))
			o := ReadOptions{Growing: growing, Quiet: time.Millisecond, Poll: 10 * time.Millisecond}
			err = readAll([]string{name}, o)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("bad.frames: frame at offset %d", starts[x.at])) || !strings.Contains(err.Error(), x.cause.Error()) {
				t.Errorf("%s, growing %v: %.300v", x.name, growing, err)
			}
			o.SkipBad = true
			check(t, readAll([]string{name}, o))
			got := numbers(t)
			if len(got) != x.orders || len(gathered.bad) != 1 {
				t.Fatalf("%s, growing %v: orders %v, bad %v", x.name, growing, got, gathered.bad)
			}
			if bad := gathered.bad[0]; bad.File != name || bad.Offset != starts[x.at] || !strings.Contains(bad.Cause, x.cause.Error()) {
				t.Errorf("%s, growing %v: %v", x.name, growing, bad)
			}
		}
	}
}

// TestReadMissing is about files that cannot be opened, and what is no file.
func TestReadMissing(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	orderFile(t, good, 0, 3)
	for _, name := range []string{filepath.Join(dir, "missing"), dir} {
		if err := readAll([]string{good, name}, ReadOptions{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %.300v", name, err)
		}
		check(t, readAll([]string{good, name}, ReadOptions{SkipBad: true}))
		if len(numbers(t)) != 3 || len(gathered.bad) != 1 || gathered.bad[0].File != name {
			t.Errorf("%s: %v, %v", name, numbers(t), gathered.bad)
		}
	}
}

// TestQuietButGrowing appends to a file that was quiet, while it is read to its end.
func TestQuietButGrowing(t *testing.T) {
	for _, piece := range []int{-1, 0} { // all but a byte of what is appended, or all of it
		name := filepath.Join(t.TempDir(), "in")
		orderFile(t, name, 0, 3)
		long := time.Now().Add(-time.Hour)
		check(t, os.Chtimes(name, long, long))
		more, err := os.ReadFile(name)
		check(t, err)
		r := &readGrowing[*orderpb.Order, created]{Burst: 100, Poll: time.Second, Quiet: time.Minute}
		r.typ = orderType
		n := 0
		tracker := r.CreateTracker(span{0, endless})
		next, err := r.ProcessElement(context.Background(), r.CreateWatermarkEstimator(0), tracker, name, func(beam.EventTime, *orderpb.Order) {
			if n++; n == 2 {
				file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
				check(t, err)
				_, err = file.Write(more[:len(more)+piece])
				check(t, errors.Join(err, file.Close()))
			}
		}, nil)
		if err != nil || !next.ShouldResume() || tracker.IsDone() {
			t.Errorf("the file is taken to have ended: %v, %d orders", err, n)
		}
	}
}

// TestShrunk continues in a file that has become shorter.
func TestShrunk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "short")
	orderFile(t, name, 0, 3)
	files := &readFiles[*orderpb.Order, created]{}
	files.typ = reflect.TypeFor[*orderpb.Order]()
	err := files.ProcessElement(context.Background(), 0, files.CreateTracker(span{0, 10_000}), name, func(beam.EventTime, *orderpb.Order) {}, nil)
	if err == nil || !strings.Contains(err.Error(), "shrunk") {
		t.Error(err)
	}
	growing := &readGrowing[*orderpb.Order, created]{Burst: 10, Poll: time.Second}
	growing.typ = files.typ
	_, err = growing.ProcessElement(context.Background(), &sdf.ManualWatermarkEstimator{}, growing.CreateTracker(span{10_000, endless}), name, func(beam.EventTime, *orderpb.Order) {}, nil)
	if err == nil || !strings.Contains(err.Error(), "shrunk") {
		t.Error(err)
	}
}

// TestEventTimes puts orders into windows by their time.
func TestEventTimes(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "in")
	orderFile(t, name, 0, 2500)
	for _, growing := range []bool{false, true} {
		fresh()
		p, s := beam.NewPipelineWithRoot()
		orders, _ := orderSource.Read(s, beam.Create(s, name), ReadOptions{Growing: growing, Quiet: time.Millisecond, Poll: time.Millisecond})
		prefix := filepath.Join(dir, fmt.Sprint("out-", growing))
		files, _ := orderSink.Write(s, beam.WindowInto(s, window.NewFixedWindows(time.Second), orders), prefix, WriteOptions{})
		beam.ParDo0(s, keepWritten, beam.WindowInto(s, window.NewGlobalWindows(), files))
		onPrism(t, p)
		counts := map[string]int64{}
		for _, w := range gathered.written {
			counts[filepath.Base(w.File)] = w.Frames
		}
		want := map[string]int64{}
		for i, n := range []int64{1000, 1000, 500} {
			want[fmt.Sprintf("out-%v-%d-%d-00000-of-00001.frames", growing, i*1000, (i+1)*1000)] = n
		}
		if !reflect.DeepEqual(counts, want) {
			t.Errorf("growing %v: %v", growing, counts)
		}
	}
}

// TestWrite writes to several files, over earlier ones, and reads them.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	orderFile(t, in, 0, 100)
	prefix := filepath.Join(dir, "out")
	check(t, os.WriteFile(prefix+"-00001-of-00003.frames", []byte("earlier"), 0o600))
	fresh()
	p, s := beam.NewPipelineWithRoot()
	orders, _ := plainSource.Read(s, beam.Create(s, in), ReadOptions{})
	files, _ := orderSink.Write(s, orders, prefix, WriteOptions{Shards: 3})
	beam.ParDo0(s, keepWritten, files)
	onPrism(t, p)
	var names []string
	frames, bytes := int64(0), int64(0)
	for _, w := range gathered.written {
		info, err := os.Stat(w.File)
		check(t, err)
		if info.Size() != w.Bytes {
			t.Errorf("%s has %d bytes, want %d", w.File, info.Size(), w.Bytes)
		}
		names, frames, bytes = append(names, w.File), frames+w.Frames, bytes+w.Bytes
	}
	if len(names) != 3 || frames != 100 || bytes == 0 {
		t.Fatalf("written: %v", gathered.written)
	}
	left, err := os.ReadDir(dir)
	check(t, err)
	if len(left) != 4 {
		t.Errorf("files in the folder: %v", left)
	}
	check(t, readAll(names, ReadOptions{}))
	if got := numbers(t); !slices.Equal(got, upTo(100)) {
		t.Errorf("orders %v", got)
	}
}

// TestWriteWhole looks for a file while it is written: it is not there before it is whole.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	w := &writeFile{Prefix: filepath.Join(dir, "x"), Shards: 1}
	name := w.name(window.GlobalWindow{}, 0)
	n := 0
	payloads := func(b *[]byte) bool {
		if _, err := os.Stat(name); err == nil {
			t.Error("a partial file is there")
		}
		n++
		*b = []byte(strings.Repeat("y", 100_000))
		return n < 5
	}
	check(t, w.ProcessElement(context.Background(), window.GlobalWindow{}, 0, payloads, func(Written) {}))
	usual := filepath.Join(t.TempDir(), "usual")
	check(t, os.WriteFile(usual, nil, 0o666))
	like, err := os.Stat(usual)
	check(t, err)
	if info, err := os.Stat(name); err != nil || info.Size() != 400_016 || info.Mode() != like.Mode() {
		t.Errorf("%v, %v", info, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w.Prefix = filepath.Join(dir, "stopped")
	endless := func(*[]byte) bool { return true }
	if err := w.ProcessElement(ctx, window.GlobalWindow{}, 0, endless, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// makeBoth makes an order that can be written, and one that cannot.
func makeBoth(b []byte, emit func(*orderpb.Order)) {
	makeBroken(b, emit)
	makeOrder(b, emit)
}

// TestWriteBad hands over a message that cannot be written, or stops.
func TestWriteBad(t *testing.T) {
	for _, skip := range []bool{true, false} {
		fresh()
		dir := t.TempDir()
		p, s := beam.NewPipelineWithRoot()
		files, bad := orderSink.Write(s, beam.ParDo(s, makeBoth, beam.Impulse(s)), filepath.Join(dir, "out"), WriteOptions{SkipBad: skip})
		beam.ParDo0(s, keepWritten, files)
		beam.ParDo0(s, gatherBad, bad)
		_, err := Run(context.Background(), p, Prism{})
		if !skip {
			if err == nil || !strings.Contains(err.Error(), flinkser.ErrInvalidUTF8.Error()) {
				t.Errorf("stop: %.300v", err)
			}
			continue
		}
		check(t, err)
		if len(gathered.bad) != 1 || gathered.bad[0].Offset != -1 || !strings.Contains(gathered.bad[0].Cause, "UTF-8") || len(gathered.written) != 1 || gathered.written[0].Frames != 1 {
			t.Errorf("bad %v, written %v", gathered.bad, gathered.written)
		}
	}
}

// counted counts what arrives at the stage behind a fold.
type counted struct{ Folded bool }

func (c *counted) ProcessElement(key string, sum int64) { countSums(key, sum) }

func countSums(key string, sum int64) {
	gathered.Lock()
	defer gathered.Unlock()
	gathered.bad = append(gathered.bad, Bad{File: key, Offset: sum})
}

func one(o *orderpb.Order) (string, *orderpb.Order) { return fmt.Sprint("key-", o.CreatedMs%10), o }

func init() {
	register.Function1x2(one)
	register.Function2x0(makeBoth)
	beam.RegisterType(reflect.TypeFor[counted]())
}

// TestTrap4 counts the elements that reach the stateful stage, each of which costs accesses to the state: far fewer
// with a fold, and with the same sums.
func TestTrap4(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	const n = 2000
	orderFile(t, name, 0, n)
	fresh()
	p, s := beam.NewPipelineWithRoot()
	orders, _ := orderSource.Read(s, beam.Create(s, name), ReadOptions{})
	beam.ParDo0(s, &counted{}, orderFold.ParDo(s, beam.ParDo(s, one, orders)))
	onPrism(t, p)
	sums := map[string]int64{}
	for _, b := range gathered.bad {
		sums[b.File] += b.Offset
	}
	total := int64(0)
	for _, sum := range sums {
		total += sum
	}
	if len(sums) != 10 || total != n*(n-1)/2 || sums["key-3"] != 199_600 {
		t.Errorf("sums %v", sums)
	}
	if len(gathered.bad) > n/10 {
		t.Errorf("%d of %d elements reach the next stage", len(gathered.bad), n)
	}
	t.Logf("%d of %d elements reach the next stage", len(gathered.bad), n)
}

// TestFoldBounds folds more keys than are held at once, and a bundle after one that has failed.
func TestFoldBounds(t *testing.T) {
	f := &fold[int, int64, int64, addInts]{}
	sums, calls := map[int]int64{}, 0
	emit := func(at beam.EventTime, key int, sum int64) {
		calls++
		sums[key] += sum
		if at != beam.EventTime(key)+1 {
			t.Fatalf("the time of %d is %v", key, at)
		}
	}
	f.StartBundle(emit)
	f.ProcessElement(9, 9, 1000, emit) // this bundle fails
	f.StartBundle(emit)
	const keys = foldKeys + 10
	for key := range keys {
		f.ProcessElement(beam.EventTime(key)+1, key, 1, emit)
		f.ProcessElement(beam.EventTime(key), key, 2, emit)
		if len(f.sums) > foldKeys {
			t.Fatal("too many keys are held")
		}
	}
	f.FinishBundle(emit)
	if len(sums) != keys || calls != keys || sums[9] != 3 {
		t.Errorf("%d sums of %d keys, %d", calls, len(sums), sums[9])
	}
}

type addInts struct{}

func (addInts) Add(_ int, sum, value int64) int64 { return sum + value }

// TestSourceBudget reads a file that has more elements than a reader takes by default. The coder, which reads what this
// program has written, takes them.
func TestSourceBudget(t *testing.T) {
	defer given.Store(given.Load())
	given.Store(&[]flinkser.Option{})
	many := &orderpb.Order{Items: make([]*orderpb.Item, 200_000)}
	for i := range many.Items {
		many.Items[i] = &orderpb.Item{}
	}
	s, err := flinkser.New[*orderpb.Order]()
	check(t, err)
	b, err := s.Append(nil, many)
	check(t, err)
	name := filepath.Join(t.TempDir(), "in")
	check(t, os.WriteFile(name, b, 0o600))
	r := &reading[*orderpb.Order, created]{typ: orderType}
	in, err := r.open(name, span{0, int64(len(b))})
	check(t, err)
	defer in.file.Close()
	if _, _, what, err := r.next(in); what != badRecord || !errors.Is(err, flinkser.ErrBudget) {
		t.Errorf("%v, %v", what, err)
	}
}
