package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// What version 1 of the format has for constants.
const (
	snapshotClass   = "io.github.flink.gcp.protobuf.ProtobufTypeSerializerSnapshot"
	dynamicClass    = "flinkser.DynamicMessageSnapshot" // of our own: the Java library's is not known
	snapshotVersion = 1
	framing         = 1
	normalization   = 1
)

// Parse reads the snapshot at the start of b, with the class name and version that Flink puts in front of
// it, and returns the bytes behind it. On error it returns b. The error is an *Error.
func Parse(b []byte) (s *Snapshot, rest []byte, err error) { return parseBytes(b, (*decoder).whole) }

// ParsePayload is Parse for a snapshot without the class name and version.
func ParsePayload(b []byte) (s *Snapshot, rest []byte, err error) {
	return parseBytes(b, (*decoder).payload)
}

// ParseDynamicPayload is ParsePayload for a snapshot of dynamic messages.
func ParseDynamicPayload(b []byte) (s *Snapshot, rest []byte, err error) {
	return parseBytes(b, (*decoder).dynamicPayload)
}

// Read is Parse for a stream, from which it takes exactly one snapshot. An error of the reader is
// the cause of the *Error that it returns.
func Read(r io.Reader) (*Snapshot, error) { return readAll(&stream{r: r}, (*decoder).whole) }

// ReadPayload is Read for a snapshot without the class name and version.
func ReadPayload(r io.Reader) (*Snapshot, error) { return readAll(&stream{r: r}, (*decoder).payload) }

func parseBytes(b []byte, form func(*decoder) *Snapshot) (*Snapshot, []byte, error) {
	src := slice(b)
	s, err := readAll(&src, form)
	if err != nil {
		return nil, b, err
	}
	return s, src, nil
}

// source is where bytes come from.
type source interface {
	// take returns the next n bytes, or an error where there are fewer. They are only valid
	// until the next call, and must not be changed.
	take(n int) ([]byte, error)
}

type slice []byte

func (s *slice) take(n int) ([]byte, error) {
	if n > len(*s) {
		return nil, ErrTruncated
	}
	b := (*s)[:n]
	*s = (*s)[n:]
	return b, nil
}

// stream takes memory only as bytes arrive, whatever length the input announces.
type stream struct {
	r   io.Reader
	buf []byte
}

const (
	firstBytes = 4 << 10
	emptyReads = 100 // a reader that gives nothing as often is broken
)

func (s *stream) take(n int) ([]byte, error) {
	have, empty := 0, 0
	for have < n {
		if have == len(s.buf) {
			s.buf = append(make([]byte, 0, max(firstBytes, 2*have)), s.buf...)
			s.buf = s.buf[:cap(s.buf)]
		}
		got, err := s.r.Read(s.buf[have:min(n, len(s.buf))])
		have += got
		switch {
		case have == n:
		case errors.Is(err, io.EOF):
			return nil, ErrTruncated
		case err != nil:
			return nil, err
		case got > 0:
			empty = 0
		default:
			if empty++; empty == emptyReads {
				return nil, io.ErrNoProgress
			}
		}
	}
	return s.buf[:n], nil
}

// decoder reads the parts of a snapshot. Its methods do nothing after an error.
type decoder struct {
	source
	at    int64 // bytes taken so far
	start int64 // where the last part began
	err   error
}

func readAll(src source, form func(*decoder) *Snapshot) (*Snapshot, error) {
	d := &decoder{source: src}
	s := form(d)
	if d.err != nil {
		return nil, &Error{Op: opRead, Offset: d.start, Err: d.err}
	}
	return s, nil
}

// part takes the next n bytes, which are a part of their own.
func (d *decoder) part(n int) []byte {
	if d.err == nil {
		d.start = d.at
	}
	return d.more(n)
}

// more takes the next n bytes of a part.
func (d *decoder) more(n int) []byte {
	if d.err != nil {
		return nil
	}
	var b []byte
	if b, d.err = d.take(n); d.err != nil {
		return nil
	}
	d.at += int64(n)
	return b
}

