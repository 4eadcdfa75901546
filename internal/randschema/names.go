package randschema

import (
	"fmt"
	"strings"
)

// nasty are names that are legal and that generated code may trip over.
var nasty = strings.Fields(`
	a at b block buf c code d depth e err i k m n o ok p parts room s seen size start t tag u v width x y z
	type func range select case chan var const go defer map interface struct package import return switch if else for
	break continue fallthrough goto default
	any append bool byte cap clear copy error false float32 int int32 len make max min new nil panic print real string
	true uint8 iota rune uintptr comparable
	reset proto_message proto_reflect descriptor marshal unmarshal extension_map extension_range_array get_m get set_m
	has_m clear_m which_o build builder message size_ clone decode encode validate merge equal state unknown_fields
	size_cache extension_fields xxx_presence xxx_hidden_m not_set
	proto wire flinkser math io sync unsafe reflect protoreflect protoimpl runtime fmt
	_lead __lead trail_ trail__ a__b _a_ _1 x_1 x1 x_1a _x_ a_b aB ab A Ab AB foo_bar fooBar FooBar Foo_Bar foo__bar f_ F
	value key entry message_value m_o _m M_ e_ E_x Type Func self this class descriptor_ Reset String`)

var words = strings.Fields(`user order item price total count address city state name label score weight height
	created updated deleted parent child owner group_id ratio active visible comment title body payload hash`)

// camel returns the Go name of a name, as protoc-gen-go makes it.
func camel(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.' && i+1 < len(s) && isLower(s[i+1]):
		case c == '.':
			b = append(b, '_')
		case c == '_' && (i == 0 || s[i-1] == '.'):
			b = append(b, 'X')
		case c == '_' && i+1 < len(s) && isLower(s[i+1]):
		case isDigit(c):
			b = append(b, c)
		default:
			if isLower(c) {
				c -= 'a' - 'A'
			}
			b = append(b, c)
			for ; i+1 < len(s) && isLower(s[i+1]); i++ {
				b = append(b, s[i+1])
			}
		}
	}
	return string(b)
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// jsonName returns the default name of a field in JSON, without regard to case: more names
// are the same than need be.
func jsonName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// entryName is the name of the message that protoc adds for a map field.
func entryName(s string) string {
	var b strings.Builder
	up := true
	for _, c := range []byte(s) {
		switch {
		case c == '_':
			up = true
		case up && isLower(c):
			b.WriteByte(c - 'a' + 'A')
			up = false
		default:
			b.WriteByte(c)
			up = false
		}
	}
	return b.String() + "Entry"
}

// names are those taken: symbols in the .proto files by their full name, Go identifiers of
// all packages together, and for each message the names of fields in JSON.
type names struct {
	symbols map[string]bool
	idents  map[string]bool
	json    map[*message]map[string]bool
}

func newNames() names {
	return names{map[string]bool{}, map[string]bool{}, map[*message]map[string]bool{}}
}

// take reports whether all symbols and identifiers were free, and takes them.
func (n *names) take(symbols, idents []string) bool {
	for _, s := range symbols {
		if n.symbols[s] {
			return false
		}
	}
	for _, s := range idents {
		if n.idents[s] {
			return false
		}
	}
	for _, s := range symbols {
		n.symbols[s] = true
	}
	for _, s := range idents {
		n.idents[s] = true
	}
	return true
}

// fieldName returns a free name for a field of m, or "" in case there is none. Members of a
// oneof and maps need more names than others.
func (g *generator) fieldName(m *message, s shape) string {
	for range 50 {
		name := g.memberName(m.file)
		if !m.loose && g.names.json[m][jsonName(name)] {
			continue
		}
		symbols := []string{m.path() + "." + name}
		if s == aMap {
			if isDigit(entryName(name)[0]) {
				continue // protoc-gen-go refuses the name of the message that this makes
			}
			symbols = append(symbols, m.path()+"."+entryName(name))
		}
		if g.clashes(m, name) || !g.names.take(symbols, []string{m.goName() + "_" + camel(name)}) {
			continue
		}
		if g.names.json[m] == nil {
			g.names.json[m] = map[string]bool{}
		}
		g.names.json[m][jsonName(name)] = true
		return name
	}
	return ""
}

// clashes reports whether protoc-gen-go's code for a field of this name does not compile:
// oneofs have getters, which it does not compare with the names of fields.
func (g *generator) clashes(m *message, name string) bool {
	for _, o := range m.oneofs {
		if camel(name) == "Get"+camel(o.name) || camel(name) == "Which"+camel(o.name) {
			return true
		}
	}
	return false
}

// memberName returns a name for a field or a oneof. One that is a method of every message
// does not compile as a field of the same struct.
func (g *generator) memberName(f *file) string {
	for {
		if name := g.anyName(f); camel(name) != "ProtoReflect" {
			return name
		}
	}
}

func (g *generator) anyName(f *file) string {
	switch {
	case f.plain, g.IntN(5) < 2:
		g.count++
		return fmt.Sprintf("%s%d", words[g.IntN(len(words))], g.count)
	case g.one(4):
		name := nasty[g.IntN(len(nasty))]
		return name + nasty[g.IntN(len(nasty))]
	default:
		return nasty[g.IntN(len(nasty))]
	}
}

// typeName returns a name for a message or an enum that has not been taken, with those
// derived from it.
func (g *generator) typeName(f *file, parent *message) string {
	scope, prefix := f.pkg, ""
	if parent != nil {
		scope, prefix = parent.path(), parent.goName()+"_"
	}
	for range 50 {
		name := ""
		switch {
		case f.plain, g.IntN(3) > 0:
			g.count++
			name = fmt.Sprintf("%s%d", camel(words[g.IntN(len(words))]), g.count)
		case g.one(2):
			name = camel(nasty[g.IntN(len(nasty))])
		default:
			name = nasty[g.IntN(len(nasty))]
		}
		id := prefix + camel(name)
		idents := []string{id, id + "_builder", id + "_name", id + "_value"}
		if g.names.take([]string{scope + "." + name}, idents) {
			return name
		}
	}
	g.count++
	return fmt.Sprintf("Spare%d", g.count)
}
