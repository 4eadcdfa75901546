package flinkserbolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Progress says how far a migration is.
type Progress struct {
	Total     uint64 // records when it began or went on
	Seen      uint64 // records that it has looked at
	Rewritten uint64 // and has written again
	Failed    uint64 // and could not read or write: they are as they were
	// Kept counts records with bytes that the schema does not name: unknown fields, and numbers of enum values.
	// Earlier schemas may have written them, so that those have to stay.
	Kept uint64
}

// Migration says how Migrate works. The zero value is good.
type Migration struct {
	// DropUnknown removes unknown fields: values of fields that the schema no longer has are lost.
	DropUnknown bool
	// Progress is called after every step.
	Progress func(Progress)
	// Failed is called for every record that stays as it was because it cannot be read or written.
	Failed func(*RecordError)
}

// Migrate writes all records again that an earlier schema has written, in small transactions, so that others can read and
// write meanwhile: give it a goroutine of its own. When it has come to the end, it drops the earlier snapshots,
// unless records are left that may need them: Progress.Failed says that, with an ErrUnmigrated, and Progress.Kept.
//
// If it is interrupted, by the context or with the whole program, no record is lost, and the next call goes on where it
// was. A file with damaged keys is refused with an ErrUnreachable before anything is written. A second call at the same time waits for the first. Opening the state with another schema ends it: Migrate returns ErrStale.
func (s *Store[M]) Migrate(ctx context.Context, how Migration) (Progress, error) {
	select {
	case s.migrating <- struct{}{}:
		defer func() { <-s.migrating }()
	case <-ctx.Done():
		return Progress{}, ctx.Err()
	}
	total, err := s.begin()
	if err != nil {
		return Progress{}, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return Progress{}, err
		}
		step := step[M]{how: how}
		if err := s.Update(step.run); err != nil {
			return Progress{}, err
		}
		step.now.Total = max(total, step.now.Seen)
		step.report()
		if step.done && step.now.Failed > 0 {
			return step.now.Progress, fmt.Errorf("state %q: %d %w", s.name, step.now.Failed, ErrUnmigrated)
		}
		if step.done {
			return step.now.Progress, nil
		}
	}
}

// begin marks that a migration is under way, if none is, and counts the records.
func (s *Store[M]) begin() (total uint64, err error) {
	err = s.View(func(tx *Tx[M]) (err error) { total, err = reachable(tx.layout.records); return err })
	if err != nil {
		return 0, err
	}
	return total, s.Update(func(tx *Tx[M]) error {
		if tx.migration != nil {
			return nil
		}
		return tx.layout.state.Put(migrationKey, (&migration{id: s.id}).append(nil))
	})
}

// reachable counts records, and is a FileError if bbolt does not find one by its key: it would write others to wrong places.
func reachable(b *bolt.Bucket) (n uint64, err error) {
	c, finder := b.Cursor(), b.Cursor()
	key, _, err := move(c.First)
	for ; err == nil && key != nil; key, _, err = move(c.Next) {
		found, _, err := move(func() ([]byte, []byte) { return finder.Seek(key) })
		if err != nil {
			return n, err
		}
		if !bytes.Equal(found, key) {
			return n, &FileError{ErrUnreachable}
		}
		n++
	}
	return n, err
}

// A migration is what stands in the file while one is under way:
//
//	0   4   number of the schema to which it leads; no other may write meanwhile
//	4   32  seen, rewritten, failed, kept
//	36  n   the last good key that it has looked at
type migration struct {
	id uint32
	Progress
	last []byte
}

func parseMigration(b []byte) (m migration, ok bool) {
	if len(b) < 36 {
		return m, false
	}
	u64 := binary.BigEndian.Uint64
	return migration{
		id:       binary.BigEndian.Uint32(b),
		Progress: Progress{Seen: u64(b[4:]), Rewritten: u64(b[12:]), Failed: u64(b[20:]), Kept: u64(b[28:])},
		last:     bytes.Clone(b[36:]),
	}, true
}

func (m *migration) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, m.id)
	for _, n := range []uint64{m.Seen, m.Rewritten, m.Failed, m.Kept} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return append(b, m.last...)
}

// A step is one transaction of a migration. What it tells others it tells after that has been stored.
type step[M proto.Message] struct {
	how    Migration
	now    migration
	done   bool
	failed []*RecordError
	writes []raw // values with their final seal
}

// How much a step does: others wait for it.
const (
	stepRecords = 200
	stepBytes   = 1 << 20
)

func (p *step[M]) report() {
	for _, err := range p.failed {
		if p.how.Failed != nil {
			p.how.Failed(err)
		}
	}
	if p.how.Progress != nil {
		p.how.Progress(p.now.Progress)
	}
}

