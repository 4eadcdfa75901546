package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
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
	complete(cmd, "policy", "strict", "wire")
	complete(cmd, "direction", "restore", "rollback", "both")
	complete(cmd, "format", "text", "json", "github")
	complete(cmd, "fail-on", "break", "warning", "note")
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
	now, err := c.newSnapshot(cmd, in)
	if err != nil {
		return err
	}
	olds, err := c.readOlds(cmd, now.MessageName(), options)
	if err != nil {
		return err
	}
	if now, err = c.withLimits(cmd, in, now, olds, &options); err != nil {
		return err
	}
	stored, err := c.take(olds, now)
	if err != nil {
		return err
	}
	r := report{New: name, Message: string(now.MessageName())}
	var list []*snapshot.Snapshot
	for _, old := range stored {
		r.Against = append(r.Against, old.Name)
		list = append(list, old.Snapshot)
	}
	r.Verdict = snapshot.CheckAll(list, now, options)
	if c.java {
		reasons := snapshot.JavaSupport(now.Descriptor())
		r.Java = &javaReport{Supported: len(reasons) == 0, Reasons: append([]string{}, reasons...)}
	}
	if err := c.print(cmd.OutOrStdout(), r, in, options); err != nil {
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
		if other, ok := o.Renames[protoreflect.FullName(old)]; ok && string(other) != new {
			return o, 0, fmt.Errorf("--rename %q: %s is %s already", rename, old, other)
		}
		o.Renames[protoreflect.FullName(old)] = protoreflect.FullName(new)
	}
	return o, failOn, c.settings.check()
}

func (c *checkCommand) newSnapshot(cmd *cobra.Command, in *inputs.Input) (*snapshot.Snapshot, error) {
	if c.message == "" && in.Files != nil {
		return nil, fmt.Errorf("--message is missing: name one of the messages of %s", in.Name)
	}
	for _, flag := range settingFlags {
		if in.Files == nil && cmd.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s has no effect: %s is a %s, which has its own settings", flag, in.Name, in.Kind)
		}
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

// An oldInput is what was named by --against, with the name of its message where it holds files.
type oldInput struct {
	*inputs.Input
	root protoreflect.FullName
}

// readOlds reads what was named by --against. The message may have its name of today there, or one that was renamed to it.
func (c *checkCommand) readOlds(cmd *cobra.Command, message protoreflect.FullName, o snapshot.Options) ([]oldInput, error) {
	var names []protoreflect.FullName
	for was, is := range o.Renames {
		if is == message {
			names = append(names, was)
		}
	}
	slices.Sort(names)
	if is, ok := o.Renames[message]; !ok || is == message {
		names = append(names, message)
	}
	var list []oldInput
	for _, name := range c.against {
		in, err := c.read(cmd, name)
		if err != nil {
			return nil, err
		}
		old := oldInput{in, names[0]}
		if in.Files == nil {
			others, err := in.Keep(names)
			if err != nil {
				return nil, fault(err)
			}
			if len(others) > 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), inputs.Printable(fmt.Sprintf("flinkser: %s: left out: %d snapshots of other messages, such as %s", in.Name, len(others), others[0])))
			}
		}
		for _, name := range names {
			if in.Files != nil && in.Message(name) != nil {
				old.root = name
				break
			}
		}
		list = append(list, old)
	}
	return list, nil
}

// withLimits returns NEW with the limits to compare. A schema of files has none of its own: flags may give them, and one that
// they do not give is that of the old snapshots.
func (c *checkCommand) withLimits(cmd *cobra.Command, in *inputs.Input, now *snapshot.Snapshot, olds []oldInput, o *snapshot.Options) (*snapshot.Snapshot, error) {
	if in.Files == nil {
		return now, nil
	}
	size, depth := cmd.Flags().Changed("max-message-size"), cmd.Flags().Changed("recursion-limit")
	if !size && !depth {
		o.IgnoreLimits = true
		return now, nil
	}
	set := c.Settings
	for _, old := range olds {
		for _, s := range old.Snapshots {
			if !size {
				set.MaxMessageSize = max(set.MaxMessageSize, s.Snapshot.MaxMessageSize())
			}
			if !depth {
				set.RecursionLimit = max(set.RecursionLimit, s.Snapshot.RecursionLimit())
			}
		}
	}
	list, err := in.Take(now.MessageName(), set)
	if err != nil {
		return nil, fault(err)
	}
	return list[0].Snapshot, nil
}

// take returns all old snapshots. Those that are made of files have the limits of NEW, which are then no difference.
func (c *checkCommand) take(olds []oldInput, now *snapshot.Snapshot) (list []inputs.Named, err error) {
	set := snapshot.Settings{KeepJSONNames: c.KeepJSONNames, MaxMessageSize: now.MaxMessageSize(), RecursionLimit: now.RecursionLimit()}
	for _, old := range olds {
		found := old.Snapshots
		if old.Files != nil {
			if found, err = old.Take(old.root, set); err != nil {
				return nil, fault(err)
			}
		}
		list = append(list, found...)
	}
	return list, nil
}

func (c *checkCommand) print(w io.Writer, r report, in *inputs.Input, o snapshot.Options) error {
	switch c.format {
	case "json":
		b, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", b)
		return err
	case "github":
		return annotate(w, r, in, o.Renames)
	default:
		r.Findings = printable(r.Findings)
		fmt.Fprintf(w, "%s against %s: ", r.Message, inputs.Printable(strings.Join(r.Against, ", ")))
		_, err := io.WriteString(w, colour(w, r.String()))
		if err == nil && r.Java != nil {
			err = printJava(w, r.Java)
		}
		return err
	}
}

// printable returns findings whose texts are safe to print. Names of files and Java classes may hold anything.
func printable(findings []snapshot.Finding) []snapshot.Finding {
	findings = slices.Clone(findings)
	for i := range findings {
		for _, text := range []*string{&findings[i].Old, &findings[i].New, &findings[i].Path, &findings[i].Why, &findings[i].Do} {
			*text = inputs.Printable(*text)
		}
	}
	return findings
}

func printJava(w io.Writer, j *javaReport) error {
	if j.Supported {
		_, err := fmt.Fprintln(w, "\nThe Java library can hold the message.")
		return err
	}
	_, err := fmt.Fprintf(w, "\nThe Java library cannot hold the message:\n  %s\n", inputs.PrintableLines(strings.Join(j.Reasons, "\n  ")))
	return err
}

// annotate writes workflow commands of GitHub Actions, with file and line where NEW is .proto.
func annotate(w io.Writer, r report, in *inputs.Input, renames map[protoreflect.FullName]protoreflect.FullName) error {
	for _, f := range printable(r.Findings) {
		command := map[snapshot.Level]string{snapshot.Break: "error", snapshot.Warning: "warning", snapshot.Note: "notice"}[f.Level]
		var properties []string
		if file, line, ok := position(in, f, renames); ok {
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
			if _, err := fmt.Fprintf(w, "::error title=JAVA::%s\n", escapeData(inputs.Printable(reason))); err != nil {
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
func position(in *inputs.Input, f snapshot.Finding, renames map[protoreflect.FullName]protoreflect.FullName) (file string, line int, ok bool) {
	d := in.Declaration(f, renames)
	if d == nil {
		return "", 0, false
	}
	location := d.ParentFile().SourceLocations().ByDescriptor(d)
	if location.Path == nil {
		return "", 0, false
	}
	return in.Path(d.ParentFile().Path()), location.StartLine + 1, true
}
