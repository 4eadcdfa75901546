package flinkserbolt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

const (
	// writerEnv makes the test program the writer of the file that it names.
	writerEnv = "FLINKSER_STORE_WRITER"
	// crashesEnv is how often the writer is killed.
	crashesEnv = "FLINKSER_STORE_CRASHES"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(writerEnv); path != "" {
		if err := write(path, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// planted is how many records of an earlier schema each writer finds, which it migrates while it writes.
const planted = 300

// TestCrash kills a writer with SIGKILL at random moments, and looks for all that it has acknowledged on its standard
// output, and for the records that it was migrating. Kills and records are counted.
func TestCrash(t *testing.T) {
	kills := 10
	if n, err := strconv.Atoi(os.Getenv(crashesEnv)); err == nil {
		kills = n
	}
	path := filepath.Join(t.TempDir(), "crash.db")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	want := map[string]int{}
	checked, migrations := 0, [3]int{}
	for round := range kills {
		plantRound(t, path, round, want)
		after := time.Duration(rnd.IntN(60_000)) * time.Microsecond
		if rnd.IntN(3) == 0 {
			after *= 10 // time for the migration to end
		}
		killed(t, path, round, after, rnd.IntN(8) == 0, want)
		n, migration := verify(t, path, want)
		checked += n
		migrations[migration]++
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills, %d records checked, %d of them different; %d before the migration, %d in it, %d behind it; nothing lost",
		kills, checked, len(want), migrations[before], migrations[during], migrations[behindIt])
	if len(want) < kills*(planted+1) {
		t.Errorf("only %d records: the writers have not come far", len(want))
	}
}

// Versions of a record in what is wanted. A version of 1 and more is the CreatedMs of the order.
const (
	deleted = 0
	leaving = -1 // announced, not yet acknowledged
)

// Where a writer was killed.
const (
	before = iota
	during
	behindIt
)

// plantRound adds records of an earlier schema.
func plantRound(t *testing.T, path string, round int, want map[string]int) {
	t.Helper()
	db := openFile(t, path)
	defer db.Close()
	// Limits are not lowered from one to the next; each round's schema is a new one for the store.
	old := older(t, snapshot.Settings{MaxMessageSize: 1000 + round}, without("discounts_cents"))
	records := map[string][]byte{}
	for i := range planted {
		key := fmt.Sprintf("%04d-old-%d", round, i)
		records[key], want[key] = payload(t, old, i+1), i+1
	}
	plant(t, db, old, records)
}

// killed runs a writer and kills it a while after its first word, or right away.
func killed(t *testing.T, path string, round int, after time.Duration, early bool, want map[string]int) {
	t.Helper()
	exe, err := os.Executable()
	check(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), writerEnv+"="+path, fmt.Sprintf("FLINKSER_STORE_ROUND=%04d", round))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	kill := func() {
		time.Sleep(after)
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
	}
	if early {
		go kill()
	}
	said := bufio.NewReader(out)
	for n := 0; ; n++ {
		line, err := said.ReadString('\n')
		if err != nil {
			break // half a line acknowledges nothing
		}
		if n == 0 && !early {
			go kill()
		}
		key, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		if want[key], err = strconv.Atoi(version); err != nil {
			t.Errorf("the writer said %q", line)
		}
	}
	if err := cmd.Wait(); err == nil || stderr.Len() > 0 {
		t.Errorf("the writer was not killed, it ended: %v\n%s", err, stderr.String())
	}
}

// verify looks for all records, and reports how many there are and how far the migration is.
func verify(t *testing.T, path string, want map[string]int) (checked, migration int) {
	t.Helper()
	db := openFile(t, path)
	defer db.Close()
	check(t, db.View(func(tx *bolt.Tx) error {
		l, err := find(tx, []byte("orders"))
		check(t, err)
		saved, err := l.schemas()
		check(t, err)
		switch {
		case l.state.Get(migrationKey) != nil:
			migration = during
		case len(saved) == 1:
			migration = behindIt
		}
		for err := range tx.Check() {
			t.Error(err)
		}
		return nil
	}))
	s := open(t, db)
	found := map[string]int{}
	for r, err := range s.All() {
		check(t, err)
		found[string(r.Key)] = int(r.Message.GetCreatedMs())
	}
	for key, version := range want {
		got, ok := found[key]
		switch {
		case version > 0 && got < version: // a later version may be there that was not acknowledged
			t.Errorf("%s: version %d was acknowledged, there is %d", key, version, got)
		case version == deleted && ok:
			t.Errorf("%s: its removal was acknowledged, it is there", key)
		}
		checked++
	}
	return checked, migration
}

// write is the writer: some goroutines put, overwrite and delete, one migrates.
func write(path string, out io.Writer) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: 10 * time.Second})
	if err != nil {
		return err
	}
	s, err := Open[*orderpb.Order](db, "orders")
	if err != nil {
		return err
	}
	failed := make(chan error)
	go func() {
		if _, err := s.Migrate(context.Background(), Migration{}); err != nil {
			failed <- err
		}
	}()
	for w := range 3 {
		go func() {
			failed <- writeSome(s, fmt.Sprintf("%s-%d", os.Getenv("FLINKSER_STORE_ROUND"), w), w == 0, out)
		}()
	}
	return <-failed
}

// writeSome says each change when it has been made, and a removal before that as well.
func writeSome(s *orders, prefix string, batch bool, out io.Writer) error {
	transact := s.Update
	if batch {
		transact = s.Batch
	}
	for i := 1; ; i++ {
		key := fmt.Sprintf("%s-%d", prefix, i)
		for version := 1; version <= 1+i%3; version++ {
			m := order(i)
			m.CreatedMs = int64(version)
			m.Customer = strings.Repeat("x", i%700)
			err := transact(func(tx *Tx[*orderpb.Order]) error { return tx.Put([]byte(key), m) })
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s %d\n", key, version)
		}
		if i%5 == 0 {
			fmt.Fprintf(out, "%s %d\n", key, leaving)
			if err := s.Delete([]byte(key)); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s %d\n", key, deleted)
		}
	}
}
