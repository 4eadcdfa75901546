package randpb

import (
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Mutate returns a damaged copy of payload b. Most changes respect the structure: fields
// are doubled, moved, dropped, retagged or changed inside, on any level; others hit any
// byte. The result may be valid.
func Mutate(r *rand.Rand, b []byte) []byte {
	g := &generator{Rand: r}
	b = slices.Clone(b)
	for range 1 + g.IntN(3) {
		if g.one(4) {
			b = g.damage(b)
		} else {
			b = g.restructure(b, 8)
		}
	}
	return b
}

// damage changes any byte or part of b.
func (g *generator) damage(b []byte) []byte {
	at := g.IntN(len(b) + 1)
	switch g.IntN(4) {
	case 0:
		return b[:at]
	case 1:
		return slices.Insert(b, at, g.bytes()...)
	case 2:
		return slices.Delete(b, at, min(at+1+g.IntN(4), len(b)))
	}
	if at < len(b) {
		b[at] ^= 1 << g.IntN(8)
	}
	return b
}

// part is a field in a payload: tag and value are its bytes.
type part struct{ tag, value []byte }

// split returns the fields of b as far as it can be read, and the rest.
func split(b []byte) (parts []part, rest []byte) {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			break
		}
		m := protowire.ConsumeFieldValue(num, typ, b[n:])
		if m < 0 {
			break
		}
		parts = append(parts, part{b[:n], b[n : n+m]})
		b = b[n+m:]
	}
	return parts, b
}

func join(parts []part, rest []byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(append(b, p.tag...), p.value...)
	}
	return append(b, rest...)
}

// restructure changes one field of b, or inside of one for up to depth levels.
func (g *generator) restructure(b []byte, depth int) []byte {
	parts, rest := split(b)
	if len(parts) == 0 {
		return g.unknown(b, nil, 2)
	}
	n := g.IntN(len(parts))
	p := &parts[n]
	num, typ, _ := protowire.ConsumeTag(p.tag)
	if typ == protowire.BytesType && depth > 0 && g.one(2) {
		inner, _ := protowire.ConsumeBytes(p.value)
		if g.one(4) {
			inner = g.damage(slices.Clone(inner))
		} else {
			inner = g.restructure(inner, depth-1)
		}
		p.value = protowire.AppendBytes(nil, inner)
		return join(parts, rest)
	}
	switch g.IntN(9) {
	case 0:
		parts = slices.Delete(parts, n, n+1)
	case 1:
		parts = slices.Insert(parts, g.IntN(len(parts)+1), *p)
	case 2:
		k := g.IntN(len(parts))
		parts[n], parts[k] = parts[k], parts[n]
	case 3: // another field's number, or any
		if g.one(2) {
			num = g.number()
		} else {
			num, _, _ = protowire.ConsumeTag(parts[g.IntN(len(parts))].tag)
		}
		p.tag = protowire.AppendTag(nil, num, typ)
	case 4: // another wire type
		p.tag = protowire.AppendTag(nil, num, protowire.Type(g.IntN(8)))
	case 5: // a longer form of the tag
		p.tag = pad(p.tag, g.IntN(10))
	case 6: // a longer form of the number or length, or a wrong length
		p.value = g.lengthen(typ, p.value)
	case 7:
		field := g.unknown(nil, nil, 3)
		_, _, k := protowire.ConsumeTag(field)
		parts = slices.Insert(parts, n, part{field[:k], field[k:]})
	default: // another value
		field := g.unknown(nil, nil, 0)
		_, _, k := protowire.ConsumeTag(field)
		p.value = field[k:]
	}
	return join(parts, rest)
}

func (g *generator) lengthen(typ protowire.Type, value []byte) []byte {
	switch {
	case typ == protowire.VarintType:
		return pad(value, g.IntN(11))
	case typ != protowire.BytesType || len(value) == 0:
		return value
	}
	v, n := protowire.ConsumeVarint(value)
	length := pad(value[:n], g.IntN(10))
	if g.one(2) {
		length = protowire.AppendVarint(nil, v+uint64(g.int()))
	}
	return append(length, value[n:]...)
}

// pad makes a varint n bytes long if it is shorter.
func pad(varint []byte, n int) []byte {
	varint = slices.Clone(varint)
	for len(varint) < n {
		varint[len(varint)-1] |= 0x80
		varint = append(varint, 0)
	}
	return varint
}
