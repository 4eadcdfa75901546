package suite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/flinkser/flinkser/internal/corpus"
)

// gate checks one lane on one workload.
type gate[L, M any] struct {
	lane *Lane
	t    *Type[L, M]
	all  []L // the records, and behind them the edges
}

// check runs the gate: every operation that is timed, on every record, and on values that are easily
// lost, in the same functions that are timed.
func check[L, M any](lane *Lane, t *Type[L, M], records []L) (Sizes, error) {
	g := &gate[L, M]{lane: lane, t: t, all: append(records, edges[L]()...)}
	if t.Faulty != nil {
		if lane.Faults == "" {
			return Sizes{}, errors.New("a lane with values that are known to be wrong has to say so")
		}
		g.all = slices.DeleteFunc(g.all, func(l L) bool { return t.Faulty(&l) })
		if len(g.all) < len(records) {
			return Sizes{}, errors.New("the values that are known to be wrong are among those that are measured")
		}
	}
	for _, op := range Operations() {
		if _, _, err := t.supports(op); err != nil {
			return Sizes{}, err
		}
	}
	if t.Mutate == nil && !lane.Immutable {
		return Sizes{}, errors.New("a lane whose messages can change needs Mutate")
	}
	for i := range g.all {
		for _, step := range []struct {
			name string
			run  func(i int) error
		}{
			{"serialize and deserialize", g.roundTrip},
			{"bytes", g.bytes},
			{DeserializeReuse, g.reuse},
			{ObjectCopy, g.clone},
			{ObjectCopyReuse, g.cloneInto},
			{StreamCopy, g.stream},
			{"unknown fields", g.unknown},
		} {
			if err := step.run(i); err != nil {
				return Sizes{}, fmt.Errorf("%s, record %d: %w", step.name, i, err)
			}
		}
	}
	if err := g.claims(); err != nil {
		return Sizes{}, err
	}
	return g.sizes(len(records))
}

// at returns record i, counted over again behind the last one.
func (g *gate[L, M]) at(i int) *L { return &g.all[i%len(g.all)] }

// frame returns record i as the lane writes it, in memory of its own.
func (g *gate[L, M]) frame(i int) ([]byte, error) {
	m, err := g.t.Build(g.at(i))
	if err != nil {
		return nil, err
	}
	return g.t.Append(nil, m)
}

// message returns record i as the lane reads it.
func (g *gate[L, M]) message(i int) (m M, err error) {
	b, err := g.frame(i)
	if err != nil {
		return m, err
	}
	return g.t.Decode(b)
}

// equals fails unless m holds record i.
func (g *gate[L, M]) equals(m M, i int) error {
	got, err := g.t.Value(m)
	if err != nil {
		return err
	}
	if !Equal(got, g.at(i)) {
		return fmt.Errorf("the value is %s, want %s", brief(got), brief(g.at(i)))
	}
	return nil
}

func brief[L any](v *L) string {
	const most = 400
	if v == nil {
		return "nil"
	}
	text := fmt.Sprintf("%+v", *v)
	if len(text) > most {
		text = text[:most] + "..."
	}
	return text
}

// roundTrip writes a record and its neighbour one after the other, and reads them.
func (g *gate[L, M]) roundTrip(i int) error {
	m, err := g.t.Build(g.at(i))
	if err != nil {
		return err
	}
	if err := g.equals(m, i); err != nil {
		return fmt.Errorf("built: %w", err)
	}
	next, err := g.t.Build(g.at(i + 1))
	if err != nil {
		return err
	}
	head := []byte("head")
	buf, err := g.t.Append(append(make([]byte, 0, BufferBytes), head...), m)
	if err != nil {
		return err
	}
	end := len(buf)
	if buf, err = g.t.Append(buf, next); err != nil {
		return err
	}
	if !bytes.HasPrefix(buf, head) {
		return errors.New("the bytes in front of the record have changed")
	}
	if err := g.equals(m, i); err != nil {
		return fmt.Errorf("written: %w", err)
	}
	for k, frame := range [][]byte{buf[len(head):end:end], buf[end:]} {
		if err := g.decode(frame, i+k); err != nil {
			return err
		}
	}
	if _, err := g.t.Decode(buf[len(head):]); err == nil {
		return errors.New("two records are read as one")
	}
	if _, err := g.t.Decode(buf[len(head) : end-1 : end-1]); err == nil && end > len(head)+PrefixBytes {
		return errors.New("a record without its last byte is read")
	}
	return nil
}

