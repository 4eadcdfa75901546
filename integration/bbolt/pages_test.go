package flinkserbolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/flinkser/flinkser/example/frames/orderpb"
)

// sick is a file of two states with one place changed.
type sick struct {
	t           *testing.T
	path        string
	bytes       []byte
	size        int
	root, other int // pages of the records of the two states
	top         int // page of the names of states
}

func newSick(t *testing.T) *sick {
	s := &sick{t: t, path: filepath.Join(t.TempDir(), "test.db"), size: os.Getpagesize()}
	db := openFile(t, s.path)
	for _, name := range []string{"orders", "other"} {
		// Of equal keys, so that nothing but their order tells their records apart.
		store, err := Open[*orderpb.Order](db, name)
		check(t, err)
		fill(t, store, 0, 2000)
	}
	check(t, db.View(func(tx *bolt.Tx) error {
		orders, err := find(tx, []byte("orders"))
		check(t, err)
		other, err := find(tx, []byte("other"))
		check(t, err)
		s.root, s.other, s.top = int(orders.records.Root()), int(other.records.Root()), int(tx.Cursor().Bucket().Root())
		return nil
	}))
	check(t, db.Close())
	var err error
	s.bytes, err = os.ReadFile(s.path)
	check(t, err)
	if kind := binary.NativeEndian.Uint16(s.at(s.root)[8:]); kind != branchPage {
		t.Fatalf("the records begin with a page of kind %d, want a branch", kind)
	}
	return s
}

// at returns a page.
func (s *sick) at(page int) []byte { return s.bytes[page*s.size : (page+1)*s.size] }

// below returns the place of the number of a page below a branch.
func (s *sick) below(page, i int) []byte { return s.at(page)[pageHeader+i*pageElement+8:][:8] }

// TestPages changes pages in ways that bbolt does not notice.
func TestPages(t *testing.T) {
	u64, u16 := binary.NativeEndian.PutUint64, binary.NativeEndian.PutUint16
	for _, tt := range []struct {
		name   string
		change func(s *sick)
		want   string // in Damaged, in an error of OpenSaved, or in one of the scan
	}{
		{"whole", func(*sick) {}, ""},
		{"a circle at the start", func(s *sick) { u64(s.below(s.root, 0), uint64(s.root)) }, "circle"},
		{"a circle further on", func(s *sick) { u64(s.below(s.root, 5), uint64(s.root)) }, "circle"},
		{"a page twice", func(s *sick) { copy(s.below(s.root, 5), s.below(s.root, 4)) }, "reached twice"},
		{"a page of another state", func(s *sick) { copy(s.below(s.root, 5), s.below(s.other, 1)) }, "keys are not in order"},
		{"behind the end", func(s *sick) { u64(s.below(s.root, 5), 1<<40) }, "behind the end"},
		{"no page of a bucket", func(s *sick) { u64(s.below(s.root, 5), 0) }, "none of a bucket"},
		{"fewer records", func(s *sick) {
			page := s.at(int(binary.NativeEndian.Uint64(s.below(s.root, 5))))
			u16(page[10:], binary.NativeEndian.Uint16(page[10:])-1)
		}, "has not the"},
		{"the last transaction", func(s *sick) { s.at(0)[pageHeader+20] ^= 1 }, "page 0: checksum does not match"},
		{"the one before", func(s *sick) { s.at(1)[pageHeader+20] ^= 1 }, "page 1: checksum does not match"},
		{"a circle at the top", func(s *sick) {
			u16(s.at(s.top)[8:], branchPage)
			for i := range 2 {
				u64(s.below(s.top, i), uint64(s.top))
			}
		}, "circle"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSick(t)
			tt.change(s)
			check(t, os.WriteFile(s.path, s.bytes, 0o600))
			db, err := bolt.Open(s.path, 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
			check(t, err)
			defer db.Close()
			names, err := States(db)
			if tt.name == "a circle at the top" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("States: %q, %v", names, err)
				}
				return
			}
			if err != nil || len(names) != 2 {
				t.Errorf("States: %q, %v", names, err)
			}
			got, records := findings(db, "orders")
			if tt.want == "" && (got != "" || records != 2000) || !strings.Contains(got, tt.want) {
				t.Errorf("%d records, %s; want %s", records, got, tt.want)
			}
		})
	}
}

// findings opens and reads a state, and returns what is wrong and the number of records that are not.
func findings(db *bolt.DB, name string) (text string, records int) {
	saved, err := OpenSaved(db, name)
	if err != nil {
		return err.Error(), 0
	}
	for _, err := range saved.Damaged() {
		text += "\n" + err.Error()
	}
	for _, err := range saved.All() {
		if err != nil {
			text += "\n" + err.Error()
		} else {
			records++
		}
	}
	return text, records
}

// TestDamagedStates damages what makes a bucket a state: it is not left out as one of another use.
func TestDamagedStates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := openFile(t, path)
	fill(t, open(t, db), 0, 10)
	check(t, db.Update(func(tx *bolt.Tx) error {
		mine, err := tx.CreateBucket([]byte("of another use"))
		check(t, err)
		return mine.Put([]byte("key"), []byte("value"))
	}))
	check(t, db.Close())
	whole, err := os.ReadFile(path)
	check(t, err)
	for _, text := range []string{string(formatValue), "snapshots", "records", "format"} {
		bad := bytes.ReplaceAll(whole, []byte(text), []byte(strings.ToUpper(text)))
		if bytes.Equal(bad, whole) {
			t.Fatalf("%q is not in the file", text)
		}
		check(t, os.WriteFile(path, bad, 0o600))
		db := openFile(t, path)
		names, err := States(db)
		if err != nil || len(names) != 1 || names[0] != "orders" {
			t.Errorf("%s: %q, %v", text, names, err)
		}
		if _, err := OpenSaved(db, "orders"); !errors.Is(err, ErrNotState) {
			t.Errorf("%s: %v", text, err)
		}
		check(t, db.Close())
	}
}
