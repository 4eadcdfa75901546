package flinkserbolt

import (
	"errors"
	"fmt"
	"runtime/debug"
)

var (
	// ErrDamaged: the bytes of a record are not those that were written.
	ErrDamaged = errors.New("checksum does not match")
	// ErrNoSchema: the snapshot that a record was written with is not in the file, or is damaged itself.
	ErrNoSchema = errors.New("schema of the record is missing")
	// ErrNoState: there is no state of that name.
	ErrNoState = errors.New("no such state")
	// ErrNotState: the name is that of a bucket which is not a state of this package, or one of another format.
	ErrNotState = errors.New("bucket is not a flinkser state of format 1")
	// ErrStale: another schema was opened or has migrated the state since this Store was opened: open it again.
	ErrStale = errors.New("state has another schema by now")
	// ErrUnreachable: keys have changed on disk, so that they are no longer in order. Scans find all records, but bbolt
	// would write to wrong places: copy the good records to a new file.
	ErrUnreachable = errors.New("keys are not in order")
	// ErrUnmigrated: a migration has met records that it could not read or write. They and all snapshots stay.
	ErrUnmigrated = errors.New("records could not be migrated")
)

// A RecordError says which record cannot be read, and why. Other records can.
type RecordError struct {
	State string
	Key   []byte
	Err   error // ErrDamaged, ErrNoSchema, or what the serializer says, such as a *flinkser.DecodeError
}

// Error names state, key and cause.
func (e *RecordError) Error() string {
	return fmt.Sprintf("state %q, key %q: %v", e.State, e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *RecordError) Unwrap() error { return e.Err }

// A FileError says that the file is damaged, so that bbolt cannot find its way.
type FileError struct {
	Cause any // what bbolt or the runtime says
}

// Error names the cause.
func (e *FileError) Error() string { return fmt.Sprintf("damaged file: %v", e.Cause) }

// Unwrap returns the cause if it is an error.
func (e *FileError) Unwrap() error { err, _ := e.Cause.(error); return err }

// guard calls f, which only calls bbolt. On a damaged page bbolt panics, or reads beyond the file.
func guard(f func()) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			err = &FileError{r}
		}
	}()
	f()
	return nil
}
