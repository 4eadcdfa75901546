// Buf-plugin-flinkser makes buf breaking say whether stored state can be restored: the rules of package
// runtime/snapshot, as rules of buf. In buf.yaml:
//
//	breaking:
//	  use:
//	    - STATE_STRICT
//	plugins:
//	  - plugin: buf-plugin-flinkser
//	    options:
//	      roots: [shop.v1.Order]
//
// The category STATE_STRICT is what the Java library flink-datastream-protobuf accepts, STATE_WIRE what the stored
// bytes allow. Each rule is one kind of change, such as STATE_STRICT_FIELD_REMOVED. Options:
//
//	roots      full names of the messages that are stored; without any, all messages of the old files
//	direction  restore (new code reads old state, the default), rollback, or both
//	renames    OLD=NEW full names of messages and enums that were renamed
//	fail_on    break (the default) or warning
package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"buf.build/go/bufplugin/check"
	"buf.build/go/bufplugin/descriptor"
	"buf.build/go/bufplugin/option"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/inputs"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func main() { check.Main(newSpec()) }

// A category is a policy under its name in buf.yaml.
type category struct {
	id      string
	policy  snapshot.Policy
	level   func(snapshot.Rule) snapshot.Level
	purpose string
}

var categories = []category{
	{"STATE_STRICT", snapshot.Strict, func(r snapshot.Rule) snapshot.Level { return r.Strict }, "Accept what the Java library flink-datastream-protobuf accepts."},
	{"STATE_WIRE", snapshot.Wire, func(r snapshot.Rule) snapshot.Level { return r.Wire }, "Accept what the bytes of stored messages allow."},
}

// newSpec makes a rule of each kind of change that a policy breaks on or warns of.
func newSpec() *check.Spec {
	spec := &check.Spec{Before: func(ctx context.Context, request check.Request) (context.Context, check.Request, error) {
		c, err := newComparison(request)
		return context.WithValue(ctx, key{}, c), request, err
	}}
	for _, c := range categories {
		spec.Categories = append(spec.Categories, &check.CategorySpec{ID: c.id, Purpose: c.purpose})
		for _, r := range snapshot.Rules() {
			if c.level(r) < snapshot.Warning {
				continue
			}
			spec.Rules = append(spec.Rules, &check.RuleSpec{
				ID:          c.id + "_" + string(r.Code),
				CategoryIDs: []string{c.id},
				Default:     c.policy == snapshot.Strict,
				Purpose:     fmt.Sprintf("Check that stored state does not meet this change: %s.", r.Change),
				Type:        check.RuleTypeBreaking,
				Handler:     handler{c.policy, r.Code},
			})
		}
	}
	return spec
}

// key is that of the comparison in a context.
type key struct{}

// A handler reports the findings of one rule.
type handler struct {
	policy snapshot.Policy
	code   snapshot.Code
}

func (h handler) Handle(ctx context.Context, w check.ResponseWriter, _ check.Request) error {
	c := ctx.Value(key{}).(*comparison)
	for _, f := range c.findings(h.policy) {
		if f.Code != h.code || f.Level < c.failOn {
			continue
		}
		options := []check.AddAnnotationOption{check.WithMessage(message(f))}
		was, is := c.old.Declaration(f, nil), c.new.Declaration(f, c.options.Renames)
		if is == nil {
			is = c.new.Declaration(f, nil) // a rename that has not been made
		}
		if is != nil {
			options = append(options, check.WithDescriptor(is))
		} else if was != nil && c.hasFile(was.ParentFile().Path()) {
			options = append(options, check.WithFileName(was.ParentFile().Path()))
		}
		if was != nil {
			options = append(options, check.WithAgainstDescriptor(was))
		}
		w.AddAnnotation(options...)
	}
	return nil
}

// message says on one line what a finding says. No output of buf shows where the old declaration is, so that is in it.
func message(f snapshot.Finding) string {
	text := fmt.Sprintf("%s: %s", f.Place(), strings.TrimSuffix(f.Why, "."))
	switch {
	case f.Old != "" && f.New != "":
		text += fmt.Sprintf(". Was `%s`, is `%s`", f.Old, f.New)
	case f.Old != "":
		text += fmt.Sprintf(". Was `%s`", f.Old)
	}
	if f.Direction == snapshot.Rollback {
		text += ". This is about a rollback"
	}
	if f.Do != "" {
		text += ". " + strings.TrimSuffix(f.Do, ".")
	}
	return inputs.Printable(text + ".")
}

// hasFile reports whether the new files have one of a name.
func (c *comparison) hasFile(name string) bool {
	return slices.ContainsFunc(c.new.Files, func(f protoreflect.FileDescriptor) bool { return f.Path() == name })
}

// A comparison is what the rules of a request have in common. It is computed once for each policy.
type comparison struct {
	old, new *inputs.Input
	roots    []protoreflect.FullName
	options  snapshot.Options
	failOn   snapshot.Level

	once   [2]sync.Once
	result [2][]snapshot.Finding
}

