package snapshot

import (
	"bytes"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/fingerprint"
)

// field compares two fields of one number.
func (c *comparison) field(n *node, f, t protoreflect.FieldDescriptor) {
	diffs := typeRules(f, t)
	if f.Name() != t.Name() {
		if anyBreak(diffs) {
			c.report(fieldNumberReused, n, f, t)
			return
		}
		c.report(fieldRenamed, n, f, t)
	}
	for _, id := range diffs {
		c.report(id, n, f, t)
	}
	if anyBreak(diffs) {
		return
	}
	c.follow(n, f, t)
	single := !f.IsList() && !t.IsList() && !f.IsMap() && !t.IsMap()
	switch entry := n.from.IsMapEntry() || n.to.IsMapEntry(); {
	case single && entry:
		// Entries always have both fields, which is what matters of presence.
		if is := realOneof(t); is != nil && n.oneofs.clash(realOneof(f), is) {
			c.report(fieldIntoOneof, n, f, t)
		}
	case single:
		c.presence(n, f, t)
		c.defaults(n, f, t)
	case !f.IsList() && f.HasDefault() && !isZero(f) && f.Cardinality() != protoreflect.Required:
		c.report(defaultChanged, n, f, t) // absent, the field is an empty list now
	}
	if f.IsMap() && t.IsMap() {
		c.entryMetadata(n, f, t)
	}
	c.fieldMetadata(n, f, t)
}

func anyBreak(ids []ruleID) bool {
	for _, id := range ids {
		if rules[id].Wire == Break {
			return true
		}
	}
	return false
}

// typeRules returns what the change of cardinality and type does, without a look into the
// messages and enums that the fields name.
func typeRules(f, t protoreflect.FieldDescriptor) []ruleID {
	switch {
	case f.IsMap() && t.IsMap():
		return append(kindRules(f.MapKey(), t.MapKey()), kindRules(f.MapValue(), t.MapValue())...)
	case f.IsMap() && t.IsList() && t.Kind() == protoreflect.MessageKind && looksLikeEntry(t.Message()):
		return []ruleID{mapToRepeated}
	case f.IsList() && f.Kind() == protoreflect.MessageKind && t.IsMap():
		return []ruleID{repeatedToMap}
	case f.IsMap() && t.IsList() && t.Kind() == protoreflect.BytesKind:
		return []ruleID{fieldTypeUnlisted}
	case f.IsMap() || t.IsMap():
		if wireType(f.Kind()) == wireType(t.Kind()) {
			return []ruleID{fieldTypeChanged}
		}
		return []ruleID{fieldWireTypeChanged}
	}
	diffs := kindRules(f, t)
	switch {
	case f.IsList() && t.IsList():
		if f.IsPacked() != t.IsPacked() && canPack(f.Kind()) && canPack(t.Kind()) {
			diffs = append(diffs, packedChanged)
		}
	case f.IsList():
		diffs = append(diffs, repeatedToSingular)
	case t.IsList() && f.HasPresence():
		diffs = append(diffs, singularToRepeated)
	case t.IsList():
		diffs = append(diffs, implicitToRepeated)
	}
	return diffs
}

// looksLikeEntry reports whether a message has the two fields of a map entry.
func looksLikeEntry(m protoreflect.MessageDescriptor) bool {
	return m.Fields().ByNumber(1) != nil && m.Fields().ByNumber(2) != nil
}

// kindRules compares types of values: of singular fields, elements, map keys, map values.
func kindRules(f, t protoreflect.FieldDescriptor) []ruleID {
	from, to := f.Kind(), t.Kind()
	if from == to {
		if from == protoreflect.StringKind {
			switch a, b := fingerprint.ChecksUTF8(f), fingerprint.ChecksUTF8(t); {
			case !a && b:
				return []ruleID{utf8CheckAdded}
			case a && !b:
				return []ruleID{utf8CheckDropped}
			}
		}
		return nil
	}
	return []ruleID{kindRule(f, t)}
}

