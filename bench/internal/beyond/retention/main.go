// This program measures how many bytes stay alive because one small field of a message is kept, for each
// way to decode. It prints a table.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/traces"
	trace "github.com/flinkser/flinkser/bench/otlp/trace/v1"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// copies is how many messages are decoded for a row.
const copies = 64

// kept is a field that a program keeps.
type kept[M any] struct {
	name string
	get  func(M) any // what is kept: a string, a pointer
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "retention:", err)
		os.Exit(1)
	}
}

func run() error {
	out := csv.NewWriter(os.Stdout)
	if err := out.Write([]string{"message", "payload_bytes", "kept", "library", "mode", "bytes_kept_alive", "bytes_of_whole_message"}); err != nil {
		return err
	}
	post := corpus.Posts()[0]
	if err := rows(out, "social", post,
		kept[*recordpb.SocialMediaPost]{"a string of 10 bytes", func(m *recordpb.SocialMediaPost) any { return m.AuthorId }},
		kept[*recordpb.SocialMediaPost]{"a string of 10 bytes of a list", func(m *recordpb.SocialMediaPost) any { return m.Likes[3] }},
		kept[*recordpb.SocialMediaPost]{"a child of a list", func(m *recordpb.SocialMediaPost) any { return m.Comments[2] }},
	); err != nil {
		return err
	}
	large := corpus.Records("large")[2]
	if err := rows(out, "large", large,
		kept[*recordpb.Record]{"an optional string", func(m *recordpb.Record) any { return *m.Note }},
		kept[*recordpb.Record]{"the pointer to an optional string", func(m *recordpb.Record) any { return m.Note }},
		kept[*recordpb.Record]{"the only child", func(m *recordpb.Record) any { return m.Child }},
	); err != nil {
		return err
	}
	batch := traces.Batches()[0]
	if err := rows(out, "traces", batch,
		kept[*trace.TracesData]{"a string of an attribute", func(m *trace.TracesData) any {
			return m.ResourceSpans[0].ScopeSpans[0].Spans[3].Attributes[2].GetValue().GetStringValue()
		}},
		kept[*trace.TracesData]{"the value of an attribute, a oneof", func(m *trace.TracesData) any {
			return m.ResourceSpans[0].ScopeSpans[0].Spans[3].Attributes[2].GetValue().GetValue()
		}},
		kept[*trace.TracesData]{"an attribute", func(m *trace.TracesData) any { return m.ResourceSpans[0].ScopeSpans[0].Spans[3].Attributes[2] }},
		kept[*trace.TracesData]{"a trace ID of 16 bytes", func(m *trace.TracesData) any { return m.ResourceSpans[0].ScopeSpans[0].Spans[3].TraceId }},
	); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// mode is a way to decode.
type mode[M any] struct {
	library, name string
	decode        func(frame []byte, m M) error
}

func rows[T any, M pointer[T]](out *csv.Writer, message string, m M, fields ...kept[M]) error {
	var modes []mode[M]
	var frame []byte
	for _, option := range []struct {
		name    string
		options []flinkser.Option
	}{
		{"default", nil},
		{"WithReuse, a message for each", []flinkser.Option{flinkser.WithReuse()}},
		{"WithAliasing", []flinkser.Option{flinkser.WithAliasing()}},
	} {
		s, err := flinkser.New[M](option.options...)
		if err != nil {
			return err
		}
		if frame, err = s.Append(nil, m); err != nil {
			return err
		}
		modes = append(modes, mode[M]{"flinkser", option.name, func(b []byte, m M) error {
			_, err := s.Decode(b, m)
			return err
		}})
	}
	modes = append(modes, mode[M]{"google.golang.org/protobuf", "default", func(b []byte, m M) error {
		return proto.Unmarshal(b[4:], m)
	}})
	for _, f := range fields {
		for _, mode := range modes {
			part, err := alive(frame, mode.decode, f.get)
			if err != nil {
				return err
			}
			whole, err := alive(frame, mode.decode, func(m M) any { return m })
			if err != nil {
				return err
			}
			err = out.Write([]string{message, strconv.Itoa(len(frame) - 4), f.name, mode.library, mode.name, strconv.Itoa(part), strconv.Itoa(whole)})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// alive returns how many bytes are alive for each message of which a part is kept. Each is read from
// bytes of its own, as from a stream.
func alive[T any, M pointer[T]](frame []byte, decode func([]byte, M) error, get func(M) any) (int, error) {
	parts := make([]any, copies)
	// What is made at the first time only.
	if err := decode(frame, new(T)); err != nil {
		return 0, err
	}
	before := heap()
	for i := range parts {
		m := M(new(T))
		if err := decode(append([]byte(nil), frame...), m); err != nil {
			return 0, err
		}
		parts[i] = get(m)
	}
	after := heap()
	runtime.KeepAlive(parts)
	if after < before {
		return 0, errors.New("the heap has shrunk: something else was freed")
	}
	return int(after-before) / copies, nil
}

// heap returns the bytes that are alive.
func heap() uint64 {
	// What a finalizer or a pool holds is free after the second collection.
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
