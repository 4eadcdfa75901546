package flinkserbolt

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

type orders = Store[*orderpb.Order]

// file opens a file of its own for the test.
func file(t testing.TB) *bolt.DB { return openFile(t, filepath.Join(t.TempDir(), "test.db")) }

func openFile(t testing.TB, path string) *bolt.DB {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func open(t testing.TB, db *bolt.DB, opts ...flinkser.Option) *orders {
	t.Helper()
	s, err := Open[*orderpb.Order](db, "orders", opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func order(i int) *orderpb.Order {
	return &orderpb.Order{Id: fmt.Sprint(i), Customer: fmt.Sprintf("customer of %d", i), CreatedMs: int64(i), Status: orderpb.Status_STATUS_NEW}
}

func key(i int) []byte { return fmt.Appendf(nil, "%04d", i) }

// fill puts orders from one number up to another.
func fill(t testing.TB, s *orders, from, to int) {
	t.Helper()
	check(t, s.Update(func(tx *Tx[*orderpb.Order]) error {
		for i := from; i < to; i++ {
			if err := tx.Put(key(i), order(i)); err != nil {
				return err
			}
		}
		return nil
	}))
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// expect reads the order i.
func expect(t testing.TB, s *orders, i int) {
	t.Helper()
	var got orderpb.Order
	found, err := s.Get(key(i), &got)
	if err != nil || !found || !proto.Equal(&got, order(i)) {
		t.Errorf("order %d: %v, %v, %v", i, found, err, &got)
	}
}

// A change makes another schema of the file of orders.
type change func(f *descriptorpb.FileDescriptorProto, order *descriptorpb.DescriptorProto)

// older returns the snapshot of orders whose schema was another one.
func older(t testing.TB, settings snapshot.Settings, changes ...change) *snapshot.Snapshot {
	t.Helper()
	now, err := snapshot.Of(&orderpb.Order{}, settings)
	check(t, err)
	set := now.Files()
	f := set.File[len(set.File)-1]
	for _, c := range changes {
		for _, m := range f.MessageType {
			if m.GetName() == "Order" || m.GetName() == "Purchase" {
				c(f, m)
			}
		}
	}
	root := now.MessageName()
	for _, m := range f.MessageType {
		if m.GetName() == "Purchase" {
			root = root.Parent().Append("Purchase")
		}
	}
	old, err := snapshot.OfFiles(set, root, settings)
	check(t, err)
	return old
}

// without removes a field.
func without(name string) change {
	return func(_ *descriptorpb.FileDescriptorProto, m *descriptorpb.DescriptorProto) {
		for i, fd := range m.Field {
			if fd.GetName() == name {
				m.Field = append(m.Field[:i], m.Field[i+1:]...)
				return
			}
		}
		panic("no such field")
	}
}

// with adds a field.
func with(name string, number int32, typ descriptorpb.FieldDescriptorProto_Type) change {
	return func(_ *descriptorpb.FileDescriptorProto, m *descriptorpb.DescriptorProto) {
		m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
			Name: &name, Number: &number, Type: &typ, Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		})
	}
}

// typed gives a field another type.
func typed(name string, typ descriptorpb.FieldDescriptorProto_Type) change {
	return func(_ *descriptorpb.FileDescriptorProto, m *descriptorpb.DescriptorProto) {
		for _, fd := range m.Field {
			if fd.GetName() == name {
				fd.Type = &typ
				return
			}
		}
		panic("no such field")
	}
}

// plant makes a state as programs with other schemas would have left it. It returns the number of the snapshot.
func plant(t testing.TB, db *bolt.DB, s *snapshot.Snapshot, records map[string][]byte) (id uint32) {
	t.Helper()
	check(t, db.Update(func(tx *bolt.Tx) error {
		l, err := find(tx, []byte("orders"))
		if err != nil {
			if l, err = create(tx, []byte("orders")); err != nil {
				return err
			}
		}
		b, err := s.Append(nil)
		if err != nil {
			return err
		}
		if id, err = l.add(b); err != nil {
			return err
		}
		for key, payload := range records {
			value := append(make([]byte, sealSize), payload...)
			seal(value, []byte(key), id)
			if err := l.records.Put([]byte(key), value); err != nil {
				return err
			}
		}
		return nil
	}))
	return id
}

// payload writes the order i with another schema.
func payload(t testing.TB, s *snapshot.Snapshot, i int, more ...byte) []byte {
	t.Helper()
	b, err := proto.Marshal(order(i))
	check(t, err)
	m := dynamicpb.NewMessage(s.Descriptor())
	check(t, proto.Unmarshal(append(b, more...), m))
	b, err = proto.Marshal(m)
	check(t, err)
	return b
}

// count returns how many snapshots a state has.
func count(t testing.TB, s *orders) int {
	t.Helper()
	list, err := s.Snapshots()
	check(t, err)
	return len(list)
}
