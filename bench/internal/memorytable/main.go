// Memorytable writes the table of docs/memory.md, which stands between two comments, from retention.csv of
// a run.
//
//	go run ./internal/memorytable           writes it
//	go run ./internal/memorytable -check    fails if it is not current
package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

const (
	document = "../docs/memory.md"
	table    = "runs/retention.csv"
	begin    = "<!-- retention -->\n"
	end      = "<!-- /retention -->"
)

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "memorytable:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	was, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	is, err := fill(was, data)
	if err != nil || bytes.Equal(was, is) {
		return err
	}
	if check {
		return errors.New("docs/memory.md is not what runs/retention.csv says: go run ./internal/memorytable writes it anew")
	}
	return os.WriteFile(document, is, 0o666)
}

// fill returns a document with the table of a CSV file.
func fill(text, data []byte) ([]byte, error) {
	before, rest, ok := bytes.Cut(text, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return nil, fmt.Errorf("there is no %s with a %s behind it", strings.TrimSpace(begin), end)
	}
	t, err := markdown(data)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, begin, t, end, after), nil
}

// markdown makes a row for each field that is kept, and a column for each way to decode.
func markdown(data []byte) (string, error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return "", err
	}
	if len(rows) < 2 || strings.Join(rows[0], ",") != "message,payload_bytes,kept,library,mode,bytes_kept_alive,bytes_of_whole_message" {
		return "", errors.New("the table has other columns, or no rows")
	}
	var modes []string
	var fields [][2]string
	cells := map[string]string{}
	for _, r := range rows[1:] {
		mode := r[4]
		if r[3] != "flinkser" {
			mode = r[3]
		}
		field := [2]string{fmt.Sprintf("%s, %s bytes", r[0], r[1]), r[2]}
		modes, fields = unique(modes, mode), unique(fields, field)
		cells[field[0]+"/"+field[1]+"/"+mode] = r[5]
		cells[field[0]+"/whole/"+mode] = r[6]
	}
	var b strings.Builder
	line := func(columns ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(columns, " | ")) }
	line(append([]string{"message", "what is kept"}, modes...)...)
	b.WriteString("|---|---|" + strings.Repeat("---|", len(modes)) + "\n")
	for i, f := range fields {
		line(append(f[:], values(cells, f[0]+"/"+f[1]+"/", modes)...)...)
		if i == len(fields)-1 || fields[i+1][0] != f[0] {
			line(append([]string{f[0], "the whole message"}, values(cells, f[0]+"/whole/", modes)...)...)
		}
	}
	return b.String(), nil
}

func unique[T comparable](list []T, v T) []T {
	for _, x := range list {
		if x == v {
			return list
		}
	}
	return append(list, v)
}

func values(cells map[string]string, prefix string, modes []string) []string {
	var all []string
	for _, m := range modes {
		all = append(all, cells[prefix+m])
	}
	return all
}
