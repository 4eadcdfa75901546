package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Check says whether code with the schema new may read state of the schema old, or the other
// way round as Options.Direction asks, and lists every difference.
//
// It looks at nothing but its arguments, changes nothing, and ends for every pair of
// snapshots. Its time grows with the number of declarations that both roots reach.
//
// The strict policy follows sources, tests and release notes of the Java library; Rules says
// for every rule how it is known. Neither policy looks into google.protobuf.Any.
func Check(old, new *Snapshot, o Options) Verdict {
	return CheckAll([]*Snapshot{old}, new, o)
}

// CheckAll is Check against several old snapshots, such as those of all savepoints that are
// still kept. Bytes of every earlier schema may stand under the newest snapshot, so a number
// that one of them has used and another has not is not free. The order of olds changes
// nothing but the numbers in Finding.Snapshots.
func CheckAll(olds []*Snapshot, new *Snapshot, o Options) Verdict {
	v := Verdict{Compatible: true, Policy: o.Policy, Direction: o.Direction}
	all := []Finding{}
	for _, d := range []Direction{Restore, Rollback} {
		if other := Restore + Rollback - d; o.Direction == other {
			continue // a direction that there is not is checked as Both
		}
		reached := make(map[protoreflect.FullName]*history)
		for i, old := range olds {
			c := newComparison(old, new, d, o, i, &all)
			if !old.valid() || !new.valid() {
				c.reportText(uninitialized, place{}, "", "")
				continue
			}
			c.run()
			if len(olds) > 1 {
				c.remember(reached)
			}
		}
		if d == Restore {
			reuse(reached, o.Policy, &all)
		}
	}
	v.Findings = sorted(all)
	v.Compatible = v.Level() != Break
	return v
}

// sorted puts findings in their order, and joins those that several snapshots share.
func sorted(findings []Finding) []Finding {
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Level, a.Level), cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Type, b.Type),
			cmp.Compare(a.Number, b.Number), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New), slices.Compare(a.Snapshots, b.Snapshots))
	})
	joined := findings[:0]
	for _, f := range findings {
		if last := len(joined) - 1; last >= 0 && sameDifference(joined[last], f) {
			if !slices.Contains(joined[last].Snapshots, f.Snapshots[0]) {
				joined[last].Snapshots = append(joined[last].Snapshots, f.Snapshots[0])
			}
			continue
		}
		joined = append(joined, f)
	}
	return joined
}

// sameDifference reports whether two findings differ at most in the snapshots that show them.
func sameDifference(a, b Finding) bool {
	return a.Code == b.Code && a.Direction == b.Direction && a.Type == b.Type && a.Number == b.Number &&
		a.Path == b.Path && a.Old == b.Old && a.New == b.New
}

// A comparison looks at one writer and one reader: old and new, or new and old for a
// rollback.
type comparison struct {
	from, to *Snapshot
	policy   Policy
	rollback bool
	index    int // of the old snapshot
	out      *[]Finding
	renames  map[protoreflect.FullName]protoreflect.FullName // old names to new ones
	assumed  bool                                            // the root is compared although no rename was asked for
	limits   bool

	protos   [2]map[string]*descriptorpb.FileDescriptorProto // by path, of from and of to
	nodes    map[[2]protoreflect.MessageDescriptor]*node
	queue    []*node
	enums    map[[2]protoreflect.EnumDescriptor]shape
	files    map[[2]string]bool
	replaced []replacement
	named    map[[2]protoreflect.FullName]bool // pairs whose names agree
	foreign  int                               // size of the other pairs
}

// maxForeign bounds the fields and enum values of pairs of types whose names do not agree.
const maxForeign = 1 << 17

// A node is a pair of messages that the same field can hold.
type node struct {
	from, to protoreflect.MessageDescriptor
	parent   *node // by which it was found first
	name     string
	users    []*node // all that hold it
	broken   bool    // some payload of it, or of what it holds, does not survive
	lacks    bool    // to has not all fields of from
	oneofs   oneofs
}

// A replacement is a field whose type has another name, to be judged when its shape is known.
type replacement struct {
	holder   *node
	f, t     protoreflect.FieldDescriptor
	messages *node // nil for enums
	enums    shape
}

func newComparison(old, new *Snapshot, d Direction, o Options, index int, out *[]Finding) *comparison {
	c := &comparison{
		from: old, to: new, policy: o.Policy, rollback: d == Rollback, index: index, out: out, limits: !o.IgnoreLimits,
		renames: o.Renames,
		nodes:   make(map[[2]protoreflect.MessageDescriptor]*node),
		enums:   make(map[[2]protoreflect.EnumDescriptor]shape),
		files:   make(map[[2]string]bool),
		named:   make(map[[2]protoreflect.FullName]bool),
	}
	if c.rollback {
		c.from, c.to = c.to, c.from
	}
	return c
}

