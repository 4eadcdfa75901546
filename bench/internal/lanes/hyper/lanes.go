// Package hyper holds the lanes of hyperpb, a reader without generated code whose messages are
// read-only and lie in an arena.
package hyper

import (
	"strings"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/lanes/reflected"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// faults are those that the gate has found in version 0.1.3. No record that is measured shows them.
const faults = "strings with characters from U+F0000 on are refused; 64-bit integers in a oneof lose their upper half"

func noFault[L any](*L) bool { return false }

func faultyRecord(r *suite.Record) bool {
	return strings.ContainsFunc(r.Name, func(c rune) bool { return c >= 0xF0000 })
}

func faultyBatch(b *suite.Batch) bool {
	for _, rs := range b.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				for _, kv := range s.Attributes {
					if kv.Value != nil && kv.Value.Int>>32 != 0 {
						return true
					}
				}
			}
		}
	}
	return false
}

// Lanes returns the lanes.
func Lanes() []suite.Lane {
	lane := func(name string, m mode) suite.Lane {
		return suite.Lane{
			Name: name, Role: "protobuf peer", Library: "buf.build/go/hyperpb", Immutable: true, Faults: faults,
			Checks: suite.Checks{UTF8: true, Unknown: true}, Workloads: bind(m),
		}
	}
	plain := lane("hyperpb", mode{})
	plain.Core = true
	alias := lane("hyperpb-alias", mode{options: []hyperpb.UnmarshalOption{hyperpb.WithAllowAlias(true)}})
	alias.OptIn, alias.SharesInput = true, true
	profiled := lane("hyperpb-pgo", mode{profiled: true})
	profiled.OptIn, profiled.Core = true, true
	delete(profiled.Workloads, suite.Social)
	profiled.Unsupported = map[string]string{
		suite.Social: "the gate fails: version 0.1.3 reads repeated strings wrong when it has a profile",
	}
	return []suite.Lane{plain, alias, profiled}
}

// mode is a way to use the library.
type mode struct {
	options  []hyperpb.UnmarshalOption
	profiled bool // the type is compiled again with a profile of the workload's records
}

func bind(m mode) map[string]suite.Bound {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		records := suite.Records(w)
		all[w] = suite.Bind(func() (suite.Type[suite.Record, *hyperpb.Message], error) {
			return messages(m, buildRecord, infallible(valueOfRecord), records, faultyRecord)
		}, records)
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, *hyperpb.Message], error) {
		return messages(m, buildPost, infallible(valueOfPost), suite.Posts, noFault)
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, *hyperpb.Message], error) {
		return messages(m, buildBatch, valueOfBatch, suite.Batches, faultyBatch)
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, *hyperpb.Message], error) {
		return messages(m, buildWide, infallible(valueOfWide), suite.Wides, noFault)
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

// messages makes the lane of one message type. The generated messages are on the way from a value and
// back, which is not timed.
func messages[L, T any, M pointer[T]](
	mode mode, build func(*L) M, value func(M) (*L, error), records func() []L, faulty func(*L) bool,
) (suite.Type[L, *hyperpb.Message], error) {
	t := hyperpb.CompileMessageDescriptor(M(new(T)).ProtoReflect().Descriptor())
	if mode.profiled {
		var err error
		if t, err = compileAgain(t, build, records()); err != nil {
			return suite.Type[L, *hyperpb.Message]{}, err
		}
	}
	decode := func(frame []byte, m *hyperpb.Message) (*hyperpb.Message, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		return m, m.Unmarshal(b, mode.options...)
	}
	lib := suite.Type[L, *hyperpb.Message]{
		Build: func(v *L) (*hyperpb.Message, error) {
			b, err := proto.Marshal(build(v))
			if err != nil {
				return nil, err
			}
			m := hyperpb.NewMessage(t)
			return m, m.Unmarshal(b)
		},
		Value: func(m *hyperpb.Message) (*L, error) {
			b, err := proto.Marshal(m)
			if err != nil {
				return nil, err
			}
			g := M(new(T))
			if err := proto.Unmarshal(b, g); err != nil {
				return nil, err
			}
			return value(g)
		},
		// Through reflection of google.golang.org/protobuf, for the gate.
		Append: func(dst []byte, m *hyperpb.Message) ([]byte, error) {
			start := len(dst)
			dst, err := proto.MarshalOptions{}.MarshalAppend(append(dst, 0, 0, 0, 0), m)
			if err != nil {
				return dst, err
			}
			suite.PutPrefix(dst[start:])
			return dst, nil
		},
		Decode:     func(frame []byte) (*hyperpb.Message, error) { return decode(frame, hyperpb.NewMessage(t)) },
		CopyStream: suite.CopyFrame,
		Read:       func(m *hyperpb.Message) uint64 { return reflected.Read(m) },
		Protobuf:   true,
		AnyOrder:   true,
		Faulty:     faulty,
		Unsupported: map[string]string{
			suite.ObjectCopy:      "messages are read-only and lie in an arena; there is no copy",
			suite.ObjectCopyReuse: "messages are read-only and lie in an arena; there is no copy",
		},
	}
	for _, op := range []string{suite.Serialize, suite.SerializeSameInstance, suite.BuildAndSerialize} {
		lib.Unsupported[op] = "the library only reads"
	}
	// The arena of the message before is what is used again.
	lib.Reuse = func(frame []byte, used *hyperpb.Message) (*hyperpb.Message, error) {
		shared := used.Shared()
		shared.Free()
		return decode(frame, shared.NewMessage(t))
	}
	return lib, nil
}

// compileAgain records how the records look and compiles the type for them.
func compileAgain[L any, M proto.Message](t *hyperpb.MessageType, build func(*L) M, records []L) (*hyperpb.MessageType, error) {
	profile := t.NewProfile()
	shared := new(hyperpb.Shared)
	for i := range records {
		b, err := proto.Marshal(build(&records[i]))
		if err != nil {
			return nil, err
		}
		if err := shared.NewMessage(t).Unmarshal(b, hyperpb.WithRecordProfile(profile, 1)); err != nil {
			return nil, err
		}
		shared.Free()
	}
	return t.Recompile(profile), nil
}
