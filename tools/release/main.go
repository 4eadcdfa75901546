// Release tries out a release without making one. It copies the tree, turns every go.mod into
// the form that a release has (no replace line, one version for all modules of this
// repository), packs the modules as a module proxy serves them, and then does what a user
// does, outside the checkout and with an empty module cache:
//
//   - installs every command with go install PACKAGE@VERSION and asks the plugin for its version;
//   - generates code for a new .proto with the installed plugin, and builds and runs a program
//     that uses it, the library, and a generated package of this repository;
//   - builds all other packages of the nested modules at that version.
//
// Run it in its folder: go run . ROOT. What the modules require beyond this repository comes
// from the caller's module cache and GOPROXY.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	rootPath = "github.com/flinkser/flinkser"
	// version is the one that all modules get.
	version = "v0.0.0-check"
)

// unreleased lists the folders of modules that serve work on the repository and are never
// released.
var unreleased = []string{"conformance", "tools/release"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . ROOT")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "release-check:", err)
		os.Exit(1)
	}
	fmt.Println("release-check: passed")
}

// trial is one run. All its folders lie in a temporary one.
type trial struct {
	root    string   // the checkout
	tree    string   // the copy that is released
	proxy   string   // what the module proxy serves
	bin     string   // where commands are installed
	work    string   // where consumers are built
	env     []string // for the go command of a user
	modules []string // folders of the released modules, the root's "." first
}

func run(root string) (err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "release-check-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	t := &trial{
		root:  root,
		tree:  filepath.Join(temp, "tree"),
		proxy: filepath.Join(temp, "proxy"),
		bin:   filepath.Join(temp, "bin"),
		work:  filepath.Join(temp, "work"),
	}
	for _, dir := range []string{t.tree, t.proxy, t.bin, t.work} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
	}
	if err := t.environment(filepath.Join(temp, "modcache")); err != nil {
		return err
	}
	for _, step := range []func() error{t.copyTree, t.releaseForm, t.pack, t.install, t.consume, t.nested} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// environment sets t.env. The module cache is a new one, so that nothing is taken from an
// earlier run; the caller's is used as a proxy, so that little is downloaded again.
func (t *trial) environment(cache string) error {
	out, err := command(t.root, nil, "go", "env", "-json", "GOMODCACHE", "GOPROXY", "GONOSUMDB")
	if err != nil {
		return err
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		return err
	}
	proxies := []string{fileURL(t.proxy), fileURL(filepath.Join(env["GOMODCACHE"], "cache", "download"))}
	if env["GOPROXY"] != "" {
		proxies = append(proxies, env["GOPROXY"])
	}
	nosum := rootPath
	if env["GONOSUMDB"] != "" {
		nosum += "," + env["GONOSUMDB"]
	}
	t.env = append(os.Environ(),
		"GOPROXY="+strings.Join(proxies, ","),
		"GONOSUMDB="+nosum, // these versions are in no checksum database
		"GONOPROXY=none", "GOPRIVATE=", "GOWORK=off",
		"GOMODCACHE="+cache,
		// -modcacherw lets the temporary folder be removed. -trimpath makes the build cache
		// serve the next run too, whose module cache has another name.
		"GOFLAGS=-modcacherw -trimpath -mod=mod",
		"GOBIN="+t.bin,
	)
	return nil
}

func fileURL(dir string) string {
	dir = filepath.ToSlash(dir)
	if !strings.HasPrefix(dir, "/") {
		dir = "/" + dir
	}
	return "file://" + dir
}

// copyTree copies what git would commit of the checkout.
func (t *trial) copyTree() error {
	step("copy the tree")
	out, err := command(t.root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	n := 0
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		from, to := filepath.Join(t.root, name), filepath.Join(t.tree, name)
		info, err := os.Lstat(from)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, but not in git yet
		}
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file: a module zip leaves it out", name)
		}
		b, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, b, info.Mode().Perm()); err != nil {
			return err
		}
		n++
	}
	fmt.Println(n, "files")
	return nil
}

