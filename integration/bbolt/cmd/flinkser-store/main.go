// Command flinkser-store reads files that package flinkserbolt has written, with the schemas that they hold: it does not
// know the messages.
//
//	flinkser-store check [-state NAME] FILE    look at every record, and report the damaged ones
//	flinkser-store dump [-state NAME] FILE     print every record as a line of JSON, and report the damaged ones
//
// A line of dump has "state", "key" (or "keyBase64" where a key is not text), "schema", the number of the snapshot
// that it was written with, and "message" in the JSON form of protocol buffers. Unknown fields have no JSON form:
// "unknownBytes" says how many bytes of them the message itself has. Reports go to standard error in a dump, and to standard
// output in a check.
//
// The file is opened read-only. A program that has it open for writing keeps others out: read a backup then.
//
// Exit codes: 0 all is well, 1 something is damaged, 2 wrong usage, 3 the file cannot be read.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	flinkserbolt "github.com/flinkser/flinkser/integration/bbolt"
)

const (
	exitDamaged = 1
	exitUsage   = 2
	exitInput   = 3
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const usage = `usage: flinkser-store check [-state NAME] FILE
       flinkser-store dump [-state NAME] FILE

check looks at every record and reports the damaged ones, dump prints every record
as a line of JSON. Without -state they read all states of the file.

  flinkser-store check orders.db
  flinkser-store dump -state orders orders.db | jq .message

Exit codes: 0 all is well, 1 something is damaged, 2 wrong usage, 3 the file cannot be read.
`

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if len(args) == 0 || args[0] != "check" && args[0] != "dump" {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	state := flags.String("state", "", "read this state only")
	if err := flags.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitUsage
	}
	if flags.NArg() != 1 {
		fmt.Fprintf(stderr, "flinkser-store %s: give one FILE, not %d\n", args[0], flags.NArg())
		return exitUsage
	}
	out := bufio.NewWriter(stdout)
	damaged, err := read(flags.Arg(0), *state, args[0] == "dump", out, stderr)
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "flinkser-store:", err)
		return exitInput
	case damaged:
		return exitDamaged
	}
	return 0
}

// read reports whether something is damaged.
func read(path, only string, dump bool, out *bufio.Writer, stderr io.Writer) (damaged bool, err error) {
	db, err := open(path)
	if err != nil {
		return false, err
	}
	defer db.Close()
	states := []string{only}
	if only == "" {
		if states, err = flinkserbolt.States(db); err != nil {
			return false, err
		}
		if len(states) == 0 {
			return false, fmt.Errorf("%s has no states of package flinkserbolt", path)
		}
	}
	reports := io.Writer(out)
	if dump {
		reports = stderr
	}
	for _, name := range states {
		saved, err := flinkserbolt.OpenSaved(db, name)
		var page *flinkserbolt.FileError
		switch {
		case err == nil:
		case only != "" && !errors.As(err, &page):
			return damaged, fmt.Errorf("%s: %w", path, err)
		default:
			damaged = true
			fmt.Fprintf(reports, "%v; nothing of it can be read\n", err)
			continue
		}
		r := reader{saved: saved, name: name, reports: reports}
		if dump {
			r.lines = json.NewEncoder(out)
		}
		if err := r.all(); err != nil {
			return damaged, err
		}
		if !dump {
			fmt.Fprintf(out, "state %q: %d records, %d good, %d damaged; %d schemas\n",
				name, r.good+r.bad, r.good, r.bad, len(saved.Snapshots())+len(saved.Damaged()))
		}
		damaged = damaged || r.bad+r.other > 0
	}
	return damaged, nil
}

// open opens a file read-only, and says what to do if it cannot.
func open(path string) (db *bolt.DB, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: damaged file: %v", path, r)
		}
	}()
	db, err = bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: time.Second})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, fmt.Errorf("%s is open for writing in another program: read a backup of it, or end that program", path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return db, nil
}

type reader struct {
	saved   *flinkserbolt.Saved
	name    string
	reports io.Writer
	lines   *json.Encoder // or nil
	good    int
	bad     int // damaged records
	other   int // what else is damaged
}

// all reads all records. The error is one of writing.
func (r *reader) all() error {
	for _, err := range r.saved.Damaged() {
		r.other++
		fmt.Fprintln(r.reports, err)
	}
	for record, err := range r.saved.All() {
		var one *flinkserbolt.RecordError
		switch {
		case errors.As(err, &one):
			r.bad++
			fmt.Fprintln(r.reports, err)
			continue
		case err != nil:
			r.other++
			fmt.Fprintf(r.reports, "state %q: %v; what stands behind it cannot be found\n", r.name, err)
			continue
		}
		r.good++
		if r.lines == nil {
			continue
		}
		if err := r.lines.Encode(r.line(record)); err != nil {
			return err
		}
	}
	return nil
}

// A line is a record of a dump.
type line struct {
	State        string          `json:"state"`
	Key          *string         `json:"key,omitempty"`
	KeyBase64    []byte          `json:"keyBase64,omitempty"`
	Schema       uint32          `json:"schema"`
	Message      json.RawMessage `json:"message,omitempty"`
	UnknownBytes int             `json:"unknownBytes,omitempty"`
	Error        string          `json:"error,omitempty"` // why a good record has no JSON form
}

func (r *reader) line(record flinkserbolt.SavedRecord) line {
	l := line{State: r.name, Schema: record.Schema, UnknownBytes: len(record.Message.GetUnknown())}
	if utf8.Valid(record.Key) {
		key := string(record.Key)
		l.Key = &key
	} else {
		l.KeyBase64 = record.Key
	}
	text, err := record.JSON()
	if err != nil {
		l.Error = err.Error()
	} else {
		l.Message = text
	}
	return l
}
