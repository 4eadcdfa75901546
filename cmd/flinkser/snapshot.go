package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/jhump/protoreflect/v2/protoprint"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/inputs"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func newSnapshot() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Write, show and verify snapshots",
		Long: `A snapshot is the schema and the settings that state was stored with, in the format of
serializer snapshots of the Java library flink-datastream-protobuf, version 1.`,
		Example: "  flinkser snapshot write --message shop.v1.Order -o order.snapshot proto/\n  flinkser snapshot show order.snapshot",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fmt.Errorf("snapshot: name a command: write, show or verify")
		},
	}
	cmd.AddCommand(newSnapshotWrite(), newSnapshotShow(), newSnapshotVerify())
	return cmd
}

func newSnapshotWrite() *cobra.Command {
	var s sources
	var set settings
	var message, output string
	var payload bool
	cmd := &cobra.Command{
		Use:   "write --message NAME [flags] SCHEMA",
		Short: "Make the snapshot of a message",
		Example: `  flinkser snapshot write --message shop.v1.Order -o order.snapshot proto/
  buf build -o - | flinkser snapshot write --message shop.v1.Order --max-message-size 1048576 - > order.snapshot`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := set.check(); err != nil {
				return err
			}
			if message == "" {
				return fmt.Errorf("--message is missing")
			}
			in, err := s.read(cmd, args[0])
			if err != nil {
				return err
			}
			if in.Files == nil {
				return fmt.Errorf("%s is a %s already", in.Name, in.Kind)
			}
			list, err := in.Take(protoreflect.FullName(message), set.Settings)
			if err != nil {
				return fault(err)
			}
			made := list[0].Snapshot
			b, err := appendSnapshot(made, payload)
			if err != nil {
				return fault(err)
			}
			if output == "" || output == "-" {
				_, err = cmd.OutOrStdout().Write(b)
			} else {
				err = os.WriteFile(output, b, 0o644)
			}
			return fault(err)
		},
	}
	cmd.Flags().StringVar(&message, "message", "", "full `name` of the message")
	cmd.Flags().StringVarP(&output, "output", "o", "", "`file` to write (default: standard output)")
	cmd.Flags().BoolVar(&payload, "payload", false, "without the envelope that Flink puts around it")
	s.register(cmd)
	set.register(cmd)
	return cmd
}

func appendSnapshot(s *snapshot.Snapshot, payload bool) ([]byte, error) {
	if payload {
		return s.AppendPayload(nil)
	}
	return s.Append(nil)
}