func kindRule(f, t protoreflect.FieldDescriptor) ruleID {
	from, to := f.Kind(), t.Kind()
	switch {
	case wireType(f.Kind()) != wireType(t.Kind()):
		return fieldWireTypeChanged
	case widens(from, to):
		return fieldTypeWidened
	case from == protoreflect.EnumKind && (to == protoreflect.Int32Kind || to == protoreflect.Int64Kind):
		return enumToInteger
	case from == protoreflect.Int32Kind && to == protoreflect.EnumKind && !fingerprint.IsClosed(t.Enum()):
		return integerToEnum
	case from == protoreflect.BoolKind && to == protoreflect.EnumKind:
		return fieldTypeUnlisted
	case from == protoreflect.StringKind && to == protoreflect.BytesKind:
		return stringToBytes
	case from == protoreflect.BytesKind && to == protoreflect.StringKind && fingerprint.ChecksUTF8(t):
		return bytesToString
	case from == protoreflect.BytesKind && to == protoreflect.StringKind:
		return bytesToUncheckedString
	case from == protoreflect.MessageKind && to == protoreflect.BytesKind:
		return messageToBytes
	default:
		return fieldTypeChanged
	}
}

// widens reports whether every value that a writer of one kind can write is read equal as the
// other. Signed 32-bit varints are written with the sign extended to 64 bits.
func widens(from, to protoreflect.Kind) bool {
	switch from {
	case protoreflect.BoolKind:
		switch to {
		case protoreflect.Int32Kind, protoreflect.Int64Kind, protoreflect.Uint32Kind, protoreflect.Uint64Kind:
			return true
		}
	case protoreflect.Int32Kind:
		return to == protoreflect.Int64Kind
	case protoreflect.Uint32Kind:
		return to == protoreflect.Int64Kind || to == protoreflect.Uint64Kind
	case protoreflect.Sint32Kind:
		return to == protoreflect.Sint64Kind
	}
	return false
}

func canPack(k protoreflect.Kind) bool {
	switch k {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind, protoreflect.GroupKind:
		return false
	default:
		return true
	}
}

// follow goes on to the messages and enums of two fields.
func (c *comparison) follow(n *node, f, t protoreflect.FieldDescriptor) {
	name := string(older(c, f, t).Name())
	switch {
	case f.IsMap() && t.IsMap():
		c.followType(n, f, t, f.MapValue(), t.MapValue(), name+".value")
	case f.IsMap():
		c.enter(n, name, f.Message(), t.Message())
	default:
		c.followType(n, f, t, f, t, name)
	}
}

// followType does so for the types of two values, which belong to the fields f and t.
func (c *comparison) followType(n *node, f, t, from, to protoreflect.FieldDescriptor, name string) {
	switch {
	case from.Kind() != to.Kind():
	case from.Message() != nil:
		child := c.enter(n, name, from.Message(), to.Message())
		if child != nil && !c.agree(from.Message().FullName(), to.Message().FullName()) {
			c.replaced = append(c.replaced, replacement{holder: n, f: f, t: t, messages: child})
		}
	case from.Enum() != nil:
		got := c.enum(n, name, from.Enum(), to.Enum())
		if !c.agree(from.Enum().FullName(), to.Enum().FullName()) {
			c.replaced = append(c.replaced, replacement{holder: n, f: f, t: t, enums: got})
		}
	}
}

// presence compares presence and oneofs of two singular fields.
func (c *comparison) presence(n *node, f, t protoreflect.FieldDescriptor) {
	wasRequired, isRequired := f.Cardinality() == protoreflect.Required, t.Cardinality() == protoreflect.Required
	switch {
	case isRequired && !wasRequired:
		c.report(requiredAdded, n, f, t)
	case wasRequired && !isRequired:
		c.report(requiredDropped, n, f, t)
	}
	if f.HasPresence() && !t.HasPresence() {
		c.report(presenceDropped, n, f, t)
	}
	was, is := realOneof(f), realOneof(t)
	switch {
	case is == nil && was != nil:
		c.report(fieldOutOfOneof, n, f, t)
	case is == nil:
		if !f.HasPresence() && t.HasPresence() && !isRequired {
			c.report(presenceAdded, n, f, t)
		}
	case n.oneofs.clash(was, is):
		// Of those that meet in a oneof, the ones that were in it before have not moved.
		if was == nil || was.Name() != is.Name() {
			c.report(fieldIntoOneof, n, f, t)
		}
	case was == nil:
		c.report(fieldIntoNewOneof, n, f, t)
	case was.Name() != is.Name() && n.oneofs.together(was, is):
		c.report(oneofRenamed, n, f, t)
	case was.Name() != is.Name():
		c.report(oneofSplit, n, f, t)
	}
}