// decode reads record i, which must not change with the bytes that it was read from.
func (g *gate[L, M]) decode(frame []byte, i int) error {
	before := bytes.Clone(frame)
	m, err := g.t.Decode(frame)
	if err != nil {
		return err
	}
	if err := g.equals(m, i); err != nil {
		return err
	}
	if !bytes.Equal(before, frame) {
		return errors.New("reading has changed the bytes")
	}
	if g.lane.SharesInput {
		return nil
	}
	flip(frame)
	defer flip(frame)
	if err := g.equals(m, i); err != nil {
		return fmt.Errorf("the message changes with the bytes that it was read from: %w", err)
	}
	return nil
}

// flip changes all bytes, and a second call changes them back.
func flip(b []byte) {
	for i := range b {
		b[i] ^= 0xff
	}
}

// bytes compares the bytes of a record with those that the format says.
func (g *gate[L, M]) bytes(i int) error {
	if !g.t.Protobuf {
		return nil
	}
	got, err := g.frame(i)
	if err != nil {
		return err
	}
	want := reference(g.at(i))
	if g.t.AnyOrder {
		if len(got) != len(want) {
			return fmt.Errorf("there are %d bytes, want %d", len(got), len(want))
		}
		return nil
	}
	if g.lane.Deterministic == "" {
		got, want = canonical(g.at(i), got), canonical(g.at(i), want)
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("the bytes are %s, want %s", hexBrief(got), hexBrief(want))
	}
	return nil
}

func hexBrief(b []byte) string {
	const most = 200
	if len(b) > most {
		return hex.EncodeToString(b[:most]) + "..."
	}
	return hex.EncodeToString(b)
}

// reuse reads a record into a message that held another one.
func (g *gate[L, M]) reuse(i int) error {
	if _, ok, _ := g.t.supports(DeserializeReuse); !ok {
		return nil
	}
	used, err := g.message(i + 2)
	if err != nil {
		return err
	}
	frame, err := g.frame(i)
	if err != nil {
		return err
	}
	m, err := g.t.Reuse(frame, used)
	if err != nil {
		return err
	}
	if !g.lane.SharesInput {
		flip(frame)
	}
	return g.equals(m, i)
}

// clone copies a record.
func (g *gate[L, M]) clone(i int) error {
	if _, ok, _ := g.t.supports(ObjectCopy); !ok {
		return nil
	}
	m, err := g.message(i)
	if err != nil {
		return err
	}
	c, err := g.t.Clone(m)
	if err != nil {
		return err
	}
	if err := g.equals(c, i); err != nil {
		return err
	}
	if g.lane.Immutable {
		if any(m) != any(c) {
			return errors.New("the copy of a message that cannot change is another one")
		}
		return nil
	}
	return g.apart(m, c, i)
}

// cloneInto copies a record onto a message that held another one.
func (g *gate[L, M]) cloneInto(i int) error {
	if _, ok, _ := g.t.supports(ObjectCopyReuse); !ok {
		return nil
	}
	m, err := g.message(i)
	if err != nil {
		return err
	}
	used, err := g.message(i + 3)
	if err != nil {
		return err
	}
	c, err := g.t.CloneInto(used, m)
	if err != nil {
		return err
	}
	if err := g.equals(c, i); err != nil {
		return err
	}
	if g.lane.Immutable {
		return nil
	}
	return g.apart(m, c, i)
}

// apart fails if a change of one of two messages with record i is seen in the other one.
func (g *gate[L, M]) apart(source, copied M, i int) error {
	g.t.Mutate(copied)
	if err := g.equals(source, i); err != nil {
		return fmt.Errorf("the copy shares memory with its source: %w", err)
	}
	if g.equals(copied, i) == nil && !g.empty(i) {
		return errors.New("a call of Mutate changes nothing")
	}
	if !g.payloadChanged(copied, i) {
		return errors.New("a call of Mutate does not change the first byte of the payload")
	}
	return nil
}

// empty reports whether record i has nothing that could be changed in place.
func (g *gate[L, M]) empty(i int) bool {
	var zero L
	return Equal(g.at(i), &zero)
}

// payloadChanged reports whether the payload of a Record, where it has one, is another one than in
// record i.
func (g *gate[L, M]) payloadChanged(m M, i int) bool {
	want, ok := any(g.at(i)).(*Record)
	if !ok || len(want.Payload) == 0 {
		return true
	}
	v, err := g.t.Value(m)
	if err != nil {
		return false
	}
	got := any(v).(*Record)
	return len(got.Payload) > 0 && got.Payload[0] != want.Payload[0]
}

// stream copies the first of two records of a stream.
func (g *gate[L, M]) stream(i int) error {
	if _, ok, _ := g.t.supports(StreamCopy); !ok {
		return nil
	}
	first, err := g.frame(i)
	if err != nil {
		return err
	}
	second, err := g.frame(i + 1)
	if err != nil {
		return err
	}
	out, rest, err := g.t.CopyStream([]byte("head"), append(bytes.Clone(first), second...))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(out, []byte("head")) {
		return errors.New("the bytes in front of the copy have changed")
	}
	if !bytes.Equal(rest, second) {
		return errors.New("what follows the record in the stream is not what is left")
	}
	if err := g.decode(out[len("head"):], i); err != nil {
		return err
	}
	return g.decode(bytes.Clone(rest), i+1)
}

