package randschema

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// New returns the schema of a seed. Its first file is in one of the syntaxes, by turns, and the
// others in any of them.
func New(seed uint64, syntaxes ...Syntax) *Schema {
	if len(syntaxes) == 0 {
		syntaxes = Syntaxes
	}
	g := &generator{
		Rand:     rand.New(rand.NewPCG(seed, 1)),
		schema:   &Schema{Seed: seed},
		syntaxes: syntaxes,
		names:    newNames(),
	}
	n := uint64(len(syntaxes))
	g.run(syntaxes[seed%n], seed/n)
	return g.schema
}

type generator struct {
	*rand.Rand
	schema   *Schema
	syntaxes []Syntax
	names    names
	count    int // of names made up
	messages []*message
	enums    []*enum
	custom   []*field // extensions of options
}

func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

// part returns the id of a new element.
func (g *generator) part(level int) int {
	g.schema.parts = append(g.schema.parts, part{level})
	return len(g.schema.parts) - 1
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// run makes the files. The combinations dealt go to the main file, at any place among them.
func (g *generator) run(syntax Syntax, nth uint64) {
	n := 1 + g.IntN(2) + g.IntN(2)
	main := g.IntN(n)
	if g.one(4) {
		g.optionsFile()
	}
	for i := range n {
		s := pick(g, g.syntaxes)
		if i == main {
			s = syntax
		}
		var deals []Combo
		if i == main {
			deals = dealt(s, nth)
		}
		f := g.file(s, deals)
		g.skeleton(f, i == main)
		g.fill(f, deals)
	}
}

var (
	// Names of files and folders. A file f.proto in folder d and one in its parent are two.
	fileNames = []string{"x", "a", "m", "order", "data_types", "a-b", "v1.api", "type", "m_test_x", "flinkser", "README", "b2"}
	dirNames  = []string{"", "m", "x", "wire", "runtime", "v1", "func", "proto", "d/e", "flinkser", "type", "b", "math", "sub-dir", "unsafe", "err"}
	goNames   = []string{"", "", "", "pb", "m", "wire", "err", "len", "string", "protoimpl", "x_y"}
)

// file adds a file: in the folder of the one before it or in a new one, so that Go packages
// do not import each other in a circle.
func (g *generator) file(s Syntax, deals []Combo) *file {
	f := &file{id: g.part(levelFile), syntax: s, plain: g.one(3)}
	files := g.schema.files
	if last := len(files) - 1; last >= 0 && g.one(2) {
		f.dir, f.goName = files[last].dir, files[last].goName
	} else {
		for f.dir = pick(g, dirNames); slices.ContainsFunc(files, func(o *file) bool { return o.dir == f.dir }); {
			f.dir = pick(g, dirNames)
		}
		f.goName = pick(g, goNames)
	}
	for f.name == "" || slices.ContainsFunc(files, func(o *file) bool { return o.name == f.name }) {
		f.name = pick(g, fileNames)
	}
	// Files of one Go package may be in several proto packages, and the other way round.
	f.pkg = pick(g, []string{"", ".p", ".p.q", ".v1", ".m", ".flinkser"})
	if len(files) > 0 && g.one(2) {
		f.pkg = pick(g, files).pkg
	}
	for i := range f.pkg {
		if f.pkg[i] == '.' {
			g.names.symbols[f.pkg[:i]] = true
		}
	}
	g.names.symbols[f.pkg] = true
	g.fileOptions(f)
	if slices.ContainsFunc(deals, isClosedMap) {
		f.features = slices.DeleteFunc(f.features, isImplicit)
	}
	for _, o := range files {
		switch {
		case g.one(6):
			f.public = append(f.public, link{g.part(levelOption), o})
		case g.one(10):
			f.unused = append(f.unused, link{g.part(levelOption), o})
		}
	}
	g.schema.files = append(files, f)
	return f
}

// isClosedMap and isImplicit tell what cannot be in one file: protoc takes the values of a map
// for fields without presence then.
func isClosedMap(c Combo) bool { return c.shape == aMap && c.kind == closed }

func isImplicit(o option) bool { return o.name == "field_presence" && o.value == "IMPLICIT" }

func (g *generator) option(name, value string) option {
	return option{id: g.part(levelOption), name: name, value: value}
}

func (g *generator) fileOptions(f *file) {
	add := func(n int, name string, values ...string) {
		if g.one(n) {
			f.options = append(f.options, g.option(name, pick(g, values)))
		}
	}
	add(8, "java_package", `"com.example.x"`)
	if f.syntax != Edition2024 {
		add(8, "java_multiple_files", "true")
	}
	add(8, "optimize_for", "CODE_SIZE", "SPEED")
	add(12, "deprecated", "true")
	add(12, "cc_enable_arenas", "true", "false")
	if !f.syntax.isEdition() {
		return
	}
	feature := func(n int, name string, values ...string) {
		if g.one(n) {
			f.features = append(f.features, g.option(name, pick(g, values)))
		}
	}
	feature(2, "field_presence", "IMPLICIT", "EXPLICIT")
	feature(2, "enum_type", "CLOSED", "OPEN")
	feature(2, "repeated_field_encoding", "EXPANDED", "PACKED")
	feature(2, "utf8_validation", "NONE", "VERIFY")
	feature(3, "message_encoding", "DELIMITED", "LENGTH_PREFIXED")
	feature(4, "json_format", "LEGACY_BEST_EFFORT", "ALLOW")
	feature(2, "(pb.go).api_level", "API_OPEN", "API_HYBRID", "API_OPAQUE")
	if f.syntax != Edition2024 {
		feature(8, "(pb.go).legacy_unmarshal_json_enum", "false")
		return
	}
	feature(3, "(pb.go).strip_enum_prefix", "STRIP_ENUM_PREFIX_KEEP", "STRIP_ENUM_PREFIX_GENERATE_BOTH")
	feature(3, "default_symbol_visibility", "EXPORT_ALL", "LOCAL_ALL", "EXPORT_TOP_LEVEL")
	if !f.plain {
		feature(1, "enforce_naming_style", "STYLE_LEGACY")
	}
}

// resolved returns the value of a feature for an element that has own features.
func resolved(f *file, own features, name, otherwise string) string {
	if v := own.get(name); v != "" {
		return v
	}
	if v := f.features.get(name); v != "" {
		return v
	}
	return otherwise
}

// optionsFile adds a file with options for the others to use.
func (g *generator) optionsFile() {
	f := g.file(pick(g, g.syntaxes), nil)
	for _, target := range []string{"FieldOptions", "MessageOptions", "FileOptions"} {
		for _, k := range []Kind{"int32", "string", "bool"} {
			if !g.one(2) {
				continue
			}
			x := &field{
				id: g.part(levelMember), name: fmt.Sprintf("opt%d", len(g.custom)), in: f, extends: "google.protobuf." + target,
				shape: explicit, kind: k, nth: len(g.custom), number: -1,
			}
			g.names.take([]string{f.pkg + "." + x.name}, []string{"E_" + camel(x.name)})
			f.extends = append(f.extends, x)
			g.custom = append(g.custom, x)
		}
	}
}

// customOptions returns settings of the custom options for a target.
func (g *generator) customOptions(f *file, target string) []option {
	var list []option
	for _, x := range g.custom {
		if x.extends != "google.protobuf."+target || x.in == f || !g.one(6) {
			continue
		}
		value := map[Kind]string{"int32": "-7", "string": `"a\"\001é"`, "bool": "true"}[x.kind]
		list = append(list, option{id: g.part(levelOption), value: value, custom: x})
	}
	return list
}

// skeleton makes the types of a file, without the fields.
func (g *generator) skeleton(f *file, main bool) {
	for range 1 + g.IntN(3) {
		f.enums = append(f.enums, g.enum(f, nil, ""))
	}
	n := 1 + g.IntN(3)
	if main {
		n++
	}
	for range n {
		f.messages = append(f.messages, g.message(f, nil, 3))
	}
}

func (g *generator) message(f *file, parent *message, depth int) *message {
	m := &message{id: g.part(levelType), file: f, parent: parent, index: len(g.messages), local: g.one(4)}
	m.name = g.typeName(f, parent)
	g.messages = append(g.messages, m)
	if f.syntax != Proto3 && g.IntN(5) < 3 {
		m.ranges = g.ranges()
	}
	switch format := resolved(f, nil, "json_format", "ALLOW"); {
	case f.syntax == Proto2:
		m.loose = g.one(3)
	case f.syntax == Proto3 && g.one(5):
		m.loose = true
		m.options = append(m.options, g.option("deprecated_legacy_json_field_conflicts", "true"))
	case f.syntax.isEdition() && format == "LEGACY_BEST_EFFORT":
		m.loose = true
	case f.syntax.isEdition() && g.one(6):
		m.loose = true
		m.features = append(m.features, g.option("json_format", "LEGACY_BEST_EFFORT"))
	}
	if g.one(8) {
		m.options = append(m.options, g.option("deprecated", "true"))
	}
	if f.syntax.isEdition() && g.one(4) {
		m.features = append(m.features, g.option("(pb.go).api_level", pick(g, []string{"API_OPEN", "API_HYBRID", "API_OPAQUE"})))
	}
	m.options = append(m.options, g.customOptions(f, "MessageOptions")...)
	for depth > 0 && g.one(4) {
		m.messages = append(m.messages, g.message(f, m, depth-1))
		depth--
	}
	if g.one(5) {
		m.enums = append(m.enums, g.enum(f, m, ""))
	}
	for range g.IntN(3) {
		name := g.memberName(f)
		clash := slices.ContainsFunc(m.oneofs, func(o *oneof) bool { return camel(o.name) == camel(name) })
		if !clash && g.names.take([]string{m.path() + "." + name}, []string{m.goName() + "_" + camel(name) + "_"}) {
			m.oneofs = append(m.oneofs, &oneof{g.part(levelMember), name})
		}
	}
	if g.one(4) {
		first := 5000 + g.IntN(2000)
		if g.one(2) && !inside(m.ranges, 2) {
			first = 2
		}
		m.reserved = append(m.reserved, numbers{g.part(levelOption), first, first + g.IntN(3), ""})
	}
	if g.one(6) {
		m.names = append(m.names, g.option(fmt.Sprintf("gone%d", m.index), ""))
	}
	return m
}

const (
	maxNumber   = 1<<29 - 1
	reservedOne = 19000 // first and last of the numbers that protobuf keeps for itself
	reservedEnd = 19999
)

// ranges returns the numbers of extensions.
func (g *generator) ranges() []numbers {
	all := [][]int{{100, 199}, {1000, 1000}, {4000, 4063}, {20000, maxNumber}, {5, 8}, {1 << 20, 1<<20 + 99}, {18900, 18999}}
	g.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	var list []numbers
	for _, r := range all[:1+g.IntN(3)] {
		text := ""
		if g.one(6) {
			text = " [verification = UNVERIFIED]"
		}
		list = append(list, numbers{g.part(levelOption), r[0], r[1], text})
	}
	if slices.ContainsFunc(list, func(n numbers) bool { return n.last == maxNumber }) {
		list = slices.DeleteFunc(list, func(a numbers) bool { return a.first > 20000 })
	}
	return list
}

// enum makes an enum. One that is wanted for a field is of that kind, and begins with zero.
func (g *generator) enum(f *file, parent *message, want Kind) *enum {
	e := &enum{id: g.part(levelType), file: f, parent: parent, zero: true, local: g.one(4)}
	e.name = g.typeName(f, parent)
	g.enums = append(g.enums, e)
	if types := map[Kind][]string{openEnum: {"OPEN"}, closed: {"CLOSED"}, "": {"OPEN", "CLOSED"}}[want]; f.syntax.isEdition() && (want != "" || g.one(3)) {
		e.features = append(e.features, g.option("enum_type", pick(g, types)))
	}
	if f.syntax == Edition2024 && g.one(4) {
		e.features = append(e.features, g.option("(pb.go).strip_enum_prefix", "STRIP_ENUM_PREFIX_KEEP"))
	}
	if e.isClosed() && want == "" && g.one(3) {
		e.zero = false
	}
	scope, prefix := f.pkg, camel(e.name)
	if parent != nil {
		scope, prefix = parent.path(), parent.goName()
	}
	taken := map[int32]bool{}
	for i := range 1 + g.IntN(5) {
		v := value{id: g.part(levelMember), number: g.enumNumber()}
		if i == 0 && e.zero {
			v.number = 0
		}
		if taken[v.number] {
			if e.alias = e.alias || g.one(3); !e.alias {
				continue
			}
		}
		if g.one(8) {
			v.option = " [deprecated = true]"
		}
		for v.name == "" {
			g.count++
			name := fmt.Sprintf("%s%d", strings.ToUpper(pick(g, words)), g.count)
			if !f.plain && i < 2 && g.one(3) {
				name = pick(g, nasty)
				if g.names.symbols[scope+".json."+jsonName(name)] {
					continue
				}
				g.names.symbols[scope+".json."+jsonName(name)] = true
			}
			if g.names.take([]string{scope + "." + name}, []string{prefix + "_" + name, prefix + "_" + camel(name)}) {
				v.name = name
			}
		}
		taken[v.number] = true
		e.values = append(e.values, v)
	}
	if len(taken) == len(e.values) {
		e.alias = false
	}
	if g.one(6) && !taken[77] {
		e.reserved = "77"
	}
	return e
}

func (g *generator) enumNumber() int32 {
	return pick(g, []int32{0, 1, 2, 3, 4, 5, 127, 128, 1000, 1<<31 - 1, -1, -2, -128, -1 << 31})
}

// fill makes the fields and extensions of a file: the combinations that were dealt, and others.
func (g *generator) fill(f *file, deals []Combo) {
	var own []*message
	f.eachMessage(func(m *message) { own = append(own, m) })
	for _, c := range deals {
		g.place(f, own, c)
	}
	all := Combos(f.syntax)
	extra := len(own) * (2 + g.IntN(4))
	if g.one(25) { // more than 64 fields: a word of bits is not enough
		own = own[:1]
		extra = 70
	}
	for range extra {
		c := pick(g, all)
		for c.shape == aMap && g.IntN(4) > 0 { // of which there are most combinations by far
			c = pick(g, all)
		}
		g.place(f, own, c)
	}
	for _, m := range own {
		slices.SortStableFunc(m.fields, func(a, b *field) int { return g.IntN(3) - 1 })
		if m.parent == nil && g.one(8) {
			f.services = append(f.services, service{g.part(levelType), fmt.Sprintf("Service%d", m.index), m, own[0], g.one(2)})
		}
	}
	f.options = append(f.options, g.customOptions(f, "FileOptions")...)
}

// place adds a field or an extension of a combination to the file. In a few cases there is
// none that is legal, for want of a type.
func (g *generator) place(f *file, own []*message, c Combo) {
	fd := &field{shape: c.shape, kind: c.kind, key: c.key, in: f, lazy: c.lazy, preset: c.preset}
	if c.extension {
		fd.extendee = g.extendable(f)
	}
	m := pick(g, own)
	for tries := 0; !g.typed(f, m, fd); tries++ {
		if tries == 20 {
			return
		}
		m = pick(g, own)
	}
	fd.id = g.part(levelMember)
	if c.extension {
		g.extension(f, own, fd)
		return
	}
	if c.shape == inOneof {
		if len(m.oneofs) == 0 {
			name := fmt.Sprintf("choice%d", m.index)
			g.names.take([]string{m.path() + "." + name}, nil)
			m.oneofs = append(m.oneofs, &oneof{g.part(levelMember), name})
		}
		fd.oneof = pick(g, m.oneofs)
	}
	if c.shape == required && fd.message != nil {
		m.required = true
	}
	fd.number = g.fieldNumber(m)
	if fd.kind == delimited && f.syntax == Proto2 {
		g.group(f, m, fd)
	} else if fd.name = g.fieldName(m, c.shape); fd.name == "" {
		return
	}
	g.fieldOptions(f, fd)
	m.fields = append(m.fields, fd)
}

// extendable returns a message that extensions in f can extend: any of the file, or, half of
// the time, of another.
func (g *generator) extendable(f *file) *message {
	var list, near []*message
	for _, m := range g.messages {
		if len(m.ranges) > 0 && (m.file == f || !m.local) {
			list = append(list, m)
			if m.file == f {
				near = append(near, m)
			}
		}
	}
	if len(list) == 0 { // the first message of the file gets a range
		m := f.messages[0]
		m.ranges = []numbers{{g.part(levelOption), 7000, 7009, ""}}
		return m
	}
	if len(near) > 0 && g.one(2) {
		list = near
	}
	return pick(g, list)
}

// extension completes an extension and declares it in the file or in a message.
func (g *generator) extension(f *file, own []*message, fd *field) {
	fd.number = g.extensionNumber(fd.extendee)
	var in *message
	scope, ident := f.pkg, "E_"
	if g.one(3) {
		in = pick(g, own)
		scope, ident = in.path(), "E_"+in.goName()+"_"
	}
	if fd.kind == delimited && f.syntax == Proto2 {
		g.group(f, in, fd)
		g.names.take(nil, []string{ident + camel(fd.name)})
	}
	for fd.name == "" {
		g.count++
		name := fmt.Sprintf("x%d", g.count)
		if !f.plain && g.one(3) {
			name = pick(g, nasty)
		}
		if g.names.take([]string{scope + "." + name}, []string{ident + camel(name)}) {
			fd.name = name
		}
	}
	g.fieldOptions(f, fd)
	if in != nil {
		in.extends = append(in.extends, fd)
	} else {
		f.extends = append(f.extends, fd)
	}
}

// typed chooses the type of a field, and reports whether there is one.
func (g *generator) typed(f *file, m *message, fd *field) bool {
	switch fd.kind {
	case openEnum, closed:
		if fd.kind == closed && fd.shape == aMap && slices.ContainsFunc(f.features, isImplicit) {
			return false
		}
		return g.enumType(f, fd)
	case aMessage, delimited:
	default:
		return true
	}
	if fd.kind == delimited && f.syntax == Proto2 {
		return fd.shape != required || !m.required // a group is a message of its own
	}
	if fd.kind == aMessage && g.one(8) && fd.shape != required {
		fd.known = pick(g, wellKnowns)
		return true
	}
	var list []*message
	for _, o := range g.messages {
		if o.group != nil || o.file != f && o.local {
			continue
		}
		// A message that has to hold itself has no value, and one with many that have to hold
		// many is too large.
		if fd.shape == required && (o.index >= m.index || m.required) {
			continue
		}
		list = append(list, o)
	}
	if len(list) == 0 {
		if fd.shape != required || m.required || fd.kind == delimited {
			return false
		}
		fd.known = pick(g, wellKnowns)
		return true
	}
	fd.message = pick(g, list)
	return true
}

func (g *generator) enumType(f *file, fd *field) bool {
	fits := func(e *enum) bool {
		return e.isClosed() == (fd.kind == closed) && (e.file == f || !e.local) && (e.zero || fd.shape != aMap)
	}
	var list []*enum
	for _, e := range g.enums {
		if fits(e) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		e := g.enum(f, nil, fd.kind)
		f.enums = append(f.enums, e)
		list = append(list, e)
	}
	fd.enum = pick(g, list)
	return true
}

// group makes the message of a proto2 group. The field's name is that of the message in
// lower case. in is the message around the field, or nil.
func (g *generator) group(f *file, in *message, fd *field) {
	g.count++
	m := &message{id: fd.id, file: f, parent: in, index: len(g.messages), group: fd}
	m.name = fmt.Sprintf("%s%d", pick(g, []string{"Group", "G", "X_a", "Aa_", "MapOf"}), g.count)
	fd.name = strings.ToLower(m.name)
	fd.message = m
	scope, prefix := f.pkg, ""
	if in != nil {
		scope, prefix = in.path(), in.goName()+"_"
	}
	g.names.take([]string{scope + "." + m.name, scope + "." + fd.name}, []string{prefix + camel(m.name), prefix + camel(fd.name)})
	g.messages = append(g.messages, m)
	if g.one(4) {
		m.ranges = g.ranges()
	}
	all := Combos(f.syntax)
	for range 1 + g.IntN(3) {
		c := all[g.IntN(len(all))]
		if !c.extension && c.shape != inOneof && (c.shape != required || c.kind != aMessage && c.kind != delimited) {
			g.place(f, []*message{m}, c)
		}
	}
}

// fieldNumber returns a free number of m: small ones mostly, those around the lengths of
// tags, or any.
func (g *generator) fieldNumber(m *message) int {
	for {
		var n int
		switch g.IntN(6) {
		case 0:
			n = 1 + g.IntN(maxNumber)
		case 1:
			n = pick(g, []int{15, 16, 2047, 2048, 262143, 262144, 33554431, 33554432, maxNumber, maxNumber - 1, 18999, 20000, 1})
		case 2:
			n = 1 + g.IntN(3000)
		default:
			n = 1 + g.IntN(2*len(m.fields)+5)
		}
		if n >= reservedOne && n <= reservedEnd || inside(m.ranges, n) || inside(m.reserved, n) {
			continue
		}
		if !slices.ContainsFunc(m.fields, func(f *field) bool { return f.number == n }) {
			return n
		}
	}
}

func inside(list []numbers, n int) bool {
	return slices.ContainsFunc(list, func(r numbers) bool { return r.first <= n && n <= r.last })
}

func (g *generator) extensionNumber(m *message) int {
	for {
		r := pick(g, m.ranges)
		n := r.first + g.IntN(r.last-r.first+1)
		if g.names.take([]string{fmt.Sprintf("%s#%d", m.path(), n)}, nil) {
			return n
		}
		if r.last-r.first < 10 && g.one(10) { // perhaps all are taken
			if first := 7000 + 10*len(m.ranges); !slices.ContainsFunc(m.fields, func(f *field) bool { return first <= f.number && f.number < first+10 }) {
				m.ranges = append(m.ranges, numbers{g.part(levelOption), first, first + 9, ""})
			}
		}
	}
}

func (g *generator) fieldOptions(f *file, fd *field) {
	if f.syntax.isEdition() {
		g.fieldFeatures(f, fd)
	} else if fd.shape == packed && f.syntax == Proto2 {
		fd.options = append(fd.options, g.option("packed", "true"))
	} else if fd.shape == unpacked && isPackable(fd.kind) && (f.syntax == Proto3 || g.one(4)) {
		fd.options = append(fd.options, g.option("packed", "false"))
	} else if fd.shape == packed && g.one(4) {
		fd.options = append(fd.options, g.option("packed", "true"))
	}
	if fd.lazy {
		fd.options = append(fd.options, g.option("lazy", "true"))
	}
	if fd.preset {
		fd.options = append(fd.options, g.option("default", g.preset(fd)))
	}
	if g.one(15) {
		fd.options = append(fd.options, g.option("deprecated", "true"))
	}
	if g.one(15) && fd.extendee == nil {
		fd.options = append(fd.options, g.option("json_name", fmt.Sprintf(`"json-%d é"`, fd.id)))
	}
	if strings.HasSuffix(string(fd.kind), "64") && fd.shape != aMap && g.one(10) {
		fd.options = append(fd.options, g.option("jstype", "JS_STRING"))
	}
	fd.options = append(fd.options, g.customOptions(f, "FieldOptions")...)
}

func isPackable(k Kind) bool { return slices.Contains(numeric, k) || k == openEnum || k == closed }

// fieldFeatures adds the features that a field needs to be what it is, and sometimes those
// that it has anyway.
func (g *generator) fieldFeatures(f *file, fd *field) {
	want := func(name, value, otherwise string) {
		if resolved(f, nil, name, otherwise) != value || g.one(5) {
			fd.features = append(fd.features, g.option(name, value))
		}
	}
	isMessage := fd.message != nil || fd.known.name != ""
	switch fd.shape {
	case implicit:
		want("field_presence", "IMPLICIT", "EXPLICIT")
	case explicit:
		if fd.extendee == nil && !(isMessage && resolved(f, nil, "field_presence", "EXPLICIT") == "IMPLICIT" && g.one(2)) {
			want("field_presence", "EXPLICIT", "EXPLICIT")
		}
	case required:
		want("field_presence", "LEGACY_REQUIRED", "EXPLICIT")
	case packed:
		want("repeated_field_encoding", "PACKED", "PACKED")
	case unpacked:
		if isPackable(fd.kind) {
			want("repeated_field_encoding", "EXPANDED", "PACKED")
		}
	case inOneof, aMap:
	}
	if isMessage && fd.shape != aMap {
		want("message_encoding", map[Kind]string{aMessage: "LENGTH_PREFIXED", delimited: "DELIMITED"}[fd.kind], "LENGTH_PREFIXED")
	}
	if (fd.kind == "string" || fd.shape == aMap && fd.key == "string") && g.one(3) {
		fd.features = append(fd.features, g.option("utf8_validation", pick(g, []string{"NONE", "VERIFY"})))
	}
}

// preset returns a default for a field.
func (g *generator) preset(fd *field) string {
	switch fd.kind {
	case openEnum, closed:
		return pick(g, fd.enum.values).name
	case "bool":
		return pick(g, []string{"true", "false"})
	case "string":
		return pick(g, []string{`""`, `"a\"b\\c"`, `"é\n\t"`, `"x" 'y'`})
	case "bytes":
		return pick(g, []string{`""`, `"\000\377"`, `"\xfe\x01z"`})
	case "float", "double":
		return pick(g, []string{"0", "-0.0", "1.5", "-1e30", "inf", "-inf", "nan", "1000000", "3.4028235e38", "1e-40"})
	}
	low, high := map[bool]int64{true: -1 << 31, false: -1 << 63}[strings.HasSuffix(string(fd.kind), "32")], "9223372036854775807"
	if low == -1<<31 {
		high = "2147483647"
	}
	list := []string{"0", "7", "300", "0x10", high}
	if !strings.HasPrefix(string(fd.kind), "u") && !strings.HasPrefix(string(fd.kind), "fixed") {
		list = append(list, "-1", strconv.FormatInt(low, 10))
	}
	return pick(g, list)
}

// wellKnown is a message type that comes with protoc.
type wellKnown struct{ name, file string }

var wellKnowns = []wellKnown{
	{"Timestamp", "timestamp"},
	{"Duration", "duration"},
	{"Any", "any"},
	{"Struct", "struct"},
	{"Value", "struct"},
	{"ListValue", "struct"},
	{"Empty", "empty"},
	{"FieldMask", "field_mask"},
	{"StringValue", "wrappers"},
	{"BytesValue", "wrappers"},
	{"DoubleValue", "wrappers"},
	{"Int64Value", "wrappers"},
}
