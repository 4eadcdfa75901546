package suite

import (
	"bytes"
	"errors"
	"testing"
)

func TestFrames(t *testing.T) {
	frame := []byte{0, 0, 0, 2, 8, 1}
	for _, c := range []struct {
		frame, payload []byte
		err            error
	}{
		{frame, frame[4:], nil},
		{[]byte{0, 0, 0, 0}, []byte{}, nil},
		{frame[:5], nil, ErrShort},
		{frame[:3], nil, ErrShort},
		{append(frame[:6:6], 7), nil, ErrRest},
		{[]byte{0xff, 0xff, 0xff, 0xff, 1}, nil, ErrShort},
	} {
		if b, err := Payload(c.frame); !bytes.Equal(b, c.payload) || !errors.Is(err, c.err) {
			t.Errorf("%x has the payload %x and error %v, want %x and %v", c.frame, b, err, c.payload, c.err)
		}
	}
	out, rest, err := CopyFrame([]byte("x"), append(frame[:6:6], 0, 0))
	if err != nil || string(out) != "x\x00\x00\x00\x02\x08\x01" || !bytes.Equal(rest, []byte{0, 0}) {
		t.Errorf("the copy is %q, the rest %x, the error %v", out, rest, err)
	}
	for _, short := range [][]byte{nil, frame[:3], frame[:5]} {
		if _, _, err := CopyFrame(nil, short); !errors.Is(err, ErrShort) {
			t.Errorf("%x is copied with error %v", short, err)
		}
	}
}
