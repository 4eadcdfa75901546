package flinkserbolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := openFile(t, path)
	s := open(t, db)
	check(t, s.Put(key(1), order(7)))
	check(t, s.Put(key(1), order(1)))
	check(t, s.Put(key(2), order(2)))
	check(t, s.Delete(key(2)))
	check(t, s.Delete(key(3)))
	check(t, db.Close())

	db = openFile(t, path)
	s = open(t, db)
	expect(t, s, 1)
	for _, missing := range [][]byte{key(2), key(3), nil, {}} {
		if found, err := s.Get(missing, order(5)); found || err != nil {
			t.Errorf("key %q: %v, %v", missing, found, err)
		}
	}
	if err := s.Put(nil, order(1)); !errors.Is(err, berrors.ErrKeyRequired) {
		t.Errorf("no key: %v", err)
	}
	if err := s.Put(make([]byte, bolt.MaxKeySize+1), order(1)); !errors.Is(err, berrors.ErrKeyTooLarge) {
		t.Errorf("long key: %v", err)
	}
	if err := s.Put(key(9), &orderpb.Order{Id: "\xff"}); !errors.Is(err, flinkser.ErrInvalidUTF8) {
		t.Errorf("not UTF-8: %v", err)
	}
	check(t, s.Put(key(4), nil)) // an empty payload, as everywhere
	got := order(5)
	if found, err := s.Get(key(4), got); !found || err != nil || !proto.Equal(got, &orderpb.Order{}) {
		t.Errorf("nil message: %v, %v, %v", found, err, got)
	}
	if n := count(t, s); n != 1 {
		t.Errorf("%d snapshots of one schema", n)
	}
}

func keys(t *testing.T, seq iter.Seq2[Record[*orderpb.Order], error]) string {
	t.Helper()
	list := []string{}
	for r, err := range seq {
		check(t, err)
		list = append(list, string(r.Key))
	}
	return strings.Join(list, " ")
}

func TestScans(t *testing.T) {
	s := open(t, file(t))
	for _, key := range []string{"a", "ab", "abc", "b", "\xff", "\xff\xff", "\xff\xff\x01"} {
		check(t, s.Put([]byte(key), order(len(key))))
	}
	for _, c := range []struct {
		name     string
		from, to string
		prefix   bool
		want     string
	}{
		{"all", "", "", false, "a ab abc b \xff \xff\xff \xff\xff\x01"},
		{"prefix", "ab", "", true, "ab abc"},
		{"prefix of nothing", "ac", "", true, ""},
		{"empty prefix", "", "", true, "a ab abc b \xff \xff\xff \xff\xff\x01"},
		{"prefix of largest bytes", "\xff\xff", "", true, "\xff\xff \xff\xff\x01"},
		{"from and to", "ab", "b", false, "ab abc"},
		{"from", "abd", "", false, "b \xff \xff\xff \xff\xff\x01"},
		{"to before from", "b", "a", false, ""},
	} {
		seq := s.Range([]byte(c.from), []byte(c.to))
		if c.prefix {
			seq = s.Prefix([]byte(c.from))
		}
		if got := keys(t, seq); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		check(t, s.View(func(tx *Tx[*orderpb.Order]) error {
			seq := tx.Range([]byte(c.from), []byte(c.to))
			if c.prefix {
				seq = tx.Prefix([]byte(c.from))
			}
			if got := keys(t, seq); got != c.want {
				t.Errorf("%s in a transaction: %q, want %q", c.name, got, c.want)
			}
			return nil
		}))
	}
}

// TestScanAndWrite changes the state inside of loops over it.
func TestScanAndWrite(t *testing.T) {
	s := open(t, file(t))
	fill(t, s, 0, 3*partRecords+1)
	n := 0
	for r, err := range s.All() {
		check(t, err)
		if !proto.Equal(r.Message, order(n)) {
			t.Fatalf("record %d is %q: %v", n, r.Key, r.Message)
		}
		if n++; n%2 == 0 {
			check(t, s.Delete(r.Key))
		}
	}
	if n != 3*partRecords+1 {
		t.Errorf("%d records", n)
	}
	check(t, s.Update(func(tx *Tx[*orderpb.Order]) error {
		for r, err := range tx.All() {
			check(t, err)
			check(t, tx.Delete(r.Key))
			n--
		}
		return nil
	}))
	if n != (3*partRecords+1)/2 {
		t.Errorf("%d records too many", n-(3*partRecords+1)/2)
	}
	if got := keys(t, s.All()); got != "" {
		t.Errorf("left: %s", got)
	}
	fill(t, s, 0, 200)
	n = 0
	for _, err := range s.All() { // ends without another record
		check(t, err)
		if n++; n == 2 {
			break
		}
	}
	// Large records: few at a time.
	large := order(1)
	large.Customer = strings.Repeat("x", partBytes/2+1)
	for i := range 5 {
		check(t, s.Put(key(i), large))
	}
	if got := len(strings.Fields(keys(t, s.All()))); got != 200 {
		t.Errorf("%d records with large ones", got)
	}
}

