package flinkserbolt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// plantMany makes a state of n orders that an earlier schema without a field has written.
func plantMany(t *testing.T, n int) *orders {
	t.Helper()
	db := openFile(t, filepath.Join(t.TempDir(), "test.db"))
	old := older(t, snapshot.Settings{}, without("discounts_cents"))
	records := map[string][]byte{}
	for i := range n {
		records[string(key(i))] = payload(t, old, i)
	}
	plant(t, db, old, records)
	return open(t, db)
}

// ids returns how many records each schema has.
func ids(t *testing.T, s *orders) map[uint32]int {
	t.Helper()
	saved, err := OpenSaved(s.db, "orders")
	check(t, err)
	n := map[uint32]int{}
	for r, err := range saved.All() {
		check(t, err)
		n[r.Schema]++
	}
	return n
}

func TestMigrate(t *testing.T) {
	const n = 5*stepRecords + 1
	s := plantMany(t, n)
	if got := ids(t, s); got[1] != n || got[2] != 0 || count(t, s) != 2 {
		t.Fatalf("before: %v, %d snapshots", got, count(t, s))
	}
	// Others read and write after every step, in front of it and behind it.
	steps := 0
	progress, err := s.Migrate(context.Background(), Migration{Progress: func(p Progress) {
		if p.Total < n || p.Seen > p.Total {
			t.Errorf("progress: %+v", p)
		}
		check(t, s.Put(key(steps), order(steps)))
		check(t, s.Put(key(n-1-steps), order(n-1-steps)))
		check(t, s.Put(key(n+steps), order(n+steps)))
		check(t, s.Delete(key(n/2+steps)))
		expect(t, s, 1)
		steps++
	}})
	check(t, err)
	if progress.Seen < n-10 || progress.Failed+progress.Kept > 0 || steps < 5 {
		t.Errorf("progress: %+v in %d steps", progress, steps)
	}
	if got := ids(t, s); len(got) != 1 || got[2] == 0 {
		t.Errorf("records by schema: %v", got)
	}
	if count(t, s) != 1 {
		t.Errorf("%d snapshots are left", count(t, s))
	}
	for i := range n + steps {
		if i < n/2 || i >= n/2+steps {
			expect(t, s, i)
		}
	}
	again, err := s.Migrate(context.Background(), Migration{})
	if err != nil || again.Rewritten != 0 || again.Seen != n {
		t.Errorf("again: %+v, %v", again, err)
	}
	fill(t, open(t, s.db), 0, 5) // a second store of the schema
}

// TestMigrateWithWriters migrates while goroutines write.
func TestMigrateWithWriters(t *testing.T) {
	const n = 5 * stepRecords
	s := plantMany(t, n)
	stop, done := make(chan struct{}), make(chan error)
	for w := range 2 {
		go func() {
			for i := w; ; i += 2 {
				select {
				case <-stop:
					done <- nil
					return
				default:
				}
				if err := s.Put(key(i%n), order(i%n)); err != nil {
					done <- err
					return
				}
			}
		}()
	}
	_, err := s.Migrate(context.Background(), Migration{})
	close(stop)
	check(t, errors.Join(err, <-done, <-done))
	if got := ids(t, s); len(got) != 1 || got[2] != n || count(t, s) != 1 {
		t.Errorf("records by schema: %v, %d snapshots", got, count(t, s))
	}
	for i := range n {
		expect(t, s, i)
	}
}