func (p *step[M]) run(tx *Tx[M]) error {
	if tx.migration == nil {
		return ErrStale // ended by another call
	}
	p.now = *tx.migration
	if err := p.look(tx); err != nil {
		return err
	}
	for _, w := range p.writes {
		if err := tx.layout.records.Put(w.key, w.value); err != nil {
			return err
		}
	}
	if !p.done {
		return tx.layout.state.Put(migrationKey, p.now.append(nil))
	}
	if p.now.Failed == 0 && p.now.Kept == 0 {
		if err := tx.dropOthers(); err != nil {
			return err
		}
	}
	return tx.layout.state.Delete(migrationKey)
}

// look reads the next records and prepares the new values.
func (p *step[M]) look(tx *Tx[M]) error {
	at := &place{}
	if len(p.now.last) > 0 {
		at.last = p.now.last
	}
	n, size := 0, 0
	for r, err := range scan(tx.layout.records, at, nil, false) {
		if err != nil {
			return err
		}
		if err := p.rewrite(tx, r); err != nil {
			return err
		}
		p.now.last = at.last
		p.now.Seen++
		// The next step finds its place by a good key.
		if n, size = n+1, size+len(r.value); len(at.damaged) == 0 && (n >= stepRecords || size >= stepBytes) {
			return nil
		}
	}
	p.done = true
	return nil
}

// rewrite looks at one record. The error is one of the file.
func (p *step[M]) rewrite(tx *Tx[M], r raw) error {
	s, m := tx.store, tx.store.fresh()
	id, err := s.decode(r.key, r.value, m)
	if err != nil {
		return p.fail(err, s, r.key)
	}
	unknown := foreign(m.ProtoReflect(), false)
	dropped := unknown && p.how.DropUnknown
	if dropped {
		unknown = foreign(m.ProtoReflect(), true)
	}
	if id != s.id || dropped {
		value, err := s.encode(m)
		if err != nil {
			return p.fail(err, s, r.key)
		}
		seal(value, r.key, s.id)
		p.writes = append(p.writes, raw{r.key, value})
		p.now.Rewritten++
	}
	if unknown {
		p.now.Kept++
	}
	return nil
}

// fail counts a record that stays as it was.
func (p *step[M]) fail(err error, s *Store[M], key []byte) error {
	var file *FileError
	if errors.As(err, &file) {
		return err
	}
	var record *RecordError
	if !errors.As(err, &record) {
		record = &RecordError{State: string(s.name), Key: key, Err: err}
	}
	p.failed = append(p.failed, record)
	p.now.Failed++
	return nil
}

// dropOthers removes the snapshots of which no record is left.
func (t *Tx[M]) dropOthers() error {
	keys := [][]byte{}
	for r, err := range scan(t.layout.snapshots, &place{}, nil, false) {
		if err != nil {
			return err
		}
		if !bytes.Equal(r.key, idKey(t.store.id)) {
			keys = append(keys, r.key)
		}
	}
	return deleteAll(t.layout.snapshots, keys)
}

func deleteAll(b *bolt.Bucket, keys [][]byte) error {
	for _, key := range keys {
		if err := b.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

// foreign reports whether a message holds something that its schema does not name. It looks into all messages of it, but not
// into those that google.protobuf.Any holds. With drop it removes unknown fields, and reports what is left.
func foreign(m protoreflect.Message, drop bool) bool {
	found := false
	if len(m.GetUnknown()) > 0 {
		if drop {
			m.SetUnknown(nil)
		}
		found = !drop
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		for _, v := range elements(fd, v) {
			if foreignValue(element(fd), v, drop) {
				found = true
			}
		}
		return true
	})
	return found
}

func foreignValue(fd protoreflect.FieldDescriptor, v protoreflect.Value, drop bool) bool {
	switch {
	case fd.Message() != nil:
		return foreign(v.Message(), drop)
	case fd.Enum() != nil:
		return fd.Enum().Values().ByNumber(v.Enum()) == nil
	}
	return false
}

// element returns the field that describes the elements of a field.
func element(fd protoreflect.FieldDescriptor) protoreflect.FieldDescriptor {
	if fd.IsMap() {
		return fd.MapValue()
	}
	return fd
}

// elements returns the messages and enum values of a field.
func elements(fd protoreflect.FieldDescriptor, v protoreflect.Value) (list []protoreflect.Value) {
	if e := element(fd); e.Message() == nil && e.Enum() == nil {
		return nil
	}
	switch {
	case fd.IsMap():
		v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
			list = append(list, v)
			return true
		})
	case fd.IsList():
		l := v.List()
		list = slices.Grow(list, l.Len())
		for i := range l.Len() {
			list = append(list, l.Get(i))
		}
	default:
		list = append(list, v)
	}
	return list
}
