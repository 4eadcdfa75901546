// Package model turns descriptors into a plan for the operations to print. Every
// decision about a schema is made here, and so is every refusal, with the place in
// the .proto file.
package model

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/gofeaturespb"

	"github.com/flinkser/flinkser/gen/internal/kind"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/internal/fingerprint"
)

// Options are the decisions of the user that the plan depends on.
type Options struct {
	Known        []string // import paths, with all below them, whose messages have generated code
	ForeignError bool     // refuse fields of message types that are not known to have any

	// External maps .proto files, and proto packages with all their files, to the Go
	// packages that hold the code for their messages.
	External map[string]Target
}

// File is the plan for one .proto file.
type File struct {
	Path        string
	Prefix      string // of generated file names
	Package     protogen.GoPackageName
	ImportPath  protogen.GoImportPath
	Constraint  string // build constraint, or ""
	Suffix      string // of the generated file's name
	Messages    []*Message
	Declaration *protogen.File
}

// Message is the plan for one message.
type Message struct {
	GoName    string
	Type      protogen.GoIdent
	TypePkg   protogen.GoPackageName
	External  bool     // its code is outside of its Go package
	Calls     []*Field // a field for each message type whose code is outside of its Go package
	FullName  protoreflect.FullName
	Fields    []*Field // by number
	Runs      []Run    // the fields again, in the order of writing
	Room      int      // bytes of all tags, scalars and lengths at most
	Schema    [32]byte
	JSONNames []int32 // numbers of fields whose JSON name is written although it is the default one
	Maps      int     // the number of map fields
	Long      bool    // its payload takes 128 bytes and more as a rule

	Extendable bool   // it keeps extension fields
	MessageSet bool   // these are in message set wire format
	Group      bool   // it may be the content of a group
	MayLack    bool   // it, or a message in it, may lack a required field
	Layout     []Part // of an opaque message: the fields of its struct, else empty
	Lazy       bool   // some field may be kept undecoded

	// Beside are the members of oneofs whose wrapper a new message may get beside it, in one block
	// of memory.
	Beside   []*Field
	Presence int // of an opaque message: the number of presence bits
}

// Run is a field that is written by itself, or members of one oneof whose numbers
// no other field lies between, or the extensions whose numbers lie between two fields.
type Run struct {
	Field    *Field
	Oneof    string // of the struct
	Members  []*Field
	From, To protowire.Number // of extensions: From and above, below To
}

// Field is the plan for one field.
type Field struct {
	Parent *Message
	Name   string // in the .proto file
	GoName string
	Number protowire.Number
	Shape  shape.Shape
	Value
	Struct    string // name of the field of the struct, except for oneof members
	Getter    string // name of the method that decodes a field that is kept undecoded, else empty
	Indirect  bool   // the struct has a pointer to the list
	Bit, Bits int    // of presence in an opaque message, and how many it has; or -1
	Required  bool   // must be set
	Tag       []byte // in front of each element
	EndTag    []byte // behind a group
	PackedTag []byte // in front of a packed list, for those that can be packed
	Oneof     string // name of the field of the struct for the oneof around it
	Wrapper   string // Go name of its wrapper struct there
	Seen      int    // bit in the mask of fields seen while reusing, or -1
	Part      bool   // decoded into the block that the optional parts of a message share
	Fresh     bool   // a message that is of a type with Beside, and made where it is decoded
	Key, Elem *Field // of a map
}

// Value is the type of a field, or of an element of it.
type Value struct {
	Kind    *kind.Row
	UTF8    bool             // a string that is checked
	Type    protogen.GoIdent // of an enum or message
	TypePkg protogen.GoPackageName
	Access  Access // of a message

	Codec    protogen.GoIdent // of a message that is called as External
	CodecPkg protogen.GoPackageName

	Long    bool // of a message, as in Message
	Group   bool
	MayLack bool
	Deep    bool // of a message that may be nested in itself, at any depth
}

// Access is how generated code calls the operations of a message type.
type Access int

const (
	Direct   Access = iota // generated code in the same Go package: all methods
	Known                  // generated code in another Go package: exported methods
	Foreign                // perhaps none: through the runtime, which finds out
	External               // code outside of the Go package of the message: through its codec
)

