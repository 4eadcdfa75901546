package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/differ"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// needs are the limits that a message takes, worked out in the plainest way.
type needs struct {
	write    int // recursion limit
	read     int // recursion limit, with the groups of unknown fields
	elements int
}

func needsOf(m protoreflect.Message) needs {
	n := needs{read: groupDepth(m.GetUnknown())}
	below := func(c needs, levels int) {
		n.write, n.read = max(n.write, c.write+levels), max(n.read, c.read+levels)
		n.elements += c.elements + levels // a level is a message or a map entry here
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap():
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				if fd.MapValue().Message() != nil {
					below(needsOf(v.Message()), 2)
				} else {
					below(needs{}, 1)
				}
				return true
			})
		case fd.IsList():
			for i := range v.List().Len() {
				switch fd.Kind() {
				case protoreflect.MessageKind, protoreflect.GroupKind:
					below(needsOf(v.List().Get(i).Message()), 1)
				case protoreflect.StringKind, protoreflect.BytesKind:
					n.elements++
				}
			}
		case fd.Message() != nil:
			below(needsOf(v.Message()), 1)
		}
		return true
	})
	return n
}

// groupDepth returns how deep the groups in unknown fields are nested.
func groupDepth(b []byte) int {
	deepest, depth := 0, 0
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		b = b[n:]
		switch typ {
		case protowire.StartGroupType:
			depth++
			deepest = max(deepest, depth)
		case protowire.EndGroupType:
			depth--
		default:
			b = b[protowire.ConsumeFieldValue(num, typ, b):]
		}
	}
	return deepest
}

// TestLimitsExactly gives random messages of every type exactly the limits that they take,
// and one less of each.
func TestLimitsExactly(t *testing.T) {
	for i, mt := range goldenTypes() {
		r := newRand(uint64(i))
		for range 4 {
			m := mt.New().Interface()
			randpb.Message(r, m, randpb.Options{Depth: r.IntN(5), Unknown: r.IntN(3) > 0})
			payload := differ.Canonical(nil, m.ProtoReflect())
			n := needsOf(m.ProtoReflect())
			for _, f := range forms {
				if err := checkLimits(t, f, f.of(m), mt, payload, n, r.IntN(len(payload)+200)); err != nil {
					t.Errorf("%s %s: %+v, %d bytes: %v\n%s", mt.Descriptor().FullName(), f.name, n, len(payload), err, differ.Short(payload))
				}
			}
		}
	}
}

// checkLimits checks m, whose deterministic payload is given, against its limits. room is the
// capacity of the slices that are written to.
func checkLimits(t *testing.T, f form, m proto.Message, mt protoreflect.MessageType, payload []byte, n needs, room int) error {
	exact := flinkser.Limits{MaxMessageBytes: max(len(payload), 1), RecursionLimit: max(n.write, 1)}
	pass := serializer(t, flinkser.WithLimits(exact), flinkser.WithDeterministic())
	out, err := pass.AppendPayload(make([]byte, 0, room), m)
	if err != nil || len(out) != len(payload) {
		return fmt.Errorf("write, room for %d: %d bytes, %w", room, len(out), err)
	}
	if size, err := pass.Size(m); err != nil || size != len(payload) {
		return fmt.Errorf("size: %d, %w", size, err)
	}
	refuse := func(what string, l flinkser.Limits, reason error) error {
		s := serializer(t, flinkser.WithLimits(l))
		if out, err := s.Append(make([]byte, 7, 7+room), m); !errors.Is(err, reason) || len(out) != 7 {
			return fmt.Errorf("write, %s, room for %d: %w", what, room, err)
		}
		if _, err := s.Size(m); !errors.Is(err, reason) {
			return fmt.Errorf("size, %s: %w", what, err)
		}
		if _, err := s.Clone(m); !errors.Is(err, reason) {
			return fmt.Errorf("clone, %s: %w", what, err)
		}
		return nil
	}
	if len(payload) > 1 {
		if err := refuse("a byte less", flinkser.Limits{MaxMessageBytes: len(payload) - 1}, flinkser.ErrTooLarge); err != nil {
			return err
		}
	}
	if n.write > 1 {
		if err := refuse("a level less", flinkser.Limits{RecursionLimit: n.write - 1}, flinkser.ErrDepth); err != nil {
			return err
		}
	}

	for name, opt := range map[string]flinkser.Option{"safe": flinkser.WithLimits(flinkser.Limits{}), "reuse": flinkser.WithReuse(), "merge": flinkser.WithMerge()} {
		read := func(l flinkser.Limits) (proto.Message, error) {
			m := f.empty(mt)
			s := serializer(t, opt, flinkser.WithLimits(l))
			return m, s.DecodePayload(bytes.Clone(payload), m)
		}
		exact := flinkser.Limits{MaxMessageBytes: max(len(payload), 1), RecursionLimit: max(n.read, 1), ElementBudget: max(n.elements, 1)}
		got, err := read(exact)
		if err != nil {
			return fmt.Errorf("read, %s: %w", name, err)
		}
		if !differ.SameBytes(mt.Descriptor(), differ.Canonical(nil, got.ProtoReflect()), payload) {
			return fmt.Errorf("read, %s: got %v", name, got)
		}
		for what, c := range map[string]struct {
			l      flinkser.Limits
			less   bool
			reason error
		}{
			"a byte less":     {flinkser.Limits{MaxMessageBytes: len(payload) - 1}, len(payload) > 1, flinkser.ErrTooLarge},
			"a level less":    {flinkser.Limits{RecursionLimit: n.read - 1}, n.read > 1, flinkser.ErrDepth},
			"an element less": {flinkser.Limits{ElementBudget: n.elements - 1}, n.elements > 1, flinkser.ErrBudget},
		} {
			if !c.less {
				continue
			}
			if _, err := read(c.l); !errors.Is(err, c.reason) {
				return fmt.Errorf("read, %s, %s: %w", name, what, err)
			}
		}
	}
	return nil
}