// unknownFields are two fields that no message of the schema has.
func unknownFields() []byte {
	b := protowire.AppendTag(nil, 1000, protowire.VarintType)
	b = protowire.AppendVarint(b, 987)
	b = protowire.AppendTag(b, 1001, protowire.BytesType)
	return protowire.AppendString(b, "future")
}

// unknown reads a record with unknown fields. They must be written again, by a copy too, where
// the lane says that it keeps them, and the fields that are known must arrive in any case.
func (g *gate[L, M]) unknown(i int) error {
	if !g.t.Protobuf {
		return nil
	}
	want := PutPrefix(append(reference(g.at(i)), unknownFields()...))
	m, err := g.t.Decode(bytes.Clone(want))
	if err != nil {
		return err
	}
	if err := g.equals(m, i); err != nil || !g.lane.Checks.Unknown {
		return err
	}
	if err := g.writes(m, want, i); err != nil {
		return err
	}
	if _, ok, _ := g.t.supports(ObjectCopy); !ok {
		return nil
	}
	c, err := g.t.Clone(m)
	if err != nil {
		return err
	}
	return g.writes(c, want, i)
}

// writes fails unless m is written as want.
func (g *gate[L, M]) writes(m M, want []byte, i int) error {
	got, err := g.t.Append(nil, m)
	if err != nil {
		return err
	}
	if g.t.AnyOrder && len(got) == len(want) && bytes.Contains(got, []byte("future")) {
		return nil
	}
	if got, want := canonical(g.at(i), got), canonical(g.at(i), want); !bytes.Equal(got, want) {
		return fmt.Errorf("a message with unknown fields is written as %s, want %s", hexBrief(got), hexBrief(want))
	}
	return nil
}

// claims tries what the lane says that it checks.
func (g *gate[L, M]) claims() error {
	if !g.t.Protobuf {
		return nil
	}
	var zero L
	for _, c := range []struct {
		name  string
		claim bool
		frame []byte
	}{
		{"a string that is not UTF-8", g.lane.Checks.UTF8, invalidText(&zero)},
		{"a value under 20,000 others", g.lane.Checks.Depth, deepValue(&zero)},
	} {
		if c.frame == nil {
			continue
		}
		_, err := g.t.Decode(c.frame)
		if c.claim && err == nil {
			return fmt.Errorf("the lane says that it checks for it, but reads %s", c.name)
		}
	}
	return nil
}

// invalidText returns the frame of a message like v with a string that is not UTF-8.
func invalidText(v any) []byte {
	var number protowire.Number
	switch v.(type) {
	case *Record:
		number = 4
	case *Post:
		number = 1
	case *Wide:
		number = 11
	default:
		return nil
	}
	w := wire{make([]byte, PrefixBytes)}
	w.part(number, []byte("a\xff"))
	return PutPrefix(w.b)
}

// deepValue returns the frame of a Batch in which arrays stand in arrays, or nil for other types.
func deepValue(v any) []byte {
	if _, ok := v.(*Batch); !ok {
		return nil
	}
	// Written from the inside: each level is the length and the tag in front of what there is.
	content := []byte{}
	for range 10_000 {
		var array, value wire
		array.part(1, content)
		value.part(5, array.b)
		content = value.b
	}
	for _, number := range []protowire.Number{2, 1, 1, 1} { // the value, its key, the attributes, the resource
		var w wire
		w.part(number, content)
		content = w.b
	}
	return PutPrefix(append(make([]byte, PrefixBytes), content...))
}

// sizes returns those of the first records, whose bytes are compared with the check values where
// they have to be the same.
func (g *gate[L, M]) sizes(records int) (Sizes, error) {
	s := Sizes{Records: records}
	total, sum := 0, sha256.New()
	for i := range records {
		b, err := g.frame(i)
		if err != nil {
			return Sizes{}, err
		}
		if i == 0 || len(b) < s.Min {
			s.Min = len(b)
		}
		s.Max = max(s.Max, len(b))
		total += len(b)
		sum.Write(b)
	}
	s.Mean = float64(total) / float64(records)
	if g.lane.Deterministic == "" {
		return s, nil
	}
	// The reference has been compared byte by byte; this compares it with what Java wrote.
	got := hex.EncodeToString(sum.Sum(nil))
	for _, v := range corpus.CheckValues() {
		if v.SHA256 == got {
			return s, nil
		}
	}
	switch any(g.all).(type) {
	case []Record, []Post:
		return Sizes{}, fmt.Errorf("the frames hash to %s, which is not one of the check values", got)
	}
	return s, nil
}