// releaseForm finds the modules and rewrites their go.mod files.
func (t *trial) releaseForm() error {
	step("drop the replace lines, set version " + version)
	err := filepath.WalkDir(t.tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if d.Name() != "go.mod" {
			return nil
		}
		dir, err := filepath.Rel(t.tree, filepath.Dir(name))
		if err != nil {
			return err
		}
		if dir = filepath.ToSlash(dir); !slices.Contains(unreleased, dir) {
			t.modules = append(t.modules, dir)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(t.modules) // "." comes first
	if len(t.modules) == 0 || t.modules[0] != "." {
		return errors.New("the root has no go.mod")
	}
	for _, dir := range t.modules {
		name := filepath.Join(t.tree, dir, "go.mod")
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		b, err = releasedGoMod(dir, b)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, b, 0o666); err != nil {
			return err
		}
		if err := t.license(dir); err != nil {
			return err
		}
		fmt.Println(modulePath(dir))
	}
	return nil
}

// releasedGoMod returns the go.mod of the module in the given folder as it is released.
func releasedGoMod(dir string, b []byte) ([]byte, error) {
	file, err := modfile.Parse(path.Join(dir, "go.mod"), b, nil)
	if err != nil {
		return nil, err
	}
	if file.Module.Mod.Path != modulePath(dir) {
		return nil, fmt.Errorf("%s: module %s, want %s", file.Syntax.Name, file.Module.Mod.Path, modulePath(dir))
	}
	if dir == "." && len(file.Replace) > 0 {
		return nil, errors.New("go.mod: a replace line, with which go install PACKAGE@VERSION fails")
	}
	for _, r := range slices.Clone(file.Replace) {
		if !ours(r.Old.Path) {
			return nil, fmt.Errorf("%s: replaces %s, which a release cannot", file.Syntax.Name, r.Old.Path)
		}
		if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return nil, err
		}
	}
	for _, r := range file.Require {
		if ours(r.Mod.Path) {
			if err := file.AddRequire(r.Mod.Path, version); err != nil {
				return nil, err
			}
		}
	}
	file.Cleanup()
	return file.Format()
}

func modulePath(dir string) string { return path.Join(rootPath, dir) }

func ours(modulePath string) bool {
	return modulePath == rootPath || strings.HasPrefix(modulePath, rootPath+"/")
}

// license puts the root's LICENSE into a module that has none, as the go command does when
// it packs a module of a repository.
func (t *trial) license(dir string) error {
	to := filepath.Join(t.tree, dir, "LICENSE")
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	b, err := os.ReadFile(filepath.Join(t.tree, "LICENSE"))
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o666)
}

