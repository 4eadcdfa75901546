package interop_test

import (
	"bytes"
	"path/filepath"
	"sync"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/questions"
	"github.com/flinkser/flinkser/interop"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

const testdata = "../runtime/snapshot/testdata"

// appended returns the bytes of a snapshot.
func appended(t *testing.T, s *snapshot.Snapshot) []byte {
	t.Helper()
	b, err := s.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameSnapshot compares bytes of snapshots.
func sameSnapshot(t *testing.T, what string, java, ours []byte) {
	t.Helper()
	compared.snapshots.Add(1)
	if !bytes.Equal(java, ours) {
		t.Errorf("%s: Java %d bytes, Go %d:\n%q\n%q", what, len(java), len(ours), java, ours)
	}
}

// TestSnapshotsOfClasses compares the snapshots of all golden messages that Java has classes for: Java's is made from the
// class, Go's from the type. Then Java restores a serializer from Go's.
func TestSnapshotsOfClasses(t *testing.T) {
	p, g := peer(t), goldenSchemas(t)
	for _, set := range []snapshot.Settings{{}, {Deterministic: true, MaxMessageSize: 4096, RecursionLimit: 7}} {
		var ours [][]byte
		for _, mt := range g.types {
			s, err := snapshot.Of(mt.New().Interface(), set)
			if err != nil {
				t.Fatal(err)
			}
			b := appended(t, s)
			java, err := p.Snapshot(interop.Class{Jar: g.jar, Name: s.JavaClass()}, interop.SettingsOf(s))
			if err != nil {
				t.Errorf("%s: %v", mt.Descriptor().FullName(), err)
				continue
			}
			if sorts(mt.Descriptor()) {
				if bytes.Equal(java, b) {
					t.Errorf("%s: Java does not sort maps in options any more, but the documentation says that it does", mt.Descriptor().FullName())
				}
			} else {
				sameSnapshot(t, string(mt.Descriptor().FullName()), java, b)
			}
			ours = append(ours, b)
		}
		restored(t, g.jar, ours)
	}
}

// sorts reports whether a message is of the file with maps in its options, which Java sorts when it loads the class.
func sorts(md protoreflect.MessageDescriptor) bool {
	return md.ParentFile().Path() == "golden/descriptors/maps.proto"
}

// restored has Java restore serializers from snapshots of Go, which must have the same snapshots.
func restored(t *testing.T, jar string, snapshots [][]byte) {
	t.Helper()
	results, err := peer(t).Reread(jar, snapshots)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		s, _, err := snapshot.Parse(snapshots[i])
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case r.Error != "":
			t.Errorf("%s: %s", s.MessageName(), r.Error)
		case sorts(s.Descriptor()):
		default:
			sameSnapshot(t, string(s.MessageName())+", read and written", r.Bytes, snapshots[i])
			sameSnapshot(t, string(s.MessageName())+", restored", r.Restored, snapshots[i])
		}
	}
}

var collect = sync.OnceValues(func() (*questions.All, error) { return questions.Collect(testdata) })

// asked are the questions to any implementation of the Java serializer.
func asked(t *testing.T) *questions.All {
	t.Helper()
	all, err := collect()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSnapshotsOfSchemas has Java read the snapshots that Go has made of schemas, and write them again.
func TestSnapshotsOfSchemas(t *testing.T) {
	p, all := peer(t), asked(t)
	var ours [][]byte
	for _, s := range all.Snapshots {
		ours = append(ours, s.Bytes)
	}
	results, err := p.Reread("", ours)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if r.Error != "" {
			t.Errorf("%s: %s", all.Snapshots[i].Name, r.Error)
			continue
		}
		sameSnapshot(t, all.Snapshots[i].Name, r.Bytes, ours[i])
	}
	if len(ours) < 1000 {
		t.Errorf("only %d snapshots", len(ours))
	}
}

// TestVerdicts compares all verdicts of the strict policy with the answers of Java, without a cluster.
func TestVerdicts(t *testing.T) {
	p, all := peer(t), asked(t)
	var pairs []interop.Pair
	for _, v := range all.Verdicts {
		pairs = append(pairs, interop.Pair{Old: v.Old.Bytes, New: v.New.Bytes})
	}
	results, err := p.Resolve(pairs)
	if err != nil {
		t.Fatal(err)
	}
	compatible := 0
	for i, r := range results {
		v := all.Verdicts[i]
		want := "break"
		if v.Compatible {
			want = "ok"
			compatible++
		}
		if r.Verdict != want {
			t.Errorf("%s: Go %s, Java %s %s %v", v.Name, want, r.Verdict, r.Error, r.Reasons)
		}
		compared.verdicts.Add(1)
	}
	t.Logf("%d verdicts, %d of them compatible; %d pairs are left out, as Java holds no such messages", len(pairs), compatible, all.Left)
	if len(pairs) < 1400 || compatible < 100 {
		t.Errorf("only %d verdicts, %d of them compatible", len(pairs), compatible)
	}
}

// TestFramesOfSchemas has Java restore serializers from Go's snapshots, read frames of Go and write them again.
func TestFramesOfSchemas(t *testing.T) {
	p, all := peer(t), asked(t)
	for _, f := range all.Frames {
		jar := schemaJar(t, f.Schema)
		restored(t, jar, [][]byte{f.Snapshot.Bytes})
		frames := split(t, f.Bytes)
		results, err := p.Each(interop.Class{Jar: jar, Name: f.Snapshot.JavaClass()}, interop.SettingsOf(f.Snapshot.Snapshot), interop.Both, frames)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		for i, r := range results {
			if !bytes.Equal(r.Bytes, frames[i]) {
				t.Errorf("%s: frame %x came back as %x, %s", f.Name, frames[i], r.Bytes, r.Error)
			}
			compared.frames.Add(1)
		}
	}
}

// schemaJars are the jars that schemaJar has made.
var schemaJars = map[string]string{}

// schemaJar compiles all .proto files of a folder, once.
func schemaJar(t *testing.T, schema string) string {
	t.Helper()
	if jar := schemaJars[schema]; jar != "" {
		return jar
	}
	files, err := filepath.Glob(filepath.Join(schema, "*.proto"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no .proto files in %s: %v", schema, err)
	}
	var sources []interop.Source
	for _, f := range files {
		sources = append(sources, interop.Source{ID: f, Root: abs(t, schema), File: filepath.Base(f)})
	}
	jar := filepath.Join(folder(t), "classes.jar")
	refused, err := peer(t).Compile(jar, sources)
	if err != nil || len(refused) > 0 {
		t.Fatalf("%s: %v %v", schema, refused, err)
	}
	schemaJars[schema] = jar
	return jar
}

// split cuts frames apart.
func split(t *testing.T, b []byte) [][]byte {
	t.Helper()
	var frames [][]byte
	for len(b) > 0 {
		n := 4 + int(b[0])<<24 + int(b[1])<<16 + int(b[2])<<8 + int(b[3])
		frames = append(frames, b[:n])
		b = b[n:]
	}
	return frames
}