// New makes the plans for a file, or returns an error that lists all reasons why it
// cannot. There are two where protoc-gen-go writes two files: at the API level HYBRID a
// second one, for programs built with the tag protoopaque, in which every message is opaque.
func New(plugin *protogen.Plugin, file *protogen.File, opts Options) ([]*File, error) {
	b := &builder{
		plugin: plugin, file: file, opts: opts, schemas: new(fingerprint.Cache),
		groups: map[string]map[protoreflect.FullName]bool{}, whole: map[protoreflect.FullName]bool{},
		deeps: map[protoreflect.FullName]bool{},
	}
	if target, ok := opts.targetOf(file.Desc); ok {
		b.target = &target
		if b.notOpen(); b.err() != nil {
			return nil, b.err()
		}
		return []*File{b.plan("", "")}, b.err()
	}
	if file.APILevel != gofeaturespb.GoFeatures_API_HYBRID {
		return []*File{b.plan("", "")}, b.err()
	}
	files := []*File{b.plan("", "!"+opaqueTag)}
	if b.err() == nil {
		restore := makeOpaque(file.Messages)
		files = append(files, b.plan("_"+opaqueTag, opaqueTag))
		restore()
	}
	return files, b.err()
}

// opaqueTag is the build tag that selects the second file.
const opaqueTag = "protoopaque"

// plan makes the plan for one file of Go code. variant is what its name has behind those of
// others, tag the build tag that it needs.
func (b *builder) plan(variant, tag string) *File {
	plugin, file := b.plugin, b.file
	f := &File{
		Path:        file.Desc.Path(),
		Prefix:      file.GeneratedFilenamePrefix,
		Package:     file.GoPackageName,
		ImportPath:  file.GoImportPath,
		Constraint:  names.BuildConstraint(file.GeneratedFilenamePrefix + variant),
		Suffix:      names.FileSuffix(variant),
		Declaration: file,
	}
	switch {
	case f.Constraint == "":
		f.Constraint = tag
	case tag != "":
		f.Constraint += " && " + tag
	}
	if b.target != nil {
		b.external(f, *b.target)
	}
	for _, other := range plugin.Files {
		if other.GeneratedFilenamePrefix+goSuffix == f.Prefix+f.Suffix {
			b.refuse(file.Desc, "protoc-gen-go writes "+f.Prefix+f.Suffix+" for "+other.Desc.Path()+"; rename one of the two files")
		}
	}
	for _, m := range file.Messages {
		f.Messages = b.messages(f.Messages, m)
	}
	f.beside()
	return f
}

// goSuffix is what protoc-gen-go's files have behind the name of their .proto file.
const goSuffix = ".pb.go"

type builder struct {
	plugin  *protogen.Plugin
	file    *protogen.File
	opts    Options
	target  *Target // where the code goes if that is not the Go package of the file
	schemas *fingerprint.Cache
	groups  map[string]map[protoreflect.FullName]bool // by file; see groupContent
	whole   map[protoreflect.FullName]bool            // messages that lack no required field
	deeps   map[protoreflect.FullName]bool            // what deep has found out
	refused []string
}

// refuse notes why d cannot be handled. What is wrong with an entry of a map is wrong
// with the map.
func (b *builder) refuse(d protoreflect.Descriptor, why string) {
	if entry, ok := d.Parent().(protoreflect.MessageDescriptor); ok && entry.IsMapEntry() {
		d = mapOf(entry)
	}
	place := b.file.Desc.Path()
	if loc := b.location(d); loc.Path != nil {
		place = fmt.Sprintf("%s:%d:%d", place, loc.StartLine+1, loc.StartColumn+1)
	} else if _, isFile := d.(protoreflect.FileDescriptor); isFile {
		place += ":1:1"
	}
	what := ""
	if name := d.FullName(); name != "" && d != protoreflect.Descriptor(b.file.Desc) {
		what = string(name) + ": "
	}
	b.refused = append(b.refused, place+": "+what+why)
}

