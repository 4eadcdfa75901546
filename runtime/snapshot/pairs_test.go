package snapshot

import (
	"encoding/json"
	"os"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/protocheck"
)

// compileFiles returns the snapshot of a message of .proto files.
func compileFiles(t testing.TB, files map[string]string, root protoreflect.FullName, generate ...string) *Snapshot {
	t.Helper()
	req, err := protocheck.Request(files, "", generate...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OfFiles(&descriptorpb.FileDescriptorSet{File: req.GetProtoFile()}, root, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compileText(t testing.TB, text string, root protoreflect.FullName) *Snapshot {
	t.Helper()
	return compileFiles(t, map[string]string{"v.proto": text}, root)
}

// A pair is a row of testdata/schema-pairs.json.
type pair struct {
	ID           string                `json:"id"`
	Old          string                `json:"old"`
	New          string                `json:"new"`
	OldRoot      protoreflect.FullName `json:"old_root"`
	NewRoot      protoreflect.FullName `json:"new_root"`
	Payloads     []string              `json:"payloads_of_old"`
	Strict       string                `json:"strict_restore"`
	WireRestore  string                `json:"wire_restore"`
	WireRollback string                `json:"wire_rollback"`
	Why          string                `json:"why"`
}

func readPairs(t testing.TB) []pair {
	t.Helper()
	b, err := os.ReadFile("testdata/schema-pairs.json")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	if err := json.Unmarshal(b, &pairs); err != nil {
		t.Fatal(err)
	}
	if len(pairs) < 40 {
		t.Fatalf("%d pairs, there should be 40 at least", len(pairs))
	}
	return pairs
}

// word is the word of the pair file for a verdict.
func word(v Verdict) string {
	if v.Level() <= Note {
		return "ok"
	}
	return v.Level().String()
}

// TestPairs holds the verdicts to those of the published pairs.
func TestPairs(t *testing.T) {
	for _, p := range readPairs(t) {
		t.Run(p.ID, func(t *testing.T) {
			old, new := compileText(t, p.Old, p.OldRoot), compileText(t, p.New, p.NewRoot)
			for _, check := range []struct {
				options Options
				want    string
			}{
				{Options{}, p.Strict},
				{Options{Policy: Wire}, p.WireRestore},
				{Options{Policy: Wire, Direction: Rollback}, p.WireRollback},
			} {
				v := Check(old, new, check.options)
				if got := word(v); got != check.want {
					t.Errorf("%v %v: got %s, want %s (%s)\n%s", check.options.Policy, check.options.Direction, got, check.want, p.Why, v)
				}
				t.Logf("%v %v: %s\n%s", check.options.Policy, check.options.Direction, check.want, v)
			}
		})
	}
}
