// Flinkser answers questions about schemas and stored state: may a new schema restore a snapshot, what
// does a snapshot say, what is in a file of frames.
//
//	flinkser check --against snapshots/ --message shop.v1.Order proto/
//	flinkser snapshot write --message shop.v1.Order -o order.snapshot proto/
//	flinkser snapshot show order.snapshot
//	flinkser fingerprint proto/
//	flinkser frames cat --schema order.snapshot orders.frames
//
// Every argument that names a schema may be a .proto file, a folder of them, a descriptor set or buf image
// (binary or JSON), a snapshot, a folder of snapshots, git:REFERENCE:PATH, or - for standard input.
// The exit code is 0 if all is well, 1 if breaks were found, 2 for wrong usage, 3 if an input cannot be
// read. "flinkser COMMAND --help" has examples.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/internal/inputs"
	"github.com/flinkser/flinkser/internal/version"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// Exit codes.
const (
	exitOK = iota
	exitBreaks
	exitUsage
	exitInput
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is main for the given arguments; it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var fault *faultError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errBreaks):
		return exitBreaks
	case errors.As(err, &fault):
		fmt.Fprintln(stderr, "flinkser:", inputs.PrintableLines(err.Error()))
		return exitInput
	default:
		fmt.Fprintf(stderr, "flinkser: %s\nRun 'flinkser --help' for usage.\n", inputs.PrintableLines(err.Error()))
		return exitUsage
	}
}

// errBreaks is returned where a command has printed what it found.
var errBreaks = errors.New("breaks found")

// A faultError is one of an input, not of its usage.
type faultError struct{ err error }

func (e *faultError) Error() string { return e.err.Error() }
func (e *faultError) Unwrap() error { return e.err }

// fault marks an error as one of an input.
func fault(err error) error {
	if err == nil {
		return nil
	}
	return &faultError{err}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "flinkser",
		Short:         "Check schemas against stored state, and look into snapshots and frames",
		Version:       version.String(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Long: `Flinkser answers questions about schemas and stored state.

A schema may be given as a .proto file, a folder of them, a descriptor set or a
buf image (binary or JSON), a snapshot, a folder of snapshots, as
git:REFERENCE:PATH, or as - for standard input.

Exit codes: 0 all is well, 1 breaks were found, 2 wrong usage, 3 an input cannot
be read.`,
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.AddCommand(newCheck(), newSnapshot(), newFingerprint(), newFrames())
	return root
}

// sources are the flags of commands that read schemas.
type sources struct{ importPaths []string }

func (s *sources) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&s.importPaths, "import-path", "I", nil, "`folder` where imports of .proto files start (default: the folder given); may be repeated")
}

func (s *sources) read(cmd *cobra.Command, name string) (*inputs.Input, error) {
	in, err := inputs.Read(name, inputs.Options{ImportPaths: s.importPaths, Stdin: cmd.InOrStdin()})
	return in, fault(err)
}

// settings are the flags of what a snapshot says besides its schema.
type settings struct{ snapshot.Settings }

// settingFlags are the names of these flags, without that of JSON names, which is about how files are read.
var settingFlags = []string{"java-class", "max-message-size", "recursion-limit", "deterministic"}

func (s *settings) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.JavaClass, "java-class", "", "binary `name` of the Java class (default: what protoc would name it)")
	f.IntVar(&s.MaxMessageSize, "max-message-size", 0, "largest payload in `bytes` (default 67108864)")
	f.IntVar(&s.RecursionLimit, "recursion-limit", 0, "`levels` of nesting that are accepted (default 100)")
	f.BoolVar(&s.Deterministic, "deterministic", false, "map entries are sorted")
	f.BoolVar(&s.KeepJSONNames, "keep-json-names", false, "for Java classes made from a descriptor set or an image, as by buf's remote plugins: they have all JSON names")
}

// check returns an error for limits out of their range.
func (s *settings) check() error {
	for flag, value := range map[string]int{"--max-message-size": s.MaxMessageSize, "--recursion-limit": s.RecursionLimit} {
		if value < 0 || value > 1<<31-1 {
			return fmt.Errorf("%s %d: want 1 to 2147483647", flag, value)
		}
	}
	return nil
}

// complete makes the shell offer the values of a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the command has no such flag
	}
}

// oneOf checks a flag with a list of values.
func oneOf(flag, value string, values ...string) error {
	for _, v := range values {
		if v == value {
			return nil
		}
	}
	return fmt.Errorf("--%s %q: want one of %v", flag, value, values)
}
