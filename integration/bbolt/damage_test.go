package flinkserbolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// overwrite puts a value into the bucket as it is.
func overwrite(t *testing.T, db *bolt.DB, key, value []byte) {
	t.Helper()
	check(t, db.Update(func(tx *bolt.Tx) error {
		l, err := find(tx, []byte("orders"))
		check(t, err)
		return l.records.Put(key, value)
	}))
}

func stored(t *testing.T, db *bolt.DB, key []byte) (value []byte) {
	t.Helper()
	check(t, db.View(func(tx *bolt.Tx) error {
		l, err := find(tx, []byte("orders"))
		check(t, err)
		value = bytes.Clone(l.records.Get(key))
		return nil
	}))
	return value
}

// TestFlippedBits flips every bit of a value in turn.
func TestFlippedBits(t *testing.T) {
	good, k := append(make([]byte, sealSize), "some payload"...), []byte("key")
	seal(good, k, 3)
	if id, payload, err := unseal(k, good); id != 3 || string(payload) != "some payload" || err != nil {
		t.Fatalf("%d, %q, %v", id, payload, err)
	}
	for bit := range 8 * len(good) {
		bad := bytes.Clone(good)
		bad[bit/8] ^= 1 << (bit % 8)
		if _, _, err := unseal(k, bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("bit %d: %v", bit, err)
		}
	}
	for n := range good {
		if _, _, err := unseal(k, good[:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	if _, _, err := unseal([]byte("keys"), good); !errors.Is(err, ErrDamaged) {
		t.Error("a value under another key")
	}
}

// TestDamagedRecords damages records in all ways that leave the file as bbolt wants it: each is reported with key
// and cause, and all others are there.
func TestDamagedRecords(t *testing.T) {
	db := file(t)
	s := open(t, db)
	const n = 3 * partRecords
	fill(t, s, 0, n)
	sealed := func(k []byte, id uint32, payload string) []byte {
		value := append(make([]byte, sealSize), payload...)
		seal(value, k, id)
		return value
	}
	flipped := stored(t, db, key(10))
	flipped[len(flipped)-1] ^= 1
	damaged := map[int]error{10: ErrDamaged, 20: ErrDamaged, 30: ErrDamaged, 40: ErrNoSchema, 50: flinkser.ErrTruncated, 99: ErrDamaged, 100: ErrDamaged, n - 1: ErrDamaged}
	overwrite(t, db, key(10), flipped)
	overwrite(t, db, key(20), nil)
	overwrite(t, db, key(30), stored(t, db, key(31)))
	overwrite(t, db, key(40), sealed(key(40), 77, "\x0a\x01x"))
	overwrite(t, db, key(50), sealed(key(50), s.id, "\x0a\x05x"))
	overwrite(t, db, key(99), []byte("1234567"))
	overwrite(t, db, key(100), []byte("12345678"))
	check(t, s.Delete(key(n-1)))
	check(t, db.Update(func(tx *bolt.Tx) error { // a bucket where a record should be
		l, err := find(tx, []byte("orders"))
		check(t, err)
		_, err = l.records.CreateBucket(key(n - 1))
		return err
	}))
	saved, err := OpenSaved(db, "orders")
	check(t, err)
	for _, scan := range []struct {
		name string
		seq  func(yield func([]byte, proto.Message, error) bool)
		want map[int]error
	}{
		{"store", func(yield func([]byte, proto.Message, error) bool) {
			for r, err := range s.All() {
				yield(r.Key, r.Message, err)
			}
		}, damaged},
		{"saved", func(yield func([]byte, proto.Message, error) bool) {
			for r, err := range saved.All() {
				yield(r.Key, r.Message, err)
			}
		}, damaged},
	} {
		i := 0
		scan.seq(func(k []byte, m proto.Message, err error) bool {
			want := scan.want[i]
			var record *RecordError
			switch {
			case !bytes.Equal(k, key(i)):
				t.Errorf("%s: key %q at %d", scan.name, k, i)
			case want == nil && (err != nil || m.ProtoReflect().Get(m.ProtoReflect().Descriptor().Fields().ByName("id")).String() != fmt.Sprint(i)):
				t.Errorf("%s: good record %d: %v, %v", scan.name, i, m, err)
			case want != nil && (!errors.As(err, &record) || !bytes.Equal(record.Key, k) || record.State != "orders"):
				t.Errorf("%s: damaged record %d: %v", scan.name, i, err)
			case want != nil && want != flinkser.ErrTruncated && !errors.Is(err, want):
				t.Errorf("%s: damaged record %d: %v, want %v", scan.name, i, err, want)
			}
			i++
			return true
		})
		if i != n {
			t.Errorf("%s: %d records of %d", scan.name, i, n)
		}
	}
	for i, want := range damaged {
		if i == n-1 {
			continue // bbolt shows no nested bucket to Get
		}
		var record *RecordError
		if _, err := s.Get(key(i), &orderpb.Order{}); !errors.As(err, &record) || !errors.Is(err, want) {
			t.Errorf("get %d: %v", i, err)
		}
	}
}

// TestDamagedKeys changes keys on disk, so that they are no longer in order: all other records are found, by scans, each once, and by
// Get. A migration does not begin.
func TestDamagedKeys(t *testing.T) {
	const n = 5*stepRecords + 50
	old := older(t, snapshot.Settings{}, without("discounts_cents"))
	records := map[string][]byte{}
	for i := range n {
		records[fmt.Sprintf("k-%04d-", i)] = payload(t, old, i)
	}
	path := filepath.Join(t.TempDir(), "test.db")
	db := openFile(t, path)
	plant(t, db, old, records)
	check(t, db.Close())
	whole, err := os.ReadFile(path)
	check(t, err)
	for _, c := range []struct {
		by      string // in place of the k
		damaged []int
	}{
		{"z", []int{0, 1, partRecords - 1, stepRecords - 1, n / 2, n - 1}},
		{"a", []int{0, 1, partRecords, stepRecords, n / 2, n - 1}},
		{"z", []int{partRecords - 2, partRecords - 1, partRecords, partRecords + 1, 2 * partRecords}},
		{"a", []int{98, 99, 100, 101, 102, 103, 500, 501, 502}},
	} {
		bad := bytes.Clone(whole)
		for _, i := range c.damaged {
			bad = bytes.ReplaceAll(bad, fmt.Appendf(nil, "k-%04d-", i), fmt.Appendf(nil, "%s-%04d-", c.by, i)) // in branches too
		}
		check(t, os.WriteFile(path, bad, 0o600))
		db := openFile(t, path)
		s := open(t, db)
		for name, seq := range map[string]iter.Seq2[Record[*orderpb.Order], error]{
			"all": s.All(), "range": s.Range([]byte("k"), []byte("l")), "prefix": s.Prefix([]byte("k-")),
		} {
			seen, bad := map[string]int{}, 0
			for r, err := range seq {
				if errors.Is(err, ErrDamaged) {
					bad++
					continue
				}
				check(t, err)
				seen[string(r.Key)]++
			}
			if len(seen) != n-len(c.damaged) || bad != len(c.damaged) {
				t.Errorf("%s %d, %s: %d good records, %d damaged", c.by, c.damaged, name, len(seen), bad)
			}
			for k, times := range seen {
				if times != 1 {
					t.Errorf("%s %d, %s: %s comes %d times", c.by, c.damaged, name, k, times)
				}
			}
		}
		for i := range n {
			found, err := s.Get(fmt.Appendf(nil, "k-%04d-", i), &orderpb.Order{})
			if want := !slices.Contains(c.damaged, i); err != nil || found != want {
				t.Errorf("%s %d: get %d: %v, %v", c.by, c.damaged, i, found, err)
			}
		}
		progress, err := s.Migrate(context.Background(), Migration{})
		var fault *FileError
		if !errors.As(err, &fault) || !errors.Is(err, ErrUnreachable) || progress.Seen != 0 {
			t.Errorf("%s %d: migrated: %+v, %v", c.by, c.damaged, progress, err)
		}
		check(t, db.Close())
	}
}

func TestDamagedSnapshot(t *testing.T) {
	db := file(t)
	fill(t, open(t, db), 0, 3)
	id := plant(t, db, older(t, snapshot.Settings{}, without("created_ms")), map[string][]byte{"0003": {}})
	check(t, db.Update(func(tx *bolt.Tx) error {
		l, err := find(tx, []byte("orders"))
		check(t, err)
		value := bytes.Clone(l.snapshots.Get(idKey(id)))
		value[len(value)/2] ^= 4
		return l.snapshots.Put(idKey(id), value)
	}))
	if _, err := Open[*orderpb.Order](db, "orders"); !errors.Is(err, ErrDamaged) {
		t.Errorf("open: %v", err)
	}
	saved, err := OpenSaved(db, "orders")
	check(t, err)
	if list := saved.Damaged(); len(list) != 1 || !errors.Is(list[0], ErrDamaged) || len(saved.Snapshots()) != 1 {
		t.Errorf("damaged snapshots: %v", list)
	}
	good, bad := 0, 0
	for _, err := range saved.All() {
		if errors.Is(err, ErrNoSchema) {
			bad++
		} else if err == nil {
			good++
		}
	}
	if good != 3 || bad != 1 {
		t.Errorf("%d good, %d without schema", good, bad)
	}
}

// TestDamagedPages writes nonsense over pages of the file: there is an error, or all is read, but no panic, and never a
// record that is another one.
func TestDamagedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := openFile(t, path)
	const n = 2000
	fill(t, open(t, db), 0, n)
	check(t, db.Close())
	whole, err := os.ReadFile(path)
	check(t, err)
	page := os.Getpagesize()
	rnd := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for round := range 60 {
		bad := bytes.Clone(whole)
		at := page * (2 + rnd.IntN(len(bad)/page-2))
		for i := range page / (1 + round%8) {
			bad[at+i] = byte(rnd.Uint32())
		}
		check(t, os.WriteFile(path, bad, 0o600))
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
		if err != nil {
			refused++
			continue
		}
		saved, err := OpenSaved(db, "orders")
		if err != nil {
			refused++
			check(t, db.Close())
			continue
		}
		before := refused
		for r, err := range saved.All() {
			if err != nil {
				refused = before + 1
			} else if i := strings.TrimLeft(string(r.Key), "0"); i != "" && !strings.Contains(r.Message.String(), "customer of "+i) {
				t.Errorf("round %d: %q is %v", round, r.Key, r.Message)
			}
		}
		check(t, db.Close())
	}
	if refused < 10 {
		t.Errorf("only %d of 60 damaged files gave an error", refused)
	}
}

// TestBackup backs up while others write: each copy is a file of one moment.
func TestBackup(t *testing.T) {
	db := file(t)
	s := open(t, db)
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		for i := 0; ; i += 2 {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			// Two records at a time: a copy has both or none.
			err := s.Update(func(tx *Tx[*orderpb.Order]) error {
				return errors.Join(tx.Put(key(i), order(i)), tx.Put(key(i+1), order(i+1)))
			})
			if err != nil {
				done <- err
				return
			}
		}
	}()
	dir := t.TempDir()
	sizes := []int{}
	for range 5 {
		time.Sleep(5 * time.Millisecond)
		path := filepath.Join(dir, "backup.db")
		check(t, BackupFile(db, path))
		copied := openFile(t, path)
		from := open(t, copied)
		n := 0
		for r, err := range from.All() {
			check(t, err)
			if !bytes.Equal(r.Key, key(n)) || !proto.Equal(r.Message, order(n)) {
				t.Fatalf("record %d is %q: %v", n, r.Key, r.Message)
			}
			n++
		}
		if n%2 != 0 {
			t.Errorf("a copy with %d records", n)
		}
		sizes = append(sizes, n)
		check(t, copied.Close())
	}
	close(stop)
	check(t, <-done)
	if !slices.IsSorted(sizes) || sizes[4] == 0 {
		t.Errorf("records in the copies: %d", sizes)
	}
	left, err := os.ReadDir(dir)
	check(t, err)
	if len(left) != 1 {
		t.Errorf("the folder has %v", left)
	}
	if err := BackupFile(db, filepath.Join(dir, "no", "such", "folder")); err == nil {
		t.Error("a backup into a folder that is not there")
	}
}
