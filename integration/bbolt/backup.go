package flinkserbolt

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// Backup writes the whole file, with all its states, as it is at this moment. Others may read and write meanwhile.
func Backup(db *bolt.DB, w io.Writer) (n int64, err error) {
	err = db.View(func(tx *bolt.Tx) error { n, err = tx.WriteTo(w); return err })
	return n, err
}

// BackupFile is Backup to a file, which appears, or replaces another, when it is complete and on disk.
func BackupFile(db *bolt.DB, path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if _, err = Backup(db, file); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder puts the new name on disk. Systems that cannot do that with a folder do it by themselves.
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
