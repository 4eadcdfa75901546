package flinkserbolt_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkserbolt "github.com/flinkser/flinkser/integration/bbolt"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func Example() {
	dir, err := os.MkdirTemp("", "store")
	check(err)
	defer os.RemoveAll(dir)
	db, err := bolt.Open(filepath.Join(dir, "shop.db"), 0o600, &bolt.Options{Timeout: time.Second})
	check(err)
	defer db.Close()

	orders, err := flinkserbolt.Open[*orderpb.Order](db, "orders", flinkser.WithRestorePolicy(snapshot.Wire))
	var refused *snapshot.IncompatibleError
	if errors.As(err, &refused) {
		fmt.Print(refused.Verdict)
		return
	}
	check(err)

	check(orders.Put([]byte("2026-11-30/1"), &orderpb.Order{Customer: "Ada"}))
	check(orders.Update(func(tx *flinkserbolt.Tx[*orderpb.Order]) error { // both or none
		return errors.Join(
			tx.Put([]byte("2026-12-01/2"), &orderpb.Order{Customer: "Grace"}),
			tx.Put([]byte("2026-12-01/3"), &orderpb.Order{Customer: "Edsger"}),
		)
	}))
	for record, err := range orders.Prefix([]byte("2026-12-")) {
		var damaged *flinkserbolt.RecordError
		if errors.As(err, &damaged) {
			fmt.Println("left out:", damaged)
			continue
		}
		check(err)
		fmt.Printf("%s: %s\n", record.Key, record.Message.GetCustomer())
	}

	// Mostly in a goroutine of its own.
	progress, err := orders.Migrate(context.Background(), flinkserbolt.Migration{})
	check(err)
	fmt.Println(progress.Rewritten, "records written again")
	// Output:
	// 2026-12-01/2: Grace
	// 2026-12-01/3: Edsger
	// 0 records written again
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
