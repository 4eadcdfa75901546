package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/flinkser/flinkser/golden/recursive"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/differ"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/wire"
)

// The tests of this file are about large contents under many levels, of which the lengths
// are written last: see runtime/wire/gaps.go.

// edges are sizes around which the length of something takes another number of bytes, or
// a message another way.
var edges = []int{1, 127, 128, 16383, 16384, 58253, 65535, 65536, 2097151, 2097152}

// blob returns an unknown field of n bytes with its tag and length, for n of 3 bytes and
// more where its length has one, and so on.
func blob(n int) []byte {
	for width := 1; ; width++ {
		size := n - 2 - width // the tag of field 999 takes two bytes
		if size <= 0 || protowire.SizeVarint(uint64(size)) <= width {
			b := protowire.AppendTag(nil, 999, protowire.BytesType)
			b = protowire.AppendVarint(b, uint64(max(size, 0)))
			return append(b, make([]byte, max(size, 0))...)
		}
	}
}

// chainLinks are the ways in which one level of a chain can hold the next one.
var chainLinks = map[string]func(child *recursive.Node, level int) *recursive.Node{
	"next": func(n *recursive.Node, _ int) *recursive.Node { return &recursive.Node{Next: n} },
	"oneof": func(n *recursive.Node, _ int) *recursive.Node {
		return &recursive.Node{Kind: &recursive.Node_Alt{Alt: n}}
	},
	"map": func(n *recursive.Node, _ int) *recursive.Node {
		return &recursive.Node{Kids: map[string]*recursive.Node{"k": n}}
	},
	"list": func(n *recursive.Node, _ int) *recursive.Node { return &recursive.Node{List: []*recursive.Node{n}} },
	"siblings": func(n *recursive.Node, level int) *recursive.Node {
		small := &recursive.Node{Kids: map[string]*recursive.Node{"": {}, "b": {Id: 1}}}
		m := &recursive.Node{Id: int32(level), Maybe: small, Labels: map[int32]string{-1: "x", 1: "y"}}
		m.Next = &recursive.Node{List: []*recursive.Node{{}, small}}
		switch level % 3 {
		case 0:
			m.List = []*recursive.Node{small, n, {}, small}
		case 1:
			m.Kids = map[string]*recursive.Node{"a": small, "b": n, "c": small}
		default:
			m.Next, m.List = n, []*recursive.Node{m.Next, small}
		}
		return m
	},
	"large siblings": func(n *recursive.Node, level int) *recursive.Node {
		large := &recursive.Node{Kind: &recursive.Node_Leaf{Leaf: strings.Repeat("x", 16384+level)}}
		return &recursive.Node{Next: large, List: []*recursive.Node{large, {Id: 1}, n, large, {}}}
	},
}

func TestDeepChains(t *testing.T) {
	levels := []int{1, 8, 9, 32, 98}
	eachForm(t, func(t *testing.T, f form) {
		for name, link := range chainLinks {
			for _, size := range edges {
				for _, n := range levels {
					if size > 1<<20 && n != 9 && n != 98 {
						continue
					}
					if name == "map" || name == "siblings" {
						n /= 2 // an entry is a level, too
					}
					m := &recursive.Node{Id: 5}
					m.ProtoReflect().SetUnknown(blob(size))
					for level := range n {
						m = link(m, level)
					}
					want, err := differ.Reference(m)
					if err != nil {
						t.Fatal(err)
					}
					if err := checkDeep(f.of(m), want); err != nil {
						t.Fatalf("%s, %d levels, %d bytes: %v", name, n, size, err)
					}
				}
			}
		}
	})
}

