package flinkserbolt

import (
	"errors"
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// A Store reads and writes the messages of one state. It may be used by any number of goroutines at once.
type Store[M proto.Message] struct {
	db         *bolt.DB
	name       []byte
	serializer *flinkser.Serializer[M]
	verdict    snapshot.Verdict
	id         uint32          // of the snapshot that records are written with
	known      map[uint32]bool // numbers of the snapshots that it was compared with, and its own
	opened     uint64          // number of the last snapshot when the store was opened

	migrating chan struct{} // holds something while Migrate runs
}

// Open opens the state of a name, and makes it if the file has none. It compares the schema of M with every snapshot
// that the state has, and adds its own if that is new. A schema that may not read what is stored is refused: the
// error is a *snapshot.IncompatibleError then, which has the whole verdict, and the file is as it was.
//
// A file that was opened read-only must have the state, and gets no snapshot.
func Open[M proto.Message](db *bolt.DB, name string, opts ...flinkser.Option) (*Store[M], error) {
	s := &Store[M]{db: db, name: []byte(name), known: map[uint32]bool{}, migrating: make(chan struct{}, 1)}
	opts = append([]flinkser.Option{flinkser.WithoutElementBudget()}, opts...)
	transact := db.Update
	if db.IsReadOnly() {
		transact = db.View
	}
	if err := transact(func(tx *bolt.Tx) error { return s.open(tx, opts) }); err != nil {
		return nil, fmt.Errorf("state %q: %w", name, err)
	}
	return s, nil
}

func (s *Store[M]) open(tx *bolt.Tx, opts []flinkser.Option) error {
	l, err := find(tx, s.name)
	fresh := errors.Is(err, ErrNoState) && tx.Writable()
	if err != nil && !fresh {
		return err
	}
	saved, err := l.schemas()
	if err != nil {
		return err
	}
	snapshots := []*snapshot.Snapshot{}
	for _, old := range saved {
		if old.err != nil {
			return old.err
		}
		snapshots = append(snapshots, old.snapshot)
		s.known[old.id] = true
	}
	if s.serializer, s.verdict, err = flinkser.RestoreAll[M](snapshots, opts...); err != nil {
		return err
	}
	if fresh {
		if l, err = create(tx, s.name); err != nil {
			return err
		}
	}
	if err := s.enter(l, saved); err != nil {
		return err
	}
	s.opened = l.snapshots.Sequence()
	return nil
}

// enter finds the number of the store's own snapshot, or adds it.
func (s *Store[M]) enter(l layout, saved []schema) error {
	now, err := s.serializer.Snapshot()
	if err != nil {
		return err
	}
	b, err := now.Append(nil)
	if err != nil {
		return err
	}
	for _, old := range saved {
		if old.bytes == string(b) {
			s.id = old.id
		}
	}
	if !l.state.Writable() {
		return nil
	}
	if s.id == 0 {
		if s.id, err = l.add(b); err != nil {
			return err
		}
		s.known[s.id] = true
	}
	// A migration to another schema can no longer end.
	if under, ok := parseMigration(l.state.Get(migrationKey)); ok && under.id != s.id {
		return l.state.Delete(migrationKey)
	}
	return nil
}

// Verdict returns what the comparison with all snapshots of the state gave when it was opened: it is compatible, but it may
// have warnings and notes.
func (s *Store[M]) Verdict() snapshot.Verdict { return s.verdict }

// Serializer returns the serializer of the store, with the saved settings.
func (s *Store[M]) Serializer() *flinkser.Serializer[M] { return s.serializer }

// Snapshots returns the snapshots of the state in the order in which they were first used.
func (s *Store[M]) Snapshots() ([]*snapshot.Snapshot, error) {
	saved, err := OpenSaved(s.db, string(s.name))
	if err != nil {
		return nil, err
	}
	return saved.Snapshots(), errors.Join(saved.Damaged()...)
}

// Get reads the message of a key into m, which it replaces, and reports whether there is one. A record that cannot be
// read is a *RecordError; m is in an undefined, but valid state then.
func (s *Store[M]) Get(key []byte, m M) (found bool, err error) {
	err = s.View(func(tx *Tx[M]) (err error) { found, err = tx.Get(key, m); return err })
	return found, err
}

// Put stores a message under a key. It is on disk when Put returns, as far as bbolt was not told otherwise.
func (s *Store[M]) Put(key []byte, m M) error {
	value, err := s.encode(m)
	if err != nil {
		return err
	}
	return s.Update(func(tx *Tx[M]) error { return tx.put(key, value, m) })
}

// Delete removes a key; it need not be there.
func (s *Store[M]) Delete(key []byte) error {
	return s.Update(func(tx *Tx[M]) error { return tx.Delete(key) })
}

// View calls f with a transaction that shows the state as it is now, whatever others write meanwhile. Do not write to
// the file before f has returned.
func (s *Store[M]) View(f func(tx *Tx[M]) error) error { return s.bound(s.db.View, f) }

// Update calls f with a transaction for a batch of changes: all of them are stored if f returns nil, and none otherwise.
// There is one such transaction at a time.
func (s *Store[M]) Update(f func(tx *Tx[M]) error) error { return s.bound(s.db.Update, f) }

// Batch is Update for many goroutines: it waits a little for others, and stores the changes of all in one
// transaction, which takes the time of one. f may be called several times.
func (s *Store[M]) Batch(f func(tx *Tx[M]) error) error { return s.bound(s.db.Batch, f) }

func (s *Store[M]) bound(transact func(func(*bolt.Tx) error) error, f func(*Tx[M]) error) error {
	return transact(func(tx *bolt.Tx) error {
		t, err := s.In(tx)
		if err != nil {
			return err
		}
		return f(t)
	})
}

// All returns all records in the order of their keys. A record that cannot be read comes with its key and a *RecordError,
// and the next one follows; after any other error none does.
//
// The loop may write to the store. So it does not show one moment: a record is as it was shortly before
// it is returned. Tx has scans of one moment.
func (s *Store[M]) All() iter.Seq2[Record[M], error] { return s.Range(nil, nil) }

// Prefix is All for the keys that begin with a prefix.
func (s *Store[M]) Prefix(prefix []byte) iter.Seq2[Record[M], error] {
	return s.Range(prefix, behind(prefix))
}

// Range is All for the keys from one, inclusive, to another, exclusive. An empty key is no bound.
func (s *Store[M]) Range(from, to []byte) iter.Seq2[Record[M], error] {
	return func(yield func(Record[M], error) bool) {
		at := &place{from: from}
		for more := true; more; {
			part := part[M]{}
			if err := s.View(func(tx *Tx[M]) error { more = part.fill(tx, at, to); return nil }); err != nil {
				yield(Record[M]{}, err)
				return
			}
			for i, r := range part.records {
				if !yield(r, part.errs[i]) {
					return
				}
			}
		}
	}
}

// A part is what a scan reads in one transaction, where the loop may write.
type part[M proto.Message] struct {
	records []Record[M]
	errs    []error
}

const (
	partRecords = 100
	partBytes   = 1 << 20
)

// fill reads the first records of a range and reports whether there may be more.
func (p *part[M]) fill(tx *Tx[M], from *place, to []byte) bool {
	for r, err := range tx.scan(from, to) {
		p.records, p.errs = append(p.records, r), append(p.errs, err)
		if r.Key == nil {
			return false // not a record, but the end of the file's good part
		}
		if len(p.records) == partRecords || tx.read >= partBytes {
			return true
		}
	}
	return false
}
