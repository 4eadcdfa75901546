package snapshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// A schema is a random file that grows and changes step by step.
type schema struct {
	*rand.Rand
	file *descriptorpb.FileDescriptorProto
}

var scalars = []descriptorpb.FieldDescriptorProto_Type{
	descriptorpb.FieldDescriptorProto_TYPE_DOUBLE, descriptorpb.FieldDescriptorProto_TYPE_FLOAT,
	descriptorpb.FieldDescriptorProto_TYPE_INT64, descriptorpb.FieldDescriptorProto_TYPE_UINT64,
	descriptorpb.FieldDescriptorProto_TYPE_INT32, descriptorpb.FieldDescriptorProto_TYPE_FIXED64,
	descriptorpb.FieldDescriptorProto_TYPE_FIXED32, descriptorpb.FieldDescriptorProto_TYPE_BOOL,
	descriptorpb.FieldDescriptorProto_TYPE_STRING, descriptorpb.FieldDescriptorProto_TYPE_BYTES,
	descriptorpb.FieldDescriptorProto_TYPE_UINT32, descriptorpb.FieldDescriptorProto_TYPE_SFIXED32,
	descriptorpb.FieldDescriptorProto_TYPE_SFIXED64, descriptorpb.FieldDescriptorProto_TYPE_SINT32,
	descriptorpb.FieldDescriptorProto_TYPE_SINT64,
}

// newSchema returns a file with three messages and two enums.
func newSchema(r *rand.Rand) *schema {
	s := &schema{Rand: r, file: &descriptorpb.FileDescriptorProto{Name: proto.String("v.proto"), Package: proto.String("v")}}
	if s.IntN(2) == 0 {
		s.file.Syntax = proto.String("proto3")
	}
	for i := range 3 {
		s.file.MessageType = append(s.file.MessageType, &descriptorpb.DescriptorProto{Name: proto.String(fmt.Sprintf("M%d", i))})
	}
	for i := range 2 {
		s.file.EnumType = append(s.file.EnumType, &descriptorpb.EnumDescriptorProto{
			Name:  proto.String(fmt.Sprintf("E%d", i)),
			Value: []*descriptorpb.EnumValueDescriptorProto{{Name: proto.String(fmt.Sprintf("Z%d", i)), Number: proto.Int32(0)}},
		})
	}
	for range 6 + s.IntN(20) {
		s.try(s.addField)
	}
	return s
}

func (s *schema) proto3() bool { return s.file.Syntax != nil }

func (s *schema) clone() *schema { return &schema{s.Rand, proto.CloneOf(s.file)} }

// snapshot returns the snapshot of M0, or an error where the file is not valid.
func (s *schema) snapshot() (*Snapshot, error) {
	return OfFiles(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{s.file}}, "v.M0", Settings{})
}

// try makes a change, and takes it back where the file is not valid with it.
func (s *schema) try(change func()) bool {
	before := proto.CloneOf(s.file)
	change()
	if _, err := s.snapshot(); err != nil {
		s.file = before
		return false
	}
	return true
}

func (s *schema) message() *descriptorpb.DescriptorProto {
	return s.file.MessageType[s.IntN(len(s.file.MessageType))]
}

func (s *schema) enum() *descriptorpb.EnumDescriptorProto {
	return s.file.EnumType[s.IntN(len(s.file.EnumType))]
}

// field returns a random field of a message that has any.
func (s *schema) field() (*descriptorpb.DescriptorProto, *descriptorpb.FieldDescriptorProto) {
	for range 10 {
		if m := s.message(); len(m.Field) > 0 {
			return m, m.Field[s.IntN(len(m.Field))]
		}
	}
	return nil, nil
}

// settle gives a field a type and a label.
func (s *schema) settle(f *descriptorpb.FieldDescriptorProto) {
	f.TypeName, f.DefaultValue = nil, nil
	switch s.IntN(6) {
	case 0:
		f.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
		f.TypeName = proto.String(".v." + s.message().GetName())
	case 1:
		f.Type = descriptorpb.FieldDescriptorProto_TYPE_ENUM.Enum()
		f.TypeName = proto.String(".v." + s.enum().GetName())
	default:
		f.Type = scalars[s.IntN(len(scalars))].Enum()
	}
	if f.OneofIndex == nil {
		s.label(f)
	}
}

// label gives a field a label that its type allows.
func (s *schema) label(f *descriptorpb.FieldDescriptorProto) {
	f.Label = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
	switch s.IntN(8) {
	case 0, 1:
		f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	case 2:
		// A message that requires itself could not be written.
		if !s.proto3() && f.GetType() != descriptorpb.FieldDescriptorProto_TYPE_MESSAGE {
			f.Label = descriptorpb.FieldDescriptorProto_LABEL_REQUIRED.Enum()
		}
	}
}

