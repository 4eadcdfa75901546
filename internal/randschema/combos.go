package randschema

import "slices"

// Kind is the type of a field as it is written, or one of the four below.
type Kind string

const (
	openEnum  Kind = "open enum"
	closed    Kind = "closed enum"
	aMessage  Kind = "message"
	delimited Kind = "group" // or, in an edition, a message that is encoded as one
)

var (
	integers = []Kind{"int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64"}
	numeric  = append(slices.Clip(integers), "bool", "float", "double")
	scalars  = append(slices.Clip(numeric), "string", "bytes")
	mapKeys  = append(slices.Clip(integers), "bool", "string")
)

type shape string

const (
	implicit shape = "implicit"
	explicit shape = "explicit"
	required shape = "required"
	packed   shape = "packed"
	unpacked shape = "unpacked"
	inOneof  shape = "oneof"
	aMap     shape = "map"
)

// Combo is a kind in a shape.
type Combo struct {
	shape     shape
	kind, key Kind
	extension bool
	lazy      bool
	preset    bool // with a default
}

func (c Combo) String() string {
	s := string(c.shape) + " " + string(c.kind)
	if c.shape == aMap {
		s = "map of " + string(c.key) + " to " + string(c.kind)
	}
	if c.extension {
		s = "extension, " + s
	}
	if c.lazy {
		s += ", lazy"
	}
	if c.preset {
		s += ", with a default"
	}
	return s
}

// Combos returns what a file of a syntax can hold.
func Combos(s Syntax) []Combo {
	enums := []Kind{openEnum, closed}
	switch s {
	case Proto2: // open ones are those of other files
		enums = enums[1:]
	case Proto3:
		enums = enums[:1]
	case Edition2023, Edition2024:
	}
	single := slices.Concat(scalars, enums)
	packable := slices.Concat(numeric, enums)
	messages := []Kind{aMessage}
	if s != Proto3 {
		messages = append(messages, delimited)
	}
	all := slices.Concat(single, messages)

	var list []Combo
	add := func(c Combo, kinds ...Kind) {
		for _, k := range kinds {
			c.kind = k
			list = append(list, c)
		}
	}
	if s != Proto2 {
		add(Combo{shape: implicit}, scalars...)
		add(Combo{shape: implicit}, openEnum)
	}
	add(Combo{shape: explicit}, all...)
	add(Combo{shape: packed}, packable...)
	add(Combo{shape: unpacked}, all...)
	add(Combo{shape: inOneof}, all...)
	for _, k := range mapKeys {
		add(Combo{shape: aMap, key: k}, single...)
		add(Combo{shape: aMap, key: k}, aMessage)
	}
	for _, sh := range []shape{explicit, unpacked, inOneof} {
		add(Combo{shape: sh, lazy: true}, aMessage)
	}
	if s == Proto3 {
		return list
	}
	add(Combo{shape: required}, all...)
	add(Combo{shape: explicit, preset: true}, single...)
	add(Combo{shape: explicit, extension: true}, all...)
	add(Combo{shape: packed, extension: true}, packable...)
	add(Combo{shape: unpacked, extension: true}, all...)
	add(Combo{shape: explicit, extension: true, lazy: true}, aMessage)
	add(Combo{shape: explicit, extension: true, preset: true}, single...)
	return list
}

// Cycle is the number of seeds, one after the other and for each syntax, in which all
// combinations of a syntax occur.
const Cycle = 50

// dealt returns the combinations that the schema of a seed has to hold.
func dealt(s Syntax, nth uint64) []Combo {
	var list []Combo
	for i, c := range Combos(s) {
		if uint64(i)%Cycle == nth%Cycle {
			list = append(list, c)
		}
	}
	return list
}

// Combos returns, for each syntax, the combinations that the schema holds, with repetitions.
func (s *Schema) Combos() map[Syntax][]Combo {
	found := map[Syntax][]Combo{}
	for _, f := range s.files {
		add := func(fd *field) {
			if fd.extends == "" {
				found[f.syntax] = append(found[f.syntax], Combo{fd.shape, fd.kind, fd.key, fd.extendee != nil, fd.lazy, fd.preset})
			}
		}
		each(f.extends, add)
		f.eachMessage(func(m *message) {
			each(m.fields, add)
			each(m.extends, add)
		})
	}
	return found
}

func each(fields []*field, do func(*field)) {
	for _, f := range fields {
		do(f)
	}
}

// eachMessage calls do for the messages of a file, groups too, a message before those in it.
func (f *file) eachMessage(do func(*message)) {
	var walk func(*message)
	groups := func(fields []*field) {
		for _, fd := range fields {
			if fd.message != nil && fd.message.group == fd {
				walk(fd.message)
			}
		}
	}
	walk = func(m *message) {
		do(m)
		groups(m.fields)
		groups(m.extends)
		for _, nested := range m.messages {
			walk(nested)
		}
	}
	for _, m := range f.messages {
		walk(m)
	}
	groups(f.extends)
}
