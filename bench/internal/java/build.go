package java

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Project are the Java lanes, built.
type Project struct {
	tools *Tools
	dir   string   // with the classes, and the list of jars
	jars  []string // what they need, in the order of the class path
}

const classPathFile = "classpath.txt"

// Open builds the lanes, unless the same source was built before. module is the folder of the module of the
// benchmarks. What is built lies in java/target below it, in a folder for each state of the source.
func Open(ctx context.Context, module string, tools *Tools) (*Project, error) {
	hash, err := sourceHash(module)
	if err != nil {
		return nil, err
	}
	target := filepath.Join(source(module), "target")
	p := &Project{tools: tools, dir: filepath.Join(target, "lanes-"+hash[:16])}
	if err := p.load(); err == nil {
		return p, nil
	}
	if err := os.MkdirAll(target, 0o777); err != nil {
		return nil, err
	}
	if err := p.build(ctx, module, target); err != nil {
		return nil, err
	}
	return p, p.load()
}

// build builds in a folder of its own, which gets its name when it is complete: another process may
// be building too.
func (p *Project) build(ctx context.Context, module, target string) error {
	temp, err := os.MkdirTemp(target, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if temp, err = filepath.Abs(temp); err != nil {
		return err
	}
	if err := maven(ctx, p.tools, source(module), "-Dout="+temp, "process-classes"); err != nil {
		return err
	}
	if err := os.Rename(temp, p.dir); err != nil && p.load() != nil {
		return err
	}
	return nil
}

// maven runs phases or goals of the build.
func maven(ctx context.Context, tools *Tools, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, tools.Maven, append([]string{"-B", "-q"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MAVEN_OPTS=-Xmx512m "+os.Getenv("MAVEN_OPTS"))
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("mvn %s in %s: %w: %s", strings.Join(args, " "), dir, err, tail(printed.Bytes()))
	}
	return nil
}

// load reads the class path of what was built.
func (p *Project) load() error {
	b, err := os.ReadFile(filepath.Join(p.dir, classPathFile))
	if err != nil {
		return err
	}
	p.jars = filepath.SplitList(strings.TrimSpace(string(b)))
	for _, jar := range p.jars {
		// Maven's repository may have been emptied since.
		if _, err := os.Stat(jar); err != nil {
			return err
		}
	}
	_, err = os.Stat(filepath.Join(p.dir, "classes"))
	return err
}

func (p *Project) classPath() string {
	return strings.Join(append([]string{filepath.Join(p.dir, "classes")}, p.jars...), string(filepath.ListSeparator))
}

// sourceHash is the hash of all that is compiled.
func sourceHash(module string) (string, error) {
	return treeHash(module, filepath.Join("java", "pom.xml"), filepath.Join("java", "src", "main"), "schema")
}

// treeHash is the hash of files and folders below root.
func treeHash(root string, names ...string) (string, error) {
	sum := sha256.New()
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(root, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			content, err := fileHash(path)
			fmt.Fprintf(sum, "%s  %s\n", content, filepath.ToSlash(rel))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ClassPathSHA256 returns a line for each file that the class path leads to: its hash, two spaces, its
// name without the folders of this machine. The order of jars is that of the class path; the classes of the
// lanes come first.
func (p *Project) ClassPathSHA256() (string, error) {
	var lines strings.Builder
	var classes []string
	root := filepath.Join(p.dir, "classes")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			classes = append(classes, path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	slices.Sort(classes)
	for _, path := range classes {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return "", err
		}
		if err := hashLine(&lines, path, "classes/"+filepath.ToSlash(rel)); err != nil {
			return "", err
		}
	}
	for _, jar := range p.jars {
		if err := hashLine(&lines, jar, filepath.Base(jar)); err != nil {
			return "", err
		}
	}
	return lines.String(), nil
}

func hashLine(w io.Writer, path, name string) error {
	sum, err := fileHash(path)
	if err == nil {
		fmt.Fprintf(w, "%s  %s\n", sum, name)
	}
	return err
}
