package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// parts are the parts of a snapshot as bytes, so that tests can put other ones in their place.
type parts struct {
	envelope, framing, normalization, class, name, flag, size, depth, length, files, digest []byte
}

func (p parts) bytes() []byte {
	return slices.Concat(p.envelope, p.framing, p.normalization, p.class, p.name, p.flag, p.size, p.depth, p.length, p.files, p.digest)
}

// front is the length of what Flink puts in front of a payload.
const front = 2 + len(snapshotClass) + 4

func text(s string) []byte {
	b, _ := appendJava(nil, s)
	return appendText(nil, b)
}

func int4(n int) []byte { return appendInt(nil, n) }

// validParts are those of a snapshot without faults.
func validParts(t testing.TB) parts {
	t.Helper()
	s := mustParse(t, fixtures(t)[0].bytes)
	p := parts{
		slices.Concat(text(snapshotClass), int4(1)), int4(1), int4(1), text(s.JavaClass()), text(string(s.MessageName())),
		[]byte{0},
		int4(s.MaxMessageSize()), int4(s.RecursionLimit()), int4(len(s.encoded)), s.encoded, s.digest[:],
	}
	if !bytes.Equal(p.bytes(), fixtures(t)[0].bytes) {
		t.Fatal("the parts do not make up the fixture")
	}
	return p
}

// with returns the parts with other descriptors, and their length and digest.
func (p parts) with(files []byte) parts {
	sum := sha256.Sum256(files)
	p.files, p.length, p.digest = files, int4(len(files)), sum[:]
	return p
}

// refuses checks that all ways to read refuse a snapshot in the same way, and give nothing.
func refuses(t *testing.T, b []byte, sentinel error) {
	t.Helper()
	var typed *Error
	s, rest, err := Parse(b)
	if s != nil || !errors.Is(err, sentinel) || !errors.As(err, &typed) || typed.Op != opRead || typed.Offset < 0 || typed.Offset > int64(len(b)) {
		t.Errorf("Parse: %v, %v; want %v", s, err, sentinel)
	}
	if len(rest) != len(b) {
		t.Errorf("Parse: %d bytes left of %d", len(rest), len(b))
	}
	if streamed, streamErr := Read(bytes.NewReader(b)); streamed != nil || streamErr == nil || err != nil && streamErr.Error() != err.Error() {
		t.Errorf("Read: %v, Parse: %v", streamErr, err)
	}
}

// TestParseChecks makes each check fail alone, and then together with all later ones, to see that they come in the order
// of the format.
func TestParseChecks(t *testing.T) {
	unresolved := mustMarshal(t, &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{{Name: proto.String("a"), Dependency: []string{"b"}}}})
	checks := []struct {
		name     string
		fault    func(*parts)
		sentinel error
	}{
		{"other serializer", func(p *parts) { p.envelope = slices.Concat(text("java.lang.String"), int4(1)) }, ErrEnvelope},
		{"snapshot version", func(p *parts) { copy(p.envelope[len(p.envelope)-4:], int4(2)) }, ErrVersion},
		{"framing version", func(p *parts) { p.framing = int4(0) }, ErrFraming},
		{"normalization version", func(p *parts) { p.normalization = int4(2) }, ErrNormalization},
		{"class name", func(p *parts) { p.class = []byte{0, 1, 0x80} }, ErrText},
		{"message name", func(p *parts) { p.name = []byte{0, 1, 0xff} }, ErrText},
		{"empty class name", func(p *parts) { p.class = text("") }, ErrEmptyClassName},
		{"empty message name", func(p *parts) { p.name = text("") }, ErrEmptyMessageName},
		{"flag", func(p *parts) { p.flag = []byte{2} }, ErrFlag},
		{"size", func(p *parts) { p.size = int4(0) }, ErrMaxMessageSize},
		{"depth", func(p *parts) { p.depth = int4(-1) }, ErrRecursionLimit},
		{"length", func(p *parts) { p.length = int4(0) }, ErrDescriptorLength},
		{"digest", func(p *parts) { p.digest = make([]byte, 32) }, ErrDigest},
		{"set", func(p *parts) { *p = p.with([]byte{0x0a, 0x7f}) }, ErrDescriptorSet},
		{"graph", func(p *parts) { *p = p.with(unresolved) }, ErrUnresolvedImport},
	}
	for i, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			p := validParts(t)
			c.fault(&p)
			refuses(t, p.bytes(), c.sentinel)
			p = validParts(t)
			for j := len(checks) - 1; j >= i; j-- {
				// A later fault in the same part would take its place.
				if checks[j].sentinel == ErrText || checks[j].name == "set" || checks[j].name == "graph" {
					continue
				}
				checks[j].fault(&p)
			}
			c.fault(&p)
			if i < 13 {
				refuses(t, p.bytes(), c.sentinel)
			}
		})
	}
}

func mustMarshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestParseValues checks the bounds of all numbers.
func TestParseValues(t *testing.T) {
	for _, c := range []struct {
		name     string
		fault    func(*parts)
		sentinel error // nil if it is valid
	}{
		{"version -1", func(p *parts) { copy(p.envelope[len(p.envelope)-4:], int4(-1)) }, ErrVersion},
		{"version 0", func(p *parts) { copy(p.envelope[len(p.envelope)-4:], int4(0)) }, ErrVersion},
		{"version max", func(p *parts) { copy(p.envelope[len(p.envelope)-4:], int4(math.MaxInt32)) }, ErrVersion},
		{"framing -1", func(p *parts) { p.framing = int4(-1) }, ErrFraming},
		{"framing 2", func(p *parts) { p.framing = int4(2) }, ErrFraming},
		{"framing max", func(p *parts) { p.framing = int4(math.MaxInt32) }, ErrFraming},
		{"normalization -1", func(p *parts) { p.normalization = int4(-1) }, ErrNormalization},
		{"normalization 0", func(p *parts) { p.normalization = int4(0) }, ErrNormalization},
		{"normalization max", func(p *parts) { p.normalization = int4(math.MaxInt32) }, ErrNormalization},
		{"flag 255", func(p *parts) { p.flag = []byte{255} }, ErrFlag},
		{"flag 1", func(p *parts) { p.flag = []byte{1} }, nil},
		{"size min", func(p *parts) { p.size = int4(math.MinInt32) }, ErrMaxMessageSize},
		{"size -1", func(p *parts) { p.size = int4(-1) }, ErrMaxMessageSize},
		{"size 1", func(p *parts) { p.size = int4(1) }, nil},
		{"size max", func(p *parts) { p.size = int4(math.MaxInt32) }, nil},
		{"depth min", func(p *parts) { p.depth = int4(math.MinInt32) }, ErrRecursionLimit},
		{"depth 0", func(p *parts) { p.depth = int4(0) }, ErrRecursionLimit},
		{"depth 1", func(p *parts) { p.depth = int4(1) }, nil},
		{"depth max", func(p *parts) { p.depth = int4(math.MaxInt32) }, nil},
		{"length -1", func(p *parts) { p.length = int4(-1) }, ErrDescriptorLength},
		{"length min", func(p *parts) { p.length = int4(math.MinInt32) }, ErrDescriptorLength},
		{"length max", func(p *parts) { p.length = int4(math.MaxInt32) }, ErrDescriptorLength},
		{"length 64 MiB + 1", func(p *parts) { p.length = int4(MaxDescriptorBytes + 1) }, ErrDescriptorLength},
		{"length 64 MiB", func(p *parts) { p.length = int4(MaxDescriptorBytes) }, ErrTruncated},
		{"length one less", func(p *parts) { p.length = int4(len(p.files) - 1) }, ErrDigest},
		{"length one more", func(p *parts) { p.length = int4(len(p.files) + 1) }, ErrTruncated},
		{"class in longer forms", func(p *parts) { p.class = []byte{0, 3, 'A', 0xc1, 0x81} }, nil},
		{"class of one zero", func(p *parts) { p.class = []byte{0, 1, 0} }, nil},
		{"class of 65535 bytes", func(p *parts) { p.class = text(strings.Repeat("x", 65535)) }, nil},
		{"another class", func(p *parts) { p.class = text("x.Y") }, nil},
		{"another message", func(p *parts) { p.name = text("x.Y") }, ErrMissingRoot},
		{"message of a field's name", func(p *parts) { p.name = text("flink.protobuf.snapshot.Envelope.id") }, ErrMissingRoot},
		{"message of an enum's name", func(p *parts) { p.name = text("flink.protobuf.snapshot.Envelope.Kind") }, ErrMissingRoot},
		{"message of the package's name", func(p *parts) { p.name = text("flink.protobuf.snapshot") }, ErrMissingRoot},
		{"nested message", func(p *parts) { p.name = text("flink.protobuf.snapshot.Envelope.Nested") }, nil},
		{"message of the imported file", func(p *parts) { p.name = text("flink.protobuf.snapshot.Detail") }, ErrOutsideClosure},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := validParts(t)
			c.fault(&p)
			if c.sentinel != nil {
				refuses(t, p.bytes(), c.sentinel)
				return
			}
			s := mustParse(t, p.bytes())
			again := mustParse(t, mustAppend(t, s))
			if show(s) != show(again) {
				t.Errorf("written and read again:\n%s\n%s", show(s), show(again))
			}
		})
	}
}

