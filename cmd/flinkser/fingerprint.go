package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/fingerprint"
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
			names := in.Roots()
			if len(messages) > 0 {
				names = nil
				for _, name := range messages {
					names = append(names, protoreflect.FullName(name))
				}
			}
			type row struct {
				Message     string `json:"message"`
				Fingerprint string `json:"fingerprint"`
			}
			rows := []row{}
			var cache fingerprint.Cache
			for _, name := range names {
				md := in.Message(name)
				if md == nil {
					return fault(fmt.Errorf("%s has no message %s", in.Name, name))
				}
				// Snapshots are sets of descriptors of their own, which one cache must not mix.
				sum := fingerprint.Of(md)
				if in.Files != nil {
					sum = cache.Of(md)
				}
				rows = append(rows, row{string(name), fmt.Sprintf("%x", sum)})
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
				if _, err := fmt.Fprintf(out, "%s  %s\n", r.Fingerprint, r.Message); err != nil {
					return fault(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&messages, "message", nil, "full `name` of a message (default: all); may be repeated")
	cmd.Flags().StringVar(&format, "format", "text", "`format`: text or json")
	s.register(cmd)
	return cmd
}
