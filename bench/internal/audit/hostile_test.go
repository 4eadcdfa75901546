package audit_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flinkser/flinkser/bench/internal/audit"
	"github.com/flinkser/flinkser/bench/internal/report"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/results/fixture"
)

// TestHostile damages the files of a run at random. Whatever they say, nothing panics, and the audit
// finds something, if it is only the checksum.
func TestHostile(t *testing.T) {
	const rounds = 300
	dir := newRun(t, fixture.Options{Blocks: 1, Workloads: []string{"scalar"}})
	whole := load(t, os.DirFS(dir))
	names := []string{"growth.csv", "lanes.csv", "manifest.properties", "sizes.csv", "unsupported.csv", "completed-results.txt", "ours-scalar-serialize-0.json"}
	values := []string{"0", "-1", "1e308", "1e-308", "NaN", "Inf", "1", "", "\"", ",", "\n", "\x00", "9999999999999999999", "ours", "../x", "<b>", "{", "[[[["}
	rnd := rand.New(rand.NewPCG(1, 2))
	read, reported := 0, 0
	for range rounds {
		files := fstest.MapFS{}
		for name, data := range whole {
			files[name] = &fstest.MapFile{Data: data}
		}
		name := names[rnd.IntN(len(names))]
		data := mutate(rnd, whole[name], values)
		files[name] = &fstest.MapFile{Data: data}
		if !bytes.Equal(data, whole[name]) {
			if got := audit.Run(files); got.OK() {
				t.Fatalf("%s was changed, and the audit finds nothing", name)
			}
		}
		if _, err := results.Read(files); err == nil {
			read++
		}
		page, err := report.New(files)
		if err != nil {
			continue
		}
		reported++
		var html bytes.Buffer
		if err := page.WriteHTML(&html); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(html.String(), "<b></") {
			t.Fatalf("%s has brought an element into the page: %q", name, data)
		}
	}
	// Otherwise the test would not get far into what it tests.
	if read < rounds/10 || reported < rounds/10 {
		t.Errorf("only %d of the runs were read and %d reported", read, reported)
	}
}

func load(t *testing.T, files fs.FS) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if all[e.Name()], err = fs.ReadFile(files, e.Name()); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// mutate replaces a word of a file by another value, or changes, removes or doubles a piece.
func mutate(rnd *rand.Rand, data []byte, values []string) []byte {
	out := bytes.Clone(data)
	at := rnd.IntN(len(out))
	end := min(len(out), at+1+rnd.IntN(12))
	switch rnd.IntN(5) {
	case 0:
		out[at] ^= byte(1 << rnd.IntN(8))
	case 1:
		out = append(out[:at], out[end:]...)
	case 2:
		out = append(out[:end:end], out[at:]...)
	default:
		stop := func(c byte) bool { return strings.IndexByte(",\n:=\"[]{}", c) >= 0 }
		for at > 0 && !stop(out[at-1]) {
			at--
		}
		for end = at; end < len(out) && !stop(out[end]); end++ {
		}
		out = append(append(out[:at:at], values[rnd.IntN(len(values))]...), out[end:]...)
	}
	return out
}
