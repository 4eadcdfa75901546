package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/changes"
	"github.com/flinkser/flinkser/internal/fingerprint"
	"github.com/flinkser/flinkser/internal/randpb"
)

const (
	proto2 = `syntax = "proto2";`
	proto3 = `syntax = "proto3";`
)

// TestMatrix gives every kind of change its verdict at every place, and proves the wire policy
// on bytes: what it calls compatible survives every payload tried, and for a break whose basis
// is bytes or history there is a payload that does not.
func TestMatrix(t *testing.T) {
	pairs, payloads := 0, 0
	levels := map[string]int{}
	for _, c := range changes.All() {
		for _, at := range changes.Sites() {
			t.Run(c.Name+"/"+at.Name, func(t *testing.T) {
				oldFiles, root := c.Files(at, false, c.Old)
				newFiles, _ := c.Files(at, true, c.New)
				old, new := compileFiles(t, oldFiles, root), compileFiles(t, newFiles, root)
				pairs++
				check := func(o Options, want string) Verdict {
					t.Helper()
					v := Check(old, new, o)
					if got := word(v); got != want {
						t.Errorf("%v %v: got %s, want %s\n%s", o.Policy, o.Direction, got, want, v)
					}
					levels[fmt.Sprintf("%v %v %s", o.Policy, o.Direction, want)]++
					t.Logf("%v %v: %s %v", o.Policy, o.Direction, want, bases(v))
					return v
				}
				strict := check(Options{}, c.Strict)
				restore := check(Options{Policy: Wire}, c.Restore)
				rollback := check(Options{Policy: Wire, Direction: Rollback}, c.Rollback)
				if strict.Compatible && !restore.Compatible {
					t.Error("strict accepts what wire refuses")
				}
				payloads += prove(t, restore, old, new)
				payloads += prove(t, rollback, new, old)
				if c.Before != "" {
					files, _ := c.Files(at, false, c.Before)
					payloads += proveHistory(t, restore, compileFiles(t, files, root), new)
				}
			})
		}
	}
	if pairs < 300 {
		t.Errorf("%d pairs, want 300 at least", pairs)
	}
	t.Logf("%d changes at %d places: %d pairs, %d payloads", len(changes.All()), len(changes.Sites()), pairs, payloads)
	for _, level := range sortedKeys(levels) {
		t.Logf("%s: %d", level, levels[level])
	}
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// bases lists the codes of a verdict with their bases.
func bases(v Verdict) []string {
	var list []string
	for _, f := range v.Findings {
		list = append(list, fmt.Sprintf("%s (%v, %v)", f.Code, f.Level, f.Basis))
	}
	return list
}

const (
	enoughPayloads = 40   // for what is called compatible
	mostPayloads   = 3000 // until a break must have shown
)

// prove tries payloads of the writer's schema on the reader's.
func prove(t *testing.T, v Verdict, writer, reader *Snapshot) int {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	byBytes := false
	for _, f := range v.Findings {
		byBytes = byBytes || f.Level == Break && f.Basis == Bytes
	}
	if !v.Compatible && !byBytes {
		return 0
	}
	for i := range mostPayloads {
		if !byBytes && i == enoughPayloads {
			return i
		}
		payload, err := write(r, writer, i)
		if err != nil {
			t.Fatal(err)
		}
		lost := survives(writer.root, reader.root, payload)
		if lost != nil && byBytes {
			return i + 1
		}
		if lost != nil {
			t.Fatalf("%v, but payload %x: %v\n%s", v.Direction, payload, lost, v)
		}
	}
	t.Errorf("%v: no payload shows the break\n%s", v.Direction, v)
	return mostPayloads
}

// proveHistory looks for a payload of an earlier schema that the new one reads as something else.
func proveHistory(t *testing.T, v Verdict, before, new *Snapshot) int {
	t.Helper()
	byHistory := false
	for _, f := range v.Findings {
		byHistory = byHistory || f.Level == Break && f.Basis == History
	}
	if !byHistory {
		t.Fatalf("no break by history\n%s", v)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range mostPayloads {
		payload, err := write(r, before, i)
		if err != nil {
			t.Fatal(err)
		}
		m := dynamicpb.NewMessage(new.root)
		if err := proto.Unmarshal(payload, m); err != nil {
			return i + 1
		}
		was := dynamicpb.NewMessage(before.root)
		if err := proto.Unmarshal(payload, was); err != nil {
			t.Fatal(err)
		}
		if readsOther(was, m) {
			return i + 1
		}
	}
	t.Errorf("no payload of the earlier schema shows the break\n%s", v)
	return mostPayloads
}

// readsOther reports whether a value is found under another name.
func readsOther(was, is protoreflect.Message) bool {
	other := false
	is.Range(func(t protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		f := was.Descriptor().Fields().ByNumber(t.Number())
		switch {
		case f == nil || f.Name() != t.Name():
			other = true
		case t.IsMap() && t.MapValue().Message() != nil:
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				other = other || readsOther(was.Get(f).Map().Get(k).Message(), v.Message())
				return true
			})
		case t.IsMap():
		case t.IsList() && t.Message() != nil:
			for i := range v.List().Len() {
				other = other || readsOther(was.Get(f).List().Get(i).Message(), v.List().Get(i).Message())
			}
		case t.Message() != nil && !t.IsList():
			other = other || readsOther(was.Get(f).Message(), v.Message())
		}
		return true
	})
	return other
}

