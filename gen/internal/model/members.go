package model

import (
	"fmt"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/gofeaturespb"
)

// This file finds messages for which the output of protoc-gen-go does not compile, because
// two members of the Go type have one name. protoc-gen-go renames fields so that most names
// are free of that, but it does not know of all of its own methods.

// member is a field of the struct, or a method, that protoc-gen-go declares for a message.
type member struct {
	name string
	what string // in words
	of   protoreflect.Descriptor
}

// clashes refuses messages with two members of one name.
func (b *builder) clashes(pm *protogen.Message) {
	declared := map[string]member{}
	for _, m := range members(pm) {
		first, ok := declared[m.name]
		switch {
		case !ok:
			declared[m.name] = m
		case first.what == "":
			b.refuse(first.of, fmt.Sprintf("its Go name %s is that of %s: the output of protoc-gen-go does not compile; rename the %s", m.name, m.what, word(first.of)))
		default:
			b.refuse(m.of, fmt.Sprintf("%s has the Go name %s, as has %s: the output of protoc-gen-go does not compile; rename the %s", m.what, m.name, first.what, word(m.of)))
		}
	}
}

func word(d protoreflect.Descriptor) string {
	if _, ok := d.(protoreflect.OneofDescriptor); ok {
		return "oneof"
	}
	return "field"
}

// members lists the fields of the struct of a message, which have no words, and then the
// methods. Those of opaque messages are left out: no method is called like one of them.
func members(pm *protogen.Message) []member {
	var fields, methods []member
	method := func(name, kind string, of protoreflect.Descriptor) {
		if name != "" {
			methods = append(methods, member{name, fmt.Sprintf("%s of %s %s", kind, word(of), of.Name()), of})
		}
	}
	open, opaque := pm.APILevel == gofeaturespb.GoFeatures_API_OPEN, isOpaque(pm)
	methods = append(methods, member{"ProtoReflect", "a method of every message", nil})
	for _, o := range pm.Oneofs {
		if o.Desc.IsSynthetic() {
			continue
		}
		if !opaque {
			fields = append(fields, member{name: o.GoName, of: o.Desc})
			method("Get"+o.GoName, "the getter", o.Desc)
		}
		if !open {
			for _, kind := range []string{"Has", "Clear", "Which"} {
				method(o.MethodName(kind), "the method "+kind, o.Desc)
			}
		}
	}
	for _, pf := range pm.Fields {
		if !opaque && (pf.Oneof == nil || pf.Oneof.Desc.IsSynthetic()) {
			fields = append(fields, member{name: pf.GoName, of: pf.Desc})
		}
		name, old := pf.MethodName("Get")
		method(name, "the getter", pf.Desc)
		method(old, "the old getter", pf.Desc)
		if open {
			continue
		}
		name, _ = pf.MethodName("Set")
		method(name, "the setter", pf.Desc)
		if pf.Desc.HasPresence() {
			for _, kind := range []string{"Has", "Clear"} {
				name, _ = pf.MethodName(kind)
				method(name, "the method "+kind, pf.Desc)
			}
		}
	}
	return append(fields, methods...)
}
