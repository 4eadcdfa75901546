// Package ours holds the lanes of this project's generated code: the default, and the modes that a
// user has to ask for.
package ours

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/suite"
	pb "github.com/flinkser/flinkser/bench/pb/ours"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// checks are those of all modes.
var checks = suite.Checks{UTF8: true, Depth: true, Size: true, Required: true, Unknown: true}

// Lanes returns the lanes.
func Lanes() []suite.Lane {
	lane := func(name string, m mode) suite.Lane {
		return suite.Lane{
			Name: name, Role: "native", Library: "github.com/flinkser/flinkser", Version: "this tree", Checks: checks, Core: true,
			Workloads: bind(m),
		}
	}
	safe := lane("ours", mode{})
	reuse := lane("ours-reuse", mode{options: []flinkser.Option{flinkser.WithReuse()}, copies: true, other: []string{suite.DeserializeReuse, suite.ObjectCopyReuse}})
	reuse.OptIn = true
	alias := lane("ours-alias", mode{
		options: []flinkser.Option{flinkser.WithAliasing()},
		other:   []string{suite.Deserialize, suite.DeserializeReuse, suite.DecodeAndRead},
	})
	alias.OptIn, alias.SharesInput = true, true
	sorted := lane("ours-deterministic", mode{options: []flinkser.Option{flinkser.WithDeterministic()}})
	sorted.OptIn, sorted.Deterministic = true, "ours"
	return []suite.Lane{safe, reuse, alias, sorted}
}

// mode is a way to use a serializer.
type mode struct {
	options []flinkser.Option

	// copies says that a copy onto a used message goes through bytes, since reading uses again
	// what the message holds. Otherwise it is a new message: there is no such copy of its own.
	copies bool

	other []string // operations in which it differs from the default; empty: all of them
}

func bind(m mode) map[string]suite.Bound {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(func() (suite.Type[suite.Record, *pb.Record], error) {
			return messages(m, infallible(buildRecord), infallible(valueOfRecord), readRecord, mutateRecord)
		}, suite.Records(w))
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, *pb.Post], error) {
		return messages(m, infallible(buildPost), infallible(valueOfPost), readPost, mutatePost)
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, *pb.Batch], error) {
		return messages(m, infallible(buildBatch), valueOfBatch, readBatch, mutateBatch)
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, *pb.Wide], error) {
		return messages(m, infallible(buildWide), infallible(valueOfWide), readWide, mutateWide)
	}, suite.Wides)
	return all
}

func infallible[A, B any](f func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return f(a), nil }
}

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// messages makes the lane of one message type.
func messages[L, T any, M pointer[T]](
	mode mode, build func(*L) (M, error), value func(M) (*L, error), read func(M) uint64, mutate func(M),
) (suite.Type[L, M], error) {
	s, err := flinkser.New[M](append(mode.options, flinkser.RequireGenerated())...)
	if err != nil {
		return suite.Type[L, M]{}, err
	}
	decode := func(frame []byte, m M) (M, error) {
		rest, err := s.Decode(frame, m)
		if err == nil && len(rest) > 0 {
			err = suite.ErrRest
		}
		return m, err
	}
	copyStream := frameCopier(s.Limits())
	t := suite.Type[L, M]{
		Build:      build,
		Value:      value,
		Append:     s.Append,
		Decode:     func(frame []byte) (M, error) { return decode(frame, new(T)) },
		Reuse:      decode, // replaces what the message held
		Clone:      s.Clone,
		CopyStream: copyStream,
		Read:       read,
		Mutate:     mutate,
		Protobuf:   true,

		Unsupported: map[string]string{},
	}
	t.CloneInto = func(_, src M) (M, error) { return s.Clone(src) }
	if mode.copies {
		var scratch []byte
		t.CloneInto = func(dst, src M) (M, error) {
			var err error
			if scratch, err = s.AppendPayload(scratch[:0], src); err != nil {
				return dst, err
			}
			return dst, s.DecodePayload(scratch, dst)
		}
	}
	for _, op := range suite.Operations() {
		if len(mode.other) > 0 && !slices.Contains(mode.other, op) {
			t.Unsupported[op] = "the same as in the lane ours"
		}
	}
	return t, nil
}

// frameCopier returns the library's copy of a frame from a reader to a writer, between slices.
func frameCopier(limits flinkser.Limits) func(dst, stream []byte) (out, rest []byte, err error) {
	src := new(bytes.Reader)
	sink := new(appender)
	return func(dst, stream []byte) (out, rest []byte, err error) {
		src.Reset(stream)
		sink.b = dst
		n, err := flinkser.CopyFrame(sink, src, limits)
		return sink.b, stream[n:], err
	}
}

// appender is a writer to a slice.
type appender struct{ b []byte }

func (a *appender) Write(b []byte) (int, error) {
	a.b = append(a.b, b...)
	return len(b), nil
}
