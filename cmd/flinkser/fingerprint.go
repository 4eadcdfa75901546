package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/fingerprint"
	"github.com/flinkser/flinkser/internal/inputs"
)

func newFingerprint() *cobra.Command {
	var s sources
	var messages []string
	var format string
	cmd := &cobra.Command{
		Use:   "fingerprint [--message NAME]... SCHEMA",
		Short: "Print the fingerprints of messages",
		Long: `The fingerprint of a message is the SHA-256 of a text that says what readers and writers can
see of its schema. It is the constant that SchemaFlinkser returns in generated code, and it
is the same however the schema was built or written down.`,
		Example: "  flinkser fingerprint proto/\n  flinkser fingerprint --message shop.v1.Order order.snapshot",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			in, err := s.read(cmd, args[0])
			if err != nil {
				return err
			}
			rows, err := fingerprints(in, messages)
			if err != nil {
				return fault(err)
			}
			out := cmd.OutOrStdout()
			if format == "json" {
				b, err := json.MarshalIndent(rows, "", "  ")
				if err != nil {
					return fault(err)
				}
				_, err = fmt.Fprintf(out, "%s\n", b)
				return fault(err)
			}
			for _, r := range rows {
				line := r.Fingerprint + "  " + r.Message
				if r.Snapshot != "" {
					line += "  " + inputs.Printable(r.Snapshot)
				}
				if _, err := fmt.Fprintln(out, line); err != nil {
					return fault(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&messages, "message", nil, "full `name` of a message (default: all); may be repeated")
	cmd.Flags().StringVar(&format, "format", "text", "`format`: text or json")
	complete(cmd, "format", "text", "json")
	s.register(cmd)
	return cmd
}

// A row is a message and its fingerprint.
type row struct {
	Message     string `json:"message"`
	Fingerprint string `json:"fingerprint"`
	Snapshot    string `json:"snapshot,omitempty"` // its name, where there are several
}

// fingerprints returns those of the messages with some names, or of all.
func fingerprints(in *inputs.Input, messages []string) ([]row, error) {
	rows := []row{}
	if in.Files == nil {
		for _, s := range in.Snapshots {
			if name := string(s.Snapshot.MessageName()); len(messages) == 0 || slices.Contains(messages, name) {
				r := row{name, fmt.Sprintf("%x", s.Snapshot.Fingerprint()), ""}
				if len(in.Snapshots) > 1 {
					r.Snapshot = s.Name
				}
				rows = append(rows, r)
			}
		}
		for _, name := range messages {
			if in.Message(protoreflect.FullName(name)) == nil {
				return nil, fmt.Errorf("%s has no message %s", in.Name, name)
			}
		}
		return rows, nil
	}
	if len(messages) == 0 {
		for _, name := range in.Roots() {
			messages = append(messages, string(name))
		}
	}
	var cache fingerprint.Cache
	for _, name := range messages {
		md := in.Message(protoreflect.FullName(name))
		if md == nil {
			return nil, fmt.Errorf("%s has no message %s", in.Name, name)
		}
		rows = append(rows, row{name, fmt.Sprintf("%x", cache.Of(md)), ""})
	}
	return rows, nil
}
