// Protoc-gen-flinkser generates Go code that writes and reads protobuf messages, beside
// the code of protoc-gen-go. It is run by protoc or buf:
//
//	protoc --go_out=. --flinkser_out=. --go_opt=paths=source_relative --flinkser_opt=paths=source_relative order.proto
//
// or, in buf.gen.yaml:
//
//	plugins:
//	  - local: protoc-gen-go
//	    out: gen
//	    opt: paths=source_relative
//	  - local: protoc-gen-flinkser
//	    out: gen
//	    opt: paths=source_relative
//
// For order.proto it writes order_flinkser.pb.go into the package of order.pb.go. Give
// both plugins the same options for paths. Options of its own are written the same way,
// separated by commas; --help lists them. What a file holds that is refused is
// an error with file, line, column and the reason, and no file is written.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/flinkser/flinkser/gen"
	"github.com/flinkser/flinkser/internal/version"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main for the given arguments; it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var opts gen.Options
	fs := flag.NewFlagSet("protoc-gen-flinkser", flag.ContinueOnError)
	gen.RegisterFlags(fs, &opts)
	if len(args) > 0 {
		switch args[0] {
		case "--version", "-version":
			fmt.Fprintln(stdout, "protoc-gen-flinkser", version.String())
			return 0
		case "--help", "-help", "-h":
			help(stdout, fs)
			return 0
		default:
			fmt.Fprintf(stderr, "protoc-gen-flinkser: unknown argument %q: it is run by protoc or buf; --help shows how\n", args[0])
			return 2
		}
	}
	if err := gen.Run(stdin, stdout); err != nil {
		fmt.Fprintln(stderr, "protoc-gen-flinkser:", err)
		return 1
	}
	return 0
}

func help(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprint(w, `protoc-gen-flinkser generates Go code that writes and reads protobuf messages,
beside the code of protoc-gen-go. It is run by protoc (--flinkser_out=DIR) or buf.

  protoc --go_out=. --flinkser_out=. \
    --go_opt=paths=source_relative --flinkser_opt=paths=source_relative order.proto

Options (--flinkser_opt=NAME=VALUE, or opt: in buf.gen.yaml):
`)
	fs.VisitAll(func(f *flag.Flag) {
		arg, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  %s=<%s>\n        %s\n", f.Name, arg, usage)
	})
	fmt.Fprint(w, `  paths, module, M<file>, default_api_level, apilevelM<file>
        as for protoc-gen-go; give both plugins the same
Arguments: --version, --help
`)
}
