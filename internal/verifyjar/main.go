// Verifyjar writes what a jar with the Java serializer is asked, for tools/verify-jar.sh: the
// snapshots of the tests, the verdicts of the strict policy on them, and frames.
//
//	go run ./internal/verifyjar FOLDER
//
// The jar is asked in terms of Flink's interfaces, see VerifyJar.java. What the jar cannot hold, because
// it is for proto3 only, is left out and counted.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/internal/questions"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: verifyjar FOLDER")
		os.Exit(2)
	}
	all, err := questions.Collect("runtime/snapshot/testdata")
	if err == nil {
		err = write(os.Args[1], all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "verifyjar:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pairs are left out, as the Java library holds no such messages\n", all.Left)
}

// write writes the files of all questions into a folder, and one with a line for each question.
func write(dir string, all *questions.All) error {
	var lines strings.Builder
	ask := func(words ...string) { lines.WriteString(strings.Join(words, "\t") + "\n") }
	// Names may hold anything, so files are numbered.
	files := map[*questions.Snapshot]string{}
	for i, s := range all.Snapshots {
		files[s] = strconv.Itoa(i) + ".snapshot"
		if err := os.WriteFile(filepath.Join(dir, files[s]), s.Bytes, 0o644); err != nil {
			return err
		}
		ask("snapshot", files[s])
	}
	for i, f := range all.Frames {
		file := strconv.Itoa(i) + ".frames"
		if err := os.WriteFile(filepath.Join(dir, file), f.Bytes, 0o644); err != nil {
			return err
		}
		ask("frames", files[f.Snapshot], file, "classes/"+classes(f.Schema))
	}
	for _, v := range all.Verdicts {
		answer := "break"
		if v.Compatible {
			answer = "ok"
		}
		ask("verdict", v.Name, files[v.Old], files[v.New], answer)
	}
	return os.WriteFile(filepath.Join(dir, "checks.txt"), []byte(lines.String()), 0o644)
}

// classes is the folder of the classes of a schema, as the shell script names it.
func classes(schema string) string {
	if name := filepath.Base(schema); name != "proto" {
		return name
	}
	return "flink-snapshots"
}
