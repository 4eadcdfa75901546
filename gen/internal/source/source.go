// Package source writes Go files: lines, the header, and the imports that the
// lines turned out to need.
package source

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
)

// Printer collects the lines of one file.
type Printer struct {
	pkg     protogen.GoPackageName
	self    protogen.GoImportPath
	body    bytes.Buffer
	aliases map[protogen.GoImportPath]string
	taken   map[string]bool
}

// own are the packages that lines name as they are; the file imports those that it
// uses. Other packages of these names get another name.
var own = map[string]protogen.GoImportPath{
	"flinkser": "github.com/flinkser/flinkser/runtime",
	"wire":     "github.com/flinkser/flinkser/runtime/wire",
	"math":     "math",

	"protoimpl": "google.golang.org/protobuf/runtime/protoimpl",
}

var (
	ownUse  = regexp.MustCompile(`\b(flinkser|wire|math|protoimpl)\.[A-Z]`)
	comment = regexp.MustCompile(`//.*`)
)

// New returns a printer for a file of package pkg at import path self. No import
// gets a name of reserved.
func New(pkg protogen.GoPackageName, self protogen.GoImportPath, reserved []string) *Printer {
	p := &Printer{pkg: pkg, self: self, aliases: map[protogen.GoImportPath]string{}, taken: map[string]bool{}}
	for _, name := range reserved {
		p.taken[name] = true
	}
	for name := range own {
		p.taken[name] = true
	}
	return p
}

// L writes one line; the arguments are joined without spaces. Indentation is made
// at the end.
func (p *Printer) L(parts ...any) {
	fmt.Fprintln(&p.body, join(parts))
}

// F is L with a format.
func (p *Printer) F(format string, args ...any) {
	fmt.Fprintf(&p.body, format+"\n", args...)
}

func join(parts []any) string {
	var b strings.Builder
	for _, part := range parts {
		fmt.Fprint(&b, part)
	}
	return b.String()
}

// Import makes sure that the file imports path, and returns the name that it has
// there: want where that is free.
func (p *Printer) Import(importPath protogen.GoImportPath, want string) string {
	if alias, ok := p.aliases[importPath]; ok {
		return alias
	}
	alias := want
	for n := 1; p.taken[alias] || token.IsKeyword(alias); n++ {
		alias = want + strconv.Itoa(n)
	}
	p.taken[alias] = true
	p.aliases[importPath] = alias
	return alias
}

// Type returns the name of a type: as it is within the package, with the name of
// its package in front from elsewhere.
func (p *Printer) Type(id protogen.GoIdent, pkg protogen.GoPackageName) string {
	if id.GoImportPath == p.self {
		return id.GoName
	}
	return p.Import(id.GoImportPath, string(pkg)) + "." + id.GoName
}

// Bytes returns the formatted file: header, which ends above the package clause,
// imports and lines.
func (p *Printer) Bytes(header string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\npackage %s\n\n", header, p.pkg)
	for _, use := range ownUse.FindAllStringSubmatch(comment.ReplaceAllString(p.body.String(), ""), -1) {
		p.aliases[own[use[1]]] = use[1]
	}
	var std, other []string
	for importPath, alias := range p.aliases {
		line := strconv.Quote(string(importPath))
		if alias != path.Base(string(importPath)) {
			line = alias + " " + line
		}
		if first, _, _ := strings.Cut(string(importPath), "/"); strings.Contains(first, ".") {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	byPath := func(a, b string) int {
		return strings.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
	}
	slices.SortFunc(std, byPath)
	slices.SortFunc(other, byPath)
	if len(std)+len(other) > 0 {
		fmt.Fprintf(&b, "import (\n%s\n\n%s\n)\n\n", strings.Join(std, "\n"), strings.Join(other, "\n"))
	}
	b.Write(p.body.Bytes())
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("generated code does not parse: %w", err)
	}
	return out, nil
}