// agree reports whether two names are those of one type: equal, or as the rename map has them. Several old
// types may have become one.
func (c *comparison) agree(from, to protoreflect.FullName) bool {
	old, new := from, to
	if c.rollback {
		old, new = to, from
	}
	if is, ok := c.renames[old]; ok {
		old = is
	}
	return old == new || c.assumed && from == c.from.root.FullName() && to == c.to.root.FullName()
}

func (c *comparison) run() {
	from, to := c.from.root, c.to.root
	c.protos = [2]map[string]*descriptorpb.FileDescriptorProto{c.from.filesByPath(), c.to.filesByPath()}
	c.settings()
	if !c.agree(from.FullName(), to.FullName()) {
		c.reportText(rootRenamed, place{typ: older(c, from, to).FullName()}, c.rootText(from), c.rootText(to))
		c.assumed = true
	}
	c.enter(nil, "", from, to)
	for len(c.queue) > 0 {
		n := c.queue[0]
		c.queue = c.queue[1:]
		c.message(n)
	}
	c.judgeReplacements()
}

// rootText names a root message, and what the rename map says of it.
func (c *comparison) rootText(m protoreflect.MessageDescriptor) string {
	text := "message " + string(m.FullName())
	if is, ok := c.renames[m.FullName()]; ok && m == older(c, c.from.root, c.to.root) {
		text += ", renamed to " + string(is)
	}
	return text
}

// settings compares what snapshots say besides their schema.
func (c *comparison) settings() {
	from, to := c.from, c.to
	kind := map[bool]string{false: "generated messages", true: "dynamic messages"}
	if a, b := from.Dynamic(), to.Dynamic(); a != b {
		c.reportText(kindChanged, place{}, kind[a], kind[b])
	} else if a, b := from.JavaClass(), to.JavaClass(); a != b && !c.classFollowsRename() {
		c.reportText(javaClassChanged, place{}, a, b)
	}
	if c.limits {
		c.limit(maxMessageSizeLowered, "maximum message size", from.MaxMessageSize(), to.MaxMessageSize())
		c.limit(recursionLimitLowered, "recursion limit", from.RecursionLimit(), to.RecursionLimit())
	}
	if a, b := from.Deterministic(), to.Deterministic(); a != b {
		c.reportText(deterministicChanged, place{}, fmt.Sprintf("deterministic %v", a), fmt.Sprintf("deterministic %v", b))
	}
	if !bytes.Equal(from.setUnknown, to.setUnknown) {
		c.reportText(setMetadataChanged, place{}, fmt.Sprintf("%d bytes", len(from.setUnknown)), fmt.Sprintf("%d bytes", len(to.setUnknown)))
	}
}

func (c *comparison) limit(lowered ruleID, what string, from, to int) {
	id := limitRaised
	switch {
	case from == to:
		return
	case from > to:
		id = lowered
	}
	c.reportText(id, place{}, fmt.Sprintf("%s %d", what, from), fmt.Sprintf("%s %d", what, to))
}

// classFollowsRename reports whether the root was renamed as asked and its Java class has
// only followed.
func (c *comparison) classFollowsRename() bool {
	from, to := c.from.root, c.to.root
	if from.FullName() == to.FullName() || !c.agree(from.FullName(), to.FullName()) {
		return false
	}
	a, errA := JavaClassName(from)
	b, errB := JavaClassName(to)
	return errA == nil && errB == nil && a == c.from.JavaClass() && b == c.to.JavaClass()
}

// enter returns the node for a pair, and puts it in the queue where it is new. It returns nil
// where there are too many.
func (c *comparison) enter(holder *node, name string, from, to protoreflect.MessageDescriptor) *node {
	key := [2]protoreflect.MessageDescriptor{from, to}
	n := c.nodes[key]
	if n == nil {
		if names := [2]protoreflect.FullName{from.FullName(), to.FullName()}; !c.agree(names[0], names[1]) || c.named[names] {
			if c.tooMany(1 + from.Fields().Len() + to.Fields().Len()) {
				return nil
			}
		} else {
			c.named[names] = true
		}
		n = &node{from: from, to: to, parent: holder, name: name}
		c.nodes[key] = n
		c.queue = append(c.queue, n)
	}
	if holder != nil {
		n.users = append(n.users, holder)
		if n.broken {
			holder.spoil()
		}
	}
	return n
}