// checkDeep checks that m is written as want in the usual way, and with gaps whether it needs
// them or not, and that its size is limited exactly.
func checkDeep(m proto.Message, want []byte) error {
	limits := flinkser.Limits{MaxMessageBytes: len(want), RecursionLimit: 100}
	exact, err := flinkser.New[proto.Message](flinkser.WithLimits(limits), flinkser.WithDeterministic())
	if err != nil {
		return err
	}
	dst := make([]byte, 5, 5+len(want)/2)
	got, err := exact.Append(dst, m)
	if err != nil || !bytes.Equal(got[5+wire.PrefixBytes:], want) || !bytes.Equal(got[:5], dst) {
		return fmt.Errorf("frame of %d bytes for %d, %w", len(got)-5, len(want), err)
	}
	// Now there is room behind the frame.
	got, err = exact.AppendPayload(got[:1], m)
	if err != nil || !bytes.Equal(got[1:], want) {
		return fmt.Errorf("payload of %d bytes for %d, %w", len(got)-1, len(want), err)
	}
	for _, room := range []int{0, len(want), 2*len(want) + 200} {
		e := wire.NewEncoder(len(want))
		e.Deterministic = true
		b, i := wire.AppendDeep(&e, make([]byte, room), 0, limits.RecursionLimit, m)
		if i < 0 || !bytes.Equal(b[:i], want) {
			return fmt.Errorf("with gaps, room for %d: index %d for %d", room, i, len(want))
		}
	}
	if limits.MaxMessageBytes--; limits.MaxMessageBytes < 1 {
		return nil
	}
	small, err := flinkser.New[proto.Message](flinkser.WithLimits(limits))
	if err != nil {
		return err
	}
	got, err = small.Append(dst, m)
	var failed *flinkser.EncodeError
	if !errors.As(err, &failed) || !errors.Is(err, flinkser.ErrTooLarge) || failed.Field != "" || !bytes.Equal(got, make([]byte, 5)) {
		return fmt.Errorf("a byte less: %d bytes, %w", len(got), err)
	}
	e := wire.NewEncoder(limits.MaxMessageBytes)
	if _, i := wire.AppendDeep(&e, nil, 0, limits.RecursionLimit, m); i != wire.FailSize {
		return fmt.Errorf("with gaps, a byte less: index %d", i)
	}
	return nil
}

// TestDeepTypes writes chains of other types, those of which the length is taken to be
// short among them.
func TestDeepTypes(t *testing.T) {
	for name, link := range map[string]func(level int, below proto.Message) proto.Message{
		"chain": func(_ int, below proto.Message) proto.Message {
			next, _ := below.(*recursive.Chain)
			return &recursive.Chain{Next: next}
		},
		"two types": func(level int, below proto.Message) proto.Message {
			switch below := below.(type) {
			case *recursive.Ping:
				return &recursive.Pong{S: "s", Pings: []*recursive.Ping{{N: 1}, below, {Pong: &recursive.Pong{}}}}
			case *recursive.Pong:
				return &recursive.Ping{N: int32(level), Pong: below}
			}
			return &recursive.Ping{}
		},
		"two types, oneof": func(_ int, below proto.Message) proto.Message {
			switch below := below.(type) {
			case *recursive.ChoiceLeft:
				return &recursive.ChoiceRight{O: &recursive.ChoiceRight_Left{Left: below}}
			case *recursive.ChoiceRight:
				return &recursive.ChoiceLeft{O: &recursive.ChoiceLeft_Right{Right: below}}
			}
			return &recursive.ChoiceLeft{}
		},
		"without generated code": func(_ int, below proto.Message) proto.Message {
			below, ok := below.(*structpb.Value)
			if !ok {
				return structpb.NewNullValue()
			}
			return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewBoolValue(true), below.(*structpb.Value), {}}})
		},
	} {
		for _, levels := range []int{1, 9, 49} {
			for _, size := range edges {
				m := link(0, nil)
				m.ProtoReflect().SetUnknown(blob(size))
				for level := range levels {
					m = link(level, m)
				}
				if v, ok := m.(*structpb.Value); ok {
					m = &wellknown.Mixed{Fields: &wellknown.Fields{Value: v}, Name: "n"}
				}
				want, err := differ.Reference(m)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range forms {
					if err := checkDeep(f.of(m), want); err != nil {
						t.Fatalf("%s, %s, %d levels, %d bytes: %v", name, f.name, levels, size, err)
					}
				}
			}
		}
	}
}

