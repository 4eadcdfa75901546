package flinkser

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/runtime/wire"
)

// Reader reads the frames of a stream one after the other. It has memory of its own, as
// large as the largest frame so far, and is not for concurrent use.
//
//	for r.Next(m) {
//		...
//	}
//	if err := r.Err(); err != nil {
//		...
//	}
type Reader[M proto.Message] struct {
	s      *Serializer[M]
	src    io.Reader
	buf    []byte
	offset int64 // of the next frame
	err    error // of the last call of Next
	broken bool  // no further frame can be found
}

// NewReader returns a reader of the frames in src. It takes nothing from src beyond the
// frames that it returns, unless WithReadAhead is given. Where an option is wrong, the
// first call of Next returns false, and Err what New would have returned.
func NewReader[M proto.Message](src io.Reader, opts ...Option) *Reader[M] {
	s, err := New[M](opts...)
	if err != nil {
		return &Reader[M]{err: err, broken: true}
	}
	if s.readAhead > 0 {
		src = bufio.NewReaderSize(checkedReader{src}, s.readAhead)
	}
	return &Reader[M]{s: s, src: src}
}

// Next reads the next frame into m and reports whether it could. It returns false at the
// end of the stream, and on an error, which Err tells.
//
// After a *DecodeError, the frame has been read and may be skipped: the next call goes
// on behind it. After a *FrameError or an error of the source there is no next frame:
// all further calls return false.
func (r *Reader[M]) Next(m M) bool {
	if r.s == nil && r.err == nil {
		r.err, r.broken = errNotMade, true
	}
	if r.broken {
		return false
	}
	payload, err := r.read()
	if err != nil {
		r.broken = true
		r.err = err
		if err == io.EOF { //nolint:errorlint // a clean end, which readPrefix returns as it is
			r.err = nil
		}
		return false
	}
	start := r.offset
	r.offset += int64(wire.PrefixBytes + len(payload))
	r.err = r.s.DecodePayload(payload, m)
	var decode *DecodeError
	if errors.As(r.err, &decode) {
		decode.FrameOffset = start
	}
	return r.err == nil
}

// Err returns the error of the last call of Next: nil after true, and at a clean end of
// the stream, one between two frames.
func (r *Reader[M]) Err() error { return r.err }

// Offset returns the byte in the stream at which the next frame starts, which is the
// number of bytes in all frames so far.
func (r *Reader[M]) Offset() int64 { return r.offset }

// firstRead is the most memory that is taken on the word of a prefix; more follows as
// bytes arrive.
const firstRead = 1 << 20

// read returns the payload of the next frame, or io.EOF at a clean end.
func (r *Reader[M]) read() ([]byte, error) {
	n, err := readPrefix(r.src, r.offset, r.s.limits.MaxMessageBytes)
	if err != nil {
		return nil, err
	}
	buf := r.buf
	if r.s.alias {
		buf = nil
	}
	for have := 0; have < n; {
		if have == len(buf) {
			grown := make([]byte, min(n, max(2*have, firstRead)))
			copy(grown, buf[:have])
			buf = grown
		}
		got, err := readFull(r.src, buf[have:min(n, len(buf))])
		have += got
		if err != nil {
			return nil, &FrameError{Offset: r.offset, Length: int64(n), Err: truncated(err)}
		}
	}
	r.buf = buf
	return buf[:n], nil
}

// readPrefix returns the payload length of the next frame. The error is io.EOF where
// src has ended before its first byte.
func readPrefix(src io.Reader, offset int64, maxBytes int) (int, error) {
	var prefix [wire.PrefixBytes]byte
	got, err := readFull(src, prefix[:])
	switch {
	case err == io.EOF && got == 0: //nolint:errorlint // a reader returns io.EOF itself
		return 0, io.EOF
	case err != nil:
		return 0, &FrameError{Offset: offset, Length: -1, Err: truncated(err)}
	}
	n := binary.BigEndian.Uint32(prefix[:])
	if uint64(n) > uint64(maxBytes) {
		return 0, &FrameError{Offset: offset, Length: int64(n), Err: ErrTooLarge}
	}
	return int(n), nil
}

// truncated turns the end of a source inside a frame into ErrTruncated.
func truncated(err error) error {
	if err == io.EOF { //nolint:errorlint // a reader returns io.EOF itself
		return ErrTruncated
	}
	return err
}

