// Verifyjar writes what a jar with the Java serializer is asked, for tools/verify-jar.sh: the
// snapshots of the tests, the verdicts of the strict policy on them, and frames.
//
//	go run ./internal/verifyjar FOLDER
//
// The jar is asked in terms of Flink's interfaces, see VerifyJar.java. What the jar cannot hold, because
// it is for proto3 only, is left out and counted.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/protocheck"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

const testdata = "runtime/snapshot/testdata"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: verifyjar FOLDER")
		os.Exit(2)
	}
	e := exchange{dir: os.Args[1]}
	if err := e.run(); err != nil {
		fmt.Fprintln(os.Stderr, "verifyjar:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pairs are left out, as the Java library holds no such messages\n", e.left)
}

// An exchange is a folder with a file of questions.
type exchange struct {
	dir    string
	checks strings.Builder
	left   int
}

func (e *exchange) run() error {
	for _, step := range []func() error{e.fixtures, e.changes, e.pairs} {
		if err := step(); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(e.dir, "checks.txt"), []byte(e.checks.String()), 0o644)
}

// ask adds a question.
func (e *exchange) ask(words ...string) {
	e.checks.WriteString(strings.Join(words, "\t") + "\n")
}

// write writes a file of the exchange, and returns its name.
func (e *exchange) write(name string, content []byte) (string, error) {
	path := filepath.Join(e.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return name, os.WriteFile(path, content, 0o644)
}

// snapshot writes a snapshot and has it read and written by the jar.
func (e *exchange) snapshot(name string, s *snapshot.Snapshot) (string, error) {
	b, err := s.Append(nil)
	if err != nil {
		return "", err
	}
	name, err = e.write(name+".snapshot", b)
	e.ask("snapshot", name)
	return name, err
}

// verdict asks for a verdict of the strict policy, and tells ours.
func (e *exchange) verdict(name, oldFile, newFile string, old, new *snapshot.Snapshot) {
	ours := "break"
	if snapshot.Check(old, new, snapshot.Options{}).Compatible {
		ours = "ok"
	}
	e.ask("verdict", name, oldFile, newFile, ours)
}

// frames writes frames of random messages, and asks the jar to read and write them. The shell script
// compiles proto into the folder classes.
func (e *exchange) frames(name, snapshotFile string, s *snapshot.Snapshot, classes string) error {
	serializer, err := flinkser.New[proto.Message](flinkser.WithMaxMessageSize(s.MaxMessageSize()), flinkser.WithRecursionLimit(s.RecursionLimit()))
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(30012026, 1))
	var frames []byte
	for range 200 {
		m := dynamicpb.NewMessage(s.Descriptor())
		randpb.Message(r, m, randpb.Options{Depth: 4})
		// With one entry a map has no order, which the serializer's settings leave open.
		m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			if f.IsMap() && v.Map().Len() > 1 {
				m.Clear(f)
			}
			return true
		})
		frames, err = serializer.Append(frames, m)
		if err != nil && !errors.Is(err, flinkser.ErrTooLarge) && !errors.Is(err, flinkser.ErrDepth) {
			return err
		}
	}
	file, err := e.write(name+".frames", frames)
	e.ask("frames", snapshotFile, file, classes)
	return err
}

// fixtures asks about the files that the Java library wrote itself.
func (e *exchange) fixtures() error {
	var read [2]*snapshot.Snapshot
	var files [2]string
	for i, name := range []string{"default", "raised"} {
		b, err := os.ReadFile(filepath.Join(testdata, "flink-snapshots", name+".snapshot"))
		if err != nil {
			return err
		}
		if read[i], _, err = snapshot.Parse(b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if files[i], err = e.snapshot(name, read[i]); err != nil {
			return err
		}
	}
	for i := range read {
		for j := range read {
			e.verdict(fmt.Sprintf("%s to %s", files[i], files[j]), files[i], files[j], read[i], read[j])
		}
	}
	frame, err := os.ReadFile(filepath.Join(testdata, "flink-snapshots", "envelope.frame"))
	if err != nil {
		return err
	}
	file, err := e.write("envelope.frames", frame)
	if err != nil {
		return err
	}
	e.ask("frames", files[0], file, "classes/flink-snapshots")
	return e.frames("random-envelope", files[0], read[0], "classes/flink-snapshots")
}

// changes asks about the changes of one schema, every one against every other.
func (e *exchange) changes() error {
	folders, err := filepath.Glob(filepath.Join(testdata, "flink-schemas", "*", "envelope.snapshot"))
	if err != nil || len(folders) == 0 {
		return errors.Join(err, errors.New("no schemas found"))
	}
	snaps, files := make([]*snapshot.Snapshot, len(folders)), make([]string, len(folders))
	for i, path := range folders {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if snaps[i], _, err = snapshot.Parse(b); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		variant := filepath.Base(filepath.Dir(path))
		if files[i], err = e.snapshot(variant, snaps[i]); err != nil {
			return err
		}
		if err := e.frames(variant, files[i], snaps[i], "classes/"+variant); err != nil {
			return err
		}
	}
	for i := range snaps {
		for j := range snaps {
			e.verdict(fmt.Sprintf("%s to %s", files[i], files[j]), files[i], files[j], snaps[i], snaps[j])
		}
	}
	return nil
}

// pairs asks about the pairs of schemas that the library holds.
func (e *exchange) pairs() error {
	b, err := os.ReadFile(filepath.Join(testdata, "schema-pairs.json"))
	if err != nil {
		return err
	}
	var pairs []struct {
		ID, Old, New string
		OldRoot      protoreflect.FullName `json:"old_root"`
		NewRoot      protoreflect.FullName `json:"new_root"`
	}
	if err := json.Unmarshal(b, &pairs); err != nil {
		return err
	}
	for _, p := range pairs {
		old, err := compile(p.Old, p.OldRoot)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ID, err)
		}
		new, err := compile(p.New, p.NewRoot)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ID, err)
		}
		if len(snapshot.JavaSupport(old.Descriptor())) > 0 || len(snapshot.JavaSupport(new.Descriptor())) > 0 {
			e.left++
			continue
		}
		oldFile, err := e.snapshot(p.ID+"-old", old)
		if err != nil {
			return err
		}
		newFile, err := e.snapshot(p.ID+"-new", new)
		if err != nil {
			return err
		}
		e.verdict(p.ID, oldFile, newFile, old, new)
	}
	return nil
}

func compile(text string, root protoreflect.FullName) (*snapshot.Snapshot, error) {
	req, err := protocheck.Request(map[string]string{"v.proto": text}, "")
	if err != nil {
		return nil, err
	}
	return snapshot.OfFiles(&descriptorpb.FileDescriptorSet{File: req.GetProtoFile()}, root, snapshot.Settings{})
}