// realOneof returns the oneof of a field, unless it only stands for the word optional.
func realOneof(f protoreflect.FieldDescriptor) protoreflect.OneofDescriptor {
	if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() {
		return o
	}
	return nil
}

// oneofs says where the members of oneofs have come from and gone to.
type oneofs struct {
	joined   map[protoreflect.Name]*joined // by the name of the reader's oneof
	retained map[protoreflect.Name]int     // how many members of a writer's oneof the reader has
}

// joined are the members of one oneof of the reader that the writer has too.
type joined struct {
	all, outside int                       // of all, those that were in no oneof
	from         map[protoreflect.Name]int // by the writer's oneof
}

func oneofsOf(fields []fieldPair) oneofs {
	o := oneofs{make(map[protoreflect.Name]*joined), make(map[protoreflect.Name]int)}
	for _, p := range fields {
		if p.f == nil || p.t == nil {
			continue
		}
		was, is := realOneof(p.f), realOneof(p.t)
		if was != nil {
			o.retained[was.Name()]++
		}
		if is == nil {
			continue
		}
		j := o.joined[is.Name()]
		if j == nil {
			j = &joined{from: make(map[protoreflect.Name]int)}
			o.joined[is.Name()] = j
		}
		j.all++
		if was == nil {
			j.outside++
		} else {
			j.from[was.Name()]++
		}
	}
	return o
}

// clash reports whether a message of the writer may hold a member of the oneof is beside
// another one that was a member of was, which is nil for a field of no oneof.
func (o oneofs) clash(was, is protoreflect.OneofDescriptor) bool {
	j := o.joined[is.Name()]
	if was == nil {
		return j.all > 1
	}
	return j.outside > 0 || len(j.from) > 1
}

// together reports whether all members of was that the reader has are in is.
func (o oneofs) together(was, is protoreflect.OneofDescriptor) bool {
	return o.joined[is.Name()].from[was.Name()] == o.retained[was.Name()]
}

// defaults compares what two singular fields are where they are absent.
func (c *comparison) defaults(n *node, f, t protoreflect.FieldDescriptor) {
	if f.Message() != nil || t.Message() != nil {
		return
	}
	switch {
	case !sameDefault(f, t) && f.Cardinality() != protoreflect.Required:
		c.report(defaultChanged, n, f, t)
	case !sameDefault(f, t), f.HasDefault() != t.HasDefault(),
		f.HasDefault() && c.fieldProto(c.from, f).GetDefaultValue() != c.fieldProto(c.to, t).GetDefaultValue():
		c.report(defaultSpelled, n, f, t)
	}
}

// isZero reports whether the default of a field is what it would be if none were written.
func isZero(f protoreflect.FieldDescriptor) bool {
	switch v := f.Default().Interface().(type) {
	case string:
		return v == ""
	case []byte:
		return len(v) == 0
	case float32:
		return sameBits(float64(v), 0)
	case float64:
		return sameBits(v, 0)
	case protoreflect.EnumNumber:
		return v == f.Enum().Values().Get(0).Number()
	default:
		return asNumber(v) == 0
	}
}

// sameDefault compares values of types that one may become another without a break.
func sameDefault(f, t protoreflect.FieldDescriptor) bool {
	a, b := f.Default().Interface(), t.Default().Interface()
	switch x := a.(type) {
	case float32:
		y, ok := b.(float32)
		return ok && sameBits(float64(x), float64(y))
	case float64:
		y, ok := b.(float64)
		return ok && sameBits(x, y)
	case string:
		return x == asString(b)
	case []byte:
		return string(x) == asString(b)
	default:
		return asNumber(a) == asNumber(b)
	}
}

func asString(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	default:
		return ""
	}
}

// asNumber returns the bits of an integer, extended to 64 by its sign where it has one.
func asNumber(v any) uint64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
		return 0
	case int32:
		return uint64(int64(v))
	case int64:
		return uint64(v)
	case uint32:
		return uint64(v)
	case uint64:
		return v
	case protoreflect.EnumNumber:
		return uint64(int64(v))
	default:
		return 0
	}
}

