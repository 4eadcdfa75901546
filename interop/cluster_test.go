package interop_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/changes"
	"github.com/flinkser/flinkser/internal/questions"
	"github.com/flinkser/flinkser/internal/randpb"
	"github.com/flinkser/flinkser/interop"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// everything says that each refused change is restored with every kind of state alone, and from native savepoints too. Without it,
// each has one kind of state on each backend, another one than its neighbour.
var everything = os.Getenv("INTEROP") == "all"

// A restore is a schema change that state on the cluster goes through.
type restore struct {
	name           string
	old, new       *snapshot.Snapshot
	oldJar, newJar string
	savepoint      string // of old, on the backend that is under test
}

func (r *restore) compatible() bool {
	return snapshot.Check(r.old, r.new, snapshot.Options{}).Compatible
}

// TestSchemasOnCluster restores the state of a schema with each of its changes.
func TestSchemasOnCluster(t *testing.T) {
	all := asked(t)
	byName := map[string]*questions.Snapshot{}
	for _, s := range all.Snapshots {
		byName[s.Name] = s
	}
	base := filepath.Join(testdata, "flink-schemas", "same")
	oldJar := ""
	var restores []*restore
	for _, f := range all.Frames {
		if filepath.Dir(f.Schema) != filepath.Dir(base) {
			continue
		}
		if oldJar == "" {
			peer(t)
			oldJar = schemaJar(t, base)
		}
		restores = append(restores, &restore{
			name: f.Name, old: byName["same"].Snapshot, new: f.Snapshot.Snapshot, oldJar: oldJar, newJar: schemaJar(t, f.Schema),
		})
	}
	if len(restores) < 29 {
		t.Fatalf("only %d changes", len(restores))
	}
	each(t, restores, 1)
}

// each goes through the changes with each backend, and with each format of savepoints if everything is asked for.
func each(t *testing.T, restores []*restore, width int) {
	formats := interop.Formats
	if !everything {
		formats = formats[:1]
	}
	for _, backend := range interop.Backends {
		for _, format := range formats {
			t.Run(backend+"/"+format, func(t *testing.T) {
				cluster{t, backend, format}.run(restores, width)
			})
		}
	}
}

// TestChangesOnCluster restores the state of each kind of change of the project's table that proto3 can express, each at
// one of the places in turn. All old schemas are in one jar and all new ones in another, in Java packages of their own.
func TestChangesOnCluster(t *testing.T) {
	p := peer(t)
	dir := folder(t)
	var restores []*restore
	var oldSources, newSources []interop.Source
	for _, c := range changes.All() {
		if !c.Proto3() {
			continue
		}
		n := len(restores)
		at := changes.Sites()[n%len(changes.Sites())]
		r := &restore{name: fmt.Sprintf("%s, %s", c.Name, at.Name), oldJar: filepath.Join(dir, "old.jar"), newJar: filepath.Join(dir, "new.jar")}
		var sources []interop.Source
		r.old, sources = sourcesOf(t, c, at, n, false, dir)
		oldSources = append(oldSources, sources...)
		r.new, sources = sourcesOf(t, c, at, n, true, dir)
		newSources = append(newSources, sources...)
		restores = append(restores, r)
	}
	for jar, sources := range map[string][]interop.Source{"old.jar": oldSources, "new.jar": newSources} {
		if refused, err := p.Compile(filepath.Join(dir, jar), sources); err != nil || len(refused) > 0 {
			t.Fatalf("%s: %v %v", jar, err, refused)
		}
	}
	if len(restores) < 60 {
		t.Fatalf("only %d changes", len(restores))
	}
	each(t, restores, 8)
}

// sourcesOf writes the .proto files of one side of a change, with a Java package of its own.
func sourcesOf(t *testing.T, c changes.Change, at changes.Site, n int, second bool, dir string) (*snapshot.Snapshot, []interop.Source) {
	t.Helper()
	side, body := "old", c.Old
	if second {
		side, body = "new", c.New
	}
	files, root := c.Files(at, second, body)
	folder := filepath.Join(dir, side, fmt.Sprint(n))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	var sources []interop.Source
	for name, text := range files {
		text = strings.Replace(text, "package v;", fmt.Sprintf("package v; option java_package = \"change%d\"; option java_multiple_files = true;", n), 1)
		files[name] = text
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, interop.Source{ID: fmt.Sprintf("%s: %s", c.Name, name), Root: folder, File: name})
	}
	s, err := questions.Compile(files, root, snapshot.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s, sources
}

