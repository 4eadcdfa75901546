package randschema

import (
	"fmt"
	"slices"
	"strings"
)

// Place is where a schema stands, so that several can be linked into one program.
type Place struct {
	// Dir is the folder of the files below the folder where imports start, and the first
	// part of their proto packages: a name in letters and digits.
	Dir string
	// GoPath is the import path of the folder where imports start.
	GoPath string
	// Number is another one for each place. Extensions of google/protobuf/descriptor.proto,
	// which all places share, are numbered by it.
	Number int
}

// File is a file of a schema.
type File struct {
	Path string // from the folder where imports start
	Text string
	Go   string // import path of its Go package
}

// Files returns the text of a schema without the parts for which without reports true.
func (s *Schema) Files(at Place, without func(part int) bool) []File {
	if without == nil {
		without = func(int) bool { return false }
	}
	w := &writer{schema: s, at: at, without: without, shared: map[any]bool{}}
	w.share()
	var list []File
	for _, f := range s.files {
		if w.without(f.id) {
			continue
		}
		list = append(list, File{w.path(f), w.file(f), at.GoPath + "/" + w.dir(f)})
	}
	return list
}

// Print returns all of a list of files in a form to read.
func Print(files []File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "-- %s --\n%s", f.Path, f.Text)
	}
	return b.String()
}

type writer struct {
	schema  *Schema
	at      Place
	without func(int) bool
	shared  map[any]bool // messages and enums that another file needs
	text    strings.Builder
	indent  int
	imports map[string]bool
	options map[string]bool // imports that only options need
}

func (w *writer) dir(f *file) string {
	if f.dir == "" {
		return w.at.Dir
	}
	return w.at.Dir + "/" + f.dir
}

func (w *writer) path(f *file) string { return w.dir(f) + "/" + f.name + ".proto" }

func (w *writer) hasMessage(m *message) bool {
	return m == nil || !w.without(m.file.id) && !w.without(m.id) && w.hasMessage(m.parent)
}

func (w *writer) hasEnum(e *enum) bool {
	return e == nil || !w.without(e.file.id) && !w.without(e.id) && w.hasMessage(e.parent)
}

func (w *writer) hasField(f *field) bool {
	return !w.without(f.id) && (f.oneof == nil || !w.without(f.oneof.id)) &&
		(f.message == nil || f.message.group == f || w.hasMessage(f.message)) && w.hasEnum(f.enum) && w.hasMessage(f.extendee)
}

// share finds the types that other files need, which edition 2024 has to be told.
func (w *writer) share() {
	for _, f := range w.schema.files {
		use := func(m *message) {
			for ; m != nil && m.file != f; m = m.parent {
				w.shared[m] = true
			}
		}
		need := func(fd *field) {
			if !w.hasField(fd) {
				return
			}
			use(fd.message)
			use(fd.extendee)
			if fd.enum != nil && fd.enum.file != f {
				w.shared[fd.enum] = true
				use(fd.enum.parent)
			}
		}
		each(f.extends, need)
		f.eachMessage(func(m *message) {
			each(m.fields, need)
			each(m.extends, need)
		})
		for _, s := range f.services {
			use(s.in)
			use(s.out)
		}
	}
}

func (w *writer) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

func (w *writer) open(format string, args ...any) {
	w.line(format+" {", args...)
	w.indent++
}

func (w *writer) close() {
	w.indent--
	w.line("}")
}

const goFeatures = "google/protobuf/go_features.proto"

// file returns the text of a file. The body comes first, as it says what to import.
func (w *writer) file(f *file) string {
	w.text.Reset()
	w.imports, w.options = map[string]bool{}, map[string]bool{}
	goPackage := w.at.GoPath + "/" + w.dir(f)
	if f.goName != "" {
		goPackage += ";" + f.goName
	}
	w.line("option go_package = %q;", goPackage)
	w.settings(f, f.options, f.features)
	for _, e := range f.enums {
		w.enum(e)
	}
	for _, m := range f.messages {
		w.message(m)
	}
	w.extends(f, f.extends)
	for _, s := range f.services {
		if w.without(s.id) || !w.hasMessage(s.in) || !w.hasMessage(s.out) {
			continue
		}
		w.open("service %s", s.name)
		stream := ""
		if s.stream {
			stream = "stream "
		}
		w.line("rpc Call(%s%s) returns (%s);", stream, w.name(f, s.in), w.name(f, s.out))
		w.close()
	}
	return w.head(f) + w.text.String()
}