// write returns a random payload of a schema. Some have data in the extension ranges.
func write(r *rand.Rand, s *Snapshot, i int) ([]byte, error) {
	m := dynamicpb.NewMessage(s.root)
	if i > 0 { // the first is empty where it may be
		randpb.Message(r, m, randpb.Options{Depth: 3, InvalidUTF8: true})
	}
	extend(r, m)
	b, err := proto.Marshal(m)
	if err != nil && i == 0 {
		return write(r, s, 1)
	}
	return b, err
}

// extend puts bytes into the extension ranges of some messages.
func extend(r *rand.Rand, m protoreflect.Message) {
	if ranges := m.Descriptor().ExtensionRanges(); ranges.Len() > 0 && r.IntN(3) == 0 {
		m.SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, ranges.Get(0)[0], protowire.BytesType), []byte("ext")))
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() && f.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				extend(r, v.Message())
				return true
			})
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				extend(r, v.List().Get(i).Message())
			}
		case f.Message() != nil && !f.IsMap() && !f.IsList():
			extend(r, v.Message())
		}
		return true
	})
}

// survives reads a payload of the writer as the reader, compares all values, writes it again,
// and compares that with what the writer had.
func survives(writer, reader protoreflect.MessageDescriptor, payload []byte) error {
	was, is := dynamicpb.NewMessage(writer), dynamicpb.NewMessage(reader)
	if err := proto.Unmarshal(payload, was); err != nil {
		return fmt.Errorf("the writer does not read its own: %w", err)
	}
	if err := proto.Unmarshal(payload, is); err != nil {
		return err
	}
	if err := sameValues(was, is); err != nil {
		return err
	}
	again, err := proto.Marshal(is)
	if err != nil {
		return fmt.Errorf("written again: %w", err)
	}
	second := dynamicpb.NewMessage(reader)
	if err := proto.Unmarshal(again, second); err != nil {
		return fmt.Errorf("written again: %w", err)
	}
	if err := sameValues(was, second); err != nil {
		return fmt.Errorf("written again: %w", err)
	}
	// What the reader does not know has to come back when the writer reads it.
	back := dynamicpb.NewMessage(writer)
	if err := proto.Unmarshal(again, back); err != nil {
		return fmt.Errorf("written again, read by the writer: %w", err)
	}
	return kept(was, back, second)
}

// kept compares the fields that the reader does not have.
func kept(was, back, reader protoreflect.Message) error {
	var err error
	was.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		t := reader.Descriptor().Fields().ByNumber(f.Number())
		switch {
		case t == nil:
			if !v.Equal(back.Get(f)) {
				err = fmt.Errorf("%s is not kept", f.FullName())
			}
		case f.IsMap() || t.IsMap() || f.IsList() != t.IsList() || f.Message() == nil || t.Message() == nil:
		case f.IsList():
			for i := 0; i < v.List().Len() && err == nil; i++ {
				err = kept(v.List().Get(i).Message(), back.Get(f).List().Get(i).Message(), reader.Get(t).List().Get(i).Message())
			}
		default:
			err = kept(v.Message(), back.Get(f).Message(), reader.Get(t).Message())
		}
		return err == nil
	})
	return err
}

// sameValues compares all that the writer's message holds, and what it gives for absent fields,
// with the reader's.
func sameValues(was, is protoreflect.Message) error {
	fields := was.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if moved := is.Descriptor().Fields().ByName(f.Name()); moved != nil && moved.Number() != f.Number() && was.Has(f) {
			if !is.Has(moved) || sameValue(f, was.Get(f), moved, is.Get(moved)) != nil {
				return fmt.Errorf("%s is not found", f.FullName())
			}
		}
		t := is.Descriptor().Fields().ByNumber(f.Number())
		if t == nil {
			continue // an unknown field; the second half of survives looks after it
		}
		if err := sameField(was, f, is, t); err != nil {
			return fmt.Errorf("%s: %w", f.FullName(), err)
		}
	}
	var strange error
	is.Range(func(t protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if fields.ByNumber(t.Number()) == nil {
			strange = fmt.Errorf("%s is set", t.FullName())
		}
		return true
	})
	return strange
}

var errOther = errors.New("another value")

