package main

import (
	"strings"
	"testing"
)

func TestReleasedGoMod(t *testing.T) {
	got, err := releasedGoMod("bench", []byte(`module github.com/flinkser/flinkser/bench

go 1.25

require (
	github.com/flinkser/flinkser v0.0.0
	google.golang.org/protobuf v1.36.12
)

// The benchmarks measure the code beside them.
replace github.com/flinkser/flinkser => ../
`))
	if err != nil {
		t.Fatal(err)
	}
	if s := string(got); strings.Contains(s, "replace") || !strings.Contains(s, "\tgithub.com/flinkser/flinkser "+version+"\n") ||
		!strings.Contains(s, "\tgoogle.golang.org/protobuf v1.36.12\n") {
		t.Errorf("go.mod is\n%s", s)
	}
}

func TestReleasedGoModErrors(t *testing.T) {
	for _, test := range []struct{ name, dir, mod, want string }{
		{"replace in the root", ".", "module github.com/flinkser/flinkser\nreplace a.b/c => ../c\n", "a replace line"},
		{"replace of others", "bench", "module github.com/flinkser/flinkser/bench\nreplace a.b/c => ../c\n", "replaces a.b/c"},
		{"wrong path", "bench", "module example.com/bench\n", "want github.com/flinkser/flinkser/bench"},
		{"no go.mod", ".", "?", "unknown directive"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := releasedGoMod(test.dir, []byte(test.mod)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}
