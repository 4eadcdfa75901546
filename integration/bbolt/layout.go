package flinkserbolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	bolt "go.etcd.io/bbolt"

	"github.com/flinkser/flinkser/runtime/snapshot"
)

var (
	formatKey     = []byte("format")
	formatValue   = []byte("flinkser state 1")
	migrationKey  = []byte("migration")
	snapshotsName = []byte("snapshots")
	recordsName   = []byte("records")
)

// layout is a state in a transaction.
type layout struct {
	state, snapshots, records *bolt.Bucket
}

// find returns the state of a name, or ErrNoState.
func find(tx *bolt.Tx, name []byte) (l layout, err error) {
	var format []byte
	fault := guard(func() {
		if l.state = tx.Bucket(name); l.state != nil {
			format = bytes.Clone(l.state.Get(formatKey))
			l.snapshots, l.records = l.state.Bucket(snapshotsName), l.state.Bucket(recordsName)
		}
	})
	switch {
	case fault != nil:
		return l, fault
	case l.state == nil:
		return l, ErrNoState
	case string(format) != string(formatValue) || l.snapshots == nil || l.records == nil:
		return l, ErrNotState
	}
	return l, nil
}

// create makes an empty state.
func create(tx *bolt.Tx, name []byte) (l layout, err error) {
	if l.state, err = tx.CreateBucket(name); err != nil {
		return l, err
	}
	if l.snapshots, err = l.state.CreateBucket(snapshotsName); err != nil {
		return l, err
	}
	if l.records, err = l.state.CreateBucket(recordsName); err != nil {
		return l, err
	}
	return l, l.state.Put(formatKey, formatValue)
}

// A schema is a snapshot of a state.
type schema struct {
	id       uint32
	snapshot *snapshot.Snapshot // nil if it is damaged
	bytes    string             // of the snapshot
	err      error
}

// schemas returns the snapshots of a state in the order in which they were first used, damaged ones too.
func (l layout) schemas() (list []schema, err error) {
	if l.snapshots == nil {
		return nil, nil
	}
	c := l.snapshots.Cursor()
	key, value, err := move(c.First)
	for ; err == nil && key != nil; key, value, err = move(c.Next) {
		// They may lie on a damaged page.
		if err = guard(func() { key, value = bytes.Clone(key), bytes.Clone(value) }); err != nil {
			break
		}
		list = append(list, parseSchema(key, value))
	}
	return list, err
}

func parseSchema(key, value []byte) schema {
	s := schema{}
	if len(key) == 4 {
		s.id = binary.BigEndian.Uint32(key)
	}
	id, b, err := unseal(key, value)
	if err == nil && (len(key) != 4 || id != s.id) {
		err = ErrDamaged
	}
	rest := []byte{}
	if err == nil {
		s.bytes = string(b)
		s.snapshot, rest, err = snapshot.Parse(b)
	}
	if err == nil && len(rest) > 0 {
		s.snapshot, err = nil, ErrDamaged
	}
	if err != nil {
		s.err = fmt.Errorf("snapshot number %x: %w", key, err)
	}
	return s
}

// add stores a further snapshot and returns its number, which no other had before.
func (l layout) add(b []byte) (uint32, error) {
	n, err := l.snapshots.NextSequence()
	if err != nil {
		return 0, err
	}
	if n > math.MaxUint32 {
		return 0, fmt.Errorf("%d snapshots are more than numbers can count", n)
	}
	key := idKey(uint32(n))
	value := append(make([]byte, sealSize, sealSize+len(b)), b...)
	seal(value, key, uint32(n))
	return uint32(n), l.snapshots.Put(key, value)
}

// move calls a method of a cursor.
func move(f func() (key, value []byte)) (key, value []byte, err error) {
	err = guard(func() { key, value = f() })
	return key, value, err
}
