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
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/inputs"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
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
		Use:     "frames",
		Short:   "Look into files of frames",
		Long:    "A frame is a length of 4 bytes, big endian, and a payload of that many bytes: a message.",
		Example: "  flinkser frames count orders.frames\n  flinkser frames cat --schema order.snapshot orders.frames",
		Args:    cobra.NoArgs,
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
			if err := c.check(args[0]); err != nil {
				return err
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
	size := "largest payload in `bytes` (default 67108864)"
	if name != "count" {
		size = "largest payload in `bytes` (default: that of the snapshot, or 67108864)"
		f.StringVar(&c.schema, "schema", "", "`SCHEMA` of the messages")
		f.StringVar(&c.message, "message", "", "full `name` of the message; may be left out if SCHEMA is a snapshot")
		f.IntVar(&c.depth, "recursion-limit", 0, "`levels` of nesting that are accepted (default: that of the snapshot, or 100)")
		f.BoolVar(&c.skipBad, "skip-bad", false, "go on behind a payload that cannot be read; the exit code is 0 then")
		c.sources.register(cmd)
	}
	f.IntVar(&c.size, "max-message-size", 0, size)
	return cmd
}

// check refuses flags that would have no effect.
func (c *framesCommand) check(name string) error {
	switch {
	case c.size < 0 || c.depth < 0:
		return fmt.Errorf("--max-message-size and --recursion-limit must not be negative")
	case c.schema == "-" && name == "-":
		return fmt.Errorf("schema and frames cannot both come from standard input")
	case c.schema == "" && (c.message != "" || c.depth != 0 || c.skipBad):
		return fmt.Errorf("--message, --recursion-limit and --skip-bad are about messages: give their --schema too")
	}
	return nil
}

// A framesFile is an open file of frames with what is known of its messages.
type framesFile struct {
	name    string
	src     io.Reader
	limits  flinkser.Limits
	r       *flinkser.Reader[proto.Message]
	message protoreflect.MessageDescriptor // nil without a schema
	types   *dynamicpb.Types
	// extended says that the schema has extensions, which the reader leaves among the unknown fields.
	extended bool
	close    func()
}

func (c *framesCommand) open(cmd *cobra.Command, name string) (*framesFile, error) {
	f := &framesFile{name: name, close: func() {}}
	f.limits = flinkser.Limits{MaxMessageBytes: c.size, RecursionLimit: c.depth}
	if err := c.takeSchema(cmd, f); err != nil {
		return nil, err
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
	f.r = flinkser.NewReader[proto.Message](f.src, flinkser.WithLimits(f.limits))
	return f, nil
}

// takeSchema finds the message, and fills in limits from its snapshot where the flags give none.
func (c *framesCommand) takeSchema(cmd *cobra.Command, f *framesFile) error {
	if c.schema == "" {
		return nil
	}
	in, err := c.read(cmd, c.schema)
	if err != nil {
		return err
	}
	if c.message == "" && (in.Files != nil || len(in.Snapshots) > 1) {
		return fmt.Errorf("--message is missing: name one of the messages of %s", in.Name)
	}
	root := protoreflect.FullName(c.message)
	if in.Files != nil {
		if f.message = in.Message(root); f.message == nil {
			return fault(fmt.Errorf("%s has no message %s", in.Name, root))
		}
	} else {
		list, err := in.Take(root, snapshot.Settings{})
		if err != nil {
			return fault(err)
		}
		if len(list) > 1 {
			return fmt.Errorf("%s holds %d snapshots with the message: name one of them", in.Name, len(list))
		}
		s := list[0].Snapshot
		f.message = s.Descriptor()
		if f.limits.MaxMessageBytes == 0 {
			f.limits.MaxMessageBytes = s.MaxMessageSize()
		}
		if f.limits.RecursionLimit == 0 {
			f.limits.RecursionLimit = min(s.RecursionLimit(), flinkser.MaxRecursionLimit)
		}
	}
	var files protoregistry.Files
	if err := registerAll(&files, f.message.ParentFile()); err != nil {
		return fault(err)
	}
	for _, file := range in.Files {
		// Extensions may be declared in files that the message's own does not import.
		if err := registerAll(&files, file); err != nil {
			return fault(err)
		}
	}
	f.types = dynamicpb.NewTypes(&files)
	files.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		f.extended = declaresExtensions(file)
		return !f.extended
	})
	return nil
}