func newSnapshotShow() *cobra.Command {
	var s sources
	var format string
	cmd := &cobra.Command{
		Use:     "show [--format text|json|proto] SNAPSHOT",
		Short:   "Show what a snapshot says",
		Example: "  flinkser snapshot show order.snapshot\n  flinkser snapshot show --format proto order.snapshot",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "text", "json", "proto"); err != nil {
				return err
			}
			in, err := s.read(cmd, args[0])
			if err != nil {
				return err
			}
			if in.Files != nil {
				return fmt.Errorf("%s is a %s: make a snapshot of it first", in.Name, in.Kind)
			}
			for _, named := range in.Snapshots {
				if err := show(cmd.OutOrStdout(), named, format); err != nil {
					return fault(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "`format`: text, json, or proto for the source of all files")
	complete(cmd, "format", "text", "json", "proto")
	return cmd
}

// A shown is the JSON form of a snapshot.
type shown struct {
	Name           string          `json:"name"`
	JavaClass      string          `json:"javaClass"`
	Message        string          `json:"message"`
	Deterministic  bool            `json:"deterministic"`
	MaxMessageSize int             `json:"maxMessageSize"`
	RecursionLimit int             `json:"recursionLimit"`
	Digest         string          `json:"digest"`
	Fingerprint    string          `json:"fingerprint"`
	Files          json.RawMessage `json:"files"` // a FileDescriptorSet
}

func show(w io.Writer, named inputs.Named, format string) error {
	s := named.Snapshot
	switch format {
	case "json":
		files, err := protojson.Marshal(s.Files())
		if err != nil {
			return err
		}
		var compact bytes.Buffer // protojson puts spaces at random
		if err := json.Compact(&compact, files); err != nil {
			return err
		}
		b, err := json.MarshalIndent(shown{
			Name: named.Name, JavaClass: s.JavaClass(), Message: string(s.MessageName()), Deterministic: s.Deterministic(),
			MaxMessageSize: s.MaxMessageSize(), RecursionLimit: s.RecursionLimit(),
			Digest: fmt.Sprintf("%x", s.Digest()), Fingerprint: fmt.Sprintf("%x", s.Fingerprint()), Files: compact.Bytes(),
		}, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", b)
		return err
	case "proto":
		return printProto(w, s)
	}
	_, err := fmt.Fprintf(w, "%s\n  message           %s\n  Java class        %s\n  deterministic     %v\n  max message size  %d bytes\n  recursion limit   %d levels\n  digest            %x\n  fingerprint       %x\n",
		inputs.Printable(named.Name), s.MessageName(), inputs.Printable(s.JavaClass()), s.Deterministic(), s.MaxMessageSize(), s.RecursionLimit(), s.Digest(), s.Fingerprint())
	for _, f := range s.Files().GetFile() {
		if err == nil {
			_, err = fmt.Fprintf(w, "  file              %s: %d messages, %d enums\n", inputs.Printable(f.GetName()), len(f.GetMessageType()), len(f.GetEnumType()))
		}
	}
	return err
}

// printProto writes the source of all files of a snapshot but those that come with every compiler.
func printProto(w io.Writer, s *snapshot.Snapshot) error {
	printer := protoprint.Printer{}
	seen := make(map[string]bool)
	var print func(f protoreflect.FileDescriptor) error
	print = func(f protoreflect.FileDescriptor) error {
		if seen[f.Path()] || inputs.IsWellKnown(f.Path()) {
			return nil
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			if err := print(f.Imports().Get(i).FileDescriptor); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "// %s\n", inputs.Printable(f.Path())); err != nil {
			return err
		}
		return printer.PrintProtoFile(f, w)
	}
	return print(s.Descriptor().ParentFile())
}

func newSnapshotVerify() *cobra.Command {
	var s sources
	cmd := &cobra.Command{
		Use:   "verify SNAPSHOT...",
		Short: "Read snapshots with all checks, and write them again",
		Long: `Verify reads each snapshot with all checks of the format, and writes it again. The bytes
must be the same, unless the descriptors inside are not in their shortest form, which is said.`,
		Example: "  flinkser snapshot verify snapshots/",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				in, err := s.read(cmd, name)
				if err != nil {
					return err
				}
				if in.Files != nil {
					return fault(fmt.Errorf("%s is a %s, not a snapshot", in.Name, in.Kind))
				}
				for _, named := range in.Snapshots {
					note := ""
					if same, err := rewrites(named); err != nil {
						return fault(err)
					} else if !same {
						note = " (written again, its bytes differ: the descriptors are not in their shortest form)"
					}
					if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, %s%s\n", inputs.Printable(named.Name), named.Snapshot.MessageName(), note); err != nil {
						return fault(err)
					}
				}
			}
			return nil
		},
	}
	return cmd
}

// rewrites reports whether a snapshot that was read from a file is written with the same bytes.
func rewrites(named inputs.Named) (bool, error) {
	b, err := os.ReadFile(named.Name)
	if err != nil {
		return true, nil // not a file of its own: standard input, a git reference
	}
	for _, payload := range []bool{false, true} {
		again, err := appendSnapshot(named.Snapshot, payload)
		if err != nil {
			return false, err
		}
		if bytes.Equal(again, b) {
			return true, nil
		}
	}
	return false, nil
}