// location returns where d is declared; a file at the line that names its language.
func (b *builder) location(d protoreflect.Descriptor) protoreflect.SourceLocation {
	places := b.file.Desc.SourceLocations()
	if _, isFile := d.(protoreflect.FileDescriptor); !isFile {
		return places.ByDescriptor(d)
	}
	const syntax, edition = 12, 14 // numbers of the fields of FileDescriptorProto
	for _, number := range []int32{syntax, edition} {
		if loc := places.ByPath(protoreflect.SourcePath{number}); loc.Path != nil {
			return loc
		}
	}
	return protoreflect.SourceLocation{}
}

// mapOf returns the field that the entries of a map belong to.
func mapOf(entry protoreflect.MessageDescriptor) protoreflect.Descriptor {
	fields := entry.Parent().(protoreflect.MessageDescriptor).Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); f.IsMap() && f.Message() == entry {
			return f
		}
	}
	return entry
}

func (b *builder) err() error {
	if len(b.refused) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(b.refused, "\n"))
}

func (b *builder) messages(list []*Message, m *protogen.Message) []*Message {
	if m.Desc.IsMapEntry() {
		return list
	}
	list = append(list, b.message(m))
	for _, nested := range m.Messages {
		list = b.messages(list, nested)
	}
	return list
}

func (b *builder) message(pm *protogen.Message) *Message {
	m := &Message{
		GoName:   pm.GoIdent.GoName,
		Type:     pm.GoIdent,
		TypePkg:  b.packageOf(pm.Desc),
		External: b.target != nil,
		FullName: pm.Desc.FullName(),
		Schema:   b.schemas.Of(pm.Desc),
		Long:     long(pm),
	}
	m.Extendable = pm.Desc.ExtensionRanges().Len() > 0
	m.MessageSet = isMessageSet(pm.Desc)
	m.Group = b.groupContent(pm.Desc)
	m.MayLack = b.mayLack(pm.Desc)
	if !isOpaque(pm) && !m.External {
		for _, o := range pm.Oneofs {
			if !o.Desc.IsSynthetic() && names.Collides(o.GoName) {
				b.refuse(o.Desc, collision(o.GoName, "oneof"))
			}
		}
	}
	if m.External && m.MessageSet {
		b.refuse(pm.Desc, "external= covers it, but messages in message set wire format only have code in their own Go package; leave its file out")
	}
	b.clashes(pm)
	fields := slices.Clone(pm.Fields)
	slices.SortFunc(fields, func(x, y *protogen.Field) int { return int(x.Desc.Number() - y.Desc.Number()) })
	seen := map[string]int{}
	for _, pf := range fields {
		f := b.field(pf)
		if f == nil {
			continue
		}
		f.Parent = m
		m.call(f)
		if slot := seenSlot(f); slot != "" {
			if _, ok := seen[slot]; !ok {
				seen[slot] = len(seen)
			}
			f.Seen = seen[slot]
		}
		m.Fields = append(m.Fields, f)
		if b.writesDefaultJSONName(pf) {
			m.JSONNames = append(m.JSONNames, int32(f.Number))
		}
		m.Lazy = m.Lazy || f.Getter != ""
		m.Room += len(f.Tag) + f.Kind.MaxBytes()
		if f.Shape == shape.Map {
			m.Maps++
		}
	}
	m.Room += roomSlack
	m.Runs = runs(m.Fields, pm.Desc.ExtensionRanges())
	if isOpaque(pm) {
		m.Presence = presenceBits(pm)
		for _, f := range m.Fields {
			f.Bits = m.Presence
		}
		m.Layout = layout(pm, m)
	}
	b.share(pm, m)
	return m
}

// writesDefaultJSONName reports whether the .proto file gives a field the JSON name that it has anyway. Only source
// info tells.
func (b *builder) writesDefaultJSONName(pf *protogen.Field) bool {
	const jsonName = 10 // field json_name of FieldDescriptorProto
	field := b.location(pf.Desc).Path
	if field == nil {
		return false
	}
	written := append(slices.Clone(field), jsonName)
	return b.file.Desc.SourceLocations().ByPath(written).Path != nil && pf.Desc.JSONName() == defaultJSONName(pf.Desc.Name())
}

// defaultJSONName returns the JSON name of a field that is given none.
func defaultJSONName(name protoreflect.Name) string {
	var b strings.Builder
	up := false
	for _, c := range []byte(name) {
		if c == '_' {
			up = true
			continue
		}
		if up && 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
		up = false
	}
	return b.String()
}

