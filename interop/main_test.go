package interop_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/flinkser/flinkser/interop"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// What was compared. TestMain prints it.
var compared struct{ frames, snapshots, verdicts, restores atomic.Int64 }

var (
	work     string
	running  *interop.Peer
	versions interop.Versions
	start    = sync.OnceValue(func() error {
		target, err := filepath.Abs(os.Getenv(interop.Target))
		if err != nil {
			return err
		}
		p, err := interop.Start(target, filepath.Join(work, "peer.log"))
		if err != nil {
			return err
		}
		running = p
		v, err := p.Versions()
		if err != nil {
			return err
		}
		flink, protobuf := os.Getenv("FLINKSER_INTEROP_FLINK"), os.Getenv("FLINKSER_INTEROP_PROTOBUF")
		if flink != v.Flink || protobuf != v.Protobuf {
			return fmt.Errorf("the peer has Flink %s and protobuf-java %s, asked for are %q and %q", v.Flink, v.Protobuf, flink, protobuf)
		}
		fmt.Printf("peer: Flink %s, protobuf-java %s, Java %s\n", v.Flink, v.Protobuf, v.Java)
		versions = v
		return nil
	})
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// run runs the tests with a folder for all of them. It is kept if a test fails, because the peer's log is in it.
func run(m *testing.M) (code int, err error) {
	if work, err = os.MkdirTemp("", "interop-"); err != nil {
		return 1, err
	}
	code = m.Run()
	if running != nil {
		err = errors.Join(running.Close(), report(code))
	}
	if code == 0 && err == nil {
		return 0, os.RemoveAll(work)
	}
	fmt.Println("files of the tests are in", work)
	return code, err
}

// report prints how much was compared. It also adds a row to the file that the environment names: tools/interop-versions.sh makes the
// table in docs/compatibility.md of it.
func report(code int) error {
	c := &compared
	fmt.Printf("compared: %d frames, %d snapshots, %d verdicts, %d restores on the cluster\n",
		c.frames.Load(), c.snapshots.Load(), c.verdicts.Load(), c.restores.Load())
	path := os.Getenv("FLINKSER_INTEROP_ROWS")
	if path == "" {
		return nil
	}
	result := "passed"
	if code != 0 {
		result = "failed"
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "| %s | %s | %s | %d | %d | %d | %d | %s |\n", versions.Flink, versions.Protobuf, versions.Java,
		c.frames.Load(), c.snapshots.Load(), c.verdicts.Load(), c.restores.Load(), result)
	return errors.Join(err, f.Close())
}

// peer returns the Java program, which is started once.
func peer(t *testing.T) *interop.Peer {
	t.Helper()
	if os.Getenv(interop.Target) == "" {
		t.Skip(interop.Target + " is not set, so there is no Java program to compare with: make interop builds it")
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
	return running
}

// abs returns the absolute form of a path, since the peer works elsewhere.
func abs(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// folder returns a new folder for a test.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(work, "test-")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// compile compiles one file of the repository, which must be accepted, and returns the jar.
func compile(t *testing.T, file string) string {
	t.Helper()
	jar := filepath.Join(folder(t), "classes.jar")
	failed, err := peer(t).Compile(jar, []interop.Source{{ID: file, Root: abs(t, ".."), File: file}})
	if err == nil && len(failed) > 0 {
		err = errors.New(failed[file])
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return jar
}

// javaClass is the Java class of a message.
func javaClass(t *testing.T, md protoreflect.MessageDescriptor) string {
	t.Helper()
	s, err := snapshot.OfDescriptor(md, snapshot.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s.JavaClass()
}

// settings are those of Flink's side for a serializer of ours.
func settings(s interface{ Settings() snapshot.Settings }) interop.Settings {
	set := s.Settings()
	return interop.Settings{Deterministic: set.Deterministic, MaxMessageSize: set.MaxMessageSize, RecursionLimit: set.RecursionLimit}
}

// serializer returns one of ours for any message.
func serializer(t *testing.T, opts ...flinkser.Option) *flinkser.Serializer[proto.Message] {
	t.Helper()
	s, err := flinkser.New[proto.Message](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// frame writes a frame with s.
func frame(t *testing.T, s *flinkser.Serializer[proto.Message], m proto.Message) []byte {
	t.Helper()
	b, err := s.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// read reads a frame that is all of b.
func read(t *testing.T, s *flinkser.Serializer[proto.Message], b []byte, m proto.Message) {
	t.Helper()
	rest, err := s.Decode(b, m)
	if err != nil || len(rest) > 0 {
		t.Fatalf("frame %x: %d bytes left, %v", b, len(rest), err)
	}
}

// messageType returns a linked type.
func messageType(t *testing.T, name string) protoreflect.MessageType {
	t.Helper()
	mt, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	if err != nil {
		t.Fatal(err)
	}
	return mt
}
