package snapshot

import (
	"bytes"
	"cmp"
	"container/heap"
	"crypto/sha256"
	"slices"
	"strings"
	"unicode/utf16"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// fileDepth is how deep messages and groups may be nested in a file, where the file itself is at 0.
// In a set a file is at 1.
const fileDepth = 100

// marshal writes descriptors in the form that canonical messages have only one of.
func marshal(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// parseSet reads a set of descriptors, and brings it into canonical form: as protobuf-java writes it, for
// which all options are unknown that descriptor.proto does not declare.
func parseSet(b []byte) (*descriptorpb.FileDescriptorSet, error) {
	set := new(descriptorpb.FileDescriptorSet)
	if err := parse(b, set, fileDepth+1); err != nil {
		return nil, err
	}
	for _, f := range set.GetFile() {
		f.SourceCodeInfo = nil
	}
	return set, nil
}

// parse reads a message without knowing any extension, and brings it into canonical form.
func parse(b []byte, m proto.Message, depth int) error {
	if err := limitElements(b, m.ProtoReflect().Descriptor(), depth); err != nil {
		return err
	}
	// The root counts as one level there.
	o := proto.UnmarshalOptions{RecursionLimit: depth + 1, Resolver: (*protoregistry.Types)(nil)}
	if err := o.Unmarshal(b, m); err != nil {
		return because(ErrDescriptorSet, "%w", err)
	}
	return canonical(m.ProtoReflect(), depth)
}

// canonical sorts the unknown fields of m and of all messages in it, and moves values that a closed
// enum does not have to them, as protobuf-java does. depth is how many levels of messages and groups there
// may be below m.
func canonical(m protoreflect.Message, depth int) error {
	unknown := m.GetUnknown()
	var err error
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch fd.Kind() {
		case protoreflect.MessageKind, protoreflect.GroupKind:
			err = canonicalMessages(fd, v, depth-1)
		case protoreflect.EnumKind:
			unknown = moveUnknownEnum(unknown, m, fd, v)
		default:
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		sorted, err := regroup(unknown, depth)
		if err != nil {
			return err
		}
		m.SetUnknown(sorted)
	}
	return nil
}

// canonicalMessages is canonical for a field. No message of descriptor.proto has a map.
func canonicalMessages(fd protoreflect.FieldDescriptor, v protoreflect.Value, depth int) error {
	if !fd.IsList() {
		return canonical(v.Message(), depth)
	}
	for i := range v.List().Len() {
		if err := canonical(v.List().Get(i).Message(), depth); err != nil {
			return err
		}
	}
	return nil
}

// moveUnknownEnum appends the values of an enum field that its enum does not have to unknown, and takes
// them out of m. All enums of descriptor.proto are closed.
func moveUnknownEnum(unknown []byte, m protoreflect.Message, fd protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	move := func(n protoreflect.EnumNumber) bool {
		if fd.Enum().Values().ByNumber(n) != nil {
			return false
		}
		unknown = protowire.AppendTag(unknown[:len(unknown):len(unknown)], fd.Number(), protowire.VarintType)
		unknown = protowire.AppendVarint(unknown, uint64(n))
		return true
	}
	if !fd.IsList() {
		if move(v.Enum()) {
			m.Clear(fd)
		}
		return unknown
	}
	list, kept := v.List(), 0
	for i := range list.Len() {
		if e := list.Get(i); !move(e.Enum()) {
			list.Set(kept, e)
			kept++
		}
	}
	if kept == 0 {
		m.Clear(fd)
	} else {
		list.Truncate(kept)
	}
	return unknown
}

// field is an unknown field.
type field struct {
	number protowire.Number
	rank   int    // of its wire type
	bytes  []byte // with its tag
}

// ranks is the order in which protobuf-java writes the unknown fields of one number.
var ranks = map[protowire.Type]int{
	protowire.VarintType: 0, protowire.Fixed32Type: 1, protowire.Fixed64Type: 2, protowire.BytesType: 3, protowire.StartGroupType: 4,
}

// regroup sorts unknown fields as protobuf-java does: by number, then by wire type, then as they came. Groups may be
// nested depth levels.
func regroup(b []byte, depth int) ([]byte, error) {
	var fields []field
	size := 0
	for len(b) > 0 {
		number, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, because(ErrDescriptorSet, "%w", protowire.ParseError(n))
		}
		value := protowire.ConsumeFieldValue(number, typ, b[n:])
		if value < 0 {
			return nil, because(ErrDescriptorSet, "%w", protowire.ParseError(value))
		}
		whole, err := minimal(number, typ, b[n:n+value], depth)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{number, ranks[typ], whole})
		size += len(whole)
		b = b[n+value:]
	}
	slices.SortStableFunc(fields, func(a, b field) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.rank, b.rank))
	})
	out := make([]byte, 0, size)
	for _, f := range fields {
		out = append(out, f.bytes...)
	}
	return out, nil
}

