package suite

import (
	"encoding/binary"
	"errors"
)

var (
	// ErrShort says that a frame is shorter than its prefix says.
	ErrShort = errors.New("frame is shorter than its prefix says")

	// ErrRest says that something follows a frame.
	ErrRest = errors.New("bytes are left behind the frame")
)

// Payload returns the payload of a frame, for libraries that know no frames. Nothing may follow
// the frame.
func Payload(frame []byte) ([]byte, error) {
	if len(frame) < PrefixBytes {
		return nil, ErrShort
	}
	n := uint(binary.BigEndian.Uint32(frame))
	if n > uint(len(frame)-PrefixBytes) {
		return nil, ErrShort
	}
	if n < uint(len(frame)-PrefixBytes) {
		return nil, ErrRest
	}
	return frame[PrefixBytes:], nil
}

// CopyFrame is Type.CopyStream for frames of this form.
func CopyFrame(dst, stream []byte) (out, rest []byte, err error) {
	if len(stream) < PrefixBytes {
		return dst, stream, ErrShort
	}
	n := uint(binary.BigEndian.Uint32(stream))
	if n > uint(len(stream)-PrefixBytes) {
		return dst, stream, ErrShort
	}
	return append(dst, stream[:PrefixBytes+n]...), stream[PrefixBytes+n:], nil
}
