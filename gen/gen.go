// Package gen is the generator behind protoc-gen-flinkser. It reads descriptors and
// returns Go code; nothing in this folder is generated.
package gen

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/op"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Options are the settings of a run. The zero value is the default.
type Options struct {
	// Known lists import paths of Go packages; they and all packages below them are
	// taken to have generated code, which is then called directly. Fields of other
	// packages' messages find out when the program runs.
	Known []string
	// ForeignError refuses fields whose message type is of another Go package that
	// neither Known nor External covers.
	ForeignError bool
	// External gives messages of other modules code in a Go package of the own one. It
	// maps a .proto file, or a proto package with all its files, to the import path of that
	// Go package, with ";name" behind it where the path does not end in the package's name.
	External map[string]string
}

// RegisterFlags adds the plugin options to fs; their values are stored in o.
func RegisterFlags(fs *flag.FlagSet, o *Options) {
	fs.Func("known", "`import path` of a Go package that has generated code, as have all packages below it: its messages are called directly; may be given several times", func(v string) error {
		if v == "" || strings.HasPrefix(v, "/") || strings.HasPrefix(v, ".") {
			return fmt.Errorf("%q is no import path; want one such as example.com/shop/gen", v)
		}
		o.Known = append(o.Known, strings.TrimSuffix(v, "/"))
		return nil
	})
	fs.Func("external", "`file or package=import path`: the messages of this .proto file, or of all files of this proto package, get code in this Go package of the own module, and are called there; may be given several times", o.addExternal)
	fs.Func("foreign", "what to do with fields whose message type is in another Go package that neither known nor external covers, `runtime|error`: runtime, the default, finds out when the program runs whether the type has generated code; error refuses such fields", func(v string) error {
		switch v {
		case "runtime":
			o.ForeignError = false
		case "error":
			o.ForeignError = true
		default:
			return fmt.Errorf("%q is not valid; want runtime or error", v)
		}
		return nil
	})
}

// addExternal notes what=target.
func (o *Options) addExternal(v string) error {
	what, target, ok := strings.Cut(v, "=")
	if !ok {
		return fmt.Errorf("%q has no =; want a .proto file or a proto package, =, and an import path, as in google/protobuf/any.proto=example.com/shop/gen/wellknown", v)
	}
	if _, err := model.ParseTarget(what, target); err != nil {
		return err
	}
	if old, ok := o.External[what]; ok && old != target {
		return fmt.Errorf("%s is mapped to %s already", what, old)
	}
	if o.External == nil {
		o.External = map[string]string{}
	}
	o.External[what] = target
	return nil
}

// ParamFunc returns the function that protogen hands the plugin's options to. An
// option that does not exist is an error that names those that do.
func ParamFunc(fs *flag.FlagSet) func(name, value string) error {
	return func(name, value string) error {
		if fs.Lookup(name) == nil {
			var valid []string
			fs.VisitAll(func(f *flag.Flag) { valid = append(valid, f.Name) })
			return fmt.Errorf("unknown option %q; the options are %s, and those of every Go plugin: "+
				"paths, module, M<file>, default_api_level, apilevelM<file>", name, strings.Join(valid, ", "))
		}
		if err := fs.Set(name, value); err != nil {
			return fmt.Errorf("option %s: %w", name, err)
		}
		return nil
	}
}

// Generate writes the code for all files of a plugin run. The error lists everything
// that is refused, a line each, as file:line:column and the reason; then the run must
// write no file.
func Generate(plugin *protogen.Plugin, o Options) error {
	plugin.SupportedFeatures = uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL |
		pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS)
	plugin.SupportedEditionsMinimum = descriptorpb.Edition_EDITION_PROTO2
	plugin.SupportedEditionsMaximum = descriptorpb.Edition_EDITION_2024
	opts := model.Options{Known: o.Known, ForeignError: o.ForeignError, External: map[string]model.Target{}}
	for what, target := range o.External {
		t, err := model.ParseTarget(what, target)
		if err != nil {
			return fmt.Errorf("external: %w", err)
		}
		opts.External[what] = t
	}
	var errs []error
	for _, file := range plugin.Files {
		if !file.Generate {
			continue
		}
		if err := generateFile(plugin, file, opts); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func generateFile(plugin *protogen.Plugin, file *protogen.File, opts model.Options) error {
	files, err := model.New(plugin, file, opts)
	if err != nil {
		return err
	}
	for _, f := range files {
		p := source.New(f.Package, f.ImportPath, append(names.Local(), f.Declared()...))
		p.L("// The next line does not compile with a runtime that does not know the form of this code,")
		p.L("// as a rule because it is older than the plugin: go get " + modulePath + "@latest")
		p.L("const _ = flinkser.IsAtLeastVersion1")
		p.L()
		op.Open(p, f.Messages)
		for _, m := range f.Messages {
			for _, print := range op.All {
				print(p, m)
			}
		}
		code, err := p.Bytes(header(f))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		if _, err = plugin.NewGeneratedFile(f.Prefix+f.Suffix, f.ImportPath).Write(code); err != nil {
			return err
		}
	}
	return nil
}

const modulePath = "github.com/flinkser/flinkser"

func header(f *model.File) string {
	h := "// Code generated by protoc-gen-flinkser. DO NOT EDIT.\n// source: " + f.Path + "\n"
	if f.Constraint != "" {
		h += "\n//go:build " + f.Constraint + "\n"
	}
	if f.Deprecated() {
		h += "\n//lint:file-ignore SA1019 deprecated fields are written and read as all others are\n"
	}
	return h
}
