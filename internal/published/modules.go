package published

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Modules are the versions of modules that a module is built with.
type Modules struct {
	versions map[string]string
	dirs     map[string]string // of those that were needed
}

// ModulesOf returns the modules of the one in a folder.
func ModulesOf(dir string) (*Modules, error) {
	out, err := run(dir, "list", "-m", "-f", "{{if not .Main}}{{if not .Replace}}{{.Path}} {{.Version}}{{end}}{{end}}", "all")
	if err != nil {
		return nil, err
	}
	m := &Modules{versions: map[string]string{}, dirs: map[string]string{}}
	for line := range strings.Lines(string(out)) {
		if p, version, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			m.versions[p] = version
		}
	}
	return m, nil
}

// Version returns the version of a module, or "".
func (m *Modules) Version(module string) string { return m.versions[module] }

// Dir returns the folder of a Go package in one of the modules, or "" if it is in none.
func (m *Modules) Dir(importPath string) (string, error) {
	for module := importPath; module != "."; module = path.Dir(module) {
		if m.versions[module] == "" {
			continue
		}
		dir, err := m.download(module)
		return filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(importPath, module))), err
	}
	return "", nil
}

// Packages returns the import paths of the folders of a module that hold .pb.go files.
func (m *Modules) Packages(module string) ([]string, error) {
	if m.versions[module] == "" {
		return nil, fmt.Errorf("module %s is not required", module)
	}
	dir, err := m.download(module)
	if err != nil {
		return nil, err
	}
	var list []string
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".pb.go") {
			return err
		}
		rel, err := filepath.Rel(dir, filepath.Dir(name))
		if p := path.Join(module, filepath.ToSlash(rel)); !slices.Contains(list, p) {
			list = append(list, p)
		}
		return err
	})
	slices.Sort(list)
	return list, err
}

// download returns the folder of a module.
func (m *Modules) download(module string) (string, error) {
	if dir := m.dirs[module]; dir != "" {
		return dir, nil
	}
	// In a folder of its own it changes no go.sum.
	tmp, err := os.MkdirTemp("", "published")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	out, err := run(tmp, "mod", "download", "-json", module+"@"+m.versions[module])
	if err != nil {
		return "", err
	}
	var info struct{ Dir string }
	if err := json.Unmarshal(out, &info); err != nil {
		return "", err
	}
	m.dirs[module] = info.Dir
	return info.Dir, nil
}

func run(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, stderr.Bytes(), out)
	}
	return out, nil
}
