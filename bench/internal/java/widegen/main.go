// Command widegen writes the code for the message Wide of the Java lanes: sixty fields in each
// format, of fifteen types in turn. Run it in bench/java.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "widegen:", err)
		os.Exit(1)
	}
}

// write writes all files below root.
func write(root string) error {
	for name, text := range files {
		out, err := render(text)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), out, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// A field is one of Wide.
type field struct {
	N    int
	Java string // class
	Prim string // type of what a getter of protoc returns
	Avro string
	// Thrift has no type of 32 bits for floating point numbers, nor unsigned ones.
	Thrift string
	Index  int // of the field in Avro's records
	Last   bool
}

// Upper is the name with a capital.
func (f field) Upper() string { return fmt.Sprintf("F%d", f.N) }

// Float reports whether Thrift holds the field as a wider type.
func (f field) Float() bool { return f.Java == "Float" }

const count = 60

// fields are those of bench/schema/bench.proto.
func fields() []field {
	long := field{Java: "Long", Prim: "long", Avro: "long", Thrift: "i64"}
	integer := field{Java: "Integer", Prim: "int", Avro: "int", Thrift: "i32"}
	types := []field{
		long, long, integer, integer, long, long, integer, integer, long,
		{Java: "Boolean", Prim: "boolean", Avro: "boolean", Thrift: "bool"},
		{Java: "String", Prim: "String", Avro: "string", Thrift: "string"},
		long,
		{Java: "Double", Prim: "double", Avro: "double", Thrift: "double"},
		integer,
		{Java: "Float", Prim: "float", Avro: "float", Thrift: "double"},
	}
	all := make([]field, count)
	for i := range all {
		all[i] = types[i%len(types)]
		all[i].N, all[i].Index, all[i].Last = i+1, i, i == count-1
	}
	return all
}

func render(text string) ([]byte, error) {
	t, err := template.New("wide").Parse(strings.TrimPrefix(text, "\n"))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(io.Writer(&out), fields())
	return out.Bytes(), err
}
