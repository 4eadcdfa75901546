package inputs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const gitKind = "folder at a git reference"

// gitReference reads git:REFERENCE:PATH, a folder of .proto files, a single one, or a folder of snapshots as
// they are at a commit. Import paths are folders of that commit too.
func gitReference(name string, o Options) (*Input, error) {
	reference, file, ok := strings.Cut(strings.TrimPrefix(name, "git:"), ":")
	if !ok || reference == "" || strings.HasPrefix(reference, "-") {
		return nil, &Error{name, gitKind, errors.New("want git:REFERENCE:PATH, as in git:main:proto")}
	}
	file = path.Clean(filepath.ToSlash(file))
	roots := []string{file}
	if strings.HasSuffix(file, ".proto") {
		roots[0] = path.Dir(file)
	}
	if len(o.ImportPaths) > 0 {
		roots = nil
		for _, root := range o.ImportPaths {
			roots = append(roots, path.Clean(filepath.ToSlash(root)))
		}
	}
	commit, err := gitFiles(reference, append([]string{file}, roots...))
	if err != nil {
		return nil, &Error{name, gitKind, err}
	}
	var protos, states []string
	for _, found := range sortedKeys(commit) {
		switch {
		case found != file && file != "." && !strings.HasPrefix(found, file+"/"):
		case strings.HasSuffix(found, ".snapshot"):
			states = append(states, found)
		default:
			protos = append(protos, found)
		}
	}
	switch {
	case len(states) > 0 && len(protos) > 0:
		return nil, &Error{name, gitKind, errors.New("it holds .proto files and snapshots")}
	case len(states) > 0:
		return gitSnapshots(name, states, commit)
	case len(protos) == 0:
		return nil, &Error{name, gitKind, errors.New("it holds no .proto files and no .snapshot files")}
	}
	for i, found := range protos {
		if protos[i], err = below(found, roots); err != nil {
			return nil, &Error{name, gitKind, err}
		}
	}
	return compile(name, gitKind, protos, nil, func(file string) (io.ReadCloser, error) {
		for _, root := range roots {
			if text, ok := commit[path.Join(root, file)]; ok {
				return io.NopCloser(bytes.NewReader(text)), nil
			}
		}
		return nil, fs.ErrNotExist
	})
}

func gitSnapshots(name string, files []string, commit map[string][]byte) (*Input, error) {
	in := &Input{Name: name, Kind: "snapshots at a git reference"}
	for _, file := range files {
		// As it can be named by itself.
		reference, _, _ := strings.Cut(strings.TrimPrefix(name, "git:"), ":")
		one, err := content("git:"+reference+":"+file, commit[file], Options{})
		if err != nil {
			return nil, err
		}
		if one.Files != nil {
			return nil, &Error{one.Name, "snapshot", errors.New("it is a " + one.Kind)}
		}
		in.Snapshots = append(in.Snapshots, one.Snapshots...)
	}
	return in, nil
}

// gitFiles returns the .proto files and snapshots of a commit below some folders, as they were committed. (git archive would
// leave out what attributes of the repository say, and change the ends of lines.)
func gitFiles(reference string, folders []string) (map[string][]byte, error) {
	folders = slices.DeleteFunc(folders, func(folder string) bool {
		return path.IsAbs(folder) || folder == ".." || strings.HasPrefix(folder, "../")
	})
	if len(folders) == 0 {
		return nil, errors.New("it leads out of the folder: want a path below this one, with slashes")
	}
	list, err := git(nil, append([]string{"ls-tree", "-r", "-z", reference, "--"}, folders...)...)
	if err != nil {
		return nil, err
	}
	var names []string
	var objects bytes.Buffer
	for entry := range strings.SplitSeq(string(list), "\x00") {
		about, name, _ := strings.Cut(entry, "\t") // mode, type, object
		words := strings.Fields(about)
		if len(words) != 3 || !strings.HasSuffix(name, ".proto") && !strings.HasSuffix(name, ".snapshot") {
			continue
		}
		if words[1] != "blob" || words[0] == "120000" {
			return nil, fmt.Errorf("%s is a symbolic link or a submodule, which is not followed in a commit: name another path", name)
		}
		names = append(names, name)
		objects.WriteString(words[2] + "\n")
	}
	blobs, err := git(&objects, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	return readBlobs(names, blobs)
}

// readBlobs reads the output of git cat-file.
func readBlobs(names []string, blobs []byte) (map[string][]byte, error) {
	files := make(map[string][]byte, len(names))
	r := bufio.NewReader(bytes.NewReader(blobs))
	for _, name := range names {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("git cat-file: %s: %w", name, err)
		}
		var object, kind string
		var size int
		if _, err := fmt.Sscanf(line, "%s %s %d", &object, &kind, &size); err != nil || size < 0 || size > len(blobs) {
			return nil, fmt.Errorf("git cat-file: %s: %q", name, strings.TrimSpace(line))
		}
		text := make([]byte, size+1) // and the end of a line
		if _, err := io.ReadFull(r, text); err != nil {
			return nil, fmt.Errorf("git cat-file: %s: %w", name, err)
		}
		files[name] = text[:size]
	}
	return files, nil
}

// git runs git and returns what it prints.
func git(stdin io.Reader, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"--literal-pathspecs"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = stdin, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

func sortedKeys(m map[string][]byte) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