// call notes f if its message type is called as External, and is the first of that type.
func (m *Message) call(f *Field) {
	if f.Shape == shape.Map {
		f = f.Elem
	}
	same := func(g *Field) bool { return g.Codec == f.Codec }
	if f.Access == External && !slices.ContainsFunc(m.Calls, same) {
		m.Calls = append(m.Calls, f)
	}
}

// roomSlack is what the last varint of a message may write behind its own end: it is
// stored in words.
const roomSlack = 10

// seenSlot names the bit that a field needs while a message is reused, or "": fields
// that are emptied at the start need none, members of a oneof share one.
func seenSlot(f *Field) string {
	switch f.Shape {
	case shape.Oneof:
		return "oneof " + f.Oneof
	case shape.Explicit, shape.Bytes, shape.Message:
		return f.GoName
	case shape.Implicit:
		if f.Kind.Kind == protoreflect.StringKind {
			return f.GoName
		}
	case shape.Present, shape.List, shape.Packed, shape.Map:
	}
	return ""
}

// Bounds of the block that the optional scalars and the only child message of a
// message share when they are decoded: with more of them, too much of it would stay
// unused.
const (
	partsMax      = 8
	partsMaxBytes = 192
)

// share decides which fields are parts of one block of memory, so that the fields which
// are pointers take one allocation together. Whoever keeps a part keeps the block alive,
// which is never more than the message keeps alive itself.
func (b *builder) share(pm *protogen.Message, m *Message) {
	var parts []*Field
	var child *Field
	children, bytes := 0, 0
	for _, f := range m.Fields {
		switch f.Shape {
		case shape.Explicit:
			parts = append(parts, f)
			bytes += goBytes(f.Kind)
		case shape.Message:
			child = f
			children++
		case shape.Implicit, shape.Present, shape.Bytes, shape.Oneof, shape.List, shape.Packed, shape.Map:
		}
	}
	if children == 1 && (child.Access == Direct || child.Access == External) {
		parts = append(parts, child)
		for _, pf := range pm.Fields {
			if pf.GoName == child.GoName {
				bytes += structBytes(pf.Message)
			}
		}
	}
	if len(parts) < 2 || len(parts) > partsMax || bytes > partsMaxBytes {
		return
	}
	for _, f := range parts {
		f.Part = true
	}
}

// beside decides which messages get the wrapper of a oneof member beside them. A payload that
// begins with a scalar of a oneof needs both, so they take one allocation together: each keeps the
// other alive, and neither is of use without the other. Only the file itself is looked at, as
// what is generated does not depend on others.
func (f *File) beside() {
	types := map[protogen.GoIdent]*Message{}
	for _, m := range f.Messages {
		types[m.Type] = m
	}
	for _, m := range f.Messages {
		for _, field := range m.Fields {
			t := types[field.Type]
			if t == nil || field.Shape != shape.List && field.Shape != shape.Message || field.Part || field.Getter != "" ||
				field.Kind.Kind != protoreflect.MessageKind {
				continue
			}
			if t.Beside == nil {
				t.Beside = t.scalarMembers()
			}
			field.Fresh = len(t.Beside) > 0
		}
	}
}

// scalarMembers returns the members of oneofs that are no messages and have tags of one byte.
func (m *Message) scalarMembers() []*Field {
	var list []*Field
	for _, f := range m.Fields {
		if f.Shape == shape.Oneof && f.Kind.Kind != protoreflect.MessageKind && f.Kind.Kind != protoreflect.GroupKind && len(f.Tag) == 1 {
			list = append(list, f)
		}
	}
	return list
}

// goBytes estimates the memory of a scalar.
func goBytes(k *kind.Row) int {
	switch k.Go {
	case "string":
		return 16
	case "bool":
		return 1
	case "int32", "uint32", "float32", "":
		return 4
	}
	return 8
}