func (d *decoder) int32() int {
	b := d.part(4)
	if d.err != nil {
		return 0
	}
	return int(int32(binary.BigEndian.Uint32(b)))
}

func (d *decoder) text() string {
	b := d.part(2)
	if d.err != nil {
		return ""
	}
	b = d.more(int(binary.BigEndian.Uint16(b)))
	if d.err != nil {
		return ""
	}
	s, ok := fromJava(b)
	if !ok {
		d.err = ErrText
	}
	return s
}

// check refuses the part that was read at start, unless ok.
func (d *decoder) check(ok bool, start int64, err error) {
	if d.err == nil && !ok {
		d.start, d.err = start, err
	}
}

// version reads an int32 that can only be want.
func (d *decoder) version(want int, sentinel error) {
	n := d.int32()
	d.check(n == want, d.start, because(sentinel, "%d", n))
}

// envelope returns whether the snapshot is one of dynamic messages.
func (d *decoder) envelope() (dynamic bool) {
	class := d.text()
	d.check(class == snapshotClass || class == dynamicClass, d.start, because(ErrEnvelope, "%q", class))
	d.version(snapshotVersion, ErrVersion)
	return class == dynamicClass
}

// whole reads an envelope and the payload that it announces.
func (d *decoder) whole() *Snapshot { return d.form(d.envelope()) }

func (d *decoder) payload() *Snapshot { return d.form(false) }

func (d *decoder) dynamicPayload() *Snapshot { return d.form(true) }

// form makes the checks of section d.4 of the format, in its order. Snapshots of dynamic messages have no class name.
func (d *decoder) form(dynamic bool) *Snapshot {
	d.version(framing, ErrFraming)
	d.version(normalization, ErrNormalization)
	s := Settings{Dynamic: dynamic}
	if !dynamic {
		s.JavaClass = d.text()
	}
	classAt := d.start
	name := d.text()
	d.check(dynamic || s.JavaClass != "", classAt, ErrEmptyClassName)
	d.check(name != "", d.start, ErrEmptyMessageName)
	s.Deterministic = d.flag()
	s.MaxMessageSize = d.int32()
	sizeAt := d.start
	s.RecursionLimit = d.int32()
	d.check(s.MaxMessageSize > 0, sizeAt, because(ErrMaxMessageSize, "%d", s.MaxMessageSize))
	d.check(s.RecursionLimit > 0, d.start, because(ErrRecursionLimit, "%d", s.RecursionLimit))
	return d.schema(s, protoreflect.FullName(name))
}

func (d *decoder) flag() bool {
	b := d.part(1)
	if d.err != nil {
		return false
	}
	d.check(b[0] <= 1, d.start, because(ErrFlag, "%d", b[0]))
	return b[0] == 1
}

// schema reads the descriptors, which is all that is left.
func (d *decoder) schema(settings Settings, root protoreflect.FullName) *Snapshot {
	n := d.int32()
	d.check(n >= 1 && n <= MaxDescriptorBytes, d.start, because(ErrDescriptorLength, "%d", n))
	encoded := d.part(n)
	setAt := d.start
	if _, shared := d.source.(*stream); shared && d.err == nil {
		encoded = bytes.Clone(encoded)
	}
	digest := d.part(sha256.Size)
	if d.err != nil {
		return nil
	}
	sum := sha256.Sum256(encoded)
	d.check(bytes.Equal(sum[:], digest), d.start, ErrDigest)
	if d.err != nil {
		return nil
	}
	d.start = setAt
	set, err := parseSet(encoded)
	if err != nil {
		d.err = err
		return nil
	}
	var s *Snapshot
	if s, d.err = link(set.GetFile(), set.ProtoReflect().GetUnknown(), root); d.err != nil {
		return nil
	}
	s.settings = settings
	return s
}