// head returns the lines of a file in front of the first option.
func (w *writer) head(f *file) string {
	body := w.text.String()
	w.text.Reset()
	if f.syntax.isEdition() {
		w.line("edition = %q;", f.syntax.String())
	} else {
		w.line("syntax = %q;", f.syntax.String())
	}
	w.line("package %s%s;", w.at.Dir, f.pkg)
	public := map[string]bool{}
	for _, l := range f.public {
		if !w.without(l.id) && !w.without(l.to.id) {
			w.line("import public %q;", w.path(l.to))
			public[w.path(l.to)] = true
		}
	}
	for _, l := range f.unused {
		if !w.without(l.id) && !w.without(l.to.id) {
			w.imports[w.path(l.to)] = true
		}
	}
	var imports, options []string
	for path := range w.imports {
		if !public[path] {
			imports = append(imports, path)
		}
	}
	for path := range w.options {
		switch {
		case public[path] || w.imports[path]:
		case f.syntax == Edition2024:
			options = append(options, path)
		default:
			imports = append(imports, path)
		}
	}
	slices.Sort(imports)
	slices.Sort(options)
	for _, path := range imports {
		w.line("import %q;", path)
	}
	for _, path := range options {
		w.line("import option %q;", path)
	}
	head := w.text.String()
	w.text.Reset()
	w.text.WriteString(body)
	return head
}

// settings writes options and features of a file, a message or an enum.
func (w *writer) settings(f *file, options []option, features features) {
	for _, o := range w.all(f, options, features) {
		w.line("option %s;", o)
	}
}

// all returns the options and features that are left as "name = value".
func (w *writer) all(f *file, options []option, features features) []string {
	var list []string
	for _, o := range options {
		switch {
		case w.without(o.id):
		case o.custom == nil:
			list = append(list, o.name+" = "+o.value)
		case !w.without(o.custom.id) && !w.without(o.custom.in.id):
			w.options[w.path(o.custom.in)] = true
			list = append(list, fmt.Sprintf("(.%s%s.%s) = %s", w.at.Dir, o.custom.in.pkg, o.custom.name, o.value))
		}
	}
	for _, o := range features {
		if w.without(o.id) {
			continue
		}
		if strings.HasPrefix(o.name, "(pb.go)") {
			w.options[goFeatures] = true
		}
		list = append(list, "features."+o.name+" = "+o.value)
	}
	return list
}

// visibility returns the keyword that a type of an edition 2024 file needs in order to be
// seen by other files, or that it has for a change.
func (w *writer) visibility(f *file, nested, local bool, typ any) string {
	if f.syntax != Edition2024 {
		return ""
	}
	exported := map[string]bool{"EXPORT_ALL": true, "LOCAL_ALL": false}
	byDefault, ok := exported[f.features.get("default_symbol_visibility")]
	if !ok {
		byDefault = !nested
	}
	switch {
	case w.shared[typ] && !byDefault:
		return "export "
	case !w.shared[typ] && local && byDefault:
		return "local "
	}
	return ""
}

func (w *writer) enum(e *enum) {
	if !w.hasEnum(e) {
		return
	}
	w.open("%senum %s", w.visibility(e.file, e.parent != nil, e.local, e), e.name)
	seen, alias := map[int32]bool{}, false
	for i, v := range e.values {
		if i == 0 || !w.without(v.id) {
			alias = alias || seen[v.number]
			seen[v.number] = true
		}
	}
	if alias {
		w.line("option allow_alias = true;")
	}
	w.settings(e.file, e.options, e.features)
	if e.reserved != "" {
		w.line("reserved %s;", e.reserved)
	}
	for i, v := range e.values {
		if i == 0 || !w.without(v.id) {
			w.line("%s = %d%s;", v.name, v.number, v.option)
		}
	}
	w.close()
}