// TestDeepLists writes lists of children that need other widths than the ones before, in
// the lowest of many levels.
func TestDeepLists(t *testing.T) {
	growing := []int{0, 10, 200, 20_000, 70_000, 2_100_000, 2_100_000}
	shrinking := slices.Clone(growing)
	slices.Reverse(shrinking)
	for name, sizes := range map[string][]int{
		"growing": growing, "shrinking": shrinking, "in turn": {70_000, 10, 70_000, 200, 2_100_000, 20_000, 0, 16_384, 127, 128},
	} {
		for _, levels := range []int{0, 12, 90} {
			list := new(recursive.Node)
			for i, size := range sizes {
				child := &recursive.Node{Id: int32(i)}
				if size > 0 {
					child.ProtoReflect().SetUnknown(blob(size))
				}
				list.List = append(list.List, child, &recursive.Node{List: []*recursive.Node{child, {}}})
			}
			m := list
			for range levels {
				m = &recursive.Node{List: []*recursive.Node{{}, m, {Id: 1}}}
			}
			want, err := differ.Reference(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range forms {
				if err := checkDeep(f.of(m), want); err != nil {
					t.Errorf("%s, %s, %d levels: %v", name, f.name, levels, err)
				}
			}
		}
	}
}

// growth makes random trees that are deep and large.
type growth struct {
	*rand.Rand
	bytes int // that are left
}

// message fills m, with levels below it along one path.
func (g *growth) message(m protoreflect.Message, levels int) {
	var holders []protoreflect.FieldDescriptor
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		switch {
		case fd.Message() != nil && (!fd.IsMap() || fd.MapValue().Message() != nil):
			holders = append(holders, fd)
		case g.IntN(3) == 0 && fd.Kind() == protoreflect.StringKind && !fd.IsList():
			m.Set(fd, protoreflect.ValueOfString(strings.Repeat("x", g.size())))
		case g.IntN(3) == 0 && fd.Kind() == protoreflect.BytesKind && !fd.IsList():
			m.Set(fd, protoreflect.ValueOfBytes(make([]byte, g.size())))
		case g.IntN(8) == 0 && fd.IsList() && fd.IsPacked() && fd.Kind() == protoreflect.Int32Kind:
			for range g.size() / 4 {
				m.Mutable(fd).List().Append(protoreflect.ValueOfInt32(int32(g.Uint32())))
			}
		}
	}
	if n := g.size(); n > 0 && g.IntN(4) == 0 {
		m.SetUnknown(blob(n))
	}
	if len(holders) == 0 || levels < 2 {
		return
	}
	for range g.IntN(3) {
		g.child(m, holders[g.IntN(len(holders))], g.IntN(3))
	}
	for range 10 {
		if g.child(m, holders[g.IntN(len(holders))], levels) { // a oneof keeps the last one that is set
			break
		}
	}
	for range g.IntN(2) {
		if fd := holders[g.IntN(len(holders))]; fd.IsList() || fd.IsMap() {
			g.child(m, fd, g.IntN(3))
		}
	}
}

// child adds a message with its own levels to field fd of m, and reports whether there can
// be more below.
func (g *growth) child(m protoreflect.Message, fd protoreflect.FieldDescriptor, levels int) bool {
	switch {
	case fd.IsMap():
		for k := range 1 + g.IntN(3) {
			v := m.Mutable(fd).Map().NewValue()
			if k == 0 {
				g.message(v.Message(), levels-2)
			}
			m.Mutable(fd).Map().Set(g.key(fd.MapKey()), v)
		}
		return fd.MapValue().Message().Fields().Len() > 0
	case fd.IsList():
		for k := range 1 + g.IntN(3) {
			v := m.Mutable(fd).List().NewElement()
			if k == 0 {
				g.message(v.Message(), levels-1)
			}
			m.Mutable(fd).List().Append(v)
		}
	default:
		g.message(m.Mutable(fd).Message(), levels-1)
	}
	return fd.Message().Fields().Len() > 0
}

func (g *growth) key(fd protoreflect.FieldDescriptor) protoreflect.MapKey {
	n := g.Uint64N(100)
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(fmt.Sprint(n)).MapKey()
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n%2 == 0).MapKey()
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(n) - 50).MapKey()
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(n) - 50).MapKey()
	}
	return protoreflect.ValueOfUint64(n).MapKey()
}

// size returns how much to put somewhere.
func (g *growth) size() int {
	n := g.IntN(20)
	if g.IntN(4) == 0 {
		n = edges[g.IntN(len(edges)-2)] + g.IntN(9) - 4
	}
	if n = max(0, n); n > g.bytes {
		return 0
	}
	g.bytes -= n
	return n
}

