// Command gen writes the Go types that several lanes have in common, and the functions over them,
// from templates: each library wants its own tags, and some want other types.
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var templates embed.FS

// target is a package that is written.
type target struct {
	Dir     string // below the folder of lanes
	Package string
	Files   []string // names of templates

	// Tags are the keys of struct tags, for fields that are always written and for others.
	Tags   []string
	Option string // added to the tag of a field that may be left out

	Flags  bool // presence is told by flags, since the format leaves out zeros
	Signed bool // the format has no unsigned numbers of 64 bits: their bits are in signed ones
	Long   bool // and no unsigned or floating point ones of 32 bits: they are in wider ones

	// Directive is a line for another generator that reads the types.
	Directive string

	Messages string // path of the package of generated messages
	Oneof    bool   // an optional string is alone in a oneof

	// Copied says that internal/copyconvert writes the functions over messages, which have the
	// names of the logical types.
	Copied   bool
	Variants []string // of the functions that vtprotobuf generates: Strict, Unsafe, Pool
}

// Pb returns the name of that package.
func (t target) Pb() string { return path.Base(t.Messages) }

// Clones reports whether the messages have CloneVT, for which those with pools are not generated.
func (t target) Clones() bool { return !slices.Contains(t.Variants, "Pool") }

// kind is one of the types of logical values.
type kind struct {
	Name    string // with a small letter
	Logical string
	Message string
}

// Kinds returns all of them.
func (t target) Kinds() []kind {
	all := []kind{
		{"record", "Record", "Record"},
		{"post", "Post", "SocialMediaPost"},
		{"batch", "Batch", "TracesData"},
		{"wide", "Wide", "Wide"},
	}
	for i := range all {
		if t.Copied {
			all[i].Message = all[i].Logical
		}
	}
	return all
}

var targets = []target{
	{Dir: "plain", Package: "plain", Files: []string{"types.go", "forms.go", "reset.go"}, Tags: []string{"json"}, Option: ",omitzero"},
	{Dir: "avro/avrotypes", Package: "avrotypes", Files: []string{"types.go", "forms.go", "reset.go"}, Tags: []string{"avro"}, Signed: true},
	{Dir: "avro/generic", Package: "generic", Files: []string{"generic.go"}},
	{Dir: "msgp/mapform", Package: "mapform", Files: []string{"types.go", "forms.go"}, Tags: []string{"msg"}, Option: ",omitempty", Directive: "//msgp:clearomitted"},
	{Dir: "msgp/tupleform", Package: "tupleform", Files: []string{"types.go", "forms.go"}, Tags: []string{"msg"}, Directive: tuples},
	{Dir: "gob/gobtypes", Package: "gobtypes", Files: []string{"types.go", "forms.go", "reset.go"}, Flags: true},
	{Dir: "easyproto", Package: "easyproto", Files: []string{"easyproto.go"}},
	{Dir: "tuple", Package: "tuple", Files: []string{"tuple.go"}},
	{Dir: "thrift", Package: "thrift", Files: []string{"wide.go"}, Signed: true, Long: true},
	{Dir: "gogo", Package: "gogo", Files: []string{"messages.go", "gogo.go"}, Messages: lanes + "gogo/gogopb", Oneof: true},
	{Dir: "golite", Package: "golite", Files: []string{"messages.go", "vt.go"}, Messages: lanes + "golite/litepb", Variants: []string{"Unsafe"}},
	{Dir: "vtproto", Package: "vtproto", Files: []string{"vt.go"}, Messages: messages + "vt", Copied: true, Variants: []string{"Strict", "Unsafe"}},
	{Dir: "vtpool", Package: "vtpool", Files: []string{"vt.go"}, Messages: messages + "vtpool", Copied: true, Variants: []string{"Pool"}},
}

// tuples tells msgp to write the types without the names of their fields.
const tuples = "//msgp:tuple Record Child Post Attachment Comment Batch ResourceSpans Resource ScopeSpans Scope Span Event Link Status KeyValue " +
	"AnyValue ArrayValue Wide"

// Paths of folders: that of the lanes, and that of messages with the names of the logical types.
const (
	lanes    = "github.com/flinkser/flinkser/bench/internal/lanes/"
	messages = "github.com/flinkser/flinkser/bench/pb/"
)

