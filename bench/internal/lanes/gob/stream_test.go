package gob

import (
	"bytes"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/lanes/gob/gobtypes"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// TestAfterError reads a record after one that could not be read.
func TestAfterError(t *testing.T) {
	lane, err := oneStream(gobtypes.Posts(), gobtypes.ResetPost)
	if err != nil {
		t.Fatal(err)
	}
	post := &suite.Posts()[0]
	m, err := lane.Build(post)
	if err != nil {
		t.Fatal(err)
	}
	b, err := lane.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	for n := range b {
		if _, err := lane.Decode(b[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are read", n, len(b))
		}
		if _, _, err := copyRecord(nil, b[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are copied as a record", n, len(b))
		}
	}
	m, err = lane.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := lane.Value(m); err != nil || !suite.Equal(got, post) {
		t.Errorf("after errors, the record is %+v, error %v", got, err)
	}
}

func TestUnsigned(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		n    uint64
		rest []byte
		ok   bool
	}{
		{[]byte{7, 1}, 7, []byte{1}, true},
		{[]byte{0xfe, 1, 0, 9}, 256, []byte{9}, true},
		{[]byte{0xf8, 1, 2, 3, 4, 5, 6, 7, 8}, 0x0102030405060708, nil, true},
		{[]byte{0xf7, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, nil, false},
		{[]byte{0x80}, 0, nil, false},
		{[]byte{0xfe, 1}, 0, nil, false},
		{nil, 0, nil, false},
	} {
		if n, rest, ok := unsigned(c.in); n != c.n || ok != c.ok || !bytes.Equal(rest, c.rest) {
			t.Errorf("%x is read as %d, with %x behind it, %t", c.in, n, rest, ok)
		}
	}
}