func TestDeepTrees(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 6
	}
	for i, name := range []string{
		"golden.recursive.Node", "golden.recursive.Chain", "golden.recursive.Ping", "golden.recursive.MapLeft", "golden.recursive.ChoiceLeft",
		"golden.recursive.RingA", "golden.recursive.Tree", "golden.recursive.Value", "cases.t3.Rec", "cases.t3.All", "golden.wellknown.Mixed",
		"google.protobuf.Struct",
	} {
		gaps := 0
		for round := range rounds {
			g := &growth{Rand: newRand(uint64(i*1000 + round)), bytes: 600_000}
			m := typeOf(t, name).New().Interface()
			g.message(m.ProtoReflect(), 2+g.IntN(97))
			want := differ.Canonical(nil, m.ProtoReflect())
			if len(want) == 0 {
				continue
			}
			e := wire.NewEncoder(len(want))
			e.Levels = 100
			if _, code := wire.AppendMessage(&e, nil, 0, 100, m); code == wire.FailRetry {
				gaps++
			}
			for _, f := range forms {
				if err := checkDeep(f.of(m), want); err != nil {
					t.Fatalf("%s, %s, round %d, %d bytes: %v", name, f.name, round, len(want), err)
				}
			}
		}
		t.Logf("%s: %d of %d are written twice", name, gaps, rounds)
	}
}

// deepNode returns a message with a content of n bytes under some levels.
func deepNode(levels, n int) *recursive.Node {
	m := new(recursive.Node)
	m.ProtoReflect().SetUnknown(blob(n))
	for range levels {
		m = &recursive.Node{Next: m}
	}
	return m
}

// TestDeepFailures checks that what is wrong behind a large content is found, with its
// place.
func TestDeepFailures(t *testing.T) {
	bad := &recursive.Node{List: []*recursive.Node{deepNode(0, 1), {Kind: &recursive.Node_Leaf{Leaf: "\xff"}}}}
	tooDeep := &recursive.Node{List: []*recursive.Node{deepNode(99, 0)}}
	for _, c := range []struct {
		m     *recursive.Node
		field string
		err   error
	}{
		{bad, "maybe.list[1].leaf", flinkser.ErrInvalidUTF8},
		{tooDeep, "maybe.list[0]" + strings.Repeat(".next", 29), flinkser.ErrDepth},
	} {
		for _, f := range forms {
			m := &recursive.Node{Next: deepNode(98, 200_000), Maybe: c.m}
			dst := []byte("before")
			got, err := serializer(t).Append(dst, f.of(m))
			var failed *flinkser.EncodeError
			if !errors.As(err, &failed) || !errors.Is(err, c.err) || !strings.HasPrefix(failed.Field, c.field) || string(got) != "before" {
				t.Errorf("%s: %q, %v, want field %s", f.name, got, err, c.field)
			}
		}
	}
}

// TestDeepOneSerializer writes deep messages of several goroutines with one serializer.
func TestDeepOneSerializer(t *testing.T) {
	s := serializer(t)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for round := range 10 {
				m := deepNode(9+20*g, 60_000+1000*round)
				want, err := differ.Reference(m)
				if err != nil {
					t.Error(err)
				}
				if got, err := s.AppendPayload(nil, m); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%d bytes, want %d, %v", len(got), len(want), err)
				}
			}
		})
	}
	wg.Wait()
}

// TestDeepMemory checks that the way for deep messages takes memory in proportion to the
// levels, beside that of the result.
func TestDeepMemory(t *testing.T) {
	const size = 8 << 20
	for _, levels := range []int{98, 9_000} {
		m := deepNode(levels, size)
		s := serializer(t, flinkser.WithLimits(flinkser.ProtobufLimits))
		dst, err := s.AppendPayload(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		roomy := make([]byte, 0, len(dst)+1000)
		if n := allocated(func() { _, err = s.AppendPayload(roomy, m) }); err != nil || n > 256*uint64(levels)+4096 {
			t.Errorf("%d levels: %d bytes with room enough, %v", levels, n, err)
		}
		flat := allocated(func() { _, err = s.AppendPayload(nil, deepNode(1, size)) })
		if n := allocated(func() { _, err = s.AppendPayload(nil, m) }); err != nil || n > flat+size+1<<21+256*uint64(levels) {
			t.Errorf("%d levels: %d bytes, one level %d, %v", levels, n, flat, err)
		}
	}
}
