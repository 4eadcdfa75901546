// Package javadesc finds out which descriptors Java classes hold. It runs protoc, and with a JDK and
// protobuf-java compiles and loads what protoc wrote. It is for tests.
package javadesc

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	_ "embed"
)

// Jar is the environment variable that names the protobuf-java jar. tools/java-descriptors.sh sets it.
const Jar = "FLINKSER_PROTOBUF_JAVA"

// A Tree is the Java source of .proto files, a folder for each of them.
type Tree struct {
	dir     string
	folders map[string]string
}

// Generate writes the Java source of files, whose imports are looked up in root, below dir. The errors are those of files
// that protoc refuses.
func Generate(dir, root string, files []string) (*Tree, map[string]error, error) {
	if _, err := exec.LookPath("protoc"); err != nil {
		return nil, nil, err
	}
	t := &Tree{dir, map[string]string{}}
	refused := map[string]error{}
	for i, file := range files {
		folder := filepath.Join(dir, "java", strconv.Itoa(i))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, nil, err
		}
		cmd := exec.Command("protoc", "-I", root, "--java_out="+folder, file)
		if out, err := cmd.CombinedOutput(); err != nil {
			refused[file] = fmt.Errorf("protoc: %w: %s", err, bytes.TrimSpace(out))
			continue
		}
		t.folders[file] = folder
	}
	return t, refused, nil
}

// Literal returns the descriptor of a file as it stands in its Java source.
func (t *Tree) Literal(file string) ([]byte, error) {
	var found []byte
	err := filepath.WalkDir(t.folders[file], func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		_, text, ok := bytes.Cut(text, []byte("java.lang.String[] descriptorData = {\n"))
		if !ok {
			return nil
		}
		text, _, _ = bytes.Cut(text, []byte("\n    };\n"))
		found, err = literal(string(text))
		return err
	})
	if err == nil && found == nil {
		err = errors.New("no descriptor in the Java source")
	}
	return found, err
}

// literal returns the bytes of string literals of Java, whose characters are bytes.
func literal(text string) ([]byte, error) {
	var out []byte
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.TrimSpace(line), " +,")
		if len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' {
			return nil, fmt.Errorf("%q is no string literal", line)
		}
		for rest := line[1 : len(line)-1]; rest != ""; {
			c, n, err := char(rest)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
			out = append(out, c)
			rest = rest[n:]
		}
	}
	return out, nil
}

// char returns the byte at the start of the content of a string literal, and the length of its spelling.
func char(s string) (c byte, n int, err error) {
	if s[0] != '\\' {
		return s[0], 1, nil
	}
	if len(s) < 2 {
		return 0, 0, errors.New("nothing behind a backslash")
	}
	if i := strings.IndexByte(`btnfr"'\`, s[1]); i >= 0 {
		return "\b\t\n\f\r\"'\\"[i], 2, nil
	}
	for n = 1; n < len(s) && n <= 3 && '0' <= s[n] && s[n] <= '7'; n++ {
	}
	v, err := strconv.ParseUint(s[1:n], 8, 8)
	return byte(v), n, err
}

// dumpSource is a Java program that compiles source, loads the classes, and prints what they hold.
//
//go:embed Dump.java
var dumpSource []byte

// A Class is what the compiled classes of a file say.
type Class struct {
	Descriptor []byte // the file, as protobuf-java writes it, without source info
	Err        error  // why there is none
}

// Loaded is what Java says of compiled source.
type Loaded struct {
	Files    map[string]Class
	Messages map[string]string // full name to the binary name of the class
}

// Load compiles the Java source of all files of t, and loads it.
func (t *Tree) Load(jar string) (*Loaded, error) {
	for _, program := range []string{"java", "javac"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, err
		}
	}
	source, classes := filepath.Join(t.dir, "Dump.java"), filepath.Join(t.dir, "classes")
	if err := os.WriteFile(source, dumpSource, 0o666); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(classes, 0o777); err != nil {
		return nil, err
	}
	var in bytes.Buffer
	files := make([]string, 0, len(t.folders))
	for file := range t.folders {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		fmt.Fprintf(&in, "%s\t%s\n", file, t.folders[file])
	}
	cmd := exec.Command("java", "-cp", jar, source, jar, classes)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("java: %w: %s", err, stderr.Bytes())
	}
	loaded := &Loaded{map[string]Class{}, map[string]string{}}
	for line := range strings.Lines(stdout.String()) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(parts) != 3 {
			return nil, fmt.Errorf("java printed %q", line)
		}
		switch parts[1] {
		case "class":
			loaded.Messages[parts[0]] = parts[2]
		case "ok":
			b, err := hex.DecodeString(parts[2])
			loaded.Files[parts[0]] = Class{b, err}
		default:
			loaded.Files[parts[0]] = Class{nil, errors.New(parts[2])}
		}
	}
	return loaded, nil
}