func main() {
	root := flag.String("lanes", ".", "folder of the lanes")
	flag.Parse()
	for _, t := range targets {
		if err := t.write(*root); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}

// write writes the files of a package.
func (t target) write(root string) error {
	dir := filepath.Join(root, filepath.FromSlash(t.Dir))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range t.Files {
		code, err := t.render(name)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", t.Dir, name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), code, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (t target) render(name string) ([]byte, error) {
	functions := template.FuncMap{
		"tag":      func(field string) string { return t.tag(field, "") },
		"optional": func(field string) string { return t.tag(field, t.Option) },
	}
	text, err := template.New("").Funcs(functions).ParseFS(templates, "*.tmpl")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Code generated by internal/gen from %s.tmpl. DO NOT EDIT.\n\n", name)
	if err := text.ExecuteTemplate(&out, name+".tmpl", t); err != nil {
		return nil, err
	}
	code, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w in\n%s", err, out.Bytes())
	}
	return code, nil
}

// tag returns the tag of a field, empty where the library has none.
func (t target) tag(field, option string) string {
	var tags []string
	for _, key := range t.Tags {
		tags = append(tags, fmt.Sprintf("%s:%q", key, field+option))
	}
	if len(tags) == 0 {
		return ""
	}
	return "`" + strings.Join(tags, " ") + "`"
}

// Emptied returns the bytes of an expression without what is in them. Those that hamba/avro has
// read lie in memory that goes on behind them with strings of other fields, so that nothing may be
// added to them.
func (t target) Emptied(expr string) string {
	if t.Package == "avrotypes" {
		return expr + "[:0:len(" + expr + ")]"
	}
	return expr + "[:0]"
}

// Uint64 returns the type of an unsigned number of 64 bits.
func (t target) Uint64() string {
	if t.Signed {
		return "int64"
	}
	return "uint64"
}

// ToUint64 converts an expression to it, and FromUint64 from it.
func (t target) ToUint64(expr string) string {
	if t.Signed {
		return "int64(" + expr + ")"
	}
	return expr
}

// FromUint64 is the opposite of ToUint64.
func (t target) FromUint64(expr string) string {
	if t.Signed {
		return "uint64(" + expr + ")"
	}
	return expr
}

// wideTypes are the types of the fields of Wide, which repeat.
var wideTypes = []string{
	"uint64", "int64", "uint32", "int32", "int64", "uint64", "int32", "uint32", "int64", "bool", "string", "int64", "float64", "int32", "float32",
}

// field is a field of Wide.
type field struct {
	Index   int    // from 0
	Name    string // F1 and so on
	Type    string // in the lane
	Logical string // in the logical value
	bits    bool   // a floating point number whose bits the lane holds
}

// Wide returns the fields of Wide.
func (t target) Wide() []field {
	var all []field
	for i := range 60 {
		f := field{Index: i, Name: fmt.Sprint("F", i+1), Logical: wideTypes[i%len(wideTypes)]}
		switch f.Type = f.Logical; {
		case t.Signed && f.Logical == "uint64":
			f.Type = "int64"
		case t.Long && f.Logical == "uint32":
			f.Type = "int64"
		case t.Long && f.Logical == "float32":
			f.Type = "float64"
		case t.Flags && f.Logical == "float64":
			f.Type, f.bits = "uint64", true
		case t.Flags && f.Logical == "float32":
			f.Type, f.bits = "uint32", true
		}
		all = append(all, f)
	}
	return all
}

// Number returns the number of the field in schemas.
func (f field) Number() int { return f.Index + 1 }

// wireMethods are what easyproto calls the types of the fields, which repeat.
var wireMethods = []string{
	"Uint64", "Sfixed64", "Uint32", "Sfixed32", "Int64", "Fixed64", "Int32", "Fixed32", "Int64", "Bool", "String", "Sint64", "Double", "Sint32", "Float",
}

// Method returns what easyproto calls the type of the field.
func (f field) Method() string { return wireMethods[f.Index%len(wireMethods)] }

// Fixed returns what the lane tuple calls the type of the field.
func (f field) Fixed() string {
	return map[string]string{
		"uint64": "u64", "int64": "i64", "uint32": "u32", "int32": "i32", "bool": "bool", "string": "text", "float64": "double", "float32": "float",
	}[f.Type]
}

// Lower returns the name of the field in schemas.
func (f field) Lower() string { return strings.ToLower(f.Name) }

// Same reports whether the lane holds the type of the logical value.
func (f field) Same() bool { return f.Type == f.Logical }

// Build converts a logical value to the lane's.
func (f field) Build(expr string) string {
	switch {
	case f.Same():
		return expr
	case f.bits:
		return "math.F" + f.Logical[1:] + "bits(" + expr + ")"
	}
	return f.Type + "(" + expr + ")"
}

// Value is the opposite of Build.
func (f field) Value(expr string) string {
	switch {
	case f.Same() && f.Logical == "string":
		return "strings.Clone(" + expr + ")"
	case f.Same():
		return expr
	case f.bits:
		return "math.F" + f.Logical[1:] + "frombits(" + expr + ")"
	}
	return f.Logical + "(" + expr + ")"
}

// Generic converts a logical value to what avro/generic has in a map.
func (f field) Generic(expr string) string {
	switch f.Logical {
	case "int32":
		return "f.Int(" + expr + ")"
	case "uint32", "uint64":
		return "int64(" + expr + ")"
	}
	return expr
}

// FromGeneric is the opposite of Generic.
func (f field) FromGeneric() string {
	switch f.Logical {
	case "int32":
		return fmt.Sprintf("small(m, %q)", f.Lower())
	case "uint32":
		return fmt.Sprintf("count(m, %q)", f.Lower())
	case "uint64":
		return fmt.Sprintf("unsigned(m, %q)", f.Lower())
	case "string":
		return fmt.Sprintf("text(m, %q)", f.Lower())
	}
	return fmt.Sprintf("get[%s](m, %q)", f.Logical, f.Lower())
}

// Read touches the lane's value.
func (f field) Read(expr string) string {
	switch f.Type {
	case "string":
		return "form.Text(" + expr + ")"
	case "bool":
		return "form.Bool(" + expr + ")"
	case "float64":
		return "form.Double(" + expr + ")"
	case "float32":
		return "form.Double(float64(" + expr + "))"
	case "uint64":
		return expr
	}
	return "uint64(" + expr + ")"
}
