package interop_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/randpb"
	"github.com/flinkser/flinkser/interop"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// casesFile has the schema of the byte strings of the corpus.
const casesFile = "golden/cases/cases.proto"

// groups returns unknown groups, one in the other.
func groups(levels int) []byte {
	var b []byte
	for range levels {
		b = protowire.AppendGroup(protowire.AppendTag(nil, 500, protowire.StartGroupType), 500, b)
	}
	return b
}

func inner(levels int) *cases.Inner {
	m := &cases.Inner{A: 1}
	for range levels {
		m = &cases.Inner{Next: m}
	}
	return m
}

func withUnknown(m *cases.Inner, b []byte) *cases.Inner {
	m.ProtoReflect().SetUnknown(b)
	return m
}

// TestLimits writes and reads messages at, below and above each limit. Go and Java must accept and refuse the same, and
// the limit must be where it is documented.
func TestLimits(t *testing.T) {
	jar := compile(t, casesFile)
	for name, c := range map[string]struct {
		m     proto.Message
		depth int // of the deepest level
	}{
		"flat":                  {&cases.Inner{A: 1, S: strings.Repeat("x", 200)}, 0},
		"nested":                {inner(5), 5},
		"deep":                  {inner(150), 150},
		"map of scalars":        {&cases.All{Mss: map[string]string{"a": "b"}}, 1},
		"map of messages":       {&cases.All{Msm: map[string]*cases.Inner{"a": inner(2)}}, 4},
		"unknown groups":        {withUnknown(inner(0), groups(3)), 3},
		"unknown groups nested": {&cases.Inner{Next: withUnknown(inner(0), groups(3))}, 4},
	} {
		class := interop.Class{Jar: jar, Name: javaClass(t, c.m.ProtoReflect().Descriptor())}
		size := proto.Size(c.m)
		for _, max := range []int{size - 1, size, size + 1} {
			checkLimit(t, name, class, c.m, flinkser.Limits{MaxMessageBytes: max, RecursionLimit: 1000}, max >= size)
		}
		for depth := max(1, c.depth-2); depth <= c.depth+1; depth++ {
			checkLimit(t, name, class, c.m, flinkser.Limits{RecursionLimit: depth}, depth >= c.depth)
		}
	}
}

func checkLimit(t *testing.T, name string, class interop.Class, m proto.Message, limits flinkser.Limits, accepted bool) {
	t.Helper()
	payload, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	whole := framed(payload)
	s := serializer(t, flinkser.WithLimits(limits))
	for what, item := range map[interop.What][]byte{interop.Write: payload, interop.Read: whole} {
		results, err := peer(t).Each(class, settings(s), what, [][]byte{item})
		if err != nil {
			t.Fatal(err)
		}
		if what == interop.Write {
			_, err = s.Append(nil, m)
		} else {
			_, err = s.Decode(whole, m.ProtoReflect().New().Interface())
		}
		compared.frames.Add(1)
		java := results[0].Error
		if what == interop.Write && !accepted && strings.HasPrefix(name, "unknown groups") && limits.RecursionLimit < 10 {
			// Go writes unknown fields as they are and does not look into them. Its reader refuses them, as Java's does.
			if err != nil || java == "" {
				t.Errorf("%s, written with %+v: Go does as Java now, and the documentation says that it does not: %v, %q", name, limits, err, java)
			}
			continue
		}
		if (err == nil) != accepted || (java == "") != accepted {
			t.Errorf("%s, %s with %+v: want accepted %v; Go %v, Java %q", name, what, limits, accepted, err, java)
		}
	}
}

