package names

import (
	"go/build"
	"go/build/constraint"
	"go/token"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestCollides(t *testing.T) {
	for _, name := range []string{Size, Append, Decode, Reuse, Clone, Schema, Calls} {
		if !Collides(name) {
			t.Errorf("%s does not collide", name)
		}
		if !token.IsExported(name) || !strings.HasSuffix(name, "Flinkser") {
			t.Errorf("%s is no exported name that ends in Flinkser", name)
		}
	}
	for _, name := range []string{"", "Flinkser", "SizeFlinkser_", "GetSizeFlinkser", "sizeFlinkser", "Size", TypedClone} {
		if Collides(name) {
			t.Errorf("%s collides", name)
		}
	}
}

// TestHelpers checks that names that are not exported cannot be those of fields: they
// begin with a lower-case letter.
func TestHelpers(t *testing.T) {
	for _, name := range []string{TypedClone, PutEntry("Field"), TakeEntry("Field"), PutEntry("X"), TakeEntry("XX_lead")} {
		if !token.IsIdentifier(name) || token.IsExported(name) {
			t.Errorf("%s is no name of a method that is not exported", name)
		}
	}
	if PutEntry("A") == PutEntry("B") || PutEntry("A") == TakeEntry("A") {
		t.Error("two helpers have one name")
	}
}

// TestLocal checks the list of names that imports must not take.
func TestLocal(t *testing.T) {
	list := Local()
	for n, name := range list {
		if !token.IsIdentifier(name) {
			t.Errorf("%q is no name", name)
		}
		if slices.Contains(list[:n], name) {
			t.Errorf("%s is listed twice", name)
		}
	}
	for _, name := range []string{"m", "b", "d", "e", "s", "v", "string", "len", "nil"} {
		if !slices.Contains(list, name) {
			t.Errorf("%s is not listed", name)
		}
	}
}

// TestBuildConstraint asks the go command's own rules about the file that protoc-gen-go
// writes: ours must be built for the same systems.
func TestBuildConstraint(t *testing.T) {
	prefixes := []string{
		"a", "a_b", "order", "f_test", "windows", "linux_arm64", "a_unix", "a_cgo", "a_flinkser",
		"f_windows", "dir/f_windows", "f_amd64", "f_linux_amd64", "f_amd64_linux", "f_windows_linux", "f_linux_unknown",
		"_windows", "_linux_amd64", "f__windows", "f_js_wasm", "f_wasip1", "f_ios", "f_android", "f_illumos",
		"f_windows.v1", "f.v1_windows", "f_linux.windows", "linux_amd64/f", "dir.v1/f_arm",
		"f_windows_test", "f_windows_amd64_test", "f_amd64_test", "f_test_windows", "windows_test", "f_test_test",
	}
	systems := [][2]string{
		{"linux", "amd64"},
		{"linux", "arm64"},
		{"windows", "amd64"},
		{"windows", "arm64"},
		{"darwin", "arm64"},
		{"ios", "arm64"},
		{"android", "arm"},
		{"solaris", "amd64"},
		{"illumos", "amd64"},
		{"js", "wasm"},
		{"wasip1", "wasm"},
	}
	for _, system := range systems {
		context := build.Default
		context.GOOS, context.GOARCH = system[0], system[1]
		context.OpenFile = func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		}
		for _, prefix := range prefixes {
			file := prefix + ".pb.go"
			dir, base := ".", file
			if i := strings.LastIndexByte(file, '/'); i >= 0 {
				dir, base = file[:i], file[i+1:]
			}
			if base[0] == '_' {
				continue // the go command ignores such files altogether
			}
			want, err := context.MatchFile(dir, base)
			if err != nil {
				t.Fatal(err)
			}
			text := BuildConstraint(prefix)
			got := true
			if text != "" {
				expr, err := constraint.Parse("//go:build " + text)
				if err != nil {
					t.Errorf("%s: %v", prefix, err)
					continue
				}
				got = expr.Eval(func(tag string) bool {
					// The tags that the go command adds to those of a system.
					return tag == system[0] || tag == system[1] || system[0] == "android" && tag == "linux" ||
						system[0] == "illumos" && tag == "solaris" || system[0] == "ios" && tag == "darwin"
				})
			}
			// The name of the generated file counts as well.
			ours, err := context.MatchFile(dir, base[:len(base)-len(".pb.go")]+FileSuffix(""))
			if err != nil {
				t.Fatal(err)
			}
			if got = got && ours; got != want {
				t.Errorf("%s on %s/%s: built is %t, want %t (constraint %q)", file, system[0], system[1], got, want, text)
			}
		}
	}
}

// TestSystems checks the lists against what this release of Go knows.
func TestSystems(t *testing.T) {
	b, err := os.ReadFile(build.Default.GOROOT + "/src/internal/syslist/syslist.go")
	if err != nil {
		t.Skip("the source of Go is not here: ", err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), "\":")
		if !ok || !strings.Contains(rest, "true") {
			continue
		}
		n++
		if name = strings.TrimPrefix(name, "\""); !known(goos, name) && !known(goarch, name) {
			t.Errorf("%s is missing", name)
		}
	}
	if n < 30 {
		t.Errorf("found %d systems, expected at least 30", n)
	}
}

// TestCodecNames checks that what a codec is called collides with nothing that another declares:
// the types begin with a lower-case letter, and no two methods of a codec have one name.
func TestCodecNames(t *testing.T) {
	for goName, want := range map[string]string{"TracesData": "tracesDataCodec", "Outer_Inner": "outer_InnerCodec", "X": "xCodec", "XCodec": "xCodecCodec"} {
		if got := CodecType(goName); got != want || !token.IsIdentifier(got) || token.IsExported(got) {
			t.Errorf("the type of codec %s is %s, want %s", goName, got, want)
		}
	}
	seen := map[string]string{}
	for _, method := range append([]string{DecodeTo, PutEntry("Size"), TakeEntry("Size"), PutEntry("XFlinkser"), PutEntry("X")}, methods...) {
		name := OfCodec(method)
		if !token.IsIdentifier(name) || token.IsExported(name) != token.IsExported(method) || seen[name] != "" {
			t.Errorf("%s is %s in a codec, as is %s", method, name, seen[name])
		}
		seen[name] = method
	}
}