func TestMigrateInterrupted(t *testing.T) {
	const n = 5 * stepRecords
	s := plantMany(t, n)
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	_, err := s.Migrate(ctx, Migration{Progress: func(Progress) {
		if steps++; steps == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	if got := ids(t, s); got[1] != n-2*stepRecords || got[2] != 2*stepRecords || count(t, s) != 2 {
		t.Errorf("records by schema: %v, %d snapshots", got, count(t, s))
	}
	path := s.db.Path()
	check(t, s.db.Close())
	s = open(t, openFile(t, path))
	progress, err := s.Migrate(context.Background(), Migration{})
	check(t, err)
	if progress.Seen != n || progress.Rewritten != n || progress.Total != n || count(t, s) != 1 {
		t.Errorf("gone on: %+v, %d snapshots", progress, count(t, s))
	}
	for i := range n {
		expect(t, s, i)
	}
}

// TestMigrateEnded opens the state with another schema between two steps: the migration cannot drop what that writes.
func TestMigrateEnded(t *testing.T) {
	s := plantMany(t, 3*stepRecords)
	path, ended := s.db.Path(), false
	_, err := s.Migrate(context.Background(), Migration{Progress: func(Progress) {
		if !ended {
			other, err := Open[*orderpb.Order](s.db, "orders", flinkser.WithMaxMessageSize(100<<20))
			check(t, err)
			check(t, other.Put(key(0), order(0)))
			ended = true
		}
	}})
	if !errors.Is(err, ErrStale) {
		t.Errorf("ended: %v", err)
	}
	if got := ids(t, s); got[1] != 2*stepRecords || got[2] != stepRecords-1 || got[3] != 1 {
		t.Errorf("records by schema: %v", got)
	}
	check(t, s.db.Close())
	s = open(t, openFile(t, path)) // takes the saved limit
	_, err = s.Migrate(context.Background(), Migration{})
	check(t, err)
	if got := ids(t, s); len(got) != 1 || got[3] != 3*stepRecords || count(t, s) != 1 {
		t.Errorf("records by schema: %v, %d snapshots", got, count(t, s))
	}
}

// TestMigrateAlone has two stores of different snapshots, both of which the state has: one cannot write while the other
// migrates, and is of no use after that.
func TestMigrateAlone(t *testing.T) {
	wire := flinkser.WithRestorePolicy(snapshot.Wire)
	db := file(t)
	open(t, db, wire)
	other := open(t, db, wire, flinkser.WithJavaClass("shop.Order"))
	fill(t, other, 0, 2*stepRecords)
	s := open(t, db, wire)
	expect(t, s, 1)
	steps := 0
	_, err := s.Migrate(context.Background(), Migration{Progress: func(p Progress) {
		if p.Seen < p.Total {
			steps++
			expect(t, other, 1)
			if err := other.Put(key(0), order(0)); !errors.Is(err, ErrStale) {
				t.Errorf("put: %v", err)
			}
		}
	}})
	check(t, err)
	if _, err := other.Get(key(1), order(1)); !errors.Is(err, ErrStale) || steps == 0 {
		t.Errorf("get after %d steps: %v", steps, err)
	}
	if got := ids(t, s); len(got) != 1 || got[s.id] != 2*stepRecords || count(t, s) != 1 {
		t.Errorf("records by schema: %v", got)
	}
}

// TestMigrateUnknown keeps the earlier snapshots as long as bytes of fields that the schema has no more may stand in records.
func TestMigrateUnknown(t *testing.T) {
	db := file(t)
	old := older(t, snapshot.Settings{}, with("color", 99, descriptorpb.FieldDescriptorProto_TYPE_INT32))
	blue := []byte{0x98, 0x06, 7}
	plant(t, db, old, map[string][]byte{string(key(0)): payload(t, old, 0), string(key(1)): payload(t, old, 1, blue...)})
	s := open(t, db, flinkser.WithRestorePolicy(snapshot.Wire))
	progress, err := s.Migrate(context.Background(), Migration{})
	if err != nil || progress.Rewritten != 2 || progress.Kept != 1 || count(t, s) != 2 {
		t.Errorf("unknown fields kept: %+v, %v, %d snapshots", progress, err, count(t, s))
	}
	var got orderpb.Order
	if _, err := s.Get(key(1), &got); err != nil || len(got.ProtoReflect().GetUnknown()) != 3 {
		t.Errorf("%v, %v", &got, err)
	}
	// A writer puts such a message back behind a migration that drops them.
	for i := range stepRecords {
		check(t, s.Put(key(2+i), order(2+i)))
	}
	put := false
	progress, err = s.Migrate(context.Background(), Migration{DropUnknown: true, Progress: func(Progress) {
		if !put {
			put = true
			check(t, s.Put(key(0), &got))
		}
	}})
	if err != nil || progress.Rewritten != 1 || progress.Kept != 1 || count(t, s) != 2 {
		t.Errorf("unknown fields dropped, and written again: %+v, %v, %d snapshots", progress, err, count(t, s))
	}
	progress, err = s.Migrate(context.Background(), Migration{DropUnknown: true})
	if err != nil || progress.Rewritten != 1 || progress.Kept != 0 || count(t, s) != 1 {
		t.Errorf("unknown fields dropped: %+v, %v, %d snapshots", progress, err, count(t, s))
	}
	expect(t, s, 1)
}

func TestForeign(t *testing.T) {
	unknown := func(m proto.Message) { m.ProtoReflect().SetUnknown([]byte{0x98, 0x06, 7}) }
	for name, c := range map[string]struct {
		m       func() *orderpb.Order
		foreign bool
		kept    bool // with drop
	}{
		"none":    {func() *orderpb.Order { return order(1) }, false, false},
		"root":    {func() *orderpb.Order { m := order(1); unknown(m); return m }, true, false},
		"message": {func() *orderpb.Order { a := &orderpb.Address{}; unknown(a); return &orderpb.Order{ShipTo: a} }, true, false},
		"list of list": {func() *orderpb.Order {
			i := &orderpb.Item{}
			unknown(i)
			return &orderpb.Order{Items: []*orderpb.Item{{}, {Parts: []*orderpb.Item{i}}}}
		}, true, false},
		"oneof": {func() *orderpb.Order {
			c := &orderpb.Card{}
			unknown(c)
			return &orderpb.Order{Payment: &orderpb.Order_Card{Card: c}}
		}, true, false},
		"enum": {func() *orderpb.Order { return &orderpb.Order{Status: 77} }, true, true},
		"map":  {func() *orderpb.Order { return &orderpb.Order{Labels: map[string]string{"a": "b"}} }, false, false},
	} {
		m := c.m()
		if got := foreign(m.ProtoReflect(), false); got != c.foreign {
			t.Errorf("%s: %v", name, got)
		}
		if got := foreign(m.ProtoReflect(), true); got != c.kept {
			t.Errorf("%s, dropped: %v", name, got)
		}
		if got := foreign(m.ProtoReflect(), false); got != c.kept {
			t.Errorf("%s, after that: %v", name, got)
		}
	}
}

// TestMigrateFailed leaves a record that cannot be read, and with it all snapshots.
func TestMigrateFailed(t *testing.T) {
	s := plantMany(t, 2*stepRecords)
	good := stored(t, s.db, key(7))
	overwrite(t, s.db, key(7), []byte("nonsense and more"))
	reports := ""
	progress, err := s.Migrate(context.Background(), Migration{Failed: func(err *RecordError) { reports += fmt.Sprintf("%s: %v\n", err.Key, err.Err) }})
	if !errors.Is(err, ErrUnmigrated) || progress.Failed != 1 || progress.Rewritten != 2*stepRecords-1 || count(t, s) != 2 {
		t.Errorf("%+v, %v, %d snapshots", progress, err, count(t, s))
	}
	if reports != "0007: "+ErrDamaged.Error()+"\n" {
		t.Errorf("reported: %q", reports)
	}
	overwrite(t, s.db, key(7), good)
	if progress, err := s.Migrate(context.Background(), Migration{}); err != nil || progress.Rewritten != 1 || count(t, s) != 1 {
		t.Errorf("mended: %+v, %v", progress, err)
	}
}
