package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func profile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRun(t *testing.T) {
	const (
		first = `mode: set
github.com/flinkser/flinkser/golden/a/a_flinkser.pb.go:7.2,9.3 2 0
github.com/flinkser/flinkser/golden/a/a_flinkser.pb.go:5.2,6.3 2 1
github.com/flinkser/flinkser/golden/a/a_flinkser.pb.go:5.9,6.3 1 0
github.com/flinkser/flinkser/golden/a/a.pb.go:5.2,6.3 2 0
`
		second = "mode: atomic\ngithub.com/flinkser/flinkser/golden/a/a_flinkser.pb.go:5.9,6.3 1 17\n"
	)
	for _, tt := range []struct {
		name     string
		limit    float64
		list     int
		profiles []string
		want     string // at the end of the output
		fails    string
	}{
		{"one profile", 70, 9, []string{first}, "a_flinkser.pb.go:7: \nblocks of generated code: 3, without input 2 (66.67 %, limit 70.00 %)\n", ""},
		{"short list", 70, 1, []string{first}, "and 1 more\nblocks of generated code: 3, without input 2 (66.67 %, limit 70.00 %)\n", ""},
		{"entered in the second", 70, 9, []string{first, second}, "without input 1 (33.33 %, limit 70.00 %)\n", ""},
		{"above the limit", 33, 9, []string{first, second}, "without input 1 (33.33 %, limit 33.00 %)\n", "33.33 %"},
		{"none", 2, 9, nil, "", "at least one"},
		{"no generated code", 2, 9, []string{"mode: set\nx/a.go:1.2,3.4 1 0\n"}, "", "no generated code"},
		{"no profile", 2, 9, []string{"mode: set\nwhat is this\n"}, "", "line 2"},
		{"no number", 2, 9, []string{"mode: set\na_flinkser.go:x.2,3.4 1 0\n"}, "", "line 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var names []string
			for _, text := range tt.profiles {
				names = append(names, profile(t, text))
			}
			var out strings.Builder
			err := run(&out, tt.limit, tt.list, names)
			if !strings.HasSuffix(out.String(), tt.want) {
				t.Errorf("printed %q, want it to end with %q", out.String(), tt.want)
			}
			if (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("error %v, want %q", err, tt.fails)
			}
		})
	}
	if err := run(&strings.Builder{}, 2, 9, []string{filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a profile that does not exist was read")
	}
}