// TestWireCases reads the byte strings of the corpus that are of proto3.
func TestWireCases(t *testing.T) {
	jar := compile(t, casesFile)
	n := 0
	for _, c := range corpus.Cases() {
		if !strings.HasPrefix(c.Message, "cases.t3.") {
			continue
		}
		n++
		mt := messageType(t, c.Message)
		class := interop.Class{Jar: jar, Name: javaClass(t, mt.Descriptor())}
		s := serializer(t, flinkser.WithDeterministic())
		results, err := peer(t).Each(class, settings(s), interop.Both, [][]byte{framed(c.In)})
		if err != nil {
			t.Fatal(err)
		}
		compared.frames.Add(1)
		r := results[0]
		if why := javaDiffers[c.ID]; why != "" {
			if c.Rejected() == (r.Error != "") && (c.Rejected() || bytes.Equal(r.Bytes, framed(c.Out))) {
				t.Errorf("%s (%s): Java answers as Go, but is listed to differ: %s", c.ID, c.What, why)
			}
			t.Logf("%s (%s): Java differs: %s", c.ID, c.What, why)
			continue
		}
		if c.Rejected() != (r.Error != "") {
			t.Errorf("%s (%s): %x: Go wants %q, Java answers %q", c.ID, c.What, c.In, c.Reason, r.Error)
		}
		if !c.Rejected() && !bytes.Equal(r.Bytes, framed(c.Out)) {
			t.Errorf("%s (%s): %x: Go writes %x, Java %x", c.ID, c.What, c.In, framed(c.Out), r.Bytes)
		}
	}
	if n < 50 {
		t.Errorf("only %d cases", n)
	}
}

// javaDiffers are the cases that protobuf-java answers in another way than google.golang.org/protobuf, with the reason.
var javaDiffers = map[string]string{
	"A27/1": "protobuf-java drops the bits above 64 of a varint",
	"A27/2": "protobuf-java drops the bits above 64 of a varint",
}

// TestJavaDiffers shows what else Java does otherwise, so that a change of it is noticed: the documentation lists it.
func TestJavaDiffers(t *testing.T) {
	jar := compile(t, casesFile)
	mt := messageType(t, "cases.t3.Inner")
	class := interop.Class{Jar: jar, Name: javaClass(t, mt.Descriptor())}
	s := serializer(t)
	for name, c := range map[string]struct {
		in     string
		ours   string // what Go writes, empty where it refuses to read
		theirs string
	}{
		"order of unknown fields":     {"\x40\x02\x38\x01", "\x40\x02\x38\x01", "\x38\x01\x40\x02"},
		"tag of more than 32 bits":    {"\x88\x80\x80\x80\x10\x01", "", "\x08\x01"},
		"length of more than 32 bits": {"\x2a\x81\x80\x80\x80\x10x", "", "\x2a\x01x"},
	} {
		results, err := peer(t).Each(class, settings(s), interop.Both, [][]byte{framed([]byte(c.in))})
		if err != nil {
			t.Fatal(err)
		}
		if want := framed([]byte(c.theirs)); !bytes.Equal(results[0].Bytes, want) {
			t.Errorf("%s: Java writes %x, want %x, %s", name, results[0].Bytes, want, results[0].Error)
		}
		m := mt.New().Interface()
		_, err = s.Decode(framed([]byte(c.in)), m)
		if (err == nil) != (c.ours != "") {
			t.Errorf("%s: Go: %v", name, err)
		}
		if err == nil && !bytes.Equal(frame(t, s, m), framed([]byte(c.ours))) {
			t.Errorf("%s: Go writes %x, want %x", name, frame(t, s, m), framed([]byte(c.ours)))
		}
		compared.frames.Add(1)
	}
}

// oldVarints reports whether Java's varints are those of protobuf-java 3: where the tenth byte is there and 0, it is taken for 1.
func oldVarints() bool { return strings.HasPrefix(versions.Protobuf, "3.") }

// hasLongZero reports whether there is a varint with a tenth byte that is 0, which no writer makes.
func hasLongZero(b []byte) bool {
	run := 0
	for _, c := range b {
		if run >= 9 && c == 0 {
			return true
		}
		if run++; c < 0x80 {
			run = 0
		}
	}
	return false
}