// emptyReads is the number of reads in a row that may return nothing.
const emptyReads = 100

// checkedReader turns a count that no Read may return into an error: bufio panics.
type checkedReader struct{ io.Reader }

func (r checkedReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n < 0 || n > len(b) {
		return 0, errCount(n)
	}
	return n, err
}

func errCount(n int) error {
	return fmt.Errorf("flinkser: source returned an invalid count of %d bytes", n)
}

// readFull fills b. Unlike io.ReadFull it gives up on a source that keeps returning
// nothing, with io.ErrNoProgress, and leaves io.EOF as it is.
func readFull(src io.Reader, b []byte) (int, error) {
	have, empty := 0, 0
	for have < len(b) {
		got, err := src.Read(b[have:])
		if got < 0 || got > len(b)-have {
			return have, errCount(got)
		}
		have += got
		switch {
		case have == len(b):
			return have, nil
		case err != nil:
			return have, err
		case got > 0:
			empty = 0
		default:
			if empty++; empty == emptyReads {
				return have, io.ErrNoProgress
			}
		}
	}
	return have, nil
}

// Writer writes frames to a stream. It has memory of its own, as large as the largest
// frame so far, and is not for concurrent use.
type Writer[M proto.Message] struct {
	s   *Serializer[M]
	dst io.Writer
	buf []byte
	err error
}

// NewWriter returns a writer of frames to dst. Where an option is wrong, every call of
// Write returns what New would have returned.
func NewWriter[M proto.Message](dst io.Writer, opts ...Option) *Writer[M] {
	s, err := New[M](opts...)
	return &Writer[M]{s: s, dst: dst, err: err}
}

// Write writes the frame of m, in one call of the destination's Write. A message that is
// refused, with an *EncodeError, leaves the destination as it was, and the next message
// may follow. After an error of the destination itself, all further calls return that
// error: how much of the frame has arrived is not known.
func (w *Writer[M]) Write(m M) error {
	if w.s == nil && w.err == nil {
		w.err = errNotMade
	}
	if w.err != nil {
		return w.err
	}
	frame, err := w.s.Append(w.buf[:0], m)
	if err != nil {
		return err
	}
	w.buf = frame
	n, err := w.dst.Write(frame)
	if err == nil && n < len(frame) {
		err = io.ErrShortWrite
	}
	w.err = err
	return err
}

// copyBuffers holds the buffers of CopyFrame.
var copyBuffers = sync.Pool{New: func() any { return new([4096]byte) }}

// CopyFrame moves one frame from src to dst without looking at its payload, and returns
// the number of bytes written. Only the size limit of limits counts. The error is io.EOF
// where src has ended before the frame, and a *FrameError where its length is above the
// limit, then nothing has been written, or where src ends inside it. Errors of dst are
// returned as they are, io.ErrShortWrite among them, and then as in a *FrameError of a
// truncated frame a part of the frame has been written. Limits out of their range are an
// *OptionError. It takes nothing from src beyond the frame and may be called by several
// goroutines for different streams. The Offset of its errors is 0.
func CopyFrame(dst io.Writer, src io.Reader, limits Limits) (int64, error) {
	limits, err := limits.resolve()
	if err != nil {
		return 0, err
	}
	n, err := readPrefix(src, 0, limits.MaxMessageBytes)
	if err != nil {
		return 0, err
	}
	buf := copyBuffers.Get().(*[4096]byte)
	defer copyBuffers.Put(buf)
	binary.BigEndian.PutUint32(buf[:], uint32(n))
	fill := wire.PrefixBytes // bytes of the prefix that are still to be written
	var written int64
	for left := n; ; {
		chunk := min(left, len(buf)-fill)
		got, err := readFull(src, buf[fill:fill+chunk])
		if fill+got > 0 {
			put, writeErr := dst.Write(buf[:fill+got])
			written += int64(put)
			if writeErr == nil && put < fill+got {
				writeErr = io.ErrShortWrite
			}
			if writeErr != nil {
				return written, writeErr
			}
		}
		if err != nil {
			return written, &FrameError{Length: int64(n), Err: truncated(err)}
		}
		fill = 0
		if left -= chunk; left == 0 {
			return written, nil
		}
	}
}