// fieldMetadata compares what has no effect on bytes.
func (c *comparison) fieldMetadata(n *node, f, t protoreflect.FieldDescriptor) {
	if f.HasJSONName() || t.HasJSONName() {
		// A JSON name that only follows the name of the field is part of its renaming.
		follows := f.JSONName() == defaultJSONName(string(f.Name())) && t.JSONName() == defaultJSONName(string(t.Name()))
		if f.HasJSONName() != t.HasJSONName() || f.JSONName() != t.JSONName() && !follows {
			c.reportAs(jsonNameChanged, n, f, t, declareField(f, true), declareField(t, true))
		}
	}
	if a, b := f.Options(), t.Options(); c.policy.level(fieldOptionsChanged) != None && a != b && !proto.Equal(withoutPacked(a), withoutPacked(b)) {
		c.report(fieldOptionsChanged, n, f, t)
	}
	if c.strange() && !bytes.Equal(c.fieldProto(c.from, f).ProtoReflect().GetUnknown(), c.fieldProto(c.to, t).ProtoReflect().GetUnknown()) {
		c.report(metadataChanged, n, f, t)
	}
}

// entryMetadata compares what the entries of two maps declare, which is not in a .proto file but in a descriptor.
func (c *comparison) entryMetadata(n *node, f, t protoreflect.FieldDescriptor) {
	a, b := f.Message(), t.Message()
	if !equalOptions(a, b) {
		c.report(messageOptionsChanged, n, f, t)
	}
	for _, pair := range [][2]protoreflect.FieldDescriptor{{f.MapKey(), t.MapKey()}, {f.MapValue(), t.MapValue()}} {
		x, y := pair[0], pair[1]
		if x.HasJSONName() != y.HasJSONName() || x.HasJSONName() && x.JSONName() != y.JSONName() {
			c.report(jsonNameChanged, n, f, t)
		}
		if !equalOptions(x, y) {
			c.report(fieldOptionsChanged, n, f, t)
		}
	}
	if !c.strange() {
		return
	}
	p, q := c.messageProto(c.from, a), c.messageProto(c.to, b)
	if !sameUnknown(p, q) || !sameUnknown(at(p.GetField(), f.MapKey().Index()), at(q.GetField(), t.MapKey().Index())) ||
		!sameUnknown(at(p.GetField(), f.MapValue().Index()), at(q.GetField(), t.MapValue().Index())) {
		c.report(metadataChanged, n, f, t)
	}
}

// sameUnknown compares the unknown fields of two descriptor messages.
func sameUnknown(a, b proto.Message) bool {
	return bytes.Equal(a.ProtoReflect().GetUnknown(), b.ProtoReflect().GetUnknown())
}

// fieldProto returns the descriptor message behind a field of a message.
func (c *comparison) fieldProto(s *Snapshot, f protoreflect.FieldDescriptor) *descriptorpb.FieldDescriptorProto {
	return at(c.messageProto(s, f.ContainingMessage()).GetField(), f.Index())
}

// withoutPacked returns the options of a field without packed, which has a rule of its own.
func withoutPacked(options proto.Message) proto.Message {
	o, ok := options.(*descriptorpb.FieldOptions)
	if !ok || o == nil || o.Packed == nil {
		return options
	}
	o = proto.CloneOf(o)
	o.Packed = nil
	if proto.Size(o) == 0 {
		return (*descriptorpb.FieldOptions)(nil)
	}
	return o
}

// A shape says how an enum agrees with one of another name.
type shape int

const (
	otherShape shape = iota
	sameShape
)

// enum compares a pair of enums, each once, and says whether the second has all that the
// first has.
func (c *comparison) enum(n *node, name string, from, to protoreflect.EnumDescriptor) shape {
	key := [2]protoreflect.EnumDescriptor{from, to}
	got, ok := c.enums[key]
	if !ok {
		names := [2]protoreflect.FullName{from.FullName(), to.FullName()}
		if (!c.agree(names[0], names[1]) || c.named[names]) && c.tooMany(1+from.Values().Len()+to.Values().Len()) {
			return otherShape
		}
		c.named[names] = true
		got = c.compareEnums(place{typ: older(c, from, to).FullName(), at: n, last: name}, from, to)
		c.enums[key] = got
	}
	return got
}