// declares is what files and messages have in common: declarations.
type declares interface {
	Messages() protoreflect.MessageDescriptors
	Extensions() protoreflect.ExtensionDescriptors
}

// declaresExtensions reports whether a file or message declares extensions of messages, other than those of options.
func declaresExtensions(d declares) bool {
	for i := range d.Extensions().Len() {
		if !inputs.IsWellKnown(d.Extensions().Get(i).ContainingMessage().ParentFile().Path()) {
			return true
		}
	}
	for i := range d.Messages().Len() {
		if declaresExtensions(d.Messages().Get(i)) {
			return true
		}
	}
	return false
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

// errBad marks an error of do in each as one of the message, behind which --skip-bad goes on.
var errBad = errors.New("a message that has no JSON form")

// each reads all frames. Bad payloads are reported and skipped if that was asked for; bad is their number.
func (c *framesCommand) each(cmd *cobra.Command, f *framesFile, do func(m proto.Message) error) (bad int, err error) {
	for n := 0; ; n++ {
		offset := f.r.Offset()
		m := dynamicpb.NewMessage(f.message)
		var err error
		if f.r.Next(m) {
			err = do(m)
			if errors.Is(err, errBad) {
				err = fmt.Errorf("frame at offset %d: %w", offset, err)
			} else if err != nil {
				return bad, fault(err)
			}
		} else if err = f.r.Err(); err == nil {
			return bad, nil
		}
		if err == nil {
			continue
		}
		var damaged *flinkser.DecodeError
		if !errors.As(err, &damaged) && !errors.Is(err, errBad) {
			return bad, fault(fmt.Errorf("%s: frame %d: %w", f.name, n, err))
		}
		if !c.skipBad {
			return bad, fault(fmt.Errorf("%s: frame %d: %w (--skip-bad goes on behind it)", f.name, n, err))
		}
		bad++
		fmt.Fprintln(cmd.ErrOrStderr(), inputs.Printable(fmt.Sprintf("%s: frame %d skipped: %v", f.name, n, err)))
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
	var lost unknowns
	_, err := c.each(cmd, f, func(m proto.Message) (err error) {
		if m, err = f.withExtensions(m); err != nil {
			return fmt.Errorf("%w: its extensions: %w", errBad, err)
		}
		if b, err = marshal.MarshalAppend(b[:0], m); err != nil {
			return fmt.Errorf("%w: %w", errBad, err)
		}
		lost.add(m)
		line = append(appendCompact(line[:0], b), '\n')
		_, err = out.Write(line)
		return err
	})
	err = errors.Join(err, fault(out.Flush()))
	lost.report(cmd.ErrOrStderr(), f.name)
	return err
}

// withExtensions returns a message in which the extensions of the schema are known.
func (f *framesFile) withExtensions(m proto.Message) (proto.Message, error) {
	if !f.extended {
		return m, nil
	}
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	again := dynamicpb.NewMessage(f.message)
	depth := max(f.limits.RecursionLimit, protowire.DefaultRecursionLimit)
	return again, proto.UnmarshalOptions{AllowPartial: true, Resolver: f.types, RecursionLimit: depth}.Unmarshal(b, again)
}

// unknowns counts what JSON cannot show: the unknown fields of messages, without those of messages inside.
type unknowns struct{ messages, bytes int }

func (u *unknowns) add(m proto.Message) {
	if n := len(m.ProtoReflect().GetUnknown()); n > 0 {
		u.messages++
		u.bytes += n
	}
}

func (u *unknowns) report(w io.Writer, name string) {
	if u.messages > 0 {
		fmt.Fprintln(w, inputs.Printable(fmt.Sprintf("%s: not shown: %d bytes of unknown fields, in %d messages", name, u.bytes, u.messages)))
	}
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
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d frames, %d bytes of payload\n", inputs.Printable(f.name), frames, bytes)
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
			// CopyFrame does not know what was before the frame.
			var frame *flinkser.FrameError
			if errors.As(err, &frame) {
				frame.Offset += payload + 4*frames
			}
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
	bad, err := c.each(cmd, f, func(proto.Message) error { n++; return nil })
	if err != nil {
		return err
	}
	state := "ok"
	if bad > 0 {
		state = fmt.Sprintf("%d bad frames skipped", bad)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %d messages %s\n", inputs.Printable(f.name), state, n, f.message.FullName())
	return fault(err)
}
