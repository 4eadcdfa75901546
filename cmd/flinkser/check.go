package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/inputs"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// A checkCommand holds the flags of check.
type checkCommand struct {
	sources
	settings
	against   []string
	message   string
	policy    string
	direction string
	renames   []string
	format    string
	failOn    string
	java      bool
}

func newCheck() *cobra.Command {
	c := new(checkCommand)
	cmd := &cobra.Command{
		Use:   "check --against OLD... [flags] NEW",
		Short: "Say whether a new schema may restore stored state",
		Long: `Check compares a new schema with one or several old ones and lists every
difference: breaks, warnings, notes. OLD is what state was stored with, most often a
folder of snapshots. NEW is most often a folder of .proto files.

The strict policy accepts what the Java library flink-datastream-protobuf accepts. The
wire policy accepts what the stored bytes allow. Direction restore asks whether new
code may read old state, rollback whether old code may read what new code writes.

Limits are compared only where they are known: in snapshots, or by the flags for NEW.`,
		Example: `  # May the schema in this folder restore all savepoints that are kept?
  flinkser check --against snapshots/ --message shop.v1.Order proto/

  # Is the working tree compatible with main, forwards and back?
  flinkser check --against git:main:proto --message shop.v1.Order --direction both proto/

  # What do the bytes allow? A message was renamed.
  flinkser check --against old.snapshot --message shop.v2.Order --rename shop.v1.Order=shop.v2.Order --policy wire proto/`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&c.against, "against", nil, "`OLD` schema or snapshots; may be repeated")
	f.StringVar(&c.message, "message", "", "full `name` of the message in NEW; may be left out if NEW is one snapshot")
	f.StringVar(&c.policy, "policy", "strict", "`policy`: strict or wire")
	f.StringVar(&c.direction, "direction", "restore", "`direction`: restore, rollback or both")
	f.StringArrayVar(&c.renames, "rename", nil, "`OLD=NEW` full names of a message or enum that was renamed; may be repeated")
	f.StringVar(&c.format, "format", "text", "`format` of the output: text, json or github")
	f.StringVar(&c.failOn, "fail-on", "break", "lowest `level` that gives exit code 1: break, warning or note")
	f.BoolVar(&c.java, "java", false, "also say whether the Java library could hold the message; if not, the exit code is 1")
	c.sources.register(cmd)
	c.settings.register(cmd)
	return cmd
}

// A report is the JSON output of check.
type report struct {
	Against []string `json:"against"`
	New     string   `json:"new"`
	Message string   `json:"message"`
	snapshot.Verdict
	Java *javaReport `json:"java,omitempty"`
}

type javaReport struct {
	Supported bool     `json:"supported"`
	Reasons   []string `json:"reasons"`
}

func (c *checkCommand) run(cmd *cobra.Command, name string) error {
	options, failOn, err := c.options()
	if err != nil {
		return err
	}
	in, err := c.read(cmd, name)
	if err != nil {
		return err
	}
	now, err := c.newSnapshot(in)
	if err != nil {
		return err
	}
	olds, limits, err := c.oldSnapshots(cmd, now.MessageName(), options)
	if err != nil {
		return err
	}
	// A schema without settings has no limits to compare, unless flags give them.
	given := cmd.Flags().Changed("max-message-size") || cmd.Flags().Changed("recursion-limit")
	options.IgnoreLimits = !limits || in.Files != nil && !given

	r := report{New: name, Message: string(now.MessageName())}
	var list []*snapshot.Snapshot
	for _, old := range olds {
		r.Against = append(r.Against, old.Name)
		list = append(list, old.Snapshot)
	}
	r.Verdict = snapshot.CheckAll(list, now, options)
	if c.java {
		reasons := snapshot.JavaSupport(now.Descriptor())
		r.Java = &javaReport{Supported: len(reasons) == 0, Reasons: append([]string{}, reasons...)}
	}
	if err := c.print(cmd.OutOrStdout(), r, in); err != nil {
		return fault(err)
	}
	if r.Level() >= failOn || r.Java != nil && !r.Java.Supported {
		return errBreaks
	}
	return nil
}