func (w *writer) message(m *message) {
	if m.group != nil || !w.hasMessage(m) {
		return
	}
	w.open("%smessage %s", w.visibility(m.file, m.parent != nil, m.local, m), m.name)
	w.body(m)
	w.close()
}

func (w *writer) body(m *message) {
	w.settings(m.file, m.options, m.features)
	w.ranges("extensions", m.ranges)
	w.ranges("reserved", m.reserved)
	for _, n := range m.names {
		switch {
		case w.without(n.id):
		case m.file.syntax.isEdition():
			w.line("reserved %s;", n.name)
		default:
			w.line("reserved %q;", n.name)
		}
	}
	for _, e := range m.enums {
		w.enum(e)
	}
	for _, nested := range m.messages {
		w.message(nested)
	}
	written := map[*oneof]bool{}
	for _, f := range m.fields {
		switch {
		case !w.hasField(f):
		case f.oneof == nil:
			w.field(m.file, f)
		case !written[f.oneof]: // where its first member is
			written[f.oneof] = true
			w.open("oneof %s", f.oneof.name)
			for _, member := range m.fields {
				if member.oneof == f.oneof && w.hasField(member) {
					w.field(m.file, member)
				}
			}
			w.close()
		}
	}
	w.extends(m.file, m.extends)
}

func (w *writer) ranges(keyword string, list []numbers) {
	for _, r := range list {
		switch {
		case w.without(r.id):
		case r.first == r.last:
			w.line("%s %d%s;", keyword, r.first, r.text)
		case r.last == maxNumber:
			w.line("%s %d to max%s;", keyword, r.first, r.text)
		default:
			w.line("%s %d to %d%s;", keyword, r.first, r.last, r.text)
		}
	}
}

func (w *writer) extends(f *file, list []*field) {
	for _, x := range list {
		if !w.hasField(x) {
			continue
		}
		if x.extends != "" {
			w.imports["google/protobuf/descriptor.proto"] = true
			w.open("extend %s", x.extends)
		} else {
			w.open("extend %s", w.name(f, x.extendee))
		}
		w.field(f, x)
		w.close()
	}
}

// name returns the full name of a message, and notes the import.
func (w *writer) name(f *file, m *message) string {
	w.use(f, m.file)
	return "." + w.at.Dir + m.path()
}

func (w *writer) use(f, other *file) {
	if f != other {
		w.imports[w.path(other)] = true
	}
}

func (w *writer) typeOf(f *file, fd *field) string {
	switch {
	case fd.known.name != "":
		w.imports["google/protobuf/"+fd.known.file+".proto"] = true
		return ".google.protobuf." + fd.known.name
	case fd.enum != nil:
		w.use(f, fd.enum.file)
		return "." + w.at.Dir + fd.enum.path()
	case fd.message != nil:
		return w.name(f, fd.message)
	}
	return string(fd.kind)
}

func (w *writer) field(f *file, fd *field) {
	number := fd.number
	if number < 0 {
		number = 60000 + w.at.Number*16 + fd.nth
	}
	options := w.all(f, fd.options, fd.features)
	suffix := ""
	if len(options) > 0 {
		suffix = " [" + strings.Join(options, ", ") + "]"
	}
	label := w.label(f, fd)
	if fd.message != nil && fd.message.group == fd {
		w.open("%sgroup %s = %d%s", label, fd.message.name, number, suffix)
		w.body(fd.message)
		w.close()
		return
	}
	typ := w.typeOf(f, fd)
	if fd.shape == aMap {
		typ = fmt.Sprintf("map<%s, %s>", fd.key, typ)
	}
	w.line("%s%s %s = %d%s;", label, typ, fd.name, number, suffix)
}

func (w *writer) label(f *file, fd *field) string {
	switch fd.shape {
	case packed, unpacked:
		return "repeated "
	case required:
		if f.syntax == Proto2 {
			return "required "
		}
	case explicit:
		isMessage := fd.message != nil || fd.known.name != ""
		if f.syntax == Proto2 || f.syntax == Proto3 && (!isMessage || fd.id%4 == 0) {
			return "optional "
		}
	case implicit, inOneof, aMap:
	}
	return ""
}
