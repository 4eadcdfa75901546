package gob

import (
	"bytes"
	"encoding/gob"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// sink is a writer that appends.
type sink []byte

func (s *sink) Write(b []byte) (int, error) {
	*s = append(*s, b...)
	return len(b), nil
}

// decoder reads the records of a stream whose start it has read.
type decoder struct {
	start []byte // describes the types, and holds one value
	first func() any

	in  bytes.Reader
	dec *gob.Decoder
}

// begin reads the start of the stream.
func (d *decoder) begin() error {
	d.in.Reset(d.start)
	d.dec = gob.NewDecoder(&d.in)
	return d.dec.Decode(d.first())
}

// read reads one record. A decoder is of no use after an error, so the next record has a new one.
func (d *decoder) read(b []byte, to any) error {
	if d.dec == nil {
		if err := d.begin(); err != nil {
			return err
		}
	}
	d.in.Reset(b)
	if err := d.dec.Decode(to); err != nil {
		d.dec = nil
		return err
	}
	if d.in.Len() > 0 {
		return suite.ErrRest
	}
	return nil
}

// oneStream adds reading and writing to a type, as part of one stream whose start has been written
// and read before. reset empties a message, since the library leaves what is zero as it was.
func oneStream[L, M any](t suite.Type[L, *M], reset func(*M)) (suite.Type[L, *M], error) {
	var out sink
	enc := gob.NewEncoder(&out)
	if err := enc.Encode(new(M)); err != nil {
		return t, err
	}
	d := &decoder{start: bytes.Clone(out), first: func() any { return new(M) }}
	t.Append = func(dst []byte, m *M) ([]byte, error) {
		out = dst
		err := enc.Encode(m)
		return out, err
	}
	t.Decode = func(b []byte) (*M, error) {
		m := new(M)
		return m, d.read(b, m)
	}
	t.Reuse = func(b []byte, m *M) (*M, error) {
		reset(m)
		return m, d.read(b, m)
	}
	t.CopyStream = copyRecord
	return t, d.begin()
}

// newStreams is oneStream with a stream for each record, which describes the types anew.
func newStreams[L, M any](t suite.Type[L, *M], reset func(*M)) (suite.Type[L, *M], error) {
	t.Append = func(dst []byte, m *M) ([]byte, error) {
		out := sink(dst)
		err := gob.NewEncoder(&out).Encode(m)
		return out, err
	}
	read := func(b []byte, m *M) (*M, error) {
		in := bytes.NewReader(b)
		err := gob.NewDecoder(in).Decode(m)
		if err == nil && in.Len() > 0 {
			err = suite.ErrRest
		}
		return m, err
	}
	t.Decode = func(b []byte) (*M, error) { return read(b, new(M)) }
	t.Reuse = func(b []byte, m *M) (*M, error) {
		reset(m)
		return read(b, m)
	}
	t.CopyStream = copyRecord
	return t, nil
}

// copyRecord copies the first record of a stream, with the descriptions of types in front of it.
// Each is a message: its length, the number of a type, negative in a description, and the rest.
func copyRecord(dst, stream []byte) (out, rest []byte, err error) {
	rest = stream
	for {
		n, content, ok := unsigned(rest)
		if !ok || n > uint64(len(content)) {
			return nil, nil, suite.ErrShort
		}
		id, _, ok := unsigned(content[:n])
		if !ok {
			return nil, nil, suite.ErrShort
		}
		rest = content[n:]
		if isDescription := id&1 != 0; !isDescription {
			return append(dst, stream[:len(stream)-len(rest)]...), rest, nil
		}
	}
}

// unsigned reads a number: a byte below 128, or the number of bytes that follow, negated, and
// those, the most significant one first.
func unsigned(b []byte) (n uint64, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	if b[0] < 128 {
		return uint64(b[0]), b[1:], true
	}
	size := -int(int8(b[0]))
	if b = b[1:]; size > 8 || size > len(b) {
		return 0, nil, false
	}
	for _, c := range b[:size] {
		n = n<<8 | uint64(c)
	}
	return n, b[size:], true
}
