// Package state keeps messages in a folder: a framed file, and beside it the snapshot of the
// schema and the settings it was written with. The commands of the example differ only in the
// schema that they are built with.
package state

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// Main is the whole of a command:
//
//	command [-wire] [-rollback] DIR         restore the state, print its digest, write it again
//	command [-wire] [-rollback] -new N DIR  write N messages that build returns
//
// It ends with exit code 1 if the state may not be restored, and has read nothing of it then.
// digest returns what a message says, in words that all versions have.
func Main[M interface {
	comparable
	proto.Message
}](build func(i int) M, digest func(M) string) {
	wire := flag.Bool("wire", false, "accept what the stored bytes allow, not only what the Java library accepts")
	rollback := flag.Bool("rollback", false, "the state was written with a newer schema")
	count := flag.Int("new", 0, "write this many new messages")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	var opts []flinkser.Option
	if *wire {
		opts = append(opts, flinkser.WithRestorePolicy(snapshot.Wire))
	}
	if *rollback {
		opts = append(opts, flinkser.WithRollback())
	}
	store := folder[M]{flag.Arg(0)}
	var err error
	if *count > 0 {
		err = store.create(*count, build)
	} else {
		err = store.restore(opts, digest)
	}
	var incompatible *snapshot.IncompatibleError
	switch {
	case errors.As(err, &incompatible):
		fmt.Print("refused: ", incompatible.Verdict)
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

type folder[M proto.Message] struct{ dir string }

func (f folder[M]) snapshot() string { return filepath.Join(f.dir, "orders.snapshot") }
func (f folder[M]) frames() string   { return filepath.Join(f.dir, "orders.frames") }

// create writes new messages.
func (f folder[M]) create(n int, build func(i int) M) error {
	s, err := flinkser.New[M]()
	if err != nil {
		return err
	}
	messages := []M{}
	for i := range n {
		messages = append(messages, build(i))
	}
	fmt.Printf("wrote %d\n", n)
	return f.write(s, messages)
}

// restore checks the schema, reads all messages, and writes them with the schema of this program.
func (f folder[M]) restore(opts []flinkser.Option, digest func(M) string) error {
	b, err := os.ReadFile(f.snapshot())
	if err != nil {
		return err
	}
	saved, _, err := snapshot.Parse(b)
	if err != nil {
		return err
	}
	s, err := flinkser.Restore[M](saved, opts...)
	if err != nil {
		return err
	}
	b, err = os.ReadFile(f.frames())
	if err != nil {
		return err
	}
	sum := sha256.New()
	messages := []M{}
	for len(b) > 0 {
		m := (*new(M)).ProtoReflect().New().Interface().(M)
		if b, err = s.Decode(b, m); err != nil {
			return err
		}
		fmt.Fprintln(sum, digest(m))
		messages = append(messages, m)
	}
	fmt.Printf("restored %d, digest %x\n", len(messages), sum.Sum(nil)[:6])
	return f.write(s, messages)
}

// write writes messages and the snapshot of their schema to new files, and puts them in the
// place of the old ones at the end. A real store does both in one step.
func (f folder[M]) write(s *flinkser.Serializer[M], messages []M) error {
	now, err := s.Snapshot()
	if err != nil {
		return err
	}
	b, err := now.Append(nil)
	if err != nil {
		return err
	}
	file, err := os.Create(f.frames() + ".new")
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	var frame []byte
	for _, m := range messages {
		if frame, err = s.Append(frame[:0], m); err != nil {
			return err
		}
		if _, err := buffered.Write(frame); err != nil {
			return err
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.WriteFile(f.snapshot()+".new", b, 0o644); err != nil {
		return err
	}
	if err := os.Rename(f.frames()+".new", f.frames()); err != nil {
		return err
	}
	return os.Rename(f.snapshot()+".new", f.snapshot())
}
