package main

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// TestAlive measures what is known: a copied string keeps itself, one that shares memory keeps the input.
func TestAlive(t *testing.T) {
	m := &recordpb.Record{Name: "0123456789abcdef", Payload: make([]byte, 100_000)}
	name := func(m *recordpb.Record) any { return m.Name }
	for _, tt := range []struct {
		what        string
		options     []flinkser.Option
		least, most int
	}{
		// The string, the header that the interface points to, and what the heap adds.
		{"copied", nil, 16, 200},
		{"shared", []flinkser.Option{flinkser.WithAliasing()}, 100_000, 120_000},
	} {
		s, err := flinkser.New[*recordpb.Record](tt.options...)
		if err != nil {
			t.Fatal(err)
		}
		frame, err := s.Append(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		decode := func(b []byte, m *recordpb.Record) error { _, err := s.Decode(b, m); return err }
		got, err := alive(frame, decode, name)
		if err != nil || got < tt.least || got > tt.most {
			t.Errorf("%s: %d bytes stay alive, error %v; want %d to %d", tt.what, got, err, tt.least, tt.most)
		}
		whole, err := alive(frame, decode, func(m *recordpb.Record) any { return m })
		if err != nil || whole < 100_000 {
			t.Errorf("%s: %d bytes for the whole message, error %v", tt.what, whole, err)
		}
	}
	_, err := alive(nil, func([]byte, *recordpb.Record) error { return proto.Error }, name)
	if err == nil {
		t.Error("an error is lost")
	}
}
