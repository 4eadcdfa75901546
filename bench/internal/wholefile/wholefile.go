// Package wholefile writes files that are either there as a whole or not at all.
package wholefile

import (
	"os"
	"path/filepath"
)

// Partial matches the names of files that were being written when a process was killed.
const Partial = ".new-*"

// Write writes a file under another name beside its own, and renames it.
func Write(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), Partial)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Clean removes what killed processes have left in a folder.
func Clean(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, Partial))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}
