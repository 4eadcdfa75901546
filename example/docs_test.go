// Package example_test keeps the Go code in the documentation true: it must compile, and
// the README must show what the package example of the runtime runs.
package example_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports are the packages that a block may use without importing them, by the name
// that they have there.
var imports = map[string]string{
	"bytes":    "bytes",
	"errors":   "errors",
	"flinkser": "github.com/flinkser/flinkser/runtime",
	"fmt":      "fmt",
	"io":       "io",
	"orderpb":  "github.com/flinkser/flinkser/example/frames/orderpb",
	"proto":    "google.golang.org/protobuf/proto",
	"snapshot": "github.com/flinkser/flinkser/runtime/snapshot",

	"timestamppb": "google.golang.org/protobuf/types/known/timestamppb",
	"wkt":         "github.com/flinkser/flinkser/golden/external/wkt",
}

// before declares what a block may use without declaring it.
const before = `
var (
	m      *orderpb.Order
	order  *orderpb.Order
	got    *orderpb.Order
	orders []*orderpb.Order
	src    io.Reader
	dst    io.Writer
	r      *flinkser.Reader[*orderpb.Order]
	saved  []byte
	frame  []byte
	old    *snapshot.Snapshot
	now    *snapshot.Snapshot
)
`

func TestBlocksCompile(t *testing.T) {
	files, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, more...)
	check := newChecker(t)
	total := 0
	for _, file := range files {
		for _, block := range goBlocks(t, file) {
			total++
			if err := check(block); err != nil {
				t.Errorf("%s: %v in this block:\n%s", strings.TrimPrefix(file, "../"), err, block)
			}
		}
	}
	if total < 4 {
		t.Errorf("only %d blocks of Go found in %v", total, files)
	}
	if check("return nosuch.Name\n") == nil || check("var x int = flinkser.ErrDepth\n") == nil {
		t.Error("a block that cannot compile passed")
	}
}

func TestReadmeShowsExample(t *testing.T) {
	blocks := goBlocks(t, "../README.md")
	if len(blocks) == 0 {
		t.Fatal("no block of Go in the README")
	}
	readme := lines(blocks[0])
	text, err := os.ReadFile("../runtime/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	_, after, found := strings.Cut(source, "// README begin\n")
	body, _, closed := strings.Cut(after, "// README end\n")
	if !found || !closed {
		t.Fatal("the example has no lines between README begin and README end")
	}
	var want []string
	for _, line := range lines(source) {
		if strings.HasPrefix(line, `flinkser "`) {
			want = append(want, "import "+line)
		}
	}
	for _, line := range lines(body) {
		if line != "check(err)" {
			want = append(want, line)
		}
	}
	if !slices.Equal(readme, want) {
		t.Errorf("the README shows\n%s\nand the example runs\n%s", strings.Join(readme, "\n"), strings.Join(want, "\n"))
	}
}

// lines returns the lines of s that are not empty, each without what only aligns it.
func lines(s string) []string {
	var list []string
	for _, line := range strings.Split(s, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			list = append(list, line)
		}
	}
	return list
}

var fence = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

func goBlocks(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, match := range fence.FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

// newChecker returns a function that reports why a block does not compile, or that gofmt
// would write it in another way. A block is a list of declarations, or of statements of a
// function that returns an error; lines that import may come first. Variables and
// imports may stay unused.
func newChecker(t *testing.T) func(block string) error {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, path := range imports {
		args = append(args, path)
	}
	var stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Stderr = &stderr
	list, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	exports := map[string]string{}
	for _, line := range strings.Split(string(list), "\n") {
		path, export, _ := strings.Cut(line, " ")
		exports[path] = export
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no package %s", path)
		}
		return os.Open(exports[path])
	})
	return func(block string) error {
		file, err := parseBlock(fset, block)
		if err != nil {
			return err
		}
		var errs []error
		config := types.Config{Importer: from, Error: func(err error) {
			var fault types.Error
			if !errors.As(err, &fault) || !fault.Soft {
				errs = append(errs, err)
			}
		}}
		// What Check returns is the first of the errors above, perhaps a soft one.
		_, _ = config.Check("docs", fset, []*ast.File{file}, nil)
		return errors.Join(errs...)
	}
}

func parseBlock(fset *token.FileSet, block string) (*ast.File, error) {
	var head, rest strings.Builder
	head.WriteString("package docs\n")
	for _, line := range strings.SplitAfter(block, "\n") {
		if strings.HasPrefix(line, "import ") {
			head.WriteString(line)
		} else {
			rest.WriteString(line)
		}
	}
	formatted, err := format.Source([]byte(rest.String()))
	if err != nil {
		return nil, err
	}
	if string(formatted) != rest.String() {
		return nil, fmt.Errorf("gofmt writes it as\n%s", formatted)
	}
	for name, path := range imports {
		if !strings.Contains(head.String(), strconv.Quote(path)) {
			fmt.Fprintf(&head, "import %s %q\n", name, path)
		}
	}
	if file, err := parser.ParseFile(fset, "block", head.String()+before+rest.String(), 0); err == nil {
		return file, nil
	}
	body := "func _() error {\n" + rest.String() + "\nreturn nil\n}\n"
	return parser.ParseFile(fset, "block", head.String()+before+body, 0)
}
