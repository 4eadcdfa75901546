// Package rundir opens the files of a benchmark run, in a folder or packed into one file.
package rundir

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"time"
)

// Limits on a packed run, which may come from somebody else.
const (
	maxMembers = 50_000
	maxMember  = 64 << 20
	maxTotal   = 256 << 20
)

// Suffix is the end of the name of a packed run.
const Suffix = ".tar.gz"

// Open opens a folder, or a file that Pack has written.
func Open(name string) (fs.FS, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return os.DirFS(name), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	files, err := unpack(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return files, nil
}

// unpack reads a packed run into memory.
func unpack(r io.Reader) (fs.FS, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	total := int64(0)
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		total += h.Size
		switch {
		case h.Typeflag != tar.TypeReg || !fs.ValidPath(h.Name) || strings.Contains(h.Name, `\`) || path.Clean(h.Name) != h.Name:
			return nil, fmt.Errorf("member %q is no regular file with a plain name", h.Name)
		case files[h.Name] != nil:
			return nil, fmt.Errorf("member %q is there twice", h.Name)
		case h.Size > maxMember || total > maxTotal || len(files) >= maxMembers:
			return nil, fmt.Errorf("more than %d files, %d bytes in one or %d bytes in all", maxMembers, maxMember, maxTotal)
		}
		// Grows with what arrives, whatever the header says.
		var data bytes.Buffer
		if _, err := io.Copy(&data, io.LimitReader(t, maxMember)); err != nil {
			return nil, err
		}
		files[h.Name] = &fstest.MapFile{Data: data.Bytes(), Mode: 0o444}
	}
}

// Pack writes the files of a folder into one file, the same bytes every time. Those that skip
// names are left out.
func Pack(w io.Writer, dir string, skip ...string) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	// WalkDir goes in the order of names.
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if slices.Contains(skip, name) {
			return nil
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s: not a regular file", name)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return add(t, name, data)
	})
	return errors.Join(err, t.Close(), z.Close())
}

func add(t *tar.Writer, name string, data []byte) error {
	err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR})
	if err != nil {
		return err
	}
	_, err = t.Write(data)
	return err
}
