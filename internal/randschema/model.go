// Package randschema makes random legal .proto files: any kind in any shape, in every syntax,
// with options, features, imports and names that are legal and awkward. One seed gives one
// schema, and parts of a schema can be left out to find what a failure needs.
package randschema

import "fmt"

// Syntax is the language of a file.
type Syntax int

const (
	Proto2 Syntax = iota
	Proto3
	Edition2023
	Edition2024
)

// Syntaxes are all languages, by the name that a file begins with.
var Syntaxes = []Syntax{Proto2, Proto3, Edition2023, Edition2024}

var syntaxNames = []string{"proto2", "proto3", "2023", "2024"}

func (s Syntax) String() string { return syntaxNames[s] }

func (s Syntax) isEdition() bool { return s >= Edition2023 }

// ParseSyntax is the inverse of String.
func ParseSyntax(name string) (Syntax, error) {
	for i, n := range syntaxNames {
		if n == name {
			return Syntax(i), nil
		}
	}
	return 0, fmt.Errorf("%q is no syntax; want one of %v", name, syntaxNames)
}

// Schema is a set of files, each of which imports only those before it.
type Schema struct {
	Seed  uint64
	files []*file
	parts []part
}

// part is an element that can be left out, by its place in Schema.parts. level orders the
// attempts: files are tried first, then types, then members, then options.
type part struct{ level int }

const (
	levelFile = iota
	levelType
	levelMember
	levelOption
	levels
)

type file struct {
	id       int
	name     string // without folder and extension
	dir      string // below the place of the schema, the folder of the Go package
	pkg      string // proto package below the package of the place, or ""
	goName   string // explicit name of the Go package, or ""
	syntax   Syntax
	plain    bool // only names that the style guide allows
	options  []option
	features features
	public   []link // imports
	unused   []link
	messages []*message
	enums    []*enum
	extends  []*field
	services []service
}

// link is an import that nothing, or only an importing file, needs.
type link struct {
	id int
	to *file
}

// option is a line of text. name is what stands in front of the equals sign.
type option struct {
	id          int
	name, value string
	custom      *field // instead of a name: the extension of an options message
}

// features are the options of a file, message, enum or field under "features.".
type features []option

func (f features) get(name string) string {
	for _, o := range f {
		if o.name == name {
			return o.value
		}
	}
	return ""
}

type message struct {
	id       int
	name     string
	file     *file
	parent   *message
	index    int // in the order of declaration, over all files
	options  []option
	features features
	fields   []*field
	oneofs   []*oneof
	messages []*message
	enums    []*enum
	extends  []*field
	ranges   []numbers // of extensions
	reserved []numbers
	names    []option // reserved
	group    *field   // the field that declares the message, of a proto2 group
	local    bool     // in edition 2024, unless another file needs it
	// loose allows fields whose names are the same in JSON.
	loose    bool
	required bool // has a required field that holds a message
}

// numbers is a range, its ends included.
type numbers struct {
	id          int
	first, last int
	text        string // behind the numbers
}

type oneof struct {
	id   int
	name string
}

type field struct {
	id       int
	name     string
	number   int
	shape    shape
	kind     Kind
	key      Kind // of a map
	message  *message
	known    wellKnown // or the type is one of Google's
	enum     *enum
	oneof    *oneof
	options  []option
	features features
	lazy     bool
	preset   bool // has a default
	// Of an extension: the file it stands in, and what it extends, either a message or an
	// options message of descriptor.proto.
	in       *file
	extendee *message
	extends  string
	nth      int // of the extensions of options messages
}

type enum struct {
	id       int
	name     string
	file     *file
	parent   *message
	options  []option
	features features
	values   []value
	alias    bool
	zero     bool // the first value is 0
	reserved string
	local    bool
}

type value struct {
	id     int
	name   string
	number int32
	option string
}

type service struct {
	id      int
	name    string
	in, out *message
	stream  bool
}

// isClosed reports whether numbers that the enum does not name are unknown to it.
func (e *enum) isClosed() bool {
	if e.file.syntax.isEdition() {
		v := e.features.get("enum_type")
		if v == "" {
			v = e.file.features.get("enum_type")
		}
		return v == "CLOSED"
	}
	return e.file.syntax == Proto2
}

// path returns the names from the package down to the message.
func (m *message) path() string {
	if m.parent != nil {
		return m.parent.path() + "." + m.name
	}
	return m.file.pkg + "." + m.name
}

func (m *message) goName() string {
	if m.parent != nil {
		return m.parent.goName() + "_" + camel(m.name)
	}
	return camel(m.name)
}

func (e *enum) path() string {
	if e.parent != nil {
		return e.parent.path() + "." + e.name
	}
	return e.file.pkg + "." + e.name
}