// structBytes estimates the memory of a message struct on a 64-bit machine.
func structBytes(pm *protogen.Message) int {
	n := 8 + 24 + 8 // what protoc-gen-go adds to every message
	oneofs := map[*protogen.Oneof]bool{}
	for _, pf := range pm.Fields {
		switch shapeOf(pf) {
		case shape.Oneof:
			if !oneofs[pf.Oneof] {
				oneofs[pf.Oneof] = true
				n += 16
			}
		case shape.List, shape.Packed, shape.Bytes:
			n += 24
		case shape.Implicit:
			if pf.Desc.Kind() == protoreflect.BytesKind {
				n += 24
				break
			}
			n += goBytes(kind.Of(pf.Desc.Kind()))
		case shape.Present:
			n += goBytes(kind.Of(pf.Desc.Kind())) + 1
		case shape.Explicit, shape.Message, shape.Map:
			n += 8
		}
	}
	return n
}

func runs(fields []*Field, ranges protoreflect.FieldRanges) []Run {
	var list []Run
	next := protowire.MinValidNumber
	for _, f := range fields {
		list = extensions(list, ranges, next, f.Number)
		next = f.Number + 1
		switch last := len(list) - 1; {
		case f.Shape != shape.Oneof:
			list = append(list, Run{Field: f})
		case last >= 0 && list[last].Oneof == f.Oneof:
			list[last].Members = append(list[last].Members, f)
		default:
			list = append(list, Run{Oneof: f.Oneof, Members: []*Field{f}})
		}
	}
	return extensions(list, ranges, next, protowire.MaxValidNumber+1)
}

// extensions adds a run where there may be extensions from one number on, below another.
func extensions(list []Run, ranges protoreflect.FieldRanges, from, to protowire.Number) []Run {
	for i := range ranges.Len() {
		if r := ranges.Get(i); r[0] < to && r[1] > from {
			return append(list, Run{From: from, To: to})
		}
	}
	return list
}

// long guesses whether most payloads of a message need two bytes for their length.
func long(m *protogen.Message) bool {
	for _, f := range m.Fields {
		if f.Desc.IsList() || f.Desc.IsMap() {
			return true
		}
	}
	return false
}

// deep reports whether a message may contain another of its type, at any depth: its type
// holds itself, or an extension can bring it in.
func (b *builder) deep(root protoreflect.MessageDescriptor) bool {
	if known, ok := b.deeps[root.FullName()]; ok {
		return known
	}
	found := false
	seen := map[protoreflect.FullName]bool{}
	for todo := []protoreflect.MessageDescriptor{root}; len(todo) > 0 && !found; {
		md := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		found = md.ExtensionRanges().Len() > 0
		for i := range md.Fields().Len() {
			child := md.Fields().Get(i).Message()
			if child == nil || seen[child.FullName()] {
				continue
			}
			seen[child.FullName()] = true
			todo = append(todo, child)
		}
		found = found || seen[root.FullName()]
	}
	b.deeps[root.FullName()] = found
	return found
}

// field returns nil for a field that is refused.
func (b *builder) field(pf *protogen.Field) *Field {
	opaque := isOpaque(pf.Parent)
	form := shapeOf(pf)
	if form != shape.Oneof && !opaque && b.target == nil && names.Collides(pf.GoName) { // members are fields of their wrapper
		b.refuse(pf.Desc, collision(pf.GoName, "field"))
		return nil
	}
	v, ok := b.value(pf)
	if !ok {
		return nil
	}
	f := &Field{
		Name:   string(pf.Desc.Name()),
		GoName: pf.GoName,
		Number: pf.Desc.Number(),
		Shape:  form,
		Value:  v,
		Tag:    protowire.AppendTag(nil, pf.Desc.Number(), v.Kind.Wire),
		Seen:   -1,

		Struct:   structName(pf.GoName, opaque),
		Bit:      -1,
		Required: pf.Desc.Cardinality() == protoreflect.Required,
	}
	if v.Kind.Wire == protowire.StartGroupType {
		f.EndTag = protowire.AppendTag(nil, pf.Desc.Number(), protowire.EndGroupType)
	}
	if opaque && !pf.Desc.IsMap() {
		f.Indirect = pf.Desc.IsList() && pf.Message != nil
		f.Bit = presenceBit(pf)
		if pf.Message != nil && isLazy(pf) {
			f.Getter, _ = pf.MethodName("Get")
		}
	}
	switch f.Shape {
	case shape.Oneof:
		f.Oneof, f.Wrapper = structName(pf.Oneof.GoName, opaque), wrapperName(pf.GoIdent.GoName, opaque)
	case shape.List, shape.Packed:
		if v.Kind.Packed != "" {
			f.PackedTag = protowire.AppendTag(nil, pf.Desc.Number(), protowire.BytesType)
		}
	case shape.Map:
		f.Key, f.Elem = b.field(pf.Message.Fields[0]), b.field(pf.Message.Fields[1])
		if f.Key == nil || f.Elem == nil {
			return nil
		}
	case shape.Implicit, shape.Explicit, shape.Present, shape.Bytes, shape.Message:
	}
	return f
}