// options turns flags into options of the evaluator.
func (c *checkCommand) options() (o snapshot.Options, failOn snapshot.Level, err error) {
	if len(c.against) == 0 {
		return o, 0, fmt.Errorf("--against is missing: name the schema or the snapshots that state was stored with")
	}
	if err := o.Policy.UnmarshalText([]byte(c.policy)); err != nil {
		return o, 0, fmt.Errorf("--policy: %w", err)
	}
	if err := o.Direction.UnmarshalText([]byte(c.direction)); err != nil {
		return o, 0, fmt.Errorf("--direction: %w", err)
	}
	if err := oneOf("fail-on", c.failOn, "break", "warning", "note"); err != nil {
		return o, 0, err
	}
	if err := failOn.UnmarshalText([]byte(c.failOn)); err != nil {
		return o, 0, err
	}
	if err := oneOf("format", c.format, "text", "json", "github"); err != nil {
		return o, 0, err
	}
	for _, rename := range c.renames {
		old, new, ok := strings.Cut(rename, "=")
		if !ok || !protoreflect.FullName(old).IsValid() || !protoreflect.FullName(new).IsValid() {
			return o, 0, fmt.Errorf("--rename %q: want OLD=NEW, two full names", rename)
		}
		if o.Renames == nil {
			o.Renames = make(map[protoreflect.FullName]protoreflect.FullName)
		}
		o.Renames[protoreflect.FullName(old)] = protoreflect.FullName(new)
	}
	return o, failOn, c.settings.check()
}

func (c *checkCommand) newSnapshot(in *inputs.Input) (*snapshot.Snapshot, error) {
	if c.message == "" && in.Files != nil {
		return nil, fmt.Errorf("--message is missing: name one of the messages of %s", in.Name)
	}
	list, err := in.Take(protoreflect.FullName(c.message), c.Settings)
	if err != nil {
		return nil, fault(err)
	}
	if len(list) > 1 {
		return nil, fmt.Errorf("%s holds %d snapshots with the message: name one of them", in.Name, len(list))
	}
	return list[0].Snapshot, nil
}

// oldSnapshots returns what was named by --against, and whether all of it has limits.
func (c *checkCommand) oldSnapshots(cmd *cobra.Command, message protoreflect.FullName, o snapshot.Options) (list []inputs.Named, limits bool, err error) {
	root := message
	for was, is := range o.Renames {
		if is == message {
			root = was
		}
	}
	limits = true
	for _, name := range c.against {
		in, err := c.read(cmd, name)
		if err != nil {
			return nil, false, err
		}
		found, err := in.Take(root, snapshot.Settings{KeepJSONNames: c.KeepJSONNames})
		if err != nil {
			return nil, false, fault(err)
		}
		list = append(list, found...)
		limits = limits && in.Files == nil
	}
	return list, limits, nil
}

func (c *checkCommand) print(w io.Writer, r report, in *inputs.Input) error {
	switch c.format {
	case "json":
		b, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", b)
		return err
	case "github":
		return annotate(w, r, in)
	default:
		fmt.Fprintf(w, "%s against %s: ", r.Message, strings.Join(r.Against, ", "))
		_, err := io.WriteString(w, colour(w, r.String()))
		if err == nil && r.Java != nil {
			err = printJava(w, r.Java)
		}
		return err
	}
}

func printJava(w io.Writer, j *javaReport) error {
	if j.Supported {
		_, err := fmt.Fprintln(w, "\nThe Java library can hold the message.")
		return err
	}
	_, err := fmt.Fprintf(w, "\nThe Java library cannot hold the message:\n  %s\n", strings.Join(j.Reasons, "\n  "))
	return err
}

// annotate writes workflow commands of GitHub Actions, with file and line where NEW is .proto.
func annotate(w io.Writer, r report, in *inputs.Input) error {
	for _, f := range r.Findings {
		command := map[snapshot.Level]string{snapshot.Break: "error", snapshot.Warning: "warning", snapshot.Note: "notice"}[f.Level]
		var properties []string
		if file, line, ok := position(in, f); ok {
			properties = append(properties, "file="+escapeProperty(file), fmt.Sprintf("line=%d", line))
		}
		properties = append(properties, "title="+escapeProperty(string(f.Code)))
		text := fmt.Sprintf("%s\n%s", f, f.Why)
		if f.Do != "" {
			text += "\n" + f.Do
		}
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", command, strings.Join(properties, ","), escapeData(text)); err != nil {
			return err
		}
	}
	if r.Java != nil && !r.Java.Supported {
		for _, reason := range r.Java.Reasons {
			if _, err := fmt.Fprintf(w, "::error title=JAVA::%s\n", escapeData(reason)); err != nil {
				return err
			}
		}
	}
	return nil
}

// escapeData and escapeProperty follow the toolkit of GitHub Actions.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// position finds the line of a finding in the .proto files of the new schema: of the field or value, or of
// the message where that is gone.
func position(in *inputs.Input, f snapshot.Finding) (file string, line int, ok bool) {
	d := in.Declaration(f)
	if d == nil {
		return "", 0, false
	}
	location := d.ParentFile().SourceLocations().ByDescriptor(d)
	if location.Path == nil {
		return "", 0, false
	}
	return in.Path(d.ParentFile().Path()), location.StartLine + 1, true
}
