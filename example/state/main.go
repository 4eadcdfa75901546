// Command state keeps orders in a file, with the schema that they were written with. Each run adds an order and prints
// all. Run it with other versions of the schema, as after a deploy:
//
//	go run . orders.db              the first version
//	go run -tags v2 . orders.db     a field was added, another removed: accepted
//	go run -tags v3 . orders.db     two mistakes, five breaks: refused, with the reasons and what to do; nothing is read
//	go run -tags v2 . orders.db     all orders are still there
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	flinkserbolt "github.com/flinkser/flinkser/integration/bbolt"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: state FILE")
		os.Exit(2)
	}
	err := run(os.Args[1])
	var refused *snapshot.IncompatibleError
	if errors.As(err, &refused) {
		fmt.Print("refused: ", refused.Verdict)
		os.Exit(1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "state:", err)
		os.Exit(3)
	}
}

func run(path string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	defer db.Close()

	// Open compares the schema of Order with all that the file has seen.
	orders, err := flinkserbolt.Open[*Order](db, "orders", flinkser.RequireGenerated())
	if err != nil {
		return err
	}
	n := 1
	for record, err := range orders.All() {
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s, %d\n", record.Key, record.Message.GetCustomer(), record.Message.GetAmount())
		n++
	}
	order := &Order{Customer: fmt.Sprintf("customer %d", n), Amount: int32(100 * n)}
	if err := orders.Put(fmt.Appendf(nil, "order %03d", n), order); err != nil {
		return err
	}
	fmt.Printf("added order %03d\n", n)
	return nil
}
