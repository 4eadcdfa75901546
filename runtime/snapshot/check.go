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
	v := Verdict{Compatible: true, Policy: o.Policy, Direction: o.Direction, Findings: []Finding{}}
	var all collector
	for _, d := range []Direction{Restore, Rollback} {
		if o.Direction != d && o.Direction != Both {
			continue
		}
		reached := make(map[protoreflect.FullName]*history)
		for i, old := range olds {
			c := newComparison(old, new, d, o, i, &all)
			if !old.valid() || !new.valid() {
				c.reportText(uninitialized, place{}, "", "")
				continue
			}
			c.run()
			c.remember(reached)
		}
		if d == Restore {
			reuse(reached, o.Policy, &all)
		}
	}
	v.Findings = append(v.Findings, all.sorted()...)
	v.Compatible = v.Level() != Break
	return v
}

// A collector joins findings that several snapshots share.
type collector struct {
	index    map[findingKey]int
	findings []Finding
}

type findingKey struct {
	code      Code
	direction Direction
	typ       protoreflect.FullName
	path      string
	number    int32
	old, new  string
}

func (c *collector) add(f Finding) {
	key := findingKey{f.Code, f.Direction, f.Type, f.Path, f.Number, f.Old, f.New}
	i, ok := c.index[key]
	if !ok {
		if c.index == nil {
			c.index = make(map[findingKey]int)
		}
		c.index[key] = len(c.findings)
		c.findings = append(c.findings, f)
		return
	}
	for _, s := range f.Snapshots {
		if !slices.Contains(c.findings[i].Snapshots, s) {
			c.findings[i].Snapshots = append(c.findings[i].Snapshots, s)
		}
	}
}

func (c *collector) sorted() []Finding {
	for _, f := range c.findings {
		slices.Sort(f.Snapshots)
	}
	slices.SortFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Level, a.Level), cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Type, b.Type),
			cmp.Compare(a.Number, b.Number), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New))
	})
	return c.findings
}

// A comparison looks at one writer and one reader: old and new, or new and old for a
// rollback.
type comparison struct {
	from, to *Snapshot
	policy   Policy
	rollback bool
	index    int // of the old snapshot
	out      *collector
	renames  map[protoreflect.FullName]protoreflect.FullName // from's names to to's
	assumed  bool                                            // the root is compared although no rename was asked for
	limits   bool

	fromProtos, toProtos *protos
	nodes                map[[2]protoreflect.FullName]*node
	queue                []*node
	enums                map[[2]protoreflect.FullName]shape
	files                map[[2]string]bool
	replaced             []replacement
	foreign              int // pairs of types whose names do not agree
}

// maxForeignPairs bounds the pairs of types with different names. Pairs of equal names are no
// more than there are types; others could be as many as the product.
const maxForeignPairs = 1 << 14

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

func newComparison(old, new *Snapshot, d Direction, o Options, index int, out *collector) *comparison {
	c := &comparison{
		from: old, to: new, policy: o.Policy, rollback: d == Rollback, index: index, out: out, limits: !o.IgnoreLimits,
		renames: make(map[protoreflect.FullName]protoreflect.FullName),
		nodes:   make(map[[2]protoreflect.FullName]*node),
		enums:   make(map[[2]protoreflect.FullName]shape),
		files:   make(map[[2]string]bool),
	}
	for was, is := range o.Renames {
		if c.rollback {
			was, is = is, was
		}
		c.renames[was] = is
	}
	if c.rollback {
		c.from, c.to = c.to, c.from
	}
	return c
}

// renamed returns to's name for a type of from.
func (c *comparison) renamed(name protoreflect.FullName) protoreflect.FullName {
	if is, ok := c.renames[name]; ok {
		return is
	}
	return name
}

func (c *comparison) run() {
	from, to := c.from.root, c.to.root
	c.fromProtos, c.toProtos = indexProtos(c.from), indexProtos(c.to)
	c.settings()
	if c.renamed(from.FullName()) != to.FullName() {
		c.reportText(rootRenamed, place{typ: older(c, from, to).FullName()}, "message "+string(from.FullName()), "message "+string(to.FullName()))
		c.renames[from.FullName()], c.assumed = to.FullName(), true
	}
	c.enter(nil, "", from, to)
	for len(c.queue) > 0 {
		n := c.queue[0]
		c.queue = c.queue[1:]
		c.message(n)
	}
	c.judgeReplacements()
}