func TestTransactions(t *testing.T) {
	db := file(t)
	s := open(t, db)
	fill(t, s, 0, 3)
	failure := errors.New("on purpose")
	err := s.Update(func(tx *Tx[*orderpb.Order]) error {
		check(t, tx.Put(key(0), order(5)))
		check(t, tx.Delete(key(1)))
		if found, err := tx.Get(key(1), order(5)); found || err != nil {
			t.Errorf("deleted in the transaction: %v, %v", found, err)
		}
		return failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("error of the function: %v", err)
	}
	for i := range 3 {
		expect(t, s, i)
	}
	// Two states in one step.
	other, err := Open[*timestamppb.Timestamp](db, "times")
	check(t, err)
	check(t, db.Update(func(tx *bolt.Tx) error {
		a, err := s.In(tx)
		check(t, err)
		b, err := other.In(tx)
		check(t, err)
		check(t, a.Put(key(3), order(3)))
		return b.Put(key(3), &timestamppb.Timestamp{Seconds: 3})
	}))
	expect(t, s, 3)
	if found, err := other.Get(key(3), &timestamppb.Timestamp{}); !found || err != nil {
		t.Errorf("the other state: %v, %v", found, err)
	}
	// A view shows one moment.
	check(t, s.View(func(tx *Tx[*orderpb.Order]) error {
		done := make(chan error)
		go func() { done <- s.Put(key(4), order(4)) }()
		check(t, <-done)
		if found, err := tx.Get(key(4), order(5)); found || err != nil {
			t.Errorf("a later record in an earlier view: %v, %v", found, err)
		}
		return nil
	}))
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			if err := s.Batch(func(tx *Tx[*orderpb.Order]) error { return tx.Put(key(i), order(i)) }); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i := range 50 {
		expect(t, s, i)
	}
}

func TestOpenErrors(t *testing.T) {
	db := file(t)
	check(t, db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("other")); return err }))
	if _, err := Open[*orderpb.Order](db, "other"); !errors.Is(err, ErrNotState) {
		t.Errorf("a bucket of another use: %v", err)
	}
	if _, err := Open[*orderpb.Order](db, ""); err == nil {
		t.Error("a state without a name")
	}
	if _, err := Open[proto.Message](db, "any"); !errors.Is(err, snapshot.ErrNoDescriptor) {
		t.Errorf("an interface: %v", err)
	}
	var missing *flinkser.NotGeneratedError
	if _, err := Open[*timestamppb.Timestamp](db, "times", flinkser.RequireGenerated()); !errors.As(err, &missing) {
		t.Errorf("no generated code: %v", err)
	}
	if _, err := Open[*orderpb.Order](db, "orders", flinkser.RequireGenerated()); err != nil {
		t.Errorf("generated code: %v", err)
	}
	if names, err := States(db); err != nil || !slices.Equal(names, []string{"orders"}) {
		t.Errorf("states: %q, %v", names, err)
	}
	if _, err := OpenSaved(db, "nothing"); !errors.Is(err, ErrNoState) {
		t.Errorf("no state: %v", err)
	}
}

func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := openFile(t, path)
	fill(t, open(t, db), 0, 3)
	check(t, db.Close())
	db, err := bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: time.Second})
	check(t, err)
	defer db.Close()
	s := open(t, db)
	expect(t, s, 2)
	if err := s.Put(key(1), order(1)); !errors.Is(err, berrors.ErrDatabaseReadOnly) {
		t.Errorf("put: %v", err)
	}
	if _, err := Open[*orderpb.Order](db, "nothing"); !errors.Is(err, ErrNoState) {
		t.Errorf("no state: %v", err)
	}
}