func (s *schema) addField() {
	m := s.message()
	n := int32(1 + s.IntN(12))
	f := &descriptorpb.FieldDescriptorProto{Name: proto.String(fmt.Sprintf("f%d", s.IntN(14))), Number: &n}
	if s.IntN(4) == 0 {
		s.intoOneof(m, f)
	}
	s.settle(f)
	m.Field = append(m.Field, f)
}

func (s *schema) intoOneof(m *descriptorpb.DescriptorProto, f *descriptorpb.FieldDescriptorProto) {
	f.Label = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
	if i := s.IntN(len(m.OneofDecl) + 1); i < len(m.OneofDecl) {
		f.OneofIndex = proto.Int32(int32(i))
		return
	}
	f.OneofIndex = proto.Int32(int32(len(m.OneofDecl)))
	m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String(fmt.Sprintf("o%d", s.IntN(6)))})
}

// outOfOneof takes a field out of its oneof, and the oneof away that it leaves empty.
func outOfOneof(m *descriptorpb.DescriptorProto, f *descriptorpb.FieldDescriptorProto) {
	if f.OneofIndex == nil {
		return
	}
	left := f.GetOneofIndex()
	f.OneofIndex, f.Proto3Optional = nil, nil
	for _, other := range m.Field {
		if other.OneofIndex != nil && other.GetOneofIndex() == left {
			return
		}
	}
	m.OneofDecl = slices.Delete(m.OneofDecl, int(left), int(left)+1)
	for _, other := range m.Field {
		if other.OneofIndex != nil && other.GetOneofIndex() > left {
			*other.OneofIndex--
		}
	}
}

func remove(m *descriptorpb.DescriptorProto, f *descriptorpb.FieldDescriptorProto) {
	m.Field = slices.DeleteFunc(m.Field, func(g *descriptorpb.FieldDescriptorProto) bool { return g == f })
	outOfOneof(m, f)
}

func reserve(m *descriptorpb.DescriptorProto, n int32) {
	m.ReservedRange = append(m.ReservedRange, &descriptorpb.DescriptorProto_ReservedRange{Start: proto.Int32(n), End: proto.Int32(n + 1)})
}

// mutate makes one random change that leaves the file valid, of the gentle kinds only if asked.
func (s *schema) mutate(gentle bool) {
	for !s.try(func() { s.change(gentle) }) {
	}
}

func (s *schema) change(gentle bool) {
	kinds := 16
	if gentle {
		kinds = 4
	}
	m, f := s.field()
	e := s.enum()
	if f == nil {
		s.addField()
		return
	}
	switch s.IntN(kinds) {
	case 0:
		s.addField()
	case 1:
		remove(m, f)
		reserve(m, f.GetNumber())
	case 2:
		e.Value = append(e.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(fmt.Sprintf("V%d", s.IntN(9))), Number: proto.Int32(int32(s.IntN(9)))})
	case 3:
		m.ReservedName = append(m.ReservedName, fmt.Sprintf("f%d", s.IntN(14)))
	case 4:
		remove(m, f)
	case 5:
		f.Name = proto.String(fmt.Sprintf("f%d", s.IntN(14)))
	case 6:
		f.Number = proto.Int32(int32(1 + s.IntN(12)))
	case 7, 8:
		s.settle(f)
	case 9:
		outOfOneof(m, f)
		s.label(f)
	case 10:
		outOfOneof(m, f)
		s.intoOneof(m, f)
	case 11:
		if f.OneofIndex == nil && s.proto3() {
			f.Proto3Optional, f.OneofIndex = proto.Bool(true), proto.Int32(int32(len(m.OneofDecl)))
			f.Label = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
			m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String("_" + f.GetName())})
		}
	case 12:
		m.ReservedRange = nil
	case 13:
		v := e.Value[s.IntN(len(e.Value))]
		switch s.IntN(3) {
		case 0:
			e.Value = slices.DeleteFunc(e.Value, func(w *descriptorpb.EnumValueDescriptorProto) bool { return w == v })
		case 1:
			v.Name = proto.String(fmt.Sprintf("V%d", s.IntN(9)))
		default:
			v.Number = proto.Int32(int32(s.IntN(9)))
		}
	case 14:
		s.Shuffle(len(m.Field), func(i, j int) { m.Field[i], m.Field[j] = m.Field[j], m.Field[i] })
	case 15:
		f.Options = &descriptorpb.FieldOptions{Deprecated: proto.Bool(s.IntN(2) == 0)}
		if f.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED {
			f.Options.Packed = proto.Bool(s.IntN(2) == 0)
		}
	}
}