// TestParsePrefixes checks that the end of the input is noticed at every byte.
func TestParsePrefixes(t *testing.T) {
	for _, x := range fixtures(t) {
		for n := range len(x.bytes) {
			refuses(t, x.bytes[:n], ErrTruncated)
			if _, _, err := Parse(x.bytes[:n]); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			if n > front {
				if _, err := ReadPayload(bytes.NewReader(x.bytes[front:n])); !errors.Is(err, ErrTruncated) {
					t.Fatalf("payload of %d bytes: %v", n-front, err)
				}
			}
		}
	}
}

// TestParseChangedBytes gives every byte of the fixtures every other value: what is accepted says exactly that.
func TestParseChangedBytes(t *testing.T) {
	accepted, refused := 0, 0
	list := fixtures(t)
	for i, x := range list {
		want := mustParse(t, x.bytes)
		classEnd := front + 8 + 2 + len(want.JavaClass())
		flag := classEnd + 2 + len(want.MessageName())
		files := flag + 1 + 8 + 4
		b := bytes.Clone(x.bytes)
		for at := range b {
			for v := range 256 {
				if i > 0 && v%85 != 0 || byte(v) == x.bytes[at] {
					continue // all values for one of them, some for the others
				}
				b[at] = byte(v)
				s, _, err := Parse(b)
				if err == nil {
					accepted++
					onlyChange(t, b, at, classEnd, flag, files, want, s)
				} else {
					refused++
					var typed *Error
					if !errors.As(err, &typed) || s != nil {
						t.Errorf("byte %d = %d: %v", at, v, err)
					}
					if at >= files && !errors.Is(err, ErrDigest) {
						t.Errorf("byte %d = %d: %v", at, v, err)
					}
				}
				b[at] = x.bytes[at]
			}
		}
	}
	t.Logf("bytes changed: %d, refused %d, accepted as what they say %d", accepted+refused, refused, accepted)
	if accepted < 1000 {
		t.Error("class names, flags and limits must be accepted as what they are")
	}
}

// onlyChange checks that a changed snapshot that was accepted differs in that place alone.
func onlyChange(t *testing.T, b []byte, at, classEnd, flag, files int, old, s *Snapshot) {
	t.Helper()
	same := func(class, deterministic, size, depth bool) bool {
		return (s.JavaClass() == old.JavaClass()) == class && (s.Deterministic() == old.Deterministic()) == deterministic &&
			(s.MaxMessageSize() == old.MaxMessageSize()) == size && (s.RecursionLimit() == old.RecursionLimit()) == depth &&
			s.MessageName() == old.MessageName() && s.Digest() == old.Digest() && bytes.Equal(s.encoded, old.encoded)
	}
	ok := false
	switch {
	case at >= front+8+2 && at < classEnd:
		ok = same(false, true, true, true)
	case at == flag:
		ok = same(true, false, true, true)
	case at > flag && at <= flag+4:
		ok = same(true, true, false, true) && s.MaxMessageSize() > 0
	case at > flag+4 && at <= flag+8 && at < files:
		ok = same(true, true, true, false) && s.RecursionLimit() > 0
	}
	if !ok {
		t.Fatalf("byte %d = %d was accepted: %s", at, b[at], show(s))
	}
}

