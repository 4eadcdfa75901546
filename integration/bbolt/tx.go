package flinkserbolt

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/proto"
)

// A Record is a key and its message.
type Record[M proto.Message] struct {
	Key     []byte
	Message M // nil with an error
}

// A Tx is a state in a transaction of bbolt. It is of no use outside of it, and for one goroutine.
type Tx[M proto.Message] struct {
	store     *Store[M]
	tx        *bolt.Tx
	layout    layout
	migration *migration // under way, or nil
	read      int        // bytes of the records that scans have returned
}

// In returns the state in a transaction that the caller has begun, so that several states of a file can be changed in one
// step.
func (s *Store[M]) In(tx *bolt.Tx) (*Tx[M], error) {
	l, err := find(tx, s.name)
	if err != nil {
		return nil, err
	}
	t := &Tx[M]{store: s, tx: tx, layout: l}
	fault := guard(func() {
		if l.snapshots.Sequence() != s.opened || s.id != 0 && l.snapshots.Get(idKey(s.id)) == nil {
			err = ErrStale
		}
		if under, ok := parseMigration(l.state.Get(migrationKey)); ok {
			t.migration = &under
		}
	})
	if tx.Writable() && t.migration != nil && t.migration.id != s.id {
		err = ErrStale
	}
	if err := errors.Join(fault, err); err != nil {
		return nil, err
	}
	return t, nil
}

// Bolt returns the transaction of bbolt.
func (t *Tx[M]) Bolt() *bolt.Tx { return t.tx }

// Get is Store.Get in the transaction.
func (t *Tx[M]) Get(key []byte, m M) (found bool, err error) {
	var value []byte
	if err := guard(func() { value = get(t.layout.records.Cursor(), key, t.tx.Writable()) }); err != nil {
		return false, err
	}
	if value == nil {
		return false, nil
	}
	_, err = t.store.decode(key, value, m)
	return true, err
}

// Put stores a message under a key.
func (t *Tx[M]) Put(key []byte, m M) error {
	value, err := t.store.encode(m)
	if err != nil {
		return err
	}
	return t.put(key, value, m)
}

func (t *Tx[M]) put(key, value []byte, m M) error {
	seal(value, key, t.store.id)
	if err := t.layout.records.Put(key, value); err != nil {
		return err
	}
	// A migration that is under way may have been here already.
	if t.migration != nil && foreign(m.ProtoReflect(), false) {
		t.migration.Kept++
		return t.layout.state.Put(migrationKey, t.migration.append(nil))
	}
	return nil
}

// Delete removes a key; it need not be there.
func (t *Tx[M]) Delete(key []byte) error { return t.layout.records.Delete(key) }

// All is Store.All as of the beginning of the transaction, with the changes that it has made.
func (t *Tx[M]) All() iter.Seq2[Record[M], error] { return t.Range(nil, nil) }

// Prefix is All for the keys that begin with a prefix.
func (t *Tx[M]) Prefix(prefix []byte) iter.Seq2[Record[M], error] {
	return t.Range(prefix, behind(prefix))
}

// Range is All for the keys from one, inclusive, to another, exclusive. An empty key is no bound.
func (t *Tx[M]) Range(from, to []byte) iter.Seq2[Record[M], error] {
	return func(yield func(Record[M], error) bool) {
		t.scan(&place{from: from}, to)(yield)
	}
}

func (t *Tx[M]) scan(from *place, to []byte) iter.Seq2[Record[M], error] {
	return func(yield func(Record[M], error) bool) {
		for raw, err := range scan(t.layout.records, from, to, t.tx.Writable()) {
			t.read += len(raw.value)
			r := Record[M]{Key: raw.key}
			if err == nil {
				m := t.store.fresh()
				if _, err = t.store.decode(raw.key, raw.value, m); err == nil {
					r.Message = m
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// fresh returns a new message.
func (s *Store[M]) fresh() M {
	return (*new(M)).ProtoReflect().New().Interface().(M)
}

// encode returns a value that has yet to be sealed: bbolt keeps it until the transaction has ended.
func (s *Store[M]) encode(m M) ([]byte, error) {
	size, err := s.serializer.Size(m)
	if err != nil {
		return nil, err
	}
	return s.serializer.AppendPayload(make([]byte, sealSize, sealSize+size), m)
}

// decode reads a value, which lies in bbolt's memory, into m and returns the number of its schema.
func (s *Store[M]) decode(key, value []byte, m M) (id uint32, err error) {
	var payload []byte
	if fault := guard(func() { id, payload, err = unseal(key, value) }); fault != nil {
		return 0, fault
	}
	if err == nil && !s.known[id] {
		err = fmt.Errorf("number %d: %w", id, ErrNoSchema)
	}
	if err == nil {
		if s.serializer.Aliases() {
			payload = bytes.Clone(payload)
		}
		err = s.serializer.DecodePayload(payload, m)
	}
	if err != nil {
		return 0, &RecordError{State: string(s.name), Key: bytes.Clone(key), Err: err}
	}
	return id, nil
}

// behind returns the first key behind all that begin with a prefix; nothing if there is none.
func behind(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}