var everyWay = []Options{
	{}, {Direction: Rollback}, {Direction: Both},
	{Policy: Wire}, {Policy: Wire, Direction: Rollback}, {Policy: Wire, Direction: Both},
}

// tryProperties makes three schemas, each out of the one before, and checks what must hold for
// all of them. It returns how many payloads it has tried.
func tryProperties(t testing.TB, seed uint64) int {
	r := rand.New(rand.NewPCG(seed, 7))
	schemas := []*schema{newSchema(r)}
	gentle := r.IntN(2) == 0
	for range 2 {
		next := schemas[len(schemas)-1].clone()
		for range 1 + r.IntN(4) {
			next.mutate(gentle)
		}
		schemas = append(schemas, next)
	}
	snaps := make([]*Snapshot, len(schemas))
	for i, s := range schemas {
		snap, err := s.snapshot()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		snaps[i] = snap
	}
	payloads := 0
	for i, a := range snaps {
		for _, o := range everyWay {
			// Reflexive: a schema is compatible with itself, without findings.
			if v := Check(a, a, o); !v.Compatible || len(v.Findings) > 0 {
				t.Errorf("seed %d: schema %d against itself: %v", seed, i, v)
			}
		}
		for j, b := range snaps {
			payloads += tryPair(t, fmt.Sprintf("seed %d: %d to %d", seed, i, j), r, a, b)
		}
	}
	// A chain of strictly compatible steps is compatible from end to end, but for a field that the
	// middle schema has dropped without reserving its name: the last one may give the name to
	// another number, which is a renumbering to those who still know the first.
	if Check(snaps[0], snaps[1], Options{}).Compatible && Check(snaps[1], snaps[2], Options{}).Compatible {
		v := Check(snaps[0], snaps[2], Options{})
		for _, f := range v.Findings {
			if f.Level == Break && !(f.Code == rules[fieldRenumbered].Code && forgotten(schemas[1].file, f)) {
				t.Errorf("seed %d: both steps are compatible, but %v", seed, v)
			}
		}
	}
	// The order of old snapshots counts for nothing.
	for _, o := range everyWay {
		a, b := CheckAll([]*Snapshot{snaps[0], snaps[1]}, snaps[2], o), CheckAll([]*Snapshot{snaps[1], snaps[0]}, snaps[2], o)
		if !slices.EqualFunc(a.Findings, b.Findings, sameFinding) {
			t.Errorf("seed %d: in one order %v\nin the other %v", seed, a, b)
		}
	}
	return payloads
}

// forgotten reports whether a schema has neither the field of a finding nor its name reserved.
func forgotten(file *descriptorpb.FileDescriptorProto, f Finding) bool {
	name := f.Path[strings.LastIndex(f.Path, ".")+1:]
	for _, m := range file.MessageType {
		if f.Type != protoreflect.FullName("v."+m.GetName()) {
			continue
		}
		has := slices.ContainsFunc(m.Field, func(g *descriptorpb.FieldDescriptorProto) bool { return g.GetName() == name })
		return !has && !slices.Contains(m.ReservedName, name)
	}
	return false
}

// sameFinding compares all but the places in the list of snapshots.
func sameFinding(a, b Finding) bool {
	a.Snapshots, b.Snapshots = nil, nil
	return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b)
}

// tryPair compares policies and directions of one pair, and the wire policy with bytes.
func tryPair(t testing.TB, what string, r *rand.Rand, a, b *Snapshot) int {
	payloads := 0
	for _, d := range []Direction{Restore, Rollback} {
		strict, wire := Check(a, b, Options{Direction: d}), Check(a, b, Options{Policy: Wire, Direction: d})
		if strict.Compatible && !wire.Compatible {
			t.Errorf("%s: strict accepts what wire refuses: %v", what, wire)
		}
		if !wire.Compatible {
			continue
		}
		writer, reader := a, b
		if d == Rollback {
			writer, reader = b, a
		}
		for i := range 5 {
			payload, err := write(r, writer, i)
			if err != nil {
				continue // required fields in a recursion
			}
			payloads++
			if err := survives(writer.root, reader.root, payload); err != nil {
				t.Fatalf("%s: payload %x: %v\nwriter %v\nreader %v\n%v", what, payload, err, writer.files[0], reader.files[0], wire)
			}
		}
	}
	return payloads
}

// TestProperties tries random schemas.
func TestProperties(t *testing.T) {
	const seeds = 1500
	payloads := 0
	for seed := range uint64(seeds) {
		payloads += tryProperties(t, seed)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d chains of schemas, %d payloads", seeds, payloads)
}

func FuzzProperties(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { tryProperties(t, seed) })
}