func sameField(was protoreflect.Message, f protoreflect.FieldDescriptor, is protoreflect.Message, t protoreflect.FieldDescriptor) error {
	if !was.Has(f) {
		switch {
		case is.Has(t) && t.HasPresence() && !f.HasPresence():
			return errors.New("an absent field is present")
		case f.Message() == nil && t.Message() == nil && !f.IsList() && !t.IsList():
			return sameValue(f, was.Get(f), t, is.Get(t))
		}
		return nil
	}
	if !is.Has(t) && (t.HasPresence() || t.IsList() || t.IsMap()) {
		return errors.New("not found")
	}
	if f.HasPresence() && !t.HasPresence() && !t.IsList() && !t.IsMap() && !is.Has(t) {
		return errors.New("a present zero is lost")
	}
	return sameValue(f, was.Get(f), t, is.Get(t))
}

func sameValue(f protoreflect.FieldDescriptor, was protoreflect.Value, t protoreflect.FieldDescriptor, is protoreflect.Value) error {
	switch {
	case f.IsMap() && t.IsMap():
		return sameMap(f, was.Map(), t, is.Map())
	case f.IsMap() && t.IsList() && t.Message() != nil:
		return sameEntries(f, was.Map(), is.List())
	case f.IsMap():
		return errOther
	case f.IsList() && t.IsList():
		if was.List().Len() != is.List().Len() {
			return errOther
		}
		for i := range was.List().Len() {
			if err := sameSingle(f, was.List().Get(i), t, is.List().Get(i)); err != nil {
				return err
			}
		}
		return nil
	case f.IsList():
		if was.List().Len() != 1 || t.IsMap() {
			return errOther
		}
		return sameSingle(f, was.List().Get(0), t, is)
	case t.IsList():
		if is.List().Len() != 1 {
			return errOther
		}
		return sameSingle(f, was, t, is.List().Get(0))
	default:
		return sameSingle(f, was, t, is)
	}
}

func sameMap(f protoreflect.FieldDescriptor, was protoreflect.Map, t protoreflect.FieldDescriptor, is protoreflect.Map) error {
	if was.Len() != is.Len() {
		return errOther
	}
	var err error
	was.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		found := false
		is.Range(func(l protoreflect.MapKey, w protoreflect.Value) bool {
			if sameSingle(f.MapKey(), k.Value(), t.MapKey(), l.Value()) == nil {
				found = true
				err = sameSingle(f.MapValue(), v, t.MapValue(), w)
			}
			return !found
		})
		if !found {
			err = errOther
		}
		return err == nil
	})
	return err
}

// sameEntries compares a map with a list of messages that have its fields.
func sameEntries(f protoreflect.FieldDescriptor, was protoreflect.Map, is protoreflect.List) error {
	if was.Len() != is.Len() {
		return errOther
	}
	for i := range is.Len() {
		entry := is.Get(i).Message()
		key, value := entry.Descriptor().Fields().ByNumber(1), entry.Descriptor().Fields().ByNumber(2)
		found := false
		was.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			found = sameSingle(f.MapKey(), k.Value(), key, entry.Get(key)) == nil &&
				sameSingle(f.MapValue(), v, value, entry.Get(value)) == nil
			return !found
		})
		if !found {
			return errOther
		}
	}
	return nil
}

func sameSingle(f protoreflect.FieldDescriptor, was protoreflect.Value, t protoreflect.FieldDescriptor, is protoreflect.Value) error {
	if f.Message() != nil && t.Message() != nil {
		return sameValues(was.Message(), is.Message())
	}
	a, b := was.Interface(), is.Interface()
	if number, ok := b.(protoreflect.EnumNumber); ok && f.Enum() == nil && fingerprint.IsClosed(t.Enum()) && t.Enum().Values().ByNumber(number) == nil {
		return errors.New("outside of the closed enum")
	}
	if m, ok := a.(protoreflect.Message); ok {
		raw, isBytes := b.([]byte)
		copied := dynamicpb.NewMessage(m.Descriptor())
		if !isBytes || proto.Unmarshal(raw, copied) != nil || !proto.Equal(m.Interface(), copied) {
			return errOther
		}
		return nil
	}
	switch x := a.(type) {
	case string:
		if y, ok := asText(b); ok && y == x {
			return nil
		}
	case []byte:
		if y, ok := asText(b); ok && y == string(x) {
			return nil
		}
	case float32, float64:
		if was.Equal(is) {
			return nil
		}
	default:
		if x, ok := integer(a); ok {
			if y, ok := integer(b); ok && x == y {
				return nil
			}
		}
	}
	return errOther
}

func asText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(bytes.Clone(v)), true
	}
	return "", false
}

// integer returns an integer as its decimal text, so that signed and unsigned ones compare.
func integer(v any) (string, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return "1", true
		}
		return "0", true
	case int32, int64, uint32, uint64:
		return fmt.Sprint(v), true
	case protoreflect.EnumNumber:
		return fmt.Sprint(int32(v)), true
	}
	return "", false
}