// minimal returns a field with the shortest tag, number and length that there are, and a group with its
// fields sorted.
func minimal(number protowire.Number, typ protowire.Type, value []byte, depth int) ([]byte, error) {
	out := protowire.AppendTag(make([]byte, 0, len(value)+protowire.SizeTag(number)), number, typ)
	switch typ {
	case protowire.VarintType:
		v, _ := protowire.ConsumeVarint(value)
		return protowire.AppendVarint(out, v), nil
	case protowire.BytesType:
		v, _ := protowire.ConsumeBytes(value)
		return protowire.AppendBytes(out, v), nil
	case protowire.StartGroupType:
		if depth < 1 {
			return nil, because(ErrDescriptorSet, "groups are nested too deeply")
		}
		inner, n := protowire.ConsumeGroup(number, value)
		if n < 0 {
			return nil, because(ErrDescriptorSet, "%w", protowire.ParseError(n))
		}
		inner, err := regroup(inner, depth-1)
		if err != nil {
			return nil, err
		}
		return protowire.AppendTag(append(out, inner...), number, protowire.EndGroupType), nil
	default:
		return append(out, value...), nil
	}
}

// link checks files in canonical form as section c.4 of the format has it, and returns a snapshot of them without
// settings.
func link(files []*descriptorpb.FileDescriptorProto, setUnknown []byte, root protoreflect.FullName) (*Snapshot, error) {
	byName, err := distinct(files)
	if err != nil {
		return nil, err
	}
	ordered, err := order(byName)
	if err != nil {
		return nil, err
	}
	set := &descriptorpb.FileDescriptorSet{File: ordered}
	if len(setUnknown) > 0 {
		set.ProtoReflect().SetUnknown(setUnknown)
	}
	encoded, err := marshal(set)
	if err != nil {
		return nil, because(ErrDescriptorSet, "%w", err)
	}
	if err := limitNames(ordered, len(encoded)); err != nil {
		return nil, err
	}
	if err := limitImports(ordered); err != nil {
		return nil, err
	}
	linked, err := linkAll(ordered)
	if err != nil {
		return nil, err
	}
	rootFile, err := findRoot(ordered, root)
	if err != nil {
		return nil, err
	}
	if err := closed(byName, rootFile); err != nil {
		return nil, err
	}
	md, ok := linked[rootFile].types[root].(protoreflect.MessageDescriptor)
	if !ok {
		return nil, because(ErrMissingRoot, "%s", root)
	}
	return &Snapshot{files: ordered, setUnknown: setUnknown, encoded: encoded, digest: sha256.Sum256(encoded), root: md, strange: strange(ordered)}, nil
}

// distinct returns the files by their names. Files that are equal are one.
func distinct(files []*descriptorpb.FileDescriptorProto) (map[string]*descriptorpb.FileDescriptorProto, error) {
	byName := make(map[string]*descriptorpb.FileDescriptorProto, len(files))
	for _, f := range files {
		if f.GetName() == "" {
			return nil, ErrEmptyFileName
		}
		for _, i := range f.GetWeakDependency() {
			if i < 0 || int(i) >= len(f.GetDependency()) {
				return nil, because(ErrWeakDependency, "%d in %s", i, f.GetName())
			}
		}
		other := byName[f.GetName()]
		if other == nil {
			byName[f.GetName()] = f
			continue
		}
		same, err := equal(f, other)
		if err != nil {
			return nil, err
		}
		if !same {
			return nil, because(ErrConflictingFile, "%s", f.GetName())
		}
	}
	return byName, nil
}

