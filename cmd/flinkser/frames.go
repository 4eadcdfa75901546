package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// A framesCommand holds the flags of the commands that read frames.
type framesCommand struct {
	sources
	schema  string
	message string
	size    int
	depth   int
	skipBad bool
}

func newFrames() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "frames",
		Short: "Look into files of frames",
		Long:  "A frame is a length of 4 bytes, big endian, and a payload of that many bytes: a message.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fmt.Errorf("frames: name a command: cat, count or verify")
		},
	}
	cmd.AddCommand(
		newFramesCommand("cat", "Print messages as lines of JSON", "  flinkser frames cat --schema order.snapshot orders.frames\n  flinkser frames cat --schema proto/ --message shop.v1.Order --skip-bad orders.frames | jq .id", true, (*framesCommand).cat),
		newFramesCommand("count", "Count frames and their bytes", "  flinkser frames count orders.frames", false, (*framesCommand).count),
		newFramesCommand("verify", "Read all frames, with a schema their messages too", "  flinkser frames verify --schema order.snapshot orders.frames", false, (*framesCommand).verify),
	)
	return cmd
}

func newFramesCommand(name, short, example string, needsSchema bool, run func(*framesCommand, *cobra.Command, *framesFile) error) *cobra.Command {
	c := new(framesCommand)
	use := name + " [flags] FILE"
	if needsSchema {
		use = name + " --schema SCHEMA [flags] FILE"
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Example: example, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if needsSchema && c.schema == "" {
				return fmt.Errorf("--schema is missing: name the schema or the snapshot of the messages")
			}
			if c.size < 0 || c.depth < 0 {
				return fmt.Errorf("--max-message-size and --recursion-limit must not be negative")
			}
			f, err := c.open(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.close()
			return run(c, cmd, f)
		},
	}
	f := cmd.Flags()
	f.IntVar(&c.size, "max-message-size", 0, "largest payload in `bytes` (default: that of the snapshot, or 67108864)")
	if name != "count" {
		f.StringVar(&c.schema, "schema", "", "`SCHEMA` of the messages")
		f.StringVar(&c.message, "message", "", "full `name` of the message; may be left out if SCHEMA is a snapshot")
		f.IntVar(&c.depth, "recursion-limit", 0, "`levels` of nesting that are accepted (default: that of the snapshot, or 100)")
		f.BoolVar(&c.skipBad, "skip-bad", false, "go on behind a payload that cannot be read; the exit code is 0 then")
		c.sources.register(cmd)
	}
	return cmd
}

// A framesFile is an open file of frames with what is known of its messages.
type framesFile struct {
	name    string
	src     io.Reader
	limits  flinkser.Limits
	r       *flinkser.Reader[proto.Message]
	message protoreflect.MessageDescriptor // nil without a schema
	types   *dynamicpb.Types
	close   func()
}

func (c *framesCommand) open(cmd *cobra.Command, name string) (*framesFile, error) {
	f := &framesFile{name: name, close: func() {}}
	size, depth := c.size, c.depth
	if c.schema != "" {
		in, err := c.read(cmd, c.schema)
		if err != nil {
			return nil, err
		}
		root := protoreflect.FullName(c.message)
		if root == "" && in.Files == nil && len(in.Snapshots) == 1 {
			s := in.Snapshots[0].Snapshot
			root = s.MessageName()
			if size == 0 {
				size = s.MaxMessageSize()
			}
			if depth == 0 {
				depth = min(s.RecursionLimit(), flinkser.MaxRecursionLimit)
			}
		}
		if root == "" {
			return nil, fmt.Errorf("--message is missing: name one of the messages of %s", c.schema)
		}
		if f.message = in.Message(root); f.message == nil {
			return nil, fault(fmt.Errorf("%s has no message %s", c.schema, root))
		}
		var files protoregistry.Files
		if err := registerAll(&files, f.message.ParentFile()); err != nil {
			return nil, fault(err)
		}
		f.types = dynamicpb.NewTypes(&files)
	}
	var src io.Reader = cmd.InOrStdin()
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, fault(err)
		}
		f.close = func() { file.Close() }
		info, err := file.Stat()
		if err != nil {
			f.close()
			return nil, fault(err)
		}
		src = progress(file, info.Size(), cmd.ErrOrStderr())
	}
	f.src = bufio.NewReaderSize(src, 1<<16)
	f.limits = flinkser.Limits{MaxMessageBytes: size, RecursionLimit: depth}
	f.r = flinkser.NewReader[proto.Message](f.src, flinkser.WithLimits(f.limits))
	return f, nil
}

