package flinkserbolt

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/runtime/snapshot"
)

// States returns the names of all states of a file, damaged ones too, of which OpenSaved says what is wrong with them. Buckets of
// other uses are left out.
func States(db *bolt.DB) (names []string, err error) {
	err = db.View(func(tx *bolt.Tx) error {
		if problems, safe, err := inspect(tx, nil); err != nil || !safe {
			return errors.Join(append(problems, err)...)
		}
		c := tx.Cursor()
		key, _, err := move(c.First)
		for ; err == nil && key != nil; key, _, err = move(c.Next) {
			if err = guard(func() { key = bytes.Clone(key) }); err != nil {
				break
			}
			if isState(tx, key) {
				names = append(names, string(key))
			}
		}
		return err
	})
	return names, err
}

// isState reports whether a bucket is a state, whole or damaged.
func isState(tx *bolt.Tx, name []byte) bool {
	_, err := find(tx, name)
	if !errors.Is(err, ErrNotState) {
		return true // also if it is no bucket: at the top of a file of bbolt, it has been one
	}
	if problems, safe, err := inspect(tx, name); len(problems) > 0 || !safe || err != nil {
		return true
	}
	// Names that have changed are no longer in order, so that bbolt does not find the others either.
	signs := 0
	err = guard(func() {
		c := tx.Bucket(name).Cursor()
		for key, value := c.First(); key != nil; key, value = c.Next() {
			switch {
			case string(value) == string(formatValue):
				signs += 2
			case value == nil && (string(key) == string(snapshotsName) || string(key) == string(recordsName)):
				signs++
			}
		}
	})
	return err != nil || signs >= 2
}

// Saved reads a state with the saved schemas alone: the program need not have the messages.
type Saved struct {
	db      *bolt.DB
	name    []byte
	schemas []schema
	pages   []error // what is wrong with pages
	types   map[uint32]*types
}

// types are those of one snapshot.
type types struct {
	snapshot *snapshot.Snapshot
	resolver *dynamicpb.Types
}

// A SavedRecord is a record with the schema that it was written with.
type SavedRecord struct {
	Key     []byte
	Message *dynamicpb.Message // nil with an error
	Schema  uint32             // number of the snapshot
	types   *types
}

// OpenSaved opens a state of a file, which may be opened read-only. It looks at all pages of the state.
func OpenSaved(db *bolt.DB, name string) (*Saved, error) {
	s := &Saved{db: db, name: []byte(name), types: map[uint32]*types{}}
	err := db.View(func(tx *bolt.Tx) error {
		problems, safe, err := inspect(tx, s.name)
		if err != nil || !safe {
			return errors.Join(append(problems, err)...)
		}
		s.pages = problems
		l, err := find(tx, s.name)
		if err != nil {
			return errors.Join(append(problems, err)...)
		}
		s.schemas, err = l.schemas()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("state %q: %w", name, err)
	}
	for i, x := range s.schemas {
		if x.err != nil {
			continue
		}
		files, err := protodesc.NewFiles(x.snapshot.Files())
		if err != nil {
			s.schemas[i].err = fmt.Errorf("snapshot number %x: %w", idKey(x.id), err)
			continue
		}
		s.types[x.id] = &types{x.snapshot, dynamicpb.NewTypes(files)}
	}
	return s, nil
}

// Snapshots returns the snapshots of the state in the order in which they were first used, without damaged ones.
func (s *Saved) Snapshots() (list []*snapshot.Snapshot) {
	for _, x := range s.schemas {
		if x.err == nil {
			list = append(list, x.snapshot)
		}
	}
	return list
}

// Damaged returns what is wrong besides records: damaged snapshots, and pages of the file that have lost records, each a
// *FileError.
func (s *Saved) Damaged() (list []error) {
	for _, err := range s.pages {
		list = append(list, fmt.Errorf("state %q: %w", s.name, err))
	}
	for _, x := range s.schemas {
		if x.err != nil {
			list = append(list, fmt.Errorf("state %q: %w", s.name, x.err))
		}
	}
	return list
}

// All returns all records as they are at this moment. Do not write to the file in the loop. A record that cannot be
// read comes with its key and a *RecordError, and the next one follows; after any other error none does.
func (s *Saved) All() iter.Seq2[SavedRecord, error] {
	return func(yield func(SavedRecord, error) bool) {
		more := true
		err := s.db.View(func(tx *bolt.Tx) error {
			l, err := find(tx, s.name)
			if err != nil {
				return err
			}
			var last []byte
			for r, err := range scan(l.records, &place{}, nil, false) {
				record := SavedRecord{Key: r.key}
				if err == nil {
					record, err = s.read(r)
				}
				if err == nil && last != nil && bytes.Compare(r.key, last) <= 0 {
					// A damaged page leads to one that belongs somewhere else.
					record, err = SavedRecord{Key: r.key}, &RecordError{State: string(s.name), Key: r.key, Err: ErrUnreachable}
				} else if err == nil {
					last = r.key
				}
				if more = yield(record, err); !more {
					return nil
				}
			}
			return nil
		})
		if err != nil && more {
			yield(SavedRecord{}, err)
		}
	}
}

// read decodes a record.
func (s *Saved) read(r raw) (SavedRecord, error) {
	var id uint32
	var payload []byte
	var err error
	if fault := guard(func() {
		id, payload, err = unseal(r.key, r.value)
		payload = bytes.Clone(payload)
	}); fault != nil {
		return SavedRecord{Key: r.key}, &RecordError{State: string(s.name), Key: r.key, Err: fault}
	}
	record := SavedRecord{Key: r.key, Schema: id, types: s.types[id]}
	if err == nil && record.types == nil {
		err = fmt.Errorf("number %d: %w", id, ErrNoSchema)
	}
	if err == nil {
		m := dynamicpb.NewMessage(record.types.snapshot.Descriptor())
		if err = record.types.options().Unmarshal(payload, m); err == nil {
			record.Message = m
		}
	}
	if err != nil {
		return record, &RecordError{State: string(s.name), Key: r.key, Err: err}
	}
	return record, nil
}

// options accept what a store of that snapshot has accepted.
func (t *types) options() proto.UnmarshalOptions {
	const common, deepest = 10_000, 100_001 // levels that are always read, and that a stack bears
	return proto.UnmarshalOptions{
		AllowPartial:   true,
		Resolver:       t.resolver,
		RecursionLimit: min(max(t.snapshot.RecursionLimit(), common), deepest),
	}
}

// JSON returns the message in the JSON form of protocol buffers. Unknown fields have none there.
func (r SavedRecord) JSON() ([]byte, error) {
	if r.types == nil || r.Message == nil {
		return nil, ErrNoSchema
	}
	return protojson.MarshalOptions{AllowPartial: true, Resolver: r.types.resolver}.Marshal(r.Message)
}