// TestAliasing reads with an option under which messages hold parts of the input: not of bbolt's memory, which goes away.
func TestAliasing(t *testing.T) {
	db := file(t)
	s := open(t, db, flinkser.WithAliasing())
	fill(t, s, 0, 2)
	check(t, s.View(func(tx *Tx[*orderpb.Order]) error {
		raw := tx.layout.records.Get(key(1))
		inside := func(text string) bool {
			at, from := uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(unsafe.Pointer(unsafe.SliceData(raw)))
			return at >= from && at < from+uintptr(len(raw))
		}
		var got orderpb.Order
		found, err := tx.Get(key(1), &got)
		if !found || err != nil || !proto.Equal(&got, order(1)) || inside(got.GetCustomer()) {
			t.Errorf("get: %v, %v, %v, inside: %v", found, err, &got, inside(got.GetCustomer()))
		}
		for r, err := range tx.Range(key(1), nil) {
			check(t, err)
			if !proto.Equal(r.Message, order(1)) || inside(r.Message.GetCustomer()) {
				t.Errorf("scan: %v, inside: %v", r.Message, inside(r.Message.GetCustomer()))
			}
		}
		return nil
	}))
}

func TestSchemas(t *testing.T) {
	limits := snapshot.Settings{MaxMessageSize: 1000}
	const (
		int32Type  = descriptorpb.FieldDescriptorProto_TYPE_INT32
		sint64Type = descriptorpb.FieldDescriptorProto_TYPE_SINT64
		boolType   = descriptorpb.FieldDescriptorProto_TYPE_BOOL
	)
	renamed := change(func(_ *descriptorpb.FileDescriptorProto, m *descriptorpb.DescriptorProto) {
		m.Name = proto.String("Purchase")
		for _, fd := range m.Field {
			if fd.GetName() == "labels" {
				fd.TypeName = proto.String(".example.orders.v1.Purchase.LabelsEntry")
			}
		}
	})
	reserved := change(func(_ *descriptorpb.FileDescriptorProto, m *descriptorpb.DescriptorProto) {
		m.ReservedRange = append(m.ReservedRange, &descriptorpb.DescriptorProto_ReservedRange{Start: proto.Int32(3), End: proto.Int32(4)})
		m.ReservedName = append(m.ReservedName, "created_ms")
	})
	wire := flinkser.WithRestorePolicy(snapshot.Wire)
	for _, c := range []struct {
		name    string
		saved   []*snapshot.Snapshot
		opts    []flinkser.Option
		refused []snapshot.Code
	}{
		{"same", []*snapshot.Snapshot{older(t, limits)}, nil, nil},
		{"field added", []*snapshot.Snapshot{older(t, limits, without("created_ms"))}, nil, nil},
		{"field removed", []*snapshot.Snapshot{older(t, limits, with("more", 99, int32Type))}, nil, []snapshot.Code{"FIELD_REMOVED"}},
		{"field removed, wire", []*snapshot.Snapshot{older(t, limits, with("more", 99, int32Type))}, []flinkser.Option{wire}, nil},
		{"widened", []*snapshot.Snapshot{older(t, limits, typed("created_ms", int32Type))}, nil, []snapshot.Code{"FIELD_TYPE_WIDENED"}},
		{"widened, wire", []*snapshot.Snapshot{older(t, limits, typed("created_ms", int32Type))}, []flinkser.Option{wire}, nil},
		{
			"two changes, wire",
			[]*snapshot.Snapshot{older(t, limits, typed("created_ms", sint64Type), typed("id", boolType))},
			[]flinkser.Option{wire},
			[]snapshot.Code{"FIELD_TYPE_CHANGED", "FIELD_WIRE_TYPE_CHANGED"},
		},
		{"number of a schema before the last", []*snapshot.Snapshot{
			older(t, limits, without("created_ms"), with("color", 3, descriptorpb.FieldDescriptorProto_TYPE_INT64)), older(t, limits, without("created_ms")),
		}, []flinkser.Option{wire}, []snapshot.Code{"NUMBER_OF_EARLIER_FIELD"}},
		{"renamed", []*snapshot.Snapshot{older(t, limits, renamed)}, []flinkser.Option{wire}, []snapshot.Code{"ROOT_RENAMED"}},
		{
			"renamed as said",
			[]*snapshot.Snapshot{older(t, limits, renamed)},
			[]flinkser.Option{
				wire, flinkser.WithRename("example.orders.v1.Purchase", "example.orders.v1.Order"),
				flinkser.WithRename("example.orders.v1.Purchase.LabelsEntry", "example.orders.v1.Order.LabelsEntry"),
			},
			nil,
		},
		{"limit lowered", []*snapshot.Snapshot{older(t, limits)}, []flinkser.Option{flinkser.WithMaxMessageSize(999)}, []snapshot.Code{"MAX_MESSAGE_SIZE_LOWERED"}},
		{
			"number reserved by the last",
			[]*snapshot.Snapshot{older(t, limits), older(t, limits, without("created_ms"), reserved)},
			nil,
			[]snapshot.Code{"RESERVED_NUMBER_USED"},
		},
		{
			"back behind that",
			[]*snapshot.Snapshot{older(t, limits), older(t, limits, without("created_ms"), reserved)},
			[]flinkser.Option{flinkser.WithRollback()},
			nil,
		},
		{
			"back, but not behind the first",
			[]*snapshot.Snapshot{older(t, limits, without("created_ms"), reserved), older(t, limits)},
			[]flinkser.Option{flinkser.WithRollback()},
			[]snapshot.Code{"RESERVED_NUMBER_USED"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := file(t)
			for i, s := range c.saved {
				plant(t, db, s, map[string][]byte{string(key(i)): payload(t, s, i)})
			}
			before := contents(t, db)
			s, err := Open[*orderpb.Order](db, "orders", c.opts...)
			if len(c.refused) == 0 {
				check(t, err)
				if _, err := s.Get(key(0), order(5)); err != nil {
					t.Error(err)
				}
				if err := s.Put(key(1), &orderpb.Order{Customer: strings.Repeat("x", 1001)}); !errors.Is(err, flinkser.ErrTooLarge) {
					t.Errorf("the saved limit: %v", err)
				}
				check(t, s.Put(key(1), order(1)))
				return
			}
			var refused *snapshot.IncompatibleError
			if !errors.As(err, &refused) {
				t.Fatalf("not refused: %v", err)
			}
			for _, code := range c.refused {
				if !strings.Contains(refused.Verdict.String(), "break "+string(code)) {
					t.Errorf("no %s in the verdict: %v", code, refused.Verdict)
				}
			}
			if !bytes.Equal(before, contents(t, db)) {
				t.Error("refused, but the file has changed")
			}
		})
	}
}