// TestLongZero reads a varint with a tenth byte that is 0.
func TestLongZero(t *testing.T) {
	jar := compile(t, casesFile)
	class := interop.Class{Jar: jar, Name: javaClass(t, messageType(t, "cases.t3.Inner").Descriptor())}
	in := "\x38" + strings.Repeat("\x80", 9) + "\x00" // field 7, which is unknown
	results, err := peer(t).Each(class, settings(serializer(t)), interop.Both, [][]byte{framed([]byte(in))})
	if err != nil {
		t.Fatal(err)
	}
	want := "\x38\x00"
	if oldVarints() {
		want = "\x38" + strings.Repeat("\x80", 9) + "\x01"
	}
	if !bytes.Equal(results[0].Bytes, framed([]byte(want))) {
		t.Errorf("Java writes %x, want %x, %s", results[0].Bytes, framed([]byte(want)), results[0].Error)
	}
	compared.frames.Add(1)
}

// hasLongVarint reports whether there is a varint, or what looks like one, of more than 32 bits. In tags and lengths Java cuts such
// ones to 32 bits, and varints of more than 64 bits to 64. Go refuses both.
func hasLongVarint(b []byte) bool {
	run := 0
	for _, c := range b {
		if run == 4 && c > 0x0f {
			return true
		}
		if run++; c < 0x80 {
			run = 0
		}
	}
	return false
}

func framed(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}

// TestDamagedFrames cuts frames short at every byte, gives them wrong lengths, and changes bytes at random. Go and Java must
// accept and refuse the same, and read the same from what both accept.
func TestDamagedFrames(t *testing.T) {
	jar := compile(t, casesFile)
	mt := messageType(t, "cases.t3.All")
	class := interop.Class{Jar: jar, Name: javaClass(t, mt.Descriptor())}
	s := serializer(t, flinkser.WithDeterministic(), flinkser.WithMaxMessageSize(1<<20), flinkser.WithoutElementBudget())
	r := rand.New(rand.NewPCG(30012026, 8))
	var frames [][]byte
	for range 60 {
		m := mt.New().Interface()
		randpb.Message(r, m, randpb.Options{Depth: 2})
		whole := frame(t, s, m)
		for n := range min(len(whole), 200) {
			frames = append(frames, whole[:n])
		}
		for _, length := range []uint32{uint32(len(whole)) - 3, uint32(len(whole)) - 5, 0, 1<<20 + 1, math.MaxInt32, 1 << 31, math.MaxUint32} {
			frames = append(frames, append(binary.BigEndian.AppendUint32(nil, length), whole[4:]...))
		}
		for range 100 {
			frames = append(frames, framed(randpb.Mutate(r, bytes.Clone(whole[4:]))))
		}
	}
	results, err := peer(t).Each(class, settings(s), interop.Both, frames)
	if err != nil {
		t.Fatal(err)
	}
	accepted, lenient := 0, 0
	for i, result := range results {
		m := mt.New().Interface()
		rest, err := s.Decode(frames[i], m)
		compared.frames.Add(1)
		if err != nil && result.Error == "" && hasLongVarint(frames[i]) {
			lenient++
			continue
		}
		if (err == nil) != (result.Error == "") {
			t.Errorf("%x: Go %v, Java %q", frames[i], err, result.Error)
			continue
		}
		if err != nil {
			continue
		}
		accepted++
		back := mt.New().Interface()
		read(t, s, result.Bytes, back)
		same := sameMessage(m, back)
		if !same && hasLongZero(frames[i]) && oldVarints() {
			lenient++
			continue
		}
		if len(rest) != result.Left || !same {
			t.Errorf("%x: Go leaves %d bytes and reads %v, Java %d and %v", frames[i], len(rest), m, result.Left, back)
		}
	}
	t.Logf("%d frames, %d of them accepted by both, %d by Java alone, which cuts long varints", len(frames), accepted, lenient)
	if lenient*100 > len(frames) {
		t.Errorf("Java accepts %d of %d frames that Go refuses", lenient, len(frames))
	}
	if accepted < 1000 || len(frames)-accepted < 1000 {
		t.Errorf("%d of %d frames were accepted, which tests one of the answers only", accepted, len(frames))
	}
}