// TestParseRest checks that nothing is taken behind a snapshot.
func TestParseRest(t *testing.T) {
	list := fixtures(t)
	b := slices.Concat(list[0].bytes, list[1].bytes, []byte{42})
	first, rest, err := Parse(b)
	if err != nil || first.Deterministic() {
		t.Fatal(err)
	}
	second, rest, err := Parse(rest)
	if err != nil || !second.Deterministic() || !bytes.Equal(rest, []byte{42}) {
		t.Fatalf("%v, %x left", err, rest)
	}
	payload, rest, err := ParsePayload(b[front:])
	if err != nil || show(payload) != show(first) || len(rest) != len(list[1].bytes)+1 {
		t.Fatalf("%v, %d left", err, len(rest))
	}
	for name, r := range map[string]io.Reader{
		"all at once":     bytes.NewReader(b),
		"byte by byte":    iotest.OneByteReader(bytes.NewReader(b)),
		"half":            iotest.HalfReader(bytes.NewReader(b)),
		"error with data": iotest.DataErrReader(bytes.NewReader(b)),
	} {
		for i := range 2 {
			s, err := Read(r)
			if err != nil || !bytes.Equal(mustAppend(t, s), list[i].bytes) {
				t.Fatalf("%s, snapshot %d: %v", name, i, err)
			}
		}
		if left, err := io.ReadAll(r); err != nil || !bytes.Equal(left, []byte{42}) {
			t.Errorf("%s: %x left, %v", name, left, err)
		}
	}
}