// pack writes the modules into the proxy's folder.
func (t *trial) pack() error {
	step("pack the modules")
	for _, dir := range t.modules {
		mod := module.Version{Path: modulePath(dir), Version: version}
		escaped, err := module.EscapePath(mod.Path)
		if err != nil {
			return err
		}
		base := filepath.Join(t.proxy, filepath.FromSlash(escaped), "@v")
		if err := os.MkdirAll(base, 0o777); err != nil {
			return err
		}
		goMod, err := os.ReadFile(filepath.Join(t.tree, dir, "go.mod"))
		if err != nil {
			return err
		}
		info, err := json.Marshal(struct {
			Version string
			Time    time.Time
		}{version, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		var packed bytes.Buffer
		if err := zip.CreateFromDir(&packed, mod, filepath.Join(t.tree, dir)); err != nil {
			return err
		}
		for ext, b := range map[string][]byte{".mod": goMod, ".info": info, ".zip": packed.Bytes()} {
			if err := os.WriteFile(filepath.Join(base, version+ext), b, 0o666); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(base, "list"), []byte(version+"\n"), 0o666); err != nil {
			return err
		}
		fmt.Printf("%s: %d KiB\n", mod, (packed.Len()+1023)/1024)
	}
	return nil
}

// packages returns the import paths of a module's packages that are of use outside it, and of
// those its commands.
func (t *trial) packages(dir string) (all, commands []string, err error) {
	// The list comes from the checkout, whose replace lines the nested modules need here.
	out, err := command(filepath.Join(t.root, dir), nil, "go", "list", "-f", "{{.ImportPath}} {{.Name}} {{len .GoFiles}}", "./...")
	if err != nil {
		return nil, nil, err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] == "0" || strings.Contains(fields[0]+"/", "/internal/") {
			continue
		}
		if fields[1] == "main" {
			commands = append(commands, fields[0])
		} else {
			all = append(all, fields[0])
		}
	}
	return all, commands, nil
}

// install installs all commands of all modules.
func (t *trial) install() error {
	step("go install every command")
	// The go command looks into its cache first: once the root module is there, a package of
	// a nested module that is not would be called missing.
	for _, dir := range t.modules {
		if _, err := command(t.work, t.env, "go", "mod", "download", modulePath(dir)+"@"+version); err != nil {
			return err
		}
	}
	for _, dir := range t.modules {
		_, commands, err := t.packages(dir)
		if err != nil {
			return err
		}
		for _, pkg := range commands {
			fmt.Printf("go install %s@%s\n", pkg, version)
			if _, err := command(t.work, t.env, "go", "install", pkg+"@"+version); err != nil {
				return err
			}
		}
	}
	out, err := command(t.work, t.env, filepath.Join(t.bin, "protoc-gen-flinkser"), "--version")
	if err != nil {
		return err
	}
	if want := "protoc-gen-flinkser " + version; strings.TrimSpace(string(out)) != want {
		return fmt.Errorf("protoc-gen-flinkser --version prints %q, want %q", out, want)
	}
	fmt.Print(string(out))
	return nil
}

// consume builds and runs the program of a user.
func (t *trial) consume() error {
	step("generate, build and run a program outside the checkout")
	dir := filepath.Join(t.work, "consumer")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(t.root, "tools", "release", "testdata", "consumer"))); err != nil {
		return err
	}
	goMod := fmt.Sprintf("module example.com/consumer\n\ngo 1.25\n\nrequire %s %s\n", rootPath, version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(goMod), 0o666); err != nil {
		return err
	}
	// The plugin of protobuf in the version that the library is built with.
	if _, err := command(dir, t.env, "go", "build", "-o", t.bin+string(filepath.Separator), "google.golang.org/protobuf/cmd/protoc-gen-go"); err != nil {
		return err
	}
	for _, plugin := range []string{"protoc-gen-go", "protoc-gen-flinkser"} {
		out, err := command(t.root, nil, "go", "run", "./internal/regen", "-root", dir, "-plugin", filepath.Join(t.bin, plugin), "notepb")
		if err != nil {
			return err
		}
		fmt.Print(string(out))
	}
	for _, args := range [][]string{{"mod", "tidy"}, {"vet", "./..."}, {"run", "."}} {
		out, err := command(dir, t.env, "go", args...)
		if err != nil {
			return err
		}
		fmt.Print(string(out))
	}
	return nil
}

// nested builds the packages of the nested modules, as a module that requires them would.
func (t *trial) nested() error {
	step("build the packages of all modules at " + version)
	for i, released := range t.modules {
		pkgs, _, err := t.packages(released)
		if err != nil {
			return err
		}
		if len(pkgs) == 0 {
			continue
		}
		dir := filepath.Join(t.work, fmt.Sprintf("nested%d", i))
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
		// With the module's own Go version: what it requires may need it.
		goVersion, err := command(filepath.Join(t.root, released), nil, "go", "list", "-m", "-f", "{{.GoVersion}}")
		if err != nil {
			return err
		}
		goMod := fmt.Sprintf("module example.com/nested\n\ngo %s\nrequire %s %s\n", goVersion, modulePath(released), version)
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(goMod), 0o666); err != nil {
			return err
		}
		if _, err := command(dir, t.env, "go", append([]string{"build"}, pkgs...)...); err != nil {
			return err
		}
		fmt.Printf("%s: %d packages\n", modulePath(released), len(pkgs))
	}
	return nil
}

func step(what string) { fmt.Println("\n== " + what) }

// command runs a program in a folder and returns what it prints. The error holds what it
// prints to standard error.
func command(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	var stderr bytes.Buffer
	cmd.Stderr = io.Writer(&stderr)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out, stderr.Bytes())
	}
	return out, nil
}