// tooMany reports whether the pairs of types whose names do not agree have become too many with one of a size. Pairs
// whose names agree are no more than there are names, if each is counted once; others could be as many as the product.
func (c *comparison) tooMany(size int) bool {
	before := c.foreign
	c.foreign += size
	if before <= maxForeign && c.foreign > maxForeign {
		c.reportText(tooManyReplacedTypes, place{}, "", "")
	}
	return c.foreign > maxForeign
}

// spoil marks a node and all that hold it as broken.
func (n *node) spoil() {
	stack := []*node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !n.broken {
			n.broken = true
			stack = append(stack, n.users...)
		}
	}
}

// judgeReplacements decides for each field with a type of another name whether the shapes
// agree. Breaks inside of a type have spoilt all that hold it already; what it lacks counts
// here only, since the same type may lose a field.
func (c *comparison) judgeReplacements() {
	for _, r := range c.replaced {
		if r.lacks() {
			r.holder.spoil()
		}
	}
	for _, r := range c.replaced {
		id := typeReplacedSameShape
		if r.lacks() || r.messages != nil && r.messages.broken {
			id = typeReplaced
		}
		c.report(id, r.holder, r.f, r.t)
	}
}

func (r replacement) lacks() bool {
	if r.messages != nil {
		return r.messages.lacks
	}
	return r.enums != sameShape
}

// A place says where a finding is: typ is from's or, for a rollback, to's name, and the path
// leads to the node at and on to last.
type place struct {
	typ    protoreflect.FullName
	at     *node
	last   string
	name   string
	number int32
}

const maxPathNames = 16

// path returns the way to a node, with a name behind it that may be empty.
func (n *node) path(last string) string {
	var names [maxPathNames + 2]string
	i := len(names)
	if last != "" {
		i--
		names[i] = shortName(last)
	}
	for ; n != nil && n.parent != nil; n = n.parent {
		i--
		if i == 0 {
			names[i] = "…"
			break
		}
		names[i] = shortName(n.name)
	}
	return strings.Join(names[i:], ".")
}

// older returns that of two which belongs to the old schema.
func older[T any](c *comparison, from, to T) T {
	if c.rollback {
		return to
	}
	return from
}

// reportText adds a finding with declarations that are texts already.
func (c *comparison) reportText(id ruleID, p place, from, to string) {
	level := c.policy.level(id)
	if level == None {
		return
	}
	r := &rules[id]
	f := Finding{
		Code: r.Code, Level: level, Direction: Restore, Basis: c.policy.basis(id), Snapshots: []int{c.index},
		Type: p.typ, Path: p.at.path(p.last), Number: p.number, Old: from, New: to,
		Why: fill(r.Why, p.name, p.number), Do: fill(id.do(c.rollback), p.name, p.number),
	}
	if c.rollback {
		f.Direction, f.Old, f.New = Rollback, to, from
	}
	if c.policy == Strict {
		f.Known = r.Known
	}
	*c.out = append(*c.out, f)
}

// report adds a finding about a declaration of a message: a field or a oneof. One of from and
// to may be nil.
func (c *comparison) report(id ruleID, n *node, from, to protoreflect.Descriptor) {
	c.reportAs(id, n, from, to, declare(from), declare(to))
}

// reportAs is report with other texts for the declarations.
func (c *comparison) reportAs(id ruleID, n *node, from, to protoreflect.Descriptor, fromText, toText string) {
	if rules[id].Wire == Break {
		n.spoil()
	}
	if c.policy.level(id) == None {
		return
	}
	p := place{typ: older(c, n.from, n.to).FullName(), at: n}
	d := older(c, from, to)
	if d == nil {
		d = older(c, to, from)
	}
	p.name = string(d.Name())
	p.last = p.name
	if f, ok := d.(protoreflect.FieldDescriptor); ok {
		p.number = int32(f.Number())
	}
	c.reportText(id, p, fromText, toText)
}

// reportType adds a finding about a message itself.
func (c *comparison) reportType(id ruleID, n *node, from, to string) {
	if rules[id].Wire == Break {
		n.spoil()
	}
	c.reportText(id, place{typ: older(c, n.from, n.to).FullName(), at: n}, from, to)
}

// A history is what old schemas had at the place of one message of the new one.
type history struct {
	message protoreflect.MessageDescriptor
	olds    []ancestor
}

type ancestor struct {
	index int
	node  *node
}

// remember adds the messages of a comparison to what is known of earlier schemas.
func (c *comparison) remember(reached map[protoreflect.FullName]*history) {
	for _, n := range c.nodes {
		h := reached[n.to.FullName()]
		if h == nil {
			h = &history{message: n.to}
			reached[n.to.FullName()] = h
		}
		h.olds = append(h.olds, ancestor{c.index, n})
	}
}