func newComparison(request check.Request) (*comparison, error) {
	c := &comparison{old: input(request.AgainstFileDescriptors()), new: input(request.FileDescriptors()), failOn: snapshot.Break}
	c.options.IgnoreLimits = true
	options := request.Options()
	direction, err := option.GetStringValue(options, "direction")
	if err != nil {
		return nil, err
	}
	if direction != "" {
		if err := c.options.Direction.UnmarshalText([]byte(direction)); err != nil {
			return nil, err
		}
	}
	failOn, err := option.GetStringValue(options, "fail_on")
	switch {
	case err != nil:
		return nil, err
	case failOn == "warning":
		c.failOn = snapshot.Warning
	case failOn != "" && failOn != "break":
		return nil, fmt.Errorf("option fail_on %q: want break or warning", failOn)
	}
	renames, err := option.GetStringSliceValue(options, "renames")
	if err != nil {
		return nil, err
	}
	c.options.Renames = make(map[protoreflect.FullName]protoreflect.FullName)
	for _, rename := range renames {
		was, is, ok := strings.Cut(rename, "=")
		if !ok || !protoreflect.FullName(was).IsValid() || !protoreflect.FullName(is).IsValid() {
			return nil, fmt.Errorf("option renames %q: want OLD=NEW, two full names", rename)
		}
		if other, ok := c.options.Renames[protoreflect.FullName(was)]; ok && string(other) != is {
			return nil, fmt.Errorf("option renames %q: %s is %s already", rename, was, other)
		}
		c.options.Renames[protoreflect.FullName(was)] = protoreflect.FullName(is)
	}
	roots, err := option.GetStringSliceValue(options, "roots")
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		c.roots = append(c.roots, c.oldNames(protoreflect.FullName(root))...)
	}
	return c, c.findRoots(request)
}

// oldNames returns the names that a root has in the old files: it may be named as it is in the new ones, too.
func (c *comparison) oldNames(root protoreflect.FullName) (names []protoreflect.FullName) {
	for was, is := range c.options.Renames {
		if is == root && c.old.Message(was) != nil {
			names = append(names, was)
		}
	}
	slices.Sort(names)
	if len(names) == 0 || c.old.Message(root) != nil {
		names = append(names, root)
	}
	return names
}

// findRoots takes all messages of the old files where none is named, and looks for those that are.
func (c *comparison) findRoots(request check.Request) error {
	if len(c.roots) > 0 {
		for _, root := range c.roots {
			if len(c.old.Files) > 0 && c.old.Message(root) == nil && c.new.Message(root) == nil {
				return fmt.Errorf("option roots: neither the old nor the new files have a message %s", root)
			}
		}
		return nil
	}
	var files []descriptor.FileDescriptor
	for _, f := range request.AgainstFileDescriptors() {
		if !f.IsImport() {
			files = append(files, f)
		}
	}
	c.roots = input(files).Roots()
	return nil
}

func input(files []descriptor.FileDescriptor) *inputs.Input {
	in := &inputs.Input{Kind: "files of buf", Files: []protoreflect.FileDescriptor{}}
	for _, f := range files {
		in.Files = append(in.Files, f.ProtoreflectFileDescriptor())
	}
	return in
}

// findings compares all roots under a policy, and returns each difference once.
func (c *comparison) findings(policy snapshot.Policy) []snapshot.Finding {
	c.once[policy].Do(func() {
		options := c.options
		options.Policy = policy
		seen := make(map[string]bool)
		for _, root := range c.roots {
			for _, f := range c.compare(root, options) {
				id := fmt.Sprint(f.Code, f.Direction, f.Type, f.Number, f.Old, f.New)
				if !seen[id] {
					seen[id] = true
					c.result[policy] = append(c.result[policy], f)
				}
			}
		}
		slices.SortFunc(c.result[policy], func(a, b snapshot.Finding) int { return strings.Compare(a.Place(), b.Place()) })
	})
	return c.result[policy]
}

func (c *comparison) compare(root protoreflect.FullName, options snapshot.Options) []snapshot.Finding {
	was := c.old.Message(root)
	if was == nil {
		return nil // new, so nothing is stored
	}
	name := root
	if renamed, ok := options.Renames[root]; ok {
		name = renamed
	}
	is := c.new.Message(name)
	if is == nil {
		return []snapshot.Finding{gone(root, name)}
	}
	// Its Java class is a matter of Java's build, unless its options say so: then it is named after them.
	old, err := snapshot.OfDescriptor(was, snapshot.Settings{})
	if err != nil {
		return []snapshot.Finding{unusable(root, err)}
	}
	new, err := snapshot.OfDescriptor(is, snapshot.Settings{})
	if err != nil {
		return []snapshot.Finding{unusable(root, err)}
	}
	return snapshot.Check(old, new, options).Findings
}

// gone is the finding of a message that the new files do not have.
func gone(root, name protoreflect.FullName) snapshot.Finding {
	return snapshot.Finding{
		Code: "ROOT_RENAMED", Level: snapshot.Break, Direction: snapshot.Restore, Basis: snapshot.Configuration, Type: root,
		Old: "message " + string(root),
		Why: fmt.Sprintf("The new files have no message %s.", name),
		Do:  "If it was renamed, name both in the option renames.",
	}
}

// unusable is the finding of a message without a snapshot.
func unusable(root protoreflect.FullName, err error) snapshot.Finding {
	return snapshot.Finding{
		Code: "UNINITIALIZED", Level: snapshot.Break, Direction: snapshot.Restore, Basis: snapshot.Configuration, Type: root,
		Why: fmt.Sprintf("No snapshot can be made of it: %v.", err),
	}
}
