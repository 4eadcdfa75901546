// Package lines makes lanes of libraries for JSON: a record is a line.
package lines

import (
	"bytes"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Codec is a library.
type Codec struct {
	// Append writes a value and a line feed.
	Append func(dst []byte, v any) ([]byte, error)

	// Unmarshal reads a value, which is all there is but for a line feed.
	Unmarshal func(line []byte, v any) error

	// Faulty, which may be nil, reports whether the library gets a logical value wrong.
	Faulty func(logical any) bool
}

// Workloads binds the library to all workloads.
func (c Codec) Workloads() map[string]suite.Bound {
	return form.Workloads(
		func() (suite.Type[suite.Record, *plain.Record], error) {
			return Complete(c, plain.Records(), plain.ResetRecord), nil
		},
		func() (suite.Type[suite.Post, *plain.Post], error) {
			return Complete(c, plain.Posts(), plain.ResetPost), nil
		},
		func() (suite.Type[suite.Batch, *plain.Batch], error) {
			return Complete(c, plain.Batches(), plain.ResetBatch), nil
		},
		func() (suite.Type[suite.Wide, *plain.Wide], error) {
			return Complete(c, plain.Wides(), plain.ResetWide), nil
		},
	)
}

// Complete adds reading and writing to a type. reset empties a message, since the libraries leave
// fields that are missing as they are.
func Complete[L, M any](c Codec, t suite.Type[L, *M], reset func(*M)) suite.Type[L, *M] {
	t.Append = func(dst []byte, m *M) ([]byte, error) { return c.Append(dst, m) }
	t.Decode = func(line []byte) (*M, error) {
		m := new(M)
		return m, c.read(line, m)
	}
	t.Reuse = func(line []byte, m *M) (*M, error) {
		reset(m)
		return m, c.read(line, m)
	}
	t.CopyStream = Copy
	if c.Faulty != nil {
		t.Faulty = func(l *L) bool { return c.Faulty(l) }
	}
	return t
}

// read reads a line.
func (c Codec) read(line []byte, v any) error {
	if !bytes.HasSuffix(line, feed) {
		return suite.ErrShort
	}
	return c.Unmarshal(line, v)
}

var feed = []byte("\n")

// Copy copies the first line of a stream. JSON has no line feed in strings.
func Copy(dst, stream []byte) (out, rest []byte, err error) {
	end := bytes.IndexByte(stream, '\n') + 1
	if end == 0 {
		return nil, nil, suite.ErrShort
	}
	return append(dst, stream[:end]...), stream[end:], nil
}
