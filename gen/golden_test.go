package gen_test

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkser/flinkser/internal/protocheck"
)

// update names the environment variable that makes the tests below write the files they
// find to be out of date. Its value is a pattern of path.Match for their paths from
// the module's folder, where ** stands for any number of folders: golden/**,
// example/frames/orderpb/*, or ** for all. A run that has written a file fails.
const update = "FLINKSER_UPDATE"

// TestGoldenCurrent generates the code of every .proto file of the module in process,
// without protoc and buf, and compares it with what is committed.
func TestGoldenCurrent(t *testing.T) {
	have := committedCode(t)
	delete(have, newestCode)
	compare(t, generate(t, committed(t), "paths=source_relative"), have)
}

// TestPeersCurrent does the same for the nested module beside the golden packages. The
// folders of its buf.gen.yaml files are where its .proto paths start.
func TestPeersCurrent(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root, "golden", "peers", "go.mod")); err != nil {
		t.Skip("the nested module golden/peers is not part of this copy of the module: ", err)
	}
	for _, tt := range []struct{ folder, file string }{
		{"golden/peers", "peers.proto"},
		{"golden/peers/samepackage", "same.proto"},
	} {
		compareVersion(t, tt.folder, tt.file, "")
	}
}

// TestVersionsCurrent does the same for the versions of the files of examples, which name no Go package.
func TestVersionsCurrent(t *testing.T) {
	for example, list := range versions {
		for _, version := range list {
			folder := example + "/" + version
			compareVersion(t, folder, "shop/order.proto", ",Mshop/order.proto=github.com/flinkser/flinkser/"+folder+"/shop")
		}
	}
}

// compareVersion compares the code of a file whose path starts in a folder. More parameters begin with a comma.
func compareVersion(t *testing.T, folder, file, parameters string) {
	t.Helper()
	files, err := protocheck.Read(os.DirFS(filepath.Join(root, filepath.FromSlash(folder))), file)
	if err != nil {
		t.Fatal(err)
	}
	want, have := map[string]string{}, map[string]string{}
	for name, text := range generate(t, files, "paths=source_relative"+parameters) {
		name = folder + "/" + name
		want[name] = text
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		}
		have[name] = string(b)
	}
	compare(t, want, have)
}

// compare checks that the generated files are those that are there, and writes those
// that it is told to.
func compare(t *testing.T, want, have map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if have[name] == want[name] {
			continue
		}
		if !matches(os.Getenv(update), name) {
			t.Errorf("%s is not current; %s=%s writes it\n%s", name, update, name, firstDifference(have[name], want[name]))
			continue
		}
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(want[name]), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s has been written", name)
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("%s belongs to no .proto file", name)
		}
	}
}

// committedCode returns the generated files of the module by path, without those of
// externalCode.
func committedCode(t *testing.T) map[string]string {
	t.Helper()
	code := codeIn(t, "golden", "example", "internal/corpus")
	maps.DeleteFunc(code, func(name, _ string) bool { return strings.HasPrefix(name, externalFolder+"/") })
	return code
}

// codeIn returns the generated files in folders of the module by path.
func codeIn(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	code := map[string]string{}
	for _, folder := range folders {
		err := fs.WalkDir(os.DirFS(root), folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (isNested(name) || name == messageSets) {
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(name, "_flinkser.pb.go") && !strings.HasSuffix(name, "_flinkser_protoopaque.pb.go") {
				return nil
			}
			b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			code[name] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return code
}

// matches reports whether a path has the form of pattern.
func matches(pattern, name string) bool {
	if pattern == "" {
		return false
	}
	p, n := strings.Split(pattern, "/"), strings.Split(name, "/")
	var match func(p, n []string) bool
	match = func(p, n []string) bool {
		switch {
		case len(p) == 0:
			return len(n) == 0
		case p[0] == "**":
			return match(p[1:], n) || len(n) > 0 && match(p, n[1:])
		case len(n) == 0:
			return false
		}
		ok, err := path.Match(p[0], n[0])
		return err == nil && ok && match(p[1:], n[1:])
	}
	return match(p, n)
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "a/b.go", false},
		{"**", "a/b.go", true},
		{"**", "b.go", true},
		{"a/**", "a/b/c.go", true},
		{"a/*", "a/b/c.go", false},
		{"a/**/c.go", "a/c.go", true},
		{"*/b*.go", "a/bcd.go", true},
		{"b/**", "a/b.go", false},
		{"[", "a", false},
	} {
		if got := matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("matches(%q, %q) is %t", tt.pattern, tt.name, got)
		}
	}
}

// firstDifference shows the lines around the first that differs.
func firstDifference(have, want string) string {
	h, w := strings.Split(have, "\n"), strings.Split(want, "\n")
	n := 0
	for n < len(h) && n < len(w) && h[n] == w[n] {
		n++
	}
	around := func(lines []string) []string { return lines[min(len(lines), max(0, n-3)):min(len(lines), n+4)] }
	return cmp.Diff(around(h), around(w))
}

// buildPlugin returns the path of a plugin built from this checkout.
func buildPlugin(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "protoc-gen-flinkser")
	goTool(t, "build", "-o", bin, "./cmd/protoc-gen-flinkser")
	return bin
}

// goTool runs the go command in the module's folder and returns what it prints.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	return command(t, "go", args...)
}

// command runs a program in the module's folder. It must succeed.
func command(t *testing.T, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// TestProtocGivesTheSame generates everything with protoc.
func TestProtocGivesTheSame(t *testing.T) {
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("protoc is not on PATH")
	}
	out := t.TempDir()
	args := []string{"--plugin=protoc-gen-flinkser=" + buildPlugin(t), "--flinkser_out=" + out, "--flinkser_opt=paths=source_relative", "-I."}
	command(t, protoc, append(append(args, slices.Sorted(maps.Keys(committed(t)))...), newest)...)
	compareFolder(t, out)
}

// TestBufGivesTheSame generates everything with buf, a folder at a time and all at
// once.
func TestBufGivesTheSame(t *testing.T) {
	buf, err := exec.LookPath("buf")
	if err != nil {
		t.Skip("buf is not on PATH")
	}
	bin := buildPlugin(t)
	for _, strategy := range []string{"directory", "all"} {
		t.Run(strategy, func(t *testing.T) {
			out := t.TempDir()
			template := `{"version": "v2", "plugins": [{"local": ["` + filepath.ToSlash(bin) + `"], "out": "` + filepath.ToSlash(out) +
				`", "opt": "paths=source_relative", "strategy": "` + strategy + `"}]}`
			command(t, buf, "generate", "--template", template, "--exclude-path", externalFolder)
			compareFolder(t, out)
		})
	}
}

// compareFolder checks that folder holds the committed files and no other.
func compareFolder(t *testing.T, folder string) {
	t.Helper()
	have := committedCode(t)
	found := 0
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found++
		b, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if have[name] != string(b) {
			t.Errorf("%s differs\n%s", name, firstDifference(have[name], string(b)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found != len(have) {
		t.Errorf("%d files, want %d", found, len(have))
	}
}
