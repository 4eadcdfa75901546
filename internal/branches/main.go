// Branches counts the blocks of generated code that tests have not entered: the parts of a
// function that a branch begins or ends, as go test -coverprofile names them.
//
//	go run ./internal/branches [-limit PERCENT] [-list N] PROFILE...
//
// A block counts as entered if one of the profiles says so. Those that are not are listed with
// their first line, and the exit code is 1 if they are more than the limit.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

func main() {
	limit := flag.Float64("limit", 2, "`percent` of the blocks that may stay without input")
	list := flag.Int("list", 2000, "`number` of blocks to list")
	flag.Parse()
	if err := run(os.Stdout, *limit, *list, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "branches:", err)
		os.Exit(1)
	}
}

const modulePath = "github.com/flinkser/flinkser/"

// block is a part of a file without a branch in it.
type block struct {
	file       string // from the module's folder
	line, last int
	columns    string // tells blocks of the same lines apart
}

func run(out io.Writer, limit float64, list int, profiles []string) error {
	if len(profiles) == 0 {
		return errors.New("name at least one profile of go test -coverprofile")
	}
	entered := map[block]bool{}
	for _, name := range profiles {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		err = read(f, entered)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(entered) == 0 {
		return errors.New("the profiles have no generated code")
	}
	missed := missing(entered)
	texts := map[string][]string{}
	for n, b := range missed {
		if n == list {
			fmt.Fprintf(out, "and %d more\n", len(missed)-n)
			break
		}
		fmt.Fprintf(out, "%s:%d: %s\n", b.file, b.line, firstLine(texts, b))
	}
	share := 100 * float64(len(missed)) / float64(len(entered))
	fmt.Fprintf(out, "blocks of generated code: %d, without input %d (%.2f %%, limit %.2f %%)\n", len(entered), len(missed), share, limit)
	if share > limit {
		return fmt.Errorf("%.2f %% of the blocks of generated code have not been entered, above the limit of %.2f %%", share, limit)
	}
	return nil
}

// read adds the blocks of generated code that a profile names, and whether they were entered.
func read(r io.Reader, entered map[block]bool) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.HasPrefix(line, "mode: ") {
			continue
		}
		b, count, err := parse(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if strings.Contains(b.file, "_flinkser") {
			entered[b] = entered[b] || count
		}
	}
	return lines.Err()
}

// parse reads a line of the form path/file.go:line.column,line.column statements count.
func parse(line string) (b block, entered bool, err error) {
	fields := strings.Fields(line)
	colon := strings.LastIndexByte(line, ':')
	if len(fields) != 3 || colon < 0 || colon >= len(fields[0]) {
		return b, false, fmt.Errorf("%q is no line of a profile", line)
	}
	b.file, b.columns = strings.TrimPrefix(line[:colon], modulePath), fields[0][colon+1:]
	from, to, _ := strings.Cut(b.columns, ",")
	for _, place := range []struct {
		text string
		line *int
	}{{from, &b.line}, {to, &b.last}} {
		number, _, _ := strings.Cut(place.text, ".")
		if *place.line, err = strconv.Atoi(number); err != nil {
			return b, false, fmt.Errorf("%q: %w", line, err)
		}
	}
	return b, fields[2] != "0", nil
}

// missing returns the blocks that have not been entered, by place.
func missing(entered map[block]bool) []block {
	var list []block
	for b, ok := range entered {
		if !ok {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b block) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), strings.Compare(a.columns, b.columns))
	})
	return list
}

// firstLine returns the line that a block begins on, as far as it can be read.
func firstLine(texts map[string][]string, b block) string {
	lines, ok := texts[b.file]
	if !ok {
		text, err := os.ReadFile(b.file)
		if err == nil {
			lines = strings.Split(string(text), "\n")
		}
		texts[b.file] = lines
	}
	if b.line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[b.line-1])
}
