// Package flinkserbolt keeps protobuf messages in a file of go.etcd.io/bbolt, with the schema that they were written
// with beside them. A program with a newer schema is told, before it reads anything, whether it may:
//
//	db, err := bolt.Open("orders.db", 0o600, &bolt.Options{Timeout: time.Second})
//	...
//	orders, err := flinkserbolt.Open[*shop.Order](db, "orders")
//	var refused *snapshot.IncompatibleError
//	if errors.As(err, &refused) {
//		fmt.Print(refused.Verdict) // every difference, why it matters, what to do
//	}
//	err = orders.Put([]byte("42"), order)
//	found, err := orders.Get([]byte("42"), order)
//	for record, err := range orders.Prefix([]byte("2026-")) {
//		...
//	}
//
// A state is a name in the file, with messages of one type. A file may hold several, and buckets of other uses.
// Keys are byte strings of 1 to 32768 bytes, never messages: equal messages may have different bytes.
//
// # Schemas
//
// Records stay as they were written until they are written again. So a state keeps the snapshots of all schemas that
// it was ever opened with, and Open compares with all of them, as flinkser.RestoreAll does. Migrate writes the records
// of earlier schemas again while the program goes on, and drops the snapshots of which nothing is left.
//
// The options are those of flinkser.New and flinkser.Restore: WithRestorePolicy, WithRename, WithRollback,
// RequireGenerated, limits and so on. What can be written must be readable, so there is no element budget unless
// an option sets one.
//
// # Damage
//
// bbolt has no checksums of data. Each record has one here, over key, schema and payload: bytes that have changed
// on disk are reported as a *RecordError with key and cause, by Get as well as by a scan, which goes on behind it.
// Do not write to a file with damaged keys, which bbolt no longer has in order: copy the good records to a new one.
// A damaged page of the file itself is a *FileError, and a scan ends there. bbolt trusts its pages, so that a Store may also miss
// records, or not come to an end, where one leads to another page than it did: OpenSaved, and with it flinkser-store, looks at
// all pages before it reads. Files from those whom you do not trust are
// another matter: bbolt is not made for them.
//
// # Layout, version 1
//
//	<state>                  a bucket at the top
//	  "format"               "flinkser state 1"
//	  "migration"            while one is under way: see migrate.go
//	  "snapshots"            a bucket: schema number (4 bytes), sealed snapshot with Flink's class name and version in front
//	  "records"              a bucket: key, sealed payload
//
// Numbers are big-endian. Sealed bytes are
//
//	0   4   CRC-32C of: schema number (4), length of the key (4), key, payload
//	4   4   schema number: that of the snapshot in force when it was written, from 1
//	8   n   payload: one message without a length, or the snapshot
package flinkserbolt