func registerAll(files *protoregistry.Files, f protoreflect.FileDescriptor) error {
	if _, err := files.FindFileByPath(f.Path()); err == nil {
		return nil
	}
	for i := range f.Imports().Len() {
		if err := registerAll(files, f.Imports().Get(i).FileDescriptor); err != nil {
			return err
		}
	}
	return files.RegisterFile(f)
}

// each reads all frames. Bad payloads are reported and skipped if that was asked for.
func (c *framesCommand) each(cmd *cobra.Command, f *framesFile, do func(m proto.Message) error) error {
	bad := 0
	for n := 0; ; n++ {
		var m proto.Message = new(dynamicpb.Message)
		if f.message != nil {
			m = dynamicpb.NewMessage(f.message)
		}
		if f.r.Next(m) {
			if err := do(m); err != nil {
				return fault(err)
			}
			continue
		}
		err := f.r.Err()
		if err == nil {
			return nil
		}
		var damaged *flinkser.DecodeError
		if !errors.As(err, &damaged) {
			return fault(fmt.Errorf("%s: frame %d: %w", f.name, n, err))
		}
		if !c.skipBad {
			return fault(fmt.Errorf("%s: frame %d: %w (--skip-bad goes on behind it)", f.name, n, err))
		}
		bad++
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: frame %d skipped: %v\n", f.name, n, err)
	}
}

func (c *framesCommand) cat(cmd *cobra.Command, f *framesFile) error {
	if os.Getenv("GOGC") == "" {
		// Little more than one message is alive at a time, so the collector would start every 4 MB.
		defer debug.SetGCPercent(debug.SetGCPercent(400))
	}
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
	// The reader has refused messages without their required fields.
	marshal := protojson.MarshalOptions{Resolver: f.types, AllowPartial: true}
	var b, line []byte
	err := c.each(cmd, f, func(m proto.Message) (err error) {
		if b, err = marshal.MarshalAppend(b[:0], m); err != nil {
			return fmt.Errorf("%s: a message that has no JSON form: %w", f.name, err)
		}
		line = append(appendCompact(line[:0], b), '\n')
		_, err = out.Write(line)
		return err
	})
	return errors.Join(err, fault(out.Flush()))
}

// appendCompact appends JSON without the spaces that protojson puts behind commas and colons, in some programs and
// not in others. It is what json.Compact does, which looks at every byte and takes half as long as protojson.
func appendCompact(dst, src []byte) []byte {
	for {
		// From here to the next string.
		quote := bytes.IndexByte(src, '"')
		if quote < 0 {
			return appendWithoutSpaces(dst, src)
		}
		dst = appendWithoutSpaces(dst, src[:quote])
		end := endOfString(src, quote+1)
		dst, src = append(dst, src[quote:end]...), src[end:]
	}
}

// endOfString returns the index behind the quote that ends the string whose text begins at index i.
func endOfString(src []byte, i int) int {
	for from := i; ; {
		n := bytes.IndexByte(src[i:], '"')
		if n < 0 {
			return len(src)
		}
		i += n + 1
		// The quote is a part of the string where it stands behind an odd number of backslashes.
		back := i - 1
		for back > from && src[back-1] == '\\' {
			back--
		}
		if (i-1-back)%2 == 0 {
			return i
		}
	}
}

func appendWithoutSpaces(dst, src []byte) []byte {
	for _, c := range src {
		if c != ' ' {
			dst = append(dst, c)
		}
	}
	return dst
}

func (c *framesCommand) count(cmd *cobra.Command, f *framesFile) error {
	frames, bytes, err := f.skim()
	if err != nil {
		return fault(fmt.Errorf("%s: after %d whole frames: %w", f.name, frames, err))
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d frames, %d bytes of payload\n", f.name, frames, bytes)
	return fault(err)
}

// skim reads frames without looking at their payload.
func (f *framesFile) skim() (frames, payload int64, err error) {
	for {
		n, err := flinkser.CopyFrame(io.Discard, f.src, f.limits)
		if err == io.EOF {
			return frames, payload, nil
		}
		if err != nil {
			return frames, payload, err
		}
		frames++
		payload += n - 4
	}
}

func (c *framesCommand) verify(cmd *cobra.Command, f *framesFile) error {
	if f.message == nil {
		return c.count(cmd, f)
	}
	n := 0
	if err := c.each(cmd, f, func(proto.Message) error { n++; return nil }); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, %d messages %s\n", f.name, n, f.message.FullName())
	return fault(err)
}
