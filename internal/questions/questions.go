// Package questions has what an implementation of the Java serializer is asked, in terms of Flink's interfaces: snapshots
// that it must read and write again, pairs of them with the verdict of the strict policy, and frames that
// it must read and write again. It is for tests.
package questions

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/changes"
	"github.com/flinkser/flinkser/internal/protocheck"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// A Snapshot has a name, which no other one has.
type Snapshot struct {
	Name  string
	Bytes []byte
	*snapshot.Snapshot
}

// A Verdict is what a restore under New of what was saved under Old has to answer.
type Verdict struct {
	Name       string
	Old, New   *Snapshot
	Compatible bool
}

// Frames are those of messages of one snapshot. Schema is the folder of its .proto files.
type Frames struct {
	Name     string
	Snapshot *Snapshot
	Schema   string
	Bytes    []byte
}

// All are the questions.
type All struct {
	Snapshots []*Snapshot
	Verdicts  []Verdict
	Frames    []Frames
	// Left is the number of pairs that are left out, as the Java library is for proto3 only.
	Left int

	testdata string
}

// Collect makes the questions out of testdata, which is the folder of that name of the package snapshot, and of the table
// of changes. Two calls return the same.
func Collect(testdata string) (*All, error) {
	a := &All{testdata: testdata}
	for _, step := range []func() error{a.fixtures, a.schemas, a.pairs, a.changes} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *All) snapshot(name string, s *snapshot.Snapshot) (*Snapshot, error) {
	b, err := s.Append(nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	named := &Snapshot{name, b, s}
	a.Snapshots = append(a.Snapshots, named)
	return named, nil
}

func (a *All) read(name, path string) (*Snapshot, error) {
	b, err := os.ReadFile(filepath.Join(a.testdata, path))
	if err != nil {
		return nil, err
	}
	s, _, err := snapshot.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a.snapshot(name, s)
}

func (a *All) verdict(name string, old, new *Snapshot) {
	v := snapshot.Check(old.Snapshot, new.Snapshot, snapshot.Options{})
	a.Verdicts = append(a.Verdicts, Verdict{name, old, new, v.Compatible})
}

// all compares every one of some snapshots with every one.
func (a *All) all(snaps []*Snapshot) {
	for _, old := range snaps {
		for _, new := range snaps {
			a.verdict(old.Name+" to "+new.Name, old, new)
		}
	}
}

// fixtures asks about the files that the Java library wrote itself.
func (a *All) fixtures() error {
	var snaps []*Snapshot
	for _, name := range []string{"default", "raised"} {
		s, err := a.read(name, filepath.Join("flink-snapshots", name+".snapshot"))
		if err != nil {
			return err
		}
		snaps = append(snaps, s)
	}
	a.all(snaps)
	frame, err := os.ReadFile(filepath.Join(a.testdata, "flink-snapshots", "envelope.frame"))
	if err != nil {
		return err
	}
	schema := filepath.Join(a.testdata, "flink-snapshots", "proto")
	a.Frames = append(a.Frames, Frames{"envelope", snaps[0], schema, frame})
	return a.random("random-envelope", snaps[0], schema)
}

// schemas asks about the changes of one schema, every one against every other.
func (a *All) schemas() error {
	paths, err := filepath.Glob(filepath.Join(a.testdata, "flink-schemas", "*", "envelope.snapshot"))
	if err != nil || len(paths) == 0 {
		return errors.Join(err, errors.New("no schemas found"))
	}
	var snaps []*Snapshot
	for _, path := range paths {
		schema := filepath.Dir(path)
		name := filepath.Base(schema)
		s, err := a.read(name, filepath.Join("flink-schemas", name, "envelope.snapshot"))
		if err != nil {
			return err
		}
		if err := a.random(name, s, schema); err != nil {
			return err
		}
		snaps = append(snaps, s)
	}
	a.all(snaps)
	return nil
}

// random asks for frames of random messages.
func (a *All) random(name string, s *Snapshot, schema string) error {
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
	a.Frames = append(a.Frames, Frames{name, s, schema, frames})
	return nil
}

// pairs asks about the pairs of schemas that the library holds.
func (a *All) pairs() error {
	b, err := os.ReadFile(filepath.Join(a.testdata, "schema-pairs.json"))
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
		if err := a.pair(p.ID, files{"v.proto": p.Old}, p.OldRoot, files{"v.proto": p.New}, p.NewRoot); err != nil {
			return err
		}
	}
	return nil
}

// changes asks about the table of changes, at all places.
func (a *All) changes() error {
	for _, c := range changes.All() {
		for _, at := range changes.Sites() {
			old, root := c.Files(at, false, c.Old)
			new, _ := c.Files(at, true, c.New)
			if err := a.pair(c.Name+", "+at.Name, old, root, new, root); err != nil {
				return err
			}
		}
	}
	return nil
}

type files = map[string]string

func (a *All) pair(name string, oldFiles files, oldRoot protoreflect.FullName, newFiles files, newRoot protoreflect.FullName) error {
	old, err := Compile(oldFiles, oldRoot, snapshot.Settings{})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	new, err := Compile(newFiles, newRoot, snapshot.Settings{})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(snapshot.JavaSupport(old.Descriptor())) > 0 || len(snapshot.JavaSupport(new.Descriptor())) > 0 {
		a.Left++
		return nil
	}
	before, err := a.snapshot(name+", old", old)
	if err != nil {
		return err
	}
	after, err := a.snapshot(name+", new", new)
	if err != nil {
		return err
	}
	a.verdict(name, before, after)
	return nil
}

// Compile returns the snapshot of a message of .proto files, which are the texts by path, as the Java classes have it that protoc
// makes of them.
func Compile(files map[string]string, root protoreflect.FullName, settings snapshot.Settings) (*snapshot.Snapshot, error) {
	req, err := protocheck.Request(files, "")
	if err != nil {
		return nil, err
	}
	linked, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: req.GetProtoFile()})
	if err != nil {
		return nil, err
	}
	d, err := linked.FindDescriptorByName(root)
	if err != nil {
		return nil, err
	}
	md, ok := d.(protoreflect.MessageDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s is no message", root)
	}
	return snapshot.OfDescriptor(md, settings)
}