// reuse finds numbers that one old schema had under another name and another one had not.
func reuse(reached map[protoreflect.FullName]*history, policy Policy, out *[]Finding) {
	for _, h := range reached {
		if len(h.olds) < 2 {
			continue
		}
		for i := range h.message.Fields().Len() {
			now := h.message.Fields().Get(i)
			var lacking bool
			for _, a := range h.olds {
				lacking = lacking || a.node.from.Fields().ByNumber(now.Number()) == nil
			}
			if !lacking {
				continue
			}
			for _, a := range h.olds {
				was := a.node.from.Fields().ByNumber(now.Number())
				if was == nil || was.Name() == now.Name() {
					continue
				}
				r := &rules[numberOfEarlierField]
				f := Finding{
					Code: r.Code, Level: policy.level(numberOfEarlierField), Direction: Restore, Basis: r.Basis,
					Snapshots: []int{a.index}, Type: a.node.from.FullName(), Number: int32(now.Number()),
					Path: a.node.path(string(now.Name())),
					Old:  declare(was), New: declare(now),
					Why: fill(r.Why, string(now.Name()), int32(now.Number())),
					Do:  fill(r.Do, string(now.Name()), int32(now.Number())),
				}
				if policy == Strict {
					f.Known = r.Known
				}
				*out = append(*out, f)
			}
		}
	}
}

// filesByPath returns the descriptor messages behind the files of a snapshot.
func (s *Snapshot) filesByPath() map[string]*descriptorpb.FileDescriptorProto {
	files := make(map[string]*descriptorpb.FileDescriptorProto, len(s.files))
	for _, f := range s.files {
		files[f.GetName()] = f
	}
	return files
}

// messageProto returns the descriptor message behind a message, for what protoreflect does not
// show.
func (c *comparison) messageProto(s *Snapshot, m protoreflect.MessageDescriptor) *descriptorpb.DescriptorProto {
	if outer, ok := m.Parent().(protoreflect.MessageDescriptor); ok {
		return at(c.messageProto(s, outer).GetNestedType(), m.Index())
	}
	return at(c.proto(s, m.ParentFile()).GetMessageType(), m.Index())
}

// enumProto does so for an enum.
func (c *comparison) enumProto(s *Snapshot, e protoreflect.EnumDescriptor) *descriptorpb.EnumDescriptorProto {
	if outer, ok := e.Parent().(protoreflect.MessageDescriptor); ok {
		return at(c.messageProto(s, outer).GetEnumType(), e.Index())
	}
	return at(c.proto(s, e.ParentFile()).GetEnumType(), e.Index())
}

// proto returns the descriptor message behind a file, nil where there is none.
func (c *comparison) proto(s *Snapshot, f protoreflect.FileDescriptor) *descriptorpb.FileDescriptorProto {
	if s == c.from {
		return c.protos[0][f.Path()]
	}
	return c.protos[1][f.Path()]
}

// at returns an element, and the zero value where there is none.
func at[T any](list []T, i int) (element T) {
	if i < len(list) {
		return list[i]
	}
	return element
}

// message compares what a pair of messages declares, and enters the messages of its fields.
func (c *comparison) message(n *node) {
	from, to := n.from, n.to
	here := place{typ: older(c, from, to).FullName(), at: n}
	mapped := c.noteRename(from.FullName(), to.FullName(), here)
	c.file(from.ParentFile(), to.ParentFile(), here, mapped)
	c.messageFacts(n)
	fields := match(from, to)
	if to.Oneofs().Len() > 0 {
		n.oneofs = oneofsOf(fields)
	}
	for _, p := range fields {
		switch {
		case p.t == nil:
			c.renumbered(n, p.f)
			c.removed(n, p.f)
		case p.f == nil:
			c.added(n, p.t)
		default:
			if p.f.Name() != p.t.Name() {
				c.renumbered(n, p.f)
			}
			c.field(n, p.f, p.t)
		}
	}
	c.fieldOrder(n, fields)
}

// renumbered reports a field of the writer whose name has another number in the reader.
func (c *comparison) renumbered(n *node, f protoreflect.FieldDescriptor) {
	if moved := n.to.Fields().ByName(f.Name()); moved != nil && moved.Number() != f.Number() {
		c.report(fieldRenumbered, n, f, moved)
	}
}

// noteRename reports a rename that was asked for, and returns whether the names agree only by
// a rename.
func (c *comparison) noteRename(from, to protoreflect.FullName, p place) bool {
	mapped := from != to && c.agree(from, to)
	if mapped && !(c.assumed && from == c.from.root.FullName()) {
		c.reportText(renameHonoured, p, string(from), string(to))
	}
	return mapped
}