// contents returns all keys and values of the state.
func contents(t *testing.T, db *bolt.DB) (all []byte) {
	t.Helper()
	check(t, db.View(func(tx *bolt.Tx) error {
		l, err := find(tx, []byte("orders"))
		check(t, err)
		for _, b := range []*bolt.Bucket{l.state, l.snapshots, l.records} {
			check(t, b.ForEach(func(k, v []byte) error { all = fmt.Appendf(all, "%q %q\n", k, v); return nil }))
		}
		return nil
	}))
	return all
}

// TestVerdict keeps what an accepted change has for warnings.
func TestVerdict(t *testing.T) {
	db := file(t)
	plant(t, db, older(t, snapshot.Settings{}, with("more", 99, descriptorpb.FieldDescriptorProto_TYPE_INT32)), nil)
	s := open(t, db, flinkser.WithRestorePolicy(snapshot.Wire))
	if v := s.Verdict(); !v.Compatible || v.Level() != snapshot.Warning {
		t.Errorf("verdict: %v", v)
	}
	if n := count(t, s); n != 2 {
		t.Errorf("%d snapshots", n)
	}
	if again := open(t, db, flinkser.WithRestorePolicy(snapshot.Wire)); count(t, again) != 2 {
		t.Error("opened again, and there is another snapshot")
	}
}

// TestStale opens a state with another schema while a store is open.
func TestStale(t *testing.T) {
	db := file(t)
	s := open(t, db)
	fill(t, s, 0, 1)
	plant(t, db, older(t, snapshot.Settings{}, without("created_ms")), nil)
	if err := s.Put(key(1), order(1)); !errors.Is(err, ErrStale) {
		t.Errorf("put: %v", err)
	}
	if _, err := s.Get(key(0), order(1)); !errors.Is(err, ErrStale) {
		t.Errorf("get: %v", err)
	}
	for _, err := range s.All() {
		if !errors.Is(err, ErrStale) {
			t.Errorf("scan: %v", err)
		}
	}
	if _, err := s.Migrate(context.Background(), Migration{}); !errors.Is(err, ErrStale) {
		t.Errorf("migrate: %v", err)
	}
	expect(t, open(t, db), 0)
}