// shapeOf decides from what the descriptor means, never from its syntax.
func shapeOf(pf *protogen.Field) shape.Shape {
	switch d := pf.Desc; {
	case d.IsMap():
		return shape.Map
	case d.IsList() && d.IsPacked():
		return shape.Packed
	case d.IsList():
		return shape.List
	case pf.Oneof != nil && !pf.Oneof.Desc.IsSynthetic():
		return shape.Oneof
	case d.Message() != nil:
		return shape.Message
	case !d.HasPresence():
		return shape.Implicit
	case d.Kind() == protoreflect.BytesKind:
		return shape.Bytes
	case isOpaque(pf.Parent) && d.Kind() != protoreflect.StringKind:
		return shape.Present
	default:
		return shape.Explicit
	}
}

func (b *builder) value(pf *protogen.Field) (Value, bool) {
	v := Value{Kind: kind.Of(pf.Desc.Kind())}
	if v.Kind.Kind == protoreflect.GroupKind && (pf.Desc.IsMap() || pf.Parent.Desc.IsMapEntry()) {
		v.Kind = kind.Of(protoreflect.MessageKind) // DELIMITED for a whole file does not apply to maps
	}
	switch {
	case pf.Enum != nil:
		v.Type = pf.Enum.GoIdent
		v.TypePkg = b.packageOf(pf.Enum.Desc)
	case pf.Message != nil && !pf.Desc.IsMap():
		v.Type = pf.Message.GoIdent
		v.TypePkg = b.packageOf(pf.Message.Desc)
		v.Long = long(pf.Message)
		v.Group = b.groupContent(pf.Message.Desc)
		v.MayLack = b.mayLack(pf.Message.Desc)
		v.Deep = b.deep(pf.Message.Desc)
		return v, b.access(pf, &v)
	case v.Kind.Kind == protoreflect.StringKind:
		v.UTF8 = checksUTF8(pf.Desc)
	}
	return v, true
}

// access decides how the message type of a field is called, and refuses where it
// cannot be.
func (b *builder) access(pf *protogen.Field, v *Value) bool {
	if t, ok := b.opts.targetOf(pf.Message.Desc.ParentFile()); ok {
		v.Access = External
		v.Codec, v.CodecPkg = t.ImportPath.Ident(v.Type.GoName), t.Package
		return true
	}
	switch {
	case b.target == nil && v.Type.GoImportPath == b.file.GoImportPath:
		v.Access = Direct
	case b.known(string(v.Type.GoImportPath)):
		v.Access = Known
	case b.opts.ForeignError:
		b.refuse(pf.Desc, fmt.Sprintf("its type %s is in Go package %s, which neither known= nor external= covers (foreign=error)",
			pf.Message.Desc.FullName(), string(v.Type.GoImportPath)))
		return false
	default:
		v.Access = Foreign
	}
	return true
}

// known reports whether an import path is one of the known ones or below it.
func (b *builder) known(importPath string) bool {
	for _, k := range b.opts.Known {
		if importPath == k || strings.HasPrefix(importPath, strings.TrimSuffix(k, "/")+"/") {
			return true
		}
	}
	return false
}

func (b *builder) packageOf(d protoreflect.Descriptor) protogen.GoPackageName {
	if f := b.plugin.FilesByPath[d.ParentFile().Path()]; f != nil {
		return f.GoPackageName
	}
	return "pb"
}

func collision(goName, what string) string {
	return "its Go name " + goName + " is the name of a generated method; rename the " + what
}
