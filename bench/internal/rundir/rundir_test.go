package rundir

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// archive makes a packed run out of headers; each file holds its name.
func archive(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, h := range headers {
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(h.Name))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := io.WriteString(w, h.Name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	file := func(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644} }
	files, err := unpack(bytes.NewReader(archive(t, file("a.json"), file("logs/b.log"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.json", "logs/b.log"} {
		if data, err := fs.ReadFile(files, name); err != nil || string(data) != name {
			t.Errorf("%s: %q, error %v", name, data, err)
		}
	}
	good := archive(t, file("a.json"))
	for name, data := range map[string][]byte{
		"above":     archive(t, file("../a")),
		"absolute":  archive(t, file("/a")),
		"not clean": archive(t, file("a/./b")),
		"backslash": archive(t, file(`a\b`)),
		"twice":     archive(t, file("a"), file("a")),
		"link":      archive(t, tar.Header{Name: "a", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}),
		"folder":    archive(t, tar.Header{Name: "a/", Typeflag: tar.TypeDir}),
		"cut":       good[:len(good)-20],
		"no gzip":   []byte("PK\x03\x04"),
		"empty":     nil,
	} {
		if _, err := unpack(bytes.NewReader(data)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestUnpackLimits checks that a large file is refused before it is read.
func TestUnpackLimits(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "a", Typeflag: tar.TypeReg, Size: maxMember + 1}); err != nil {
		t.Fatal(err)
	}
	if err := z.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := unpack(&b); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("error %v, want one about the size", err)
	}
}

func TestPackRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "a")); err != nil {
		t.Skip("no symbolic link can be made here, so that none is packed: ", err)
	}
	if err := Pack(io.Discard, dir); err == nil {
		t.Error("a symbolic link was packed")
	}
	if _, err := Open(filepath.Join(dir, "nothing")); err == nil {
		t.Error("a run that is not there was opened")
	}
}
