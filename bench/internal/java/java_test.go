package java

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/suite"
	"github.com/flinkser/flinkser/bench/internal/traces"
	"github.com/flinkser/flinkser/bench/pb/open"
	"github.com/flinkser/flinkser/internal/corpus"
)

const module = "../.."

func find(t *testing.T) *Tools {
	t.Helper()
	tools, err := Find(t.Context())
	if errors.Is(err, ErrMissing) {
		t.Skip("the Java lanes are neither built nor checked: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// openProject builds the lanes; the tests share what is built.
func openProject(t *testing.T) *Project {
	t.Helper()
	p, err := Open(t.Context(), module, find(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestJavaTests runs the tests of the lanes: the gate, with wrong lanes that it has to catch, the corpus, and the
// serializer of frames.
func TestJavaTests(t *testing.T) {
	p := openProject(t)
	// The go command runs a test again when files that it has read have changed: Maven reads these.
	hash, err := treeHash(source(module), "pom.xml", "src")
	if err != nil {
		t.Fatal(err)
	}
	t.Log("the source hashes to", hash)
	out := t.TempDir()
	built, err := filepath.Abs(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	// The goals of the phase test without those that come before: the lanes are built.
	if err := maven(t.Context(), p.tools, source(module), "-Dout="+built, "-DtestOut="+out, "compiler:testCompile", "surefire:test"); err != nil {
		t.Fatal(err)
	}
	reports, err := filepath.Glob(filepath.Join(out, "surefire-reports", "TEST-*.xml"))
	if err != nil || len(reports) < 3 {
		t.Errorf("Maven has run the tests of %d classes, want at least 3: %v", len(reports), err)
	}
}

func TestLanes(t *testing.T) {
	p := openProject(t)
	lanes, err := p.Lanes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*suite.Checked{}
	for i := range lanes {
		byName[lanes[i].Lane] = &lanes[i]
		if lanes[i].Role != results.RoleJava || lanes[i].Runtime != "java" || lanes[i].Library == "" || lanes[i].Version == "" {
			t.Errorf("lane %s says too little of itself: %+v", lanes[i].Lane, lanes[i])
		}
	}
	for _, name := range []string{
		"java-pojo", "java-tuple", "java-avro-specific", "java-avro-generic", "java-native-peer", "java-protobuf-chill",
		"java-thrift-chill", "java-kryo", "java-protobuf", "java-jackson", "java-avro-json", "java-avro-binary",
	} {
		if byName[name] == nil {
			t.Errorf("there is no lane %s", name)
		}
	}
	peer := byName["java-native-peer"]
	if want := (suite.Checks{UTF8: true, Depth: true, Size: true, Required: true, Unknown: true}); peer.Checks != want || !peer.Immutable || len(peer.Unsupported) > 0 {
		t.Errorf("the lane of our frames is %+v", peer)
	}
	if sorted := byName["java-native-peer-deterministic"]; sorted == nil || sorted.Deterministic != "java-native-peer" {
		t.Errorf("the lane with sorted maps is %+v", sorted)
	}
	for _, unsupported := range []string{"traces", "wide"} {
		if byName["java-tuple"].Unsupported[unsupported] == "" {
			t.Errorf("no reason why tuples leave %s out", unsupported)
		}
	}
	if byName["java-protobuf"].Unsupported["scalar/objectCopy"] == "" {
		t.Error("no reason why protobuf-java copies nothing")
	}
}

// TestCorpus compares the frames of all workloads with those of Go.
func TestCorpus(t *testing.T) {
	p := openProject(t)
	frames, err := p.Corpus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := goFrames(t)
	if len(frames) != len(suite.Workloads()) {
		t.Fatalf("Java has %d workloads, and Go has %d", len(frames), len(suite.Workloads()))
	}
	for i, w := range suite.Workloads() {
		if frames[i].Workload != w || frames[i].Records != suite.Size {
			t.Errorf("workload %d is %s with %d records, want %s with %d", i, frames[i].Workload, frames[i].Records, w, suite.Size)
		}
		if frames[i].SHA256 != want[w] {
			t.Errorf("the frames of %s hash to %s in Java, and to %s in Go", w, frames[i].SHA256, want[w])
		}
	}
}

// goFrames returns the hashes of the frames by workload.
func goFrames(t *testing.T) map[string]string {
	hashes := map[string]string{}
	for w, v := range corpus.CheckValues() {
		hashes[w] = v.SHA256
	}
	var batches, wides []proto.Message
	for _, b := range traces.Make(suite.Size) {
		batches = append(batches, b)
	}
	for _, w := range suite.Wides() {
		m := new(open.Wide)
		from, to := reflect.ValueOf(w), reflect.ValueOf(m).Elem()
		for i := range from.NumField() {
			to.FieldByName(from.Type().Field(i).Name).Set(from.Field(i))
		}
		wides = append(wides, m)
	}
	hashes[suite.Traces], hashes[suite.WideFields] = hash(t, batches), hash(t, wides)
	return hashes
}

func hash(t *testing.T, messages []proto.Message) string {
	t.Helper()
	sum := sha256.New()
	for _, m := range messages {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b))))
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func TestJavaGate(t *testing.T) {
	p := openProject(t)
	for _, lane := range []string{"java-native-peer", "java-pojo"} {
		dir := t.TempDir()
		checked, err := p.Gate(t.Context(), lane, dir)
		if err != nil {
			t.Fatal(err)
		}
		properties := readProperties(t, filepath.Join(dir, lane+"-plain.properties"))
		for _, w := range suite.Workloads() {
			size, ok := checked.Sizes[w]
			if unsupported := checked.Unsupported[w] != ""; ok == unsupported {
				t.Errorf("%s, %s: has a size: %v, unsupported: %v", lane, w, ok, unsupported)
			}
			if ok && (size.Records != suite.Size || size.Min <= 0 || float64(size.Max) < size.Mean) {
				t.Errorf("%s, %s: the sizes are %+v", lane, w, size)
			}
		}
		for key, want := range map[string]string{"lane": lane, "status": "supported", "scalar.records": "64"} {
			if properties[key] != want {
				t.Errorf("%s: %s is %q, want %q", lane, key, properties[key], want)
			}
		}
		identity := map[string]string{"java-native-peer": "128", "java-pojo": "0"}[lane]
		if properties["text.identityCopies"] != identity || properties["serializer.chain"] == "" {
			t.Errorf("%s: the properties are %v", lane, properties)
		}
	}
	some, err := p.Gate(t.Context(), "java-tuple", t.TempDir(), "text", "social")
	if err != nil || len(some.Sizes) != 2 || some.Sizes["text"].Records != suite.Size {
		t.Errorf("with two workloads, the gate says %+v: %v", some, err)
	}
	if _, err := p.Gate(t.Context(), "no-lane", t.TempDir()); err == nil || !strings.Contains(err.Error(), "no lane no-lane") {
		t.Errorf("a lane that does not exist passes, or the reason is lost: %v", err)
	}
}

func readProperties(t *testing.T, name string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			t.Errorf("%q is no property", line)
		}
		all[key] = value
	}
	return all
}

// TestSmokeBlock measures one cell, as a run does for every one, but shortly.
func TestSmokeBlock(t *testing.T) {
	p := openProject(t)
	for _, b := range []Block{
		{Lane: "java-native-peer", Workload: "collections", Operation: "deserialize", Block: 3},
		{Lane: "java-native-peer-deterministic", Workload: "collections", Operation: "serialize", Block: 3},
	} {
		out, err := p.Measure(t.Context(), b, Smoke)
		if err != nil {
			t.Fatal(err)
		}
		r, err := results.ParseResult(out)
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		lane, sorted := strings.CutSuffix(b.Lane, "-deterministic")
		if r.Lane != lane || r.Workload != b.Workload || r.Operation != b.Operation || r.Block != b.Block || r.Deterministic != sorted {
			t.Errorf("the result of %+v is %+v", b, r)
		}
		if len(r.Iterations) != Smoke.Iterations || r.NsPerOp != r.Iterations[0] {
			t.Errorf("the result has the iterations %v and the mean %v", r.Iterations, r.NsPerOp)
		}
		var more struct {
			Core   *int
			Clock  string
			Passed float64 `json:"passed_ns_per_op"`
		}
		if err := json.Unmarshal(out, &more); err != nil || more.Core == nil || more.Clock == "" {
			t.Errorf("the result names no core or clock: %s", out)
		}
		// The processor time is no more than what has passed on one core, but for what JMH does beside.
		if *more.Core >= 0 && r.NsPerOp > 1.5*more.Passed {
			t.Errorf("an operation takes %v ns on the processor, and %v ns pass", r.NsPerOp, more.Passed)
		}
	}
	for _, b := range []Block{
		{Lane: "java-protobuf", Workload: "scalar", Operation: "objectCopy"},
		{Lane: "java-tuple", Workload: "wide", Operation: "serialize"},
		{Lane: "java-pojo", Workload: "scalar", Operation: "no operation"},
	} {
		if out, err := p.Measure(t.Context(), b, Smoke); err == nil {
			t.Errorf("%+v is measured, which no lane has: %s", b, out)
		}
	}
}

func TestSocial(t *testing.T) {
	p := openProject(t)
	for _, wrong := range [][2]string{{"xml", "serialize"}, {"json", "objectCopy"}} {
		if out, err := p.Social(t.Context(), wrong[0], wrong[1], Smoke); err == nil {
			t.Errorf("%q is measured, which is no cell of the table: %+v", wrong, out)
		}
	}
}

func TestClassPath(t *testing.T) {
	p := openProject(t)
	lines, err := p.ClassPathSHA256()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for line := range strings.Lines(lines) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if b, err := hex.DecodeString(sum); !ok || err != nil || len(b) != sha256.Size {
			t.Errorf("%q is no hash and name", line)
		}
		if filepath.IsAbs(name) {
			t.Errorf("%s is a path of this machine", name)
		}
		names[name] = sum
	}
	for _, want := range []string{"flink-core-2.3.0.jar", "protobuf-java-4.36.2.jar", "kryo-5.6.2.jar", "classes/flinkser/bench/Main.class"} {
		if names[want] == "" {
			t.Errorf("%s is not on the class path", want)
		}
	}
	for name := range names {
		// Chill's own Kryo would win in silence.
		if strings.HasPrefix(name, "kryo-") && name != "kryo-5.6.2.jar" {
			t.Errorf("%s is on the class path too", name)
		}
	}
}

// TestBuiltOnce shows that the same source is not compiled again.
func TestBuiltOnce(t *testing.T) {
	p := openProject(t)
	none := *p.tools
	none.Maven = filepath.Join(t.TempDir(), "no-maven")
	again, err := Open(t.Context(), module, &none)
	if err != nil || again.dir != p.dir {
		t.Errorf("a second call has to build: %v", err)
	}
	// A jar that is gone is noticed.
	broken := *p
	broken.dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(broken.dir, classPathFile), []byte(filepath.Join(broken.dir, "gone.jar")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := broken.load(); err == nil {
		t.Error("a class path without its jars is taken")
	}
}

func TestFindMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Find(t.Context())
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "java is not on PATH") {
		t.Errorf("without a JDK, the error is %v", err)
	}
}

func TestRelease(t *testing.T) {
	for version, want := range map[string]int{
		`openjdk version "17.0.15" 2025-04-15`: 17,
		`openjdk version "21" 2023-09-19`:      21,
		`java version "1.8.0_402"`:             8,
		`something else`:                       0,
		``:                                     0,
	} {
		if got := release(version); got != want {
			t.Errorf("release of %q: %d, want %d", version, got, want)
		}
	}
}

func TestProperties(t *testing.T) {
	all := openProject(t).Properties()
	for key, want := range map[string]string{"flink.version": "2.3.0", "protobuf-java.version": "4.36.2", "jmh.version": "1.37"} {
		if all[key] != want {
			t.Errorf("%s is %q, want %q", key, all[key], want)
		}
	}
	if release(all["java.version"]) < OldestJDK || !strings.Contains(all["java.jvm.arguments"], "-Xmx512m") {
		t.Errorf("the properties are %v", all)
	}
}