// TestReadErrors checks that the errors of a reader come through.
func TestReadErrors(t *testing.T) {
	b := fixtures(t)[0].bytes
	if _, err := Read(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(b)))); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("a timeout: %v", err)
	}
	if _, err := Read(idle{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
	if _, err := Read(strings.NewReader("")); !errors.Is(err, ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("nothing: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// TestReadAllocation checks that an announced length takes no memory before the bytes are there.
func TestReadAllocation(t *testing.T) {
	p := validParts(t)
	p.length = int4(MaxDescriptorBytes)
	b := p.bytes()
	for name, read := range map[string]func() error{
		"stream": func() error { _, err := Read(bytes.NewReader(b)); return err },
		"slice":  func() error { _, _, err := Parse(b); return err },
		"text": func() error {
			_, err := ReadPayload(bytes.NewReader(slices.Concat(int4(1), int4(1), []byte{255, 255, 'a'})))
			return err
		},
	} {
		if n := allocated(func() {
			if err := read(); !errors.Is(err, ErrTruncated) {
				t.Errorf("%s: %v", name, err)
			}
		}); n > 64<<10 {
			t.Errorf("%s: %d bytes allocated for %d", name, n, len(b))
		}
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestAppend checks that what cannot be written leaves the slice as it was.
func TestAppend(t *testing.T) {
	before := []byte("front")
	s := mustParse(t, fixtures(t)[0].bytes)
	b, err := s.AppendPayload(slices.Clone(before))
	if err != nil || !bytes.Equal(b, slices.Concat(before, fixtures(t)[0].bytes[front:])) {
		t.Errorf("%v, other bytes", err)
	}
	long := *s
	long.settings.JavaClass = strings.Repeat("\u0800", 21846) // 65538 bytes
	zeros := validParts(t)
	zeros.class = slices.Concat([]byte{255, 255}, make([]byte, 65535)) // written, each takes two bytes
	large := *s
	large.encoded = make([]byte, MaxDescriptorBytes+1)
	none := *s
	none.encoded = nil
	broken := *s
	broken.settings.JavaClass = "a\xff"
	for name, c := range map[string]struct {
		s        *Snapshot
		sentinel error
	}{
		"nil":               {nil, ErrUninitialized},
		"zero":              {new(Snapshot), ErrUninitialized},
		"long class name":   {&long, ErrTextLength},
		"zeros":             {mustParse(t, zeros.bytes()), ErrTextLength},
		"large descriptors": {&large, ErrDescriptorLength},
		"no descriptors":    {&none, ErrDescriptorLength},
		"broken class name": {&broken, ErrText},
	} {
		for _, write := range []func([]byte) ([]byte, error){c.s.Append, c.s.AppendPayload} {
			b, err := write(before)
			var typed *Error
			if !errors.Is(err, c.sentinel) || !errors.As(err, &typed) || typed.Op != opWrite || string(b) != "front" {
				t.Errorf("%s: %q, %v", name, b, err)
			}
		}
	}
}

// TestZero checks that the methods of what is no snapshot do no harm.
func TestZero(t *testing.T) {
	for _, s := range []*Snapshot{nil, new(Snapshot)} {
		if s.JavaClass() != "" || s.MessageName() != "" || s.Deterministic() || s.MaxMessageSize() != 0 || s.RecursionLimit() != 0 ||
			s.Digest() != [32]byte{} || s.Fingerprint() != [32]byte{} || s.Files() != nil || s.Descriptor() != nil {
			t.Error("a zero snapshot has something")
		}
	}
}

// TestSettings checks the bounds of settings, and their defaults.
func TestSettings(t *testing.T) {
	md := mustParse(t, fixtures(t)[0].bytes).Descriptor()
	for _, s := range []Settings{{MaxMessageSize: -1}, {RecursionLimit: -1}, {MaxMessageSize: math.MinInt}, {RecursionLimit: math.MinInt}} {
		var setting *SettingError
		if got, err := OfDescriptor(md, s); got != nil || !errors.Is(err, ErrSetting) || !errors.As(err, &setting) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	if math.MaxInt > math.MaxInt32 { // where an int can be as large
		for _, s := range []Settings{{MaxMessageSize: math.MaxInt}, {RecursionLimit: math.MaxInt}} {
			if _, err := OfDescriptor(md, s); !errors.Is(err, ErrSetting) {
				t.Errorf("%+v: %v", s, err)
			}
		}
	}
	s, err := OfDescriptor(md, Settings{})
	if err != nil || s.MaxMessageSize() != 64<<20 || s.RecursionLimit() != 100 || s.Deterministic() {
		t.Errorf("%v, %s", err, show(s))
	}
	s, err = OfDescriptor(md, Settings{MaxMessageSize: math.MaxInt32, RecursionLimit: math.MaxInt32})
	if err != nil || s.MaxMessageSize() != math.MaxInt32 || s.RecursionLimit() != math.MaxInt32 {
		t.Errorf("%v, %s", err, show(s))
	}
	for _, class := range []string{strings.Repeat("x", 65536), strings.Repeat("\u0800", 21846), strings.Repeat("\U0001f600", 10923)} {
		if _, err := OfDescriptor(md, Settings{JavaClass: class}); !errors.Is(err, ErrTextLength) {
			t.Errorf("a class name of %d bytes: %v", len(class), err)
		}
	}
	if _, err := OfDescriptor(md, Settings{JavaClass: "\xff"}); !errors.Is(err, ErrText) {
		t.Errorf("a class name that is not UTF-8: %v", err)
	}
	if _, err := OfDescriptor(md, Settings{JavaClass: strings.Repeat("x", 65535)}); err != nil {
		t.Errorf("a class name of 65535 bytes: %v", err)
	}
	if _, err := Of(nil, Settings{}); !errors.Is(err, ErrNoDescriptor) {
		t.Errorf("no message: %v", err)
	}
	if _, err := OfDescriptor(nil, Settings{}); !errors.Is(err, ErrNoDescriptor) {
		t.Errorf("no descriptor: %v", err)
	}
}

// TestJavaText checks Java's modified UTF-8.
func TestJavaText(t *testing.T) {
	for _, c := range []struct{ text, java string }{
		{"", ""},
		{"a\x7f", "a\x7f"},
		{"\x00", "\xc0\x80"},
		{"\u0080\u07ff", "\xc2\x80\xdf\xbf"},
		{"\u0800\uffff", "\xe0\xa0\x80\xef\xbf\xbf"},
		{"\U0001f600", "\xed\xa0\xbd\xed\xb8\x80"},
		{"\U0010ffff\x00b", "\xed\xaf\xbf\xed\xbf\xbf\xc0\x80b"},
		{"\xed\xa0\xbdx", "\xed\xa0\xbdx"},                                 // a surrogate without the other one
		{"\xed\xb8\x80\xed\xa0\xbd", "\xed\xb8\x80\xed\xa0\xbd"},           // two in the wrong order
		{"\xed\xa0\xbd\U0001f600", "\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80"}, // one in front of a pair
		{"\ufffd", "\xef\xbf\xbd"},
	} {
		if got, ok := appendJava(nil, c.text); !ok || string(got) != c.java {
			t.Errorf("%q is written %x, %v", c.text, got, ok)
		}
		if got, ok := fromJava([]byte(c.java)); !ok || got != c.text {
			t.Errorf("%x is read %q, %v", c.java, got, ok)
		}
	}
	for _, bad := range []string{"\x80", "\xc2", "\xc2a", "\xe0\xa0", "\xe0\xa0a", "\xe0a\x80", "\xf0\x9f\x98\x80", "\xff", "a\xf8", "\xbf"} {
		if got, ok := fromJava([]byte(bad)); ok {
			t.Errorf("%x is read %q", bad, got)
		}
	}
	for _, longer := range []struct{ java, text string }{{"\xc1\x81", "A"}, {"\xe0\x81\x81", "A"}, {"\x00", "\x00"}, {"\xe0\x82\x80", "\u0080"}} {
		if got, ok := fromJava([]byte(longer.java)); !ok || got != longer.text {
			t.Errorf("%x is read %q, %v", longer.java, got, ok)
		}
	}
	for _, bad := range []string{"\xff", "a\x80", "\xc2", "\xed\xa0", "\xf5\x80\x80\x80", "\xed\x20\x80"} {
		if got, ok := appendJava(nil, bad); ok {
			t.Errorf("%x is written %x", bad, got)
		}
	}
}

// FuzzParse checks of any input that it is refused, or written again so that it is read as the same.
func FuzzParse(f *testing.F) {
	for _, x := range fixtures(f) {
		f.Add(x.bytes, false)
		f.Add(append([]byte{0}, mustParse(f, x.bytes).encoded...), true)
	}
	p := validParts(f)
	f.Add(p.with([]byte{0x0a, 0}).bytes(), false)
	f.Fuzz(func(t *testing.T, b []byte, fix bool) {
		if fix {
			b = withDigest(b)
		}
		s, rest, err := Parse(b)
		streamed, streamErr := Read(bytes.NewReader(b))
		if (err == nil) != (streamErr == nil) {
			t.Fatalf("Parse: %v, Read: %v", err, streamErr)
		}
		if err != nil {
			if err.Error() != streamErr.Error() || s != nil || streamed != nil || len(rest) != len(b) {
				t.Fatalf("Parse: %v, Read: %v", err, streamErr)
			}
			return
		}
		got, err := s.Append(nil)
		if errors.Is(err, ErrTextLength) {
			return // zeros, which become longer
		}
		if err != nil {
			t.Fatal(err)
		}
		again, rest, err := Parse(got)
		if err != nil || len(rest) > 0 || show(again) != show(s) || show(streamed) != show(s) {
			t.Fatalf("%v\n%s\n%s", err, show(s), show(again))
		}
		if twice := mustAppend(t, again); !bytes.Equal(twice, got) {
			t.Fatal("written twice, it has other bytes")
		}
		s.Fingerprint()
		JavaSupport(s.Descriptor())
		_, _ = JavaClassName(s.Descriptor())
	})
}

// withDigest takes the input for descriptors, and puts them into a snapshot, so that the fuzzer gets past the
// digest. What is in front of them says which message is the root.
func withDigest(b []byte) []byte {
	root := "evolve.v1.Order"
	if len(b) > 0 && b[0]%2 == 1 {
		root = "M"
	}
	if len(b) > 0 {
		b = b[1:]
	}
	sum := sha256.Sum256(b)
	out := slices.Concat(text(snapshotClass), int4(1), int4(1), int4(1), text("x"), text(root), []byte{0}, int4(1), int4(1))
	out = binary.BigEndian.AppendUint32(out, uint32(len(b)))
	return slices.Concat(out, b, sum[:])
}
