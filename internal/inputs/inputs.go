// Package inputs finds out what an argument of the command line is, and reads schemas and snapshots
// from it: .proto files and folders, descriptor sets and buf images, snapshots and folders of them, a
// folder at a git reference, standard input.
package inputs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/runtime/snapshot"
)

// Options say how inputs are read.
type Options struct {
	// ImportPaths are the folders where the paths of imports start, for .proto files. Without any it
	// is the folder that was named, or the one of the file.
	ImportPaths []string
	// Stdin is what "-" reads.
	Stdin io.Reader
}

// An Input is what an argument has turned out to be: snapshots, or files of a schema.
type Input struct {
	Name      string
	Kind      string // as in "folder of .proto files"
	Snapshots []Named
	Files     []protoreflect.FileDescriptor // each after its imports; nil for snapshots

	roots []string // folders that the paths of files start in
}

// Path returns where a file of the input lies, with slashes, or its path in imports where that is not known.
func (in *Input) Path(file string) string {
	for _, root := range in.roots {
		full := filepath.Join(root, filepath.FromSlash(file))
		if _, err := os.Stat(full); err == nil {
			return filepath.ToSlash(full)
		}
	}
	return file
}

// A Named is a snapshot and where it has come from.
type Named struct {
	Name     string
	Snapshot *snapshot.Snapshot
}