// A cluster is a backend, and a format of savepoints to restore from.
type cluster struct {
	*testing.T
	backend, format string
}

const payloadsPerCase = 3

// caseName is the name of the state of a change.
func caseName(n int) string { return fmt.Sprintf("case%d", n) }

// run makes savepoints of the old schemas, at most width of them in each, and restores each with its new schema.
func (c cluster) run(restores []*restore, width int) {
	c.Helper()
	payloads := make([][][]byte, len(restores))
	r := rand.New(rand.NewPCG(30012026, 9))
	for i, x := range restores {
		payloads[i] = payloadsOf(c.T, r, x.old)
	}
	accepted, attempts := 0, 0
	for from := 0; from < len(restores); from += width {
		c.save(restores[from:min(from+width, len(restores))], payloads, from)
	}
	for i, x := range restores {
		if x.compatible() {
			accepted++
			attempts++
			c.accepted(x, i, payloads[i])
			continue
		}
		states := interop.States
		if !everything {
			n := i + slices.Index(interop.Backends, c.backend)
			states = states[n%len(states):][:1]
		}
		for _, state := range states {
			attempts++
			c.refused(x, i, state)
		}
	}
	c.Logf("%s, %s: %d changes, %d of them compatible, %d restores", c.backend, c.format, len(restores), accepted, attempts)
	if accepted == 0 || accepted == len(restores) {
		c.Errorf("%d of %d changes are compatible, which tests one of the answers only", accepted, len(restores))
	}
}

// payloadsOf returns payloads of a schema, with unknown fields.
func payloadsOf(t *testing.T, r *rand.Rand, s *snapshot.Snapshot) [][]byte {
	t.Helper()
	var list [][]byte
	for range payloadsPerCase {
		m := dynamicpb.NewMessage(s.Descriptor())
		randpb.Message(r, m, randpb.Options{Depth: 3})
		if proto.Size(m) > s.MaxMessageSize()/2 {
			m = dynamicpb.NewMessage(s.Descriptor())
		}
		m.SetUnknown(unknownFields())
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

// save makes one savepoint of some old schemas, and compares the snapshots in it.
func (c cluster) save(restores []*restore, payloads [][][]byte, first int) {
	c.Helper()
	var cases []interop.Case
	for i, x := range restores {
		cases = append(cases, interop.Case{
			Name: caseName(first + i), Class: x.old.JavaClass(), Settings: interop.SettingsOf(x.old), Payloads: payloads[first+i],
		})
	}
	savepoint, err := peer(c.T).Savepoint(restores[0].oldJar, cases, interop.States, c.backend, c.format, folder(c.T))
	if err != nil {
		c.Fatalf("%s: %v", c.backend, err)
	}
	for i, x := range restores {
		x.savepoint = savepoint
		c.snapshots(savepoint, x.oldJar, caseName(first+i), x.old)
	}
}

// snapshots compares the snapshots of the states of a case in a savepoint with those that Go makes, as Flink reads them and as
// they are in the files.
func (c cluster) snapshots(savepoint, jar, name string, want *snapshot.Snapshot) {
	c.Helper()
	b := appended(c.T, want)
	saved, err := peer(c.T).Extract(savepoint, jar)
	if err != nil {
		c.Fatal(err)
	}
	states := 0
	for _, s := range saved {
		if !strings.HasPrefix(s.State, name+"/") {
			continue
		}
		raw, parsed, err := interop.Find(s.Bytes)
		if err != nil || len(raw) != 1 {
			c.Fatalf("%s: %d snapshots: %v", s.State, len(raw), err)
		}
		states++
		sameSnapshot(c.T, s.State, raw[0], b)
		if v := snapshot.Check(parsed[0], want, snapshot.Options{}); !v.Compatible {
			c.Errorf("%s: what Flink has saved is not compatible with the schema that it was saved with: %v", s.State, v)
		}
	}
	if states != len(interop.States) {
		c.Errorf("%s: %d states are in the savepoint, want %d", name, states, len(interop.States))
	}
	if n := c.inFiles(savepoint, b); n < len(interop.States) {
		c.Errorf("%s: the bytes of Go's snapshot are %d times in the files of the savepoint, want %d", name, n, len(interop.States))
	}
}

// inFiles counts how often b is in the files of a savepoint.
func (c cluster) inFiles(savepoint string, b []byte) int {
	c.Helper()
	files, err := os.ReadDir(savepoint)
	if err != nil {
		c.Fatal(err)
	}
	n := 0
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(savepoint, f.Name()))
		if err != nil {
			c.Fatal(err)
		}
		n += bytes.Count(content, b)
	}
	return n
}

