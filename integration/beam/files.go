package flinkserbeam

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// writeWhole writes a file that appears, or replaces another, when it is complete and on disk. Until then it has a name
// that begins with a dot.
func writeWhole(path string, write func(w io.Writer) error) error {
	file, err := createHidden(path)
	if err != nil {
		return err
	}
	to := bufio.NewWriterSize(file, 64<<10)
	if err = write(to); err == nil {
		err = errors.Join(to.Flush(), file.Sync())
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

// createHidden creates a file beside path, with the mode that new files have.
func createHidden(path string) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s-%016x", filepath.Base(path), rand.Uint64()))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// syncFolder puts a new name on disk. Systems that cannot do that with a folder do it by themselves.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !errors.Is(err, os.ErrInvalid) && !errors.Is(err, os.ErrPermission) {
		return err
	}
	return nil
}