// An Error says what was tried with an input, and why it failed.
type Error struct {
	Input string
	Tried string
	Err   error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: read as %s: %v", Printable(e.Input), e.Tried, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Read reads an argument.
func Read(name string, o Options) (*Input, error) {
	switch {
	case name == "-":
		b, err := io.ReadAll(o.Stdin)
		if err != nil {
			return nil, &Error{name, "standard input", err}
		}
		return content(name, b, o)
	case strings.HasPrefix(name, "git:"):
		return gitReference(name, o)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, &Error{name, "a file or folder", err}
	}
	if info.IsDir() {
		return folder(name, o)
	}
	if strings.HasSuffix(name, ".proto") {
		return protoFile(name, o)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, &Error{name, "a file", err}
	}
	return content(name, b, o)
}

// Roots returns the full names of all messages of an input that are no map entries, sorted.
func (in *Input) Roots() []protoreflect.FullName {
	var names []protoreflect.FullName
	for _, s := range in.Snapshots {
		names = append(names, s.Snapshot.MessageName())
	}
	for _, f := range in.Files {
		if !IsWellKnown(f.Path()) {
			names = appendMessages(names, f.Messages())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// IsWellKnown reports whether a file is one of those that come with every compiler.
func IsWellKnown(file string) bool { return strings.HasPrefix(file, "google/protobuf/") }

func appendMessages(names []protoreflect.FullName, messages protoreflect.MessageDescriptors) []protoreflect.FullName {
	for i := range messages.Len() {
		m := messages.Get(i)
		if !m.IsMapEntry() {
			names = appendMessages(append(names, m.FullName()), m.Messages())
		}
	}
	return names
}

// Message returns a message of the files or of a snapshot, nil where there is none of that name.
func (in *Input) Message(name protoreflect.FullName) protoreflect.MessageDescriptor {
	for _, s := range in.Snapshots {
		if s.Snapshot.MessageName() == name {
			return s.Snapshot.Descriptor()
		}
	}
	for _, f := range in.Files {
		if m := findMessage(f.Messages(), name); m != nil {
			return m
		}
	}
	return nil
}

func findMessage(messages protoreflect.MessageDescriptors, name protoreflect.FullName) protoreflect.MessageDescriptor {
	for i := range messages.Len() {
		m := messages.Get(i)
		if m.FullName() == name {
			return m
		}
		if strings.HasPrefix(string(name), string(m.FullName())+".") {
			return findMessage(m.Messages(), name)
		}
	}
	return nil
}

// Enum returns an enum of the files, nil where there is none of that name.
func (in *Input) Enum(name protoreflect.FullName) protoreflect.EnumDescriptor {
	for _, f := range in.Files {
		if e := f.Enums().ByName(name.Name()); e != nil && e.FullName() == name {
			return e
		}
		if m := findMessage(f.Messages(), name.Parent()); m != nil {
			if e := m.Enums().ByName(name.Name()); e != nil {
				return e
			}
		}
	}
	return nil
}

// Declaration returns what a finding is about in the files of an input: the field or the enum value, or the message or
// enum where that is gone. It is nil where the files do not have the type. renames leads from the names of findings, which are
// those of the old schema, to those of the input, where that is the new one.
func (in *Input) Declaration(f snapshot.Finding, renames map[protoreflect.FullName]protoreflect.FullName) protoreflect.Descriptor {
	if in.Files == nil || f.Type == "" {
		return nil
	}
	if is, ok := renames[f.Type]; ok {
		f.Type = is
	}
	if m := in.Message(f.Type); m != nil {
		if field := m.Fields().ByNumber(protoreflect.FieldNumber(f.Number)); field != nil {
			return field
		}
		return m
	}
	if e := in.Enum(f.Type); e != nil {
		if v := e.Values().ByNumber(protoreflect.EnumNumber(f.Number)); v != nil && f.New != "" {
			return v
		}
		return e
	}
	return nil
}

// ErrNoMessage is returned where an input has no message of a name.
var ErrNoMessage = errors.New("no such message")

// Take returns the snapshots of an input with the message root: those that it holds, or one made of its
// files with the settings. Without a root, an input of snapshots gives all of them.
func (in *Input) Take(root protoreflect.FullName, settings snapshot.Settings) ([]Named, error) {
	if in.Files == nil {
		var list []Named
		for _, s := range in.Snapshots {
			if root == "" || s.Snapshot.MessageName() == root {
				list = append(list, s)
			}
		}
		if len(list) == 0 {
			return nil, in.noMessage(root)
		}
		return list, nil
	}
	md := in.Message(root)
	if md == nil {
		return nil, in.noMessage(root)
	}
	s, err := snapshot.OfDescriptor(md, settings)
	if err != nil {
		return nil, &Error{in.Name, in.Kind, err}
	}
	return []Named{{in.Name, s}}, nil
}

// Keep leaves only the snapshots of messages with some names, of which there must be one, and returns the messages of the others.
func (in *Input) Keep(names []protoreflect.FullName) (others []protoreflect.FullName, err error) {
	var kept []Named
	for _, s := range in.Snapshots {
		if name := s.Snapshot.MessageName(); slices.Contains(names, name) {
			kept = append(kept, s)
		} else {
			others = append(others, name)
		}
	}
	if len(kept) == 0 {
		return nil, in.noMessage(names[0])
	}
	in.Snapshots = kept
	return others, nil
}

func (in *Input) noMessage(root protoreflect.FullName) error {
	if root == "" {
		return &Error{in.Name, in.Kind, fmt.Errorf("%w: name one of %s", ErrNoMessage, joinNames(in.Roots()))}
	}
	return &Error{in.Name, in.Kind, fmt.Errorf("%w: %s; there are %s", ErrNoMessage, root, joinNames(in.Roots()))}
}

func joinNames(names []protoreflect.FullName) string {
	const most = 12
	var list []string
	for i, name := range names {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		list = append(list, string(name))
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// content finds out what bytes are: a snapshot with or without its envelope, a descriptor set, or an
// image of buf, which is a descriptor set with more fields, in binary or JSON form.
func content(name string, b []byte, o Options) (*Input, error) {
	// A binary set may begin with a brace too, behind a byte that is a space: if its first file has 123 bytes.
	if trimmed := bytes.TrimSpace(b); len(trimmed) > 0 && trimmed[0] == '{' && !isSet(b) {
		set := new(descriptorpb.FileDescriptorSet)
		err := protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(trimmed, set)
		return descriptorSet(name, "descriptor set in JSON", set, err)
	}
	s, rest, envelopeErr := snapshot.Parse(b)
	if envelopeErr == nil {
		return single(name, "snapshot", s, rest)
	}
	if !errors.Is(envelopeErr, snapshot.ErrEnvelope) && !errors.Is(envelopeErr, snapshot.ErrTruncated) && !errors.Is(envelopeErr, snapshot.ErrText) {
		return nil, &Error{name, "snapshot", envelopeErr}
	}
	s, rest, payloadErr := snapshot.ParsePayload(b)
	if payloadErr == nil {
		return single(name, "snapshot without envelope", s, rest)
	}
	if !errors.Is(payloadErr, snapshot.ErrFraming) && !errors.Is(payloadErr, snapshot.ErrTruncated) {
		return nil, &Error{name, "snapshot without envelope", payloadErr}
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil || len(set.File) == 0 {
		if looksLikeProto(b) {
			return nil, &Error{name, "snapshot, descriptor set or image", errors.New("this is the text of a .proto file: give it a name that ends in .proto")}
		}
		return nil, &Error{name, "snapshot, descriptor set or image", fmt.Errorf("none of them: as a snapshot %w; as a set %v", envelopeErr, err)}
	}
	return descriptorSet(name, "descriptor set", set, nil)
}

// isSet reports whether bytes are a binary descriptor set whose files have names.
func isSet(b []byte) bool {
	set := new(descriptorpb.FileDescriptorSet)
	if proto.Unmarshal(b, set) != nil || len(set.File) == 0 {
		return false
	}
	return set.File[0].GetName() != ""
}

func looksLikeProto(b []byte) bool {
	return bytes.Contains(b, []byte("syntax =")) || bytes.Contains(b, []byte("edition =")) || bytes.Contains(b, []byte("message "))
}

func single(name, kind string, s *snapshot.Snapshot, rest []byte) (*Input, error) {
	if len(rest) > 0 {
		return nil, &Error{name, kind, fmt.Errorf("%d bytes are left behind it", len(rest))}
	}
	return &Input{Name: name, Kind: kind, Snapshots: []Named{{name, s}}}, nil
}

// descriptorSet links the files of a set, which may come in any order.
func descriptorSet(name, kind string, set *descriptorpb.FileDescriptorSet, err error) (*Input, error) {
	if err != nil {
		return nil, &Error{name, kind, err}
	}
	byName := make(map[string]*descriptorpb.FileDescriptorProto, len(set.File))
	for _, f := range set.File {
		if other := byName[f.GetName()]; other != nil && !proto.Equal(other, f) {
			return nil, &Error{name, kind, fmt.Errorf("it has two different files %q", f.GetName())}
		}
		byName[f.GetName()] = f
	}
	var registry protoregistry.Files
	in := &Input{Name: name, Kind: kind}
	visiting := make(map[string]bool)
	var link func(f *descriptorpb.FileDescriptorProto) error
	link = func(f *descriptorpb.FileDescriptorProto) error {
		if _, err := registry.FindFileByPath(f.GetName()); err == nil {
			return nil
		}
		if visiting[f.GetName()] {
			return fmt.Errorf("%s imports itself", f.GetName())
		}
		visiting[f.GetName()] = true
		for _, dep := range f.GetDependency() {
			imported := byName[dep]
			if imported == nil {
				known, err := protoregistry.GlobalFiles.FindFileByPath(dep)
				if err != nil || !IsWellKnown(dep) {
					return fmt.Errorf("%s imports %s, which is not in the set", f.GetName(), dep)
				}
				imported = protodesc.ToFileDescriptorProto(known)
			}
			if err := link(imported); err != nil {
				return err
			}
		}
		fd, err := protodesc.NewFile(f, &registry)
		if err != nil {
			return err
		}
		in.Files = append(in.Files, fd)
		return registry.RegisterFile(fd)
	}
	for _, f := range set.File {
		if err := link(f); err != nil {
			return nil, &Error{name, kind, err}
		}
	}
	return in, nil
}

// folder reads a folder: of .proto files, or of snapshots.
func folder(name string, o Options) (*Input, error) {
	var protos, others []string
	// The folder may be named by a symbolic link, which filepath.WalkDir does not follow.
	err := fs.WalkDir(os.DirFS(name), ".", func(file string, d fs.DirEntry, err error) error {
		file = filepath.Join(name, filepath.FromSlash(file))
		switch {
		case err != nil:
			return err
		case d.IsDir():
		case strings.HasSuffix(file, ".proto"):
			protos = append(protos, file)
		case strings.HasSuffix(file, ".snapshot"):
			others = append(others, file)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, &Error{name, "folder", err}
	case len(protos) > 0 && len(others) > 0:
		return nil, &Error{name, "folder", fmt.Errorf("it holds %d .proto files and %d snapshots: name one of the folders below it", len(protos), len(others))}
	case len(others) > 0:
		return snapshots(name, others)
	case len(protos) == 0:
		return nil, &Error{name, "folder", errors.New("it holds no .proto files and no .snapshot files")}
	}
	roots := o.ImportPaths
	if len(roots) == 0 {
		roots = []string{name}
	}
	files := make([]string, len(protos))
	for i, file := range protos {
		if files[i], err = below(file, roots); err != nil {
			return nil, &Error{name, "folder of .proto files", err}
		}
	}
	return compile(name, "folder of .proto files", files, roots, fromFolders(roots))
}

func snapshots(name string, files []string) (*Input, error) {
	in := &Input{Name: name, Kind: "folder of snapshots"}
	slices.Sort(files)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, &Error{file, "a file", err}
		}
		one, err := content(file, b, Options{})
		if err != nil {
			return nil, err
		}
		if one.Files != nil {
			return nil, &Error{file, "snapshot", errors.New("it is a " + one.Kind)}
		}
		in.Snapshots = append(in.Snapshots, one.Snapshots...)
	}
	return in, nil
}

func protoFile(name string, o Options) (*Input, error) {
	roots := o.ImportPaths
	if len(roots) == 0 {
		roots = []string{filepath.Dir(name)}
	}
	file, err := below(name, roots)
	if err != nil {
		return nil, &Error{name, ".proto file", err}
	}
	return compile(name, ".proto file", []string{file}, roots, fromFolders(roots))
}

// below returns the path of a file from the first of some folders that it lies in, with slashes.
func below(file string, roots []string) (string, error) {
	for _, root := range roots {
		rel, err := filepath.Rel(root, file)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", fmt.Errorf("%s lies in none of the import paths %s", file, strings.Join(roots, ", "))
}

type opener func(file string) (io.ReadCloser, error)

func fromFolders(roots []string) opener {
	return func(file string) (io.ReadCloser, error) {
		for _, root := range roots {
			f, err := os.Open(filepath.Join(root, filepath.FromSlash(file)))
			if err == nil || !errors.Is(err, fs.ErrNotExist) {
				return f, err
			}
		}
		return nil, fs.ErrNotExist
	}
}

// compile compiles .proto files in process; edition 2024, which the compiler does not know, through buf or
// protoc. open is the same as roots, where there are any.
func compile(name, kind string, files, roots []string, open opener) (*Input, error) {
	newest := false
	var faults []error
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{Accessor: func(file string) (io.ReadCloser, error) {
			if !filepath.IsLocal(filepath.FromSlash(file)) {
				return nil, errors.New("the path of an import must not lead out of the folder")
			}
			f, err := open(file)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			text, err := io.ReadAll(f)
			newest = newest || bytes.Contains(text, []byte(`"2024"`))
			return io.NopCloser(bytes.NewReader(text)), err
		}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
		MaxParallelism: 1,
		Reporter: reporter.NewReporter(func(err reporter.ErrorWithPos) error {
			faults = append(faults, err)
			return nil
		}, nil),
	}
	compiled, err := compiler.Compile(context.Background(), files...)
	if err != nil && newest {
		return external(name, kind, files, roots)
	}
	if err != nil {
		return nil, &Error{name, kind, errors.Join(append(faults, onlyIf(len(faults) == 0, err))...)}
	}
	in := &Input{Name: name, Kind: kind, roots: roots}
	seen := make(map[string]bool)
	var add func(f protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		in.Files = append(in.Files, f)
	}
	for _, f := range compiled {
		add(f)
	}
	return in, nil
}

func onlyIf(ok bool, err error) error {
	if ok {
		return err
	}
	return nil
}

// external compiles files of edition 2024 with protoc or buf.
func external(name, kind string, files, roots []string) (*Input, error) {
	if len(roots) == 0 {
		return nil, &Error{name, kind, errors.New("edition 2024 needs protoc or buf, which do not read from a git reference: check the files out")}
	}
	for _, file := range files {
		if strings.HasPrefix(file, "-") || strings.HasPrefix(file, "@") {
			return nil, &Error{name, kind, fmt.Errorf("%q would be a flag to protoc: give the file another name", file)}
		}
	}
	out, err := os.CreateTemp("", "flinkser-*.binpb")
	if err != nil {
		return nil, &Error{name, kind, err}
	}
	out.Close()
	defer os.Remove(out.Name())
	var cmd *exec.Cmd
	if program, err := exec.LookPath("protoc"); err == nil {
		args := []string{"--include_imports", "--include_source_info", "-o", out.Name()}
		for _, root := range roots {
			args = append(args, "--proto_path="+root)
		}
		cmd = exec.Command(program, append(args, files...)...)
	} else if program, err := exec.LookPath("buf"); err == nil && len(roots) == 1 {
		args := []string{"build", roots[0], "-o", out.Name() + "#format=binpb"}
		for _, file := range files {
			args = append(args, "--path", path.Join(filepath.ToSlash(roots[0]), file))
		}
		cmd = exec.Command(program, args...)
	} else {
		return nil, &Error{name, kind, errors.New("edition 2024 is compiled by protoc or buf, and neither is on PATH: install one, or give a descriptor set")}
	}
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, &Error{name, kind + " of edition 2024, by " + filepath.Base(cmd.Path), fmt.Errorf("%w\n%s", err, bytes.TrimSpace(output))}
	}
	b, err := os.ReadFile(out.Name())
	if err != nil {
		return nil, &Error{name, kind, err}
	}
	set := new(descriptorpb.FileDescriptorSet)
	err = proto.Unmarshal(b, set)
	in, err := descriptorSet(name, kind+" of edition 2024, by "+filepath.Base(cmd.Path), set, err)
	if err == nil {
		in.roots = roots
	}
	return in, err
}