func (c cluster) restore(x *restore, n int, states []string) interop.Restoration {
	c.Helper()
	r, err := peer(c.T).Restore(x.savepoint, x.newJar,
		interop.Case{Name: caseName(n), Class: x.new.JavaClass(), Settings: interop.SettingsOf(x.new)}, states, c.backend, folder(c.T), payloadsPerCase)
	if err != nil {
		c.Fatalf("%s, %s: %v", x.name, c.backend, err)
	}
	compared.restores.Add(1)
	compared.verdicts.Add(1)
	return r
}

// accepted restores a compatible change. The values of all states must be there, as the new schema reads them, and the savepoint
// that is taken then must have the new schema.
func (c cluster) accepted(x *restore, n int, payloads [][]byte) {
	c.Helper()
	r := c.restore(x, n, interop.States)
	if !r.Restored {
		c.Errorf("%s, %s: Go accepts it, Flink does not: %s", x.name, c.backend, strings.Join(r.Causes, "\n\t"))
		return
	}
	count := map[string]int{}
	type put struct {
		state string
		i     int
	}
	found := map[put]bool{} // each payload is in each state once
	for _, v := range r.Values {
		count[v.State]++
		i := 0
		for i < len(payloads) && (found[put{v.State, i}] || !c.same(x.new, payloads[i], v.Bytes)) {
			i++
		}
		if i == len(payloads) {
			c.Errorf("%s, %s: %s %s holds %x, which was not put there, or not as often", x.name, c.backend, v.State, v.Key, v.Bytes)
			continue
		}
		found[put{v.State, i}] = true
		compared.frames.Add(1)
		if v.Key != "" && v.Key != fmt.Sprintf("k%d", i) && !c.same(x.new, payloads[int(v.Key[1]-'0')], v.Bytes) {
			c.Errorf("%s, %s: %s %s holds the value of another key", x.name, c.backend, v.State, v.Key)
		}
	}
	for _, state := range interop.States {
		if count[state] != len(payloads) {
			c.Errorf("%s, %s: %s holds %d values, want %d", x.name, c.backend, state, count[state], len(payloads))
		}
	}
	c.snapshots(r.Savepoint, x.newJar, caseName(n), x.new)
}

// same reports whether two payloads are of the same message, unknown fields included.
func (c cluster) same(s *snapshot.Snapshot, a, b []byte) bool {
	c.Helper()
	first, second := dynamicpb.NewMessage(s.Descriptor()), dynamicpb.NewMessage(s.Descriptor())
	if err := proto.Unmarshal(a, first); err != nil {
		c.Fatalf("%x: %v", a, err)
	}
	if err := proto.Unmarshal(b, second); err != nil {
		c.Fatalf("%x: %v", b, err)
	}
	return sameMessage(first, second)
}

// refusals are what Flink and the serializer say about a schema that does not fit. Any other failure of a job is one of the test.
var refusals = []string{
	"org.apache.flink.util.StateMigrationException",
	"has a different Protobuf schema than the saved schema",
	"Cannot restore Protobuf serializer for class",
}

// refused restores a change that is not compatible, with one kind of state.
func (c cluster) refused(x *restore, n int, state string) {
	c.Helper()
	r := c.restore(x, n, []string{state})
	if r.Restored {
		c.Errorf("%s, %s: Go refuses it, Flink restores %s", x.name, c.backend, state)
		return
	}
	causes := strings.Join(r.Causes, "\n\t")
	if !slices.ContainsFunc(refusals, func(s string) bool { return strings.Contains(causes, s) }) {
		c.Errorf("%s, %s: %s failed, but not because of its schema: %s", x.name, c.backend, state, causes)
	}
}
