package model

import "google.golang.org/protobuf/reflect/protoreflect"

// This file reads from descriptors what the fields of a message do not say by themselves.

// checksUTF8 decides as google.golang.org/protobuf does.
func checksUTF8(fd protoreflect.FieldDescriptor) bool {
	if fd.Syntax() == protoreflect.Editions {
		if fd, ok := fd.(interface{ EnforceUTF8() bool }); ok {
			return fd.EnforceUTF8()
		}
	}
	return fd.Syntax() == protoreflect.Proto3
}

// isMessageSet reports whether the extensions of a message are in message set wire format.
func isMessageSet(md protoreflect.MessageDescriptor) bool {
	set, ok := md.(interface{ IsMessageSet() bool })
	return ok && set.IsMessageSet()
}

// groupContent reports whether the code for a message type can read it as the content of
// a group: where its file makes it one, or could have, which only editions let any type be.
// It depends on nothing but that file, so that code elsewhere comes to the same answer.
func (b *builder) groupContent(md protoreflect.MessageDescriptor) bool {
	file := md.ParentFile()
	if file.Syntax() == protoreflect.Editions {
		return true
	}
	groups, ok := b.groups[file.Path()]
	if !ok {
		groups = map[protoreflect.FullName]bool{}
		findGroups(groups, file)
		b.groups[file.Path()] = groups
	}
	return groups[md.FullName()]
}

// scope is what can declare messages and extensions.
type scope interface {
	Messages() protoreflect.MessageDescriptors
	Extensions() protoreflect.ExtensionDescriptors
}

func findGroups(groups map[protoreflect.FullName]bool, in scope) {
	note := func(fd protoreflect.FieldDescriptor) {
		if fd.Kind() == protoreflect.GroupKind {
			groups[fd.Message().FullName()] = true
		}
	}
	for i := range in.Extensions().Len() {
		note(in.Extensions().Get(i))
	}
	for i := range in.Messages().Len() {
		md := in.Messages().Get(i)
		for j := range md.Fields().Len() {
			note(md.Fields().Get(j))
		}
		findGroups(groups, md)
	}
}

// mayLack reports whether a message of a type, or a message in one, may lack a required
// field. An extension may hold anything.
func (b *builder) mayLack(root protoreflect.MessageDescriptor) bool {
	seen := map[protoreflect.FullName]bool{root.FullName(): true}
	for todo := []protoreflect.MessageDescriptor{root}; len(todo) > 0; {
		md := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b.whole[md.FullName()] {
			continue
		}
		if md.RequiredNumbers().Len() > 0 || md.ExtensionRanges().Len() > 0 {
			return true
		}
		for i := range md.Fields().Len() {
			if sub := md.Fields().Get(i).Message(); sub != nil && !seen[sub.FullName()] {
				seen[sub.FullName()] = true
				todo = append(todo, sub)
			}
		}
	}
	for name := range seen {
		b.whole[name] = true
	}
	return false
}
