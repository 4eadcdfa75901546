package snapshot

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
)

// ruleTable returns the table of docs/restore.md.
func ruleTable() string {
	var b strings.Builder
	level := func(l Level) string {
		if l == None {
			return "ok"
		}
		return l.String()
	}
	b.WriteString("| code | change | strict | known | wire | basis | why |\n|---|---|---|---|---|---|---|\n")
	for _, r := range Rules() {
		why := strings.NewReplacer("{name}", "the field", "{number}", "of its number", "|", `\|`).Replace(r.Why)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %v | %s | %v | %s |\n", r.Code, r.Change, level(r.Strict), r.Known, level(r.Wire), r.Basis, why)
	}
	return b.String()
}

// TestRuleTable compares the table in the documentation with the rules. With FLINKSER_UPDATE set to a
// pattern that docs/restore.md matches it writes the table, and fails.
func TestRuleTable(t *testing.T) {
	const file = "../../docs/restore.md"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- rules: written by the test TestRuleTable of runtime/snapshot -->\n"
	before, after, ok := strings.Cut(string(b), mark)
	if !ok {
		t.Fatalf("%s has no line %s", file, mark)
	}
	want := "\n" + ruleTable()
	if after == want {
		return
	}
	if update, err := path.Match(os.Getenv("FLINKSER_UPDATE"), "docs/restore.md"); err == nil && update {
		if err := os.WriteFile(file, []byte(before+mark+want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Errorf("the table of rules in %s is not that of the evaluator; FLINKSER_UPDATE='docs/*' go test ./runtime/snapshot -run RuleTable writes it", file)
}