// equal compares files in canonical form.
func equal(a, b *descriptorpb.FileDescriptorProto) (bool, error) {
	var encoded [2][]byte
	for i, f := range []*descriptorpb.FileDescriptorProto{a, b} {
		var err error
		if encoded[i], err = marshal(f); err != nil {
			return false, because(ErrDescriptorSet, "%w", err)
		}
	}
	return bytes.Equal(encoded[0], encoded[1]), nil
}

// order returns the files so that each comes after its imports, and of those that could come next the one whose
// name is first in Java's order of strings.
func order(byName map[string]*descriptorpb.FileDescriptorProto) ([]*descriptorpb.FileDescriptorProto, error) {
	missing := make(map[string]int, len(byName)) // number of imports that have no place yet
	users := make(map[string][]string, len(byName))
	var ready javaStrings
	// In the order of names, so that of several errors always the same one is found.
	for _, name := range sortedNames(byName) {
		imports := unique(byName[name].GetDependency())
		for _, dep := range imports {
			if byName[dep] == nil {
				return nil, because(ErrUnresolvedImport, "%s of %s", dep, name)
			}
			users[dep] = append(users[dep], name)
		}
		missing[name] = len(imports)
		if len(imports) == 0 {
			ready = append(ready, name)
		}
	}
	heap.Init(&ready)
	ordered := make([]*descriptorpb.FileDescriptorProto, 0, len(byName))
	for len(ready) > 0 {
		name := heap.Pop(&ready).(string)
		ordered = append(ordered, byName[name])
		for _, user := range users[name] {
			if missing[user]--; missing[user] == 0 {
				heap.Push(&ready, user)
			}
		}
	}
	if len(ordered) < len(byName) {
		return nil, ErrCyclicImports
	}
	return ordered, nil
}

func sortedNames(byName map[string]*descriptorpb.FileDescriptorProto) []string {
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// unique returns a list without repetitions.
func unique[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	out := make([]T, 0, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// javaStrings is a heap of strings in Java's order: by UTF-16 code unit.
type javaStrings []string

func (h javaStrings) Len() int           { return len(h) }
func (h javaStrings) Less(i, j int) bool { return javaCompare(h[i], h[j]) < 0 }
func (h javaStrings) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *javaStrings) Push(x any)        { *h = append(*h, x.(string)) }
func (h *javaStrings) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func javaCompare(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// findRoot returns the name of the file that declares the message root.
func findRoot(files []*descriptorpb.FileDescriptorProto, root protoreflect.FullName) (string, error) {
	found := ""
	for _, f := range files {
		for range countMessages(protoreflect.FullName(f.GetPackage()), f.GetMessageType(), root) {
			if found != "" {
				return "", because(ErrAmbiguousRoot, "%s", root)
			}
			found = f.GetName()
		}
	}
	if found == "" {
		return "", because(ErrMissingRoot, "%s", root)
	}
	return found, nil
}

// countMessages counts the messages of a name in a scope.
func countMessages(scope protoreflect.FullName, messages []*descriptorpb.DescriptorProto, name protoreflect.FullName) int {
	n := 0
	for _, m := range messages {
		full := scope.Append(protoreflect.Name(m.GetName()))
		switch {
		case full == name:
			n++
		case !strings.HasPrefix(string(name), string(full)+"."):
			continue // nothing in it has the name
		}
		n += countMessages(full, m.GetNestedType(), name)
	}
	return n
}

// closed checks that all files are those that the root's file imports.
func closed(byName map[string]*descriptorpb.FileDescriptorProto, rootFile string) error {
	reached := map[string]bool{rootFile: true}
	for todo := []string{rootFile}; len(todo) > 0; {
		f := byName[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for _, dep := range f.GetDependency() {
			if !reached[dep] {
				reached[dep] = true
				todo = append(todo, dep)
			}
		}
	}
	for _, name := range sortedNames(byName) {
		if !reached[name] {
			return because(ErrOutsideClosure, "%s", name)
		}
	}
	return nil
}
