package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	flinkserbolt "github.com/flinkser/flinkser/integration/bbolt"
)

// sample makes a file of two states and closes it.
func sample(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "shop.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	check(t, err)
	orders, err := flinkserbolt.Open[*orderpb.Order](db, "orders")
	check(t, err)
	check(t, orders.Update(func(tx *flinkserbolt.Tx[*orderpb.Order]) error {
		for i := range 200 {
			m := &orderpb.Order{Id: fmt.Sprint(i), Customer: fmt.Sprintf("customer <%d>", i), Status: orderpb.Status_STATUS_PAID}
			check(t, tx.Put(fmt.Appendf(nil, "%03d", i), m))
		}
		return tx.Put([]byte{0xff}, &orderpb.Order{})
	}))
	times, err := flinkserbolt.Open[*timestamppb.Timestamp](db, "times")
	check(t, err)
	check(t, times.Put([]byte("now"), &timestamppb.Timestamp{Seconds: 1}))
	check(t, db.Close())
	return path
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// runs runs the command and compares the exit code.
func runs(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := run(args, &out, &errs); got != want {
		t.Fatalf("%q: exit code %d, want %d\n%s\n%s", args, got, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

func TestGood(t *testing.T) {
	path := sample(t)
	out, errs := runs(t, 0, "check", path)
	if want := "state \"orders\": 201 records, 201 good, 0 damaged; 1 schemas\nstate \"times\": 1 records, 1 good, 0 damaged; 1 schemas\n"; out != want || errs != "" {
		t.Errorf("check: %q, %q", out, errs)
	}
	out, errs = runs(t, 0, "dump", path)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 202 || errs != "" {
		t.Fatalf("dump: %d lines, %q", len(lines), errs)
	}
	for i, want := range map[int]string{
		7:   `{"state":"orders","key":"007","schema":1,"message":{"id":"7","customer":"customer <7>","status":"STATUS_PAID"}}`,
		200: `{"state":"orders","keyBase64":"/w==","schema":1,"message":{}}`,
		201: `{"state":"times","key":"now","schema":1,"message":"1970-01-01T00:00:01Z"}`,
	} {
		if got := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(lines[i]); got != want {
			t.Errorf("line %d: %s, want %s", i, got, want)
		}
	}
	if out, _ = runs(t, 0, "dump", "-state", "times", path); strings.Count(out, "\n") != 1 {
		t.Errorf("one state: %q", out)
	}
}

// TestDamaged changes a byte in some records of the file: a check reports those, and all others as good, and a dump prints all others.
func TestDamaged(t *testing.T) {
	path := sample(t)
	b, err := os.ReadFile(path)
	check(t, err)
	damaged := []int{0, 3, 99, 100, 199}
	for _, i := range damaged {
		text := fmt.Appendf(nil, "customer <%d>", i)
		if bytes.Count(b, text) == 0 {
			t.Fatalf("record %d is not in the file", i)
		}
		b = bytes.ReplaceAll(b, text, fmt.Appendf(nil, "customer [%d>", i)) // bbolt may have older pages with it, too
	}
	check(t, os.WriteFile(path, b, 0o600))
	report := ""
	for _, i := range damaged {
		report += fmt.Sprintf("state \"orders\", key \"%03d\": checksum does not match\n", i)
	}
	out, errs := runs(t, 1, "check", path)
	if want := report + "state \"orders\": 201 records, 196 good, 5 damaged; 1 schemas\nstate \"times\": 1 records, 1 good, 0 damaged; 1 schemas\n"; out != want || errs != "" {
		t.Errorf("check: %q, %q", out, errs)
	}
	out, errs = runs(t, 1, "dump", path)
	if errs != report {
		t.Errorf("dump reports %q", errs)
	}
	keys := map[string]bool{}
	for text := range strings.Lines(out) {
		var l line
		check(t, json.Unmarshal([]byte(text), &l))
		if l.Key != nil {
			keys[*l.Key] = true
		}
	}
	for i := range 200 {
		if k := fmt.Sprintf("%03d", i); keys[k] == strings.Contains(report, `"`+k+`"`) {
			t.Errorf("key %s printed: %v", k, keys[k])
		}
	}
	runs(t, 0, "check", "-state", "times", path)
}

// TestDamagedState damages a state: it is reported, and the other is read.
func TestDamagedState(t *testing.T) {
	path := sample(t)
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	check(t, err)
	check(t, db.Update(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("orders")).Put([]byte("format"), []byte("flinkser state ?"))
	}))
	check(t, db.Close())
	const damaged = "state \"orders\": bucket is not a flinkser state of format 1; nothing of it can be read\n"
	out, errs := runs(t, 1, "check", path)
	if want := damaged + "state \"times\": 1 records, 1 good, 0 damaged; 1 schemas\n"; out != want || errs != "" {
		t.Errorf("check: %q, %q", out, errs)
	}
	if out, errs := runs(t, 1, "dump", path); strings.Count(out, "\n") != 1 || errs != damaged {
		t.Errorf("dump: %q, %q", out, errs)
	}
	runs(t, 3, "check", "-state", "orders", path)
}

func TestWrongUse(t *testing.T) {
	path := sample(t)
	text := filepath.Join(t.TempDir(), "text.db")
	check(t, os.WriteFile(text, bytes.Repeat([]byte("no file of bbolt\n"), 1000), 0o600))
	empty := filepath.Join(t.TempDir(), "empty.db")
	db, err := bolt.Open(empty, 0o600, &bolt.Options{Timeout: time.Second})
	check(t, err)
	check(t, db.Close())
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "usage:", nil},
		{2, "usage:", []string{"chec", path}},
		{2, "give one FILE, not 0", []string{"check"}},
		{2, "give one FILE, not 2", []string{"dump", path, path}},
		{2, "not defined: -nosuch", []string{"dump", "-nosuch", path}},
		{3, "no such file", []string{"check", path + ".nosuch"}},
		{3, "invalid database", []string{"check", text}},
		{3, "has no states", []string{"check", empty}},
		{3, "no such state", []string{"check", "-state", "nosuch", path}},
	} {
		if out, errs := runs(t, c.code, c.args...); out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%q: %q, %q", c.args, out, errs)
		}
	}
	if _, err := os.Stat(path + ".nosuch"); err == nil {
		t.Error("a file has been made")
	}
	if out, _ := runs(t, 0, "--help"); !strings.Contains(out, "Exit codes") {
		t.Errorf("help: %q", out)
	}
	db, err = bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	check(t, err)
	defer db.Close()
	if _, errs := runs(t, 3, "check", path); !strings.Contains(errs, "open for writing in another program") {
		t.Errorf("a file in use: %q", errs)
	}
}