// settings compares what snapshots say besides their schema.
func (c *comparison) settings() {
	from, to := c.from, c.to
	if a, b := from.JavaClass(), to.JavaClass(); a != b && !c.classFollowsRename() {
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
	if from.FullName() == to.FullName() || c.renamed(from.FullName()) != to.FullName() {
		return false
	}
	a, errA := JavaClassName(from)
	b, errB := JavaClassName(to)
	return errA == nil && errB == nil && a == c.from.JavaClass() && b == c.to.JavaClass()
}

// enter returns the node for a pair, and puts it in the queue where it is new. It returns nil
// where there are too many.
func (c *comparison) enter(holder *node, name string, from, to protoreflect.MessageDescriptor) *node {
	key := [2]protoreflect.FullName{from.FullName(), to.FullName()}
	n := c.nodes[key]
	if n == nil {
		if c.renamed(key[0]) != key[1] {
			c.foreign++
			if c.foreign > maxForeignPairs {
				c.reportText(tooManyReplacedTypes, place{}, "", "")
				return nil
			}
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
// agree. A type that does not agree spoils those that hold it, so it starts anew until
// nothing changes; each round spoils one node at least.
func (c *comparison) judgeReplacements() {
	for changed := true; changed; {
		changed = false
		for _, r := range c.replaced {
			if !r.agrees() && r.holder != nil && !r.holder.broken {
				r.holder.spoil()
				changed = true
			}
		}
	}
	for _, r := range c.replaced {
		id := typeReplacedSameShape
		if !r.agrees() {
			id = typeReplaced
		}
		c.report(id, r.holder, r.f, r.t)
	}
}

func (r replacement) agrees() bool {
	if r.messages != nil {
		return !r.messages.broken && !r.messages.lacks
	}
	return r.enums == sameShape
}

// A place says where a finding is; typ is from's or, for a rollback, to's name.
type place struct {
	typ    protoreflect.FullName
	path   string
	name   string
	number int32
}

const maxPathNames = 16

// path returns the way to a node, with more names behind it.
func (n *node) path(more ...string) string {
	names := slices.Clone(more)
	for ; n != nil && n.parent != nil; n = n.parent {
		if len(names) >= maxPathNames {
			names = append([]string{"…"}, names...)
			break
		}
		names = append([]string{n.name}, names...)
	}
	return strings.Join(names, ".")
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
		Type: p.typ, Path: p.path, Number: p.number, Old: from, New: to,
		Why: fill(r.Why, p.name, p.number), Do: fill(r.Do, p.name, p.number),
	}
	if c.rollback {
		f.Direction, f.Old, f.New = Rollback, to, from
	}
	if c.policy == Strict {
		f.Known = r.Known
	}
	c.out.add(f)
}

// report adds a finding about a declaration of a message: a field or a oneof. One of from and
// to may be nil.
func (c *comparison) report(id ruleID, n *node, from, to protoreflect.Descriptor) {
	if rules[id].Wire == Break {
		n.spoil()
	}
	if c.policy.level(id) == None {
		return
	}
	p := place{typ: older(c, n.from, n.to).FullName()}
	d := older(c, from, to)
	if d == nil {
		d = older(c, to, from)
	}
	p.name = string(d.Name())
	p.path = n.path(p.name)
	if f, ok := d.(protoreflect.FieldDescriptor); ok {
		p.number = int32(f.Number())
	}
	c.reportText(id, p, declare(from), declare(to))
}

// reportType adds a finding about a message itself.
func (c *comparison) reportType(id ruleID, n *node, from, to string) {
	if rules[id].Wire == Break {
		n.spoil()
	}
	if c.policy.level(id) != None {
		c.reportText(id, place{typ: older(c, n.from, n.to).FullName(), path: n.path()}, from, to)
	}
}

// A history is what old schemas had at the place of one message of the new one.
type history struct {
	message protoreflect.MessageDescriptor
	path    string
	olds    []ancestor
}

type ancestor struct {
	index   int
	message protoreflect.MessageDescriptor
}

// remember adds the messages of a comparison to what is known of earlier schemas.
func (c *comparison) remember(reached map[protoreflect.FullName]*history) {
	for _, n := range c.nodes {
		h := reached[n.to.FullName()]
		if h == nil {
			h = &history{message: n.to, path: n.path()}
			reached[n.to.FullName()] = h
		}
		h.path = min(h.path, n.path())
		h.olds = append(h.olds, ancestor{c.index, n.from})
	}
}

// reuse finds numbers that one old schema had under another name and another one had not.
func reuse(reached map[protoreflect.FullName]*history, policy Policy, out *collector) {
	for _, h := range reached {
		for i := range h.message.Fields().Len() {
			now := h.message.Fields().Get(i)
			var lacking bool
			for _, a := range h.olds {
				lacking = lacking || a.message.Fields().ByNumber(now.Number()) == nil
			}
			if !lacking {
				continue
			}
			for _, a := range h.olds {
				was := a.message.Fields().ByNumber(now.Number())
				if was == nil || was.Name() == now.Name() {
					continue
				}
				r := &rules[numberOfEarlierField]
				f := Finding{
					Code: r.Code, Level: policy.level(numberOfEarlierField), Direction: Restore, Basis: r.Basis,
					Snapshots: []int{a.index}, Type: a.message.FullName(), Number: int32(now.Number()),
					Path: strings.TrimPrefix(h.path+"."+string(now.Name()), "."),
					Old:  declare(was), New: declare(now),
					Why: fill(r.Why, string(now.Name()), int32(now.Number())),
					Do:  fill(r.Do, string(now.Name()), int32(now.Number())),
				}
				if policy == Strict {
					f.Known = r.Known
				}
				out.add(f)
			}
		}
	}
}

// protos finds the descriptor messages behind declarations, for what protoreflect does not
// show.
type protos struct {
	messages map[protoreflect.FullName]*descriptorpb.DescriptorProto
	enums    map[protoreflect.FullName]*descriptorpb.EnumDescriptorProto
	files    map[string]*descriptorpb.FileDescriptorProto
}

func indexProtos(s *Snapshot) *protos {
	p := &protos{
		messages: make(map[protoreflect.FullName]*descriptorpb.DescriptorProto),
		enums:    make(map[protoreflect.FullName]*descriptorpb.EnumDescriptorProto),
		files:    make(map[string]*descriptorpb.FileDescriptorProto),
	}
	for _, f := range s.files {
		p.files[f.GetName()] = f
		p.add(protoreflect.FullName(f.GetPackage()), f.GetMessageType(), f.GetEnumType())
	}
	return p
}

func (p *protos) add(parent protoreflect.FullName, messages []*descriptorpb.DescriptorProto, enums []*descriptorpb.EnumDescriptorProto) {
	for _, e := range enums {
		p.enums[parent.Append(protoreflect.Name(e.GetName()))] = e
	}
	for _, m := range messages {
		name := parent.Append(protoreflect.Name(m.GetName()))
		p.messages[name] = m
		p.add(name, m.GetNestedType(), m.GetEnumType())
	}
}

// message compares what a pair of messages declares, and enters the messages of its fields.
func (c *comparison) message(n *node) {
	from, to := n.from, n.to
	mapped := c.noteRename(n.from.FullName(), n.to.FullName(), n.path())
	c.file(n.from.ParentFile(), n.to.ParentFile(), place{typ: older(c, from, to).FullName(), path: n.path()}, mapped)
	c.messageFacts(n)
	n.oneofs = oneofsOf(from, to)
	for _, f := range byNumber(from.Fields()) {
		t := to.Fields().ByNumber(f.Number())
		if moved := to.Fields().ByName(f.Name()); moved != nil && moved.Number() != f.Number() {
			c.report(fieldRenumbered, n, f, moved)
		}
		if t == nil {
			c.removed(n, f)
		} else {
			c.field(n, f, t)
		}
	}
	for _, t := range byNumber(to.Fields()) {
		if from.Fields().ByNumber(t.Number()) == nil {
			c.added(n, t)
		}
	}
	c.fieldOrder(n)
}

// noteRename reports a rename that was asked for, and returns whether the names agree only by
// a rename.
func (c *comparison) noteRename(from, to protoreflect.FullName, path string) bool {
	mapped := from != to && c.renamed(from) == to
	if mapped && !(c.assumed && from == c.from.root.FullName()) {
		c.reportText(renameHonoured, place{typ: older(c, from, to), path: path}, string(from), string(to))
	}
	return mapped
}
