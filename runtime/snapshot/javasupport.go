package snapshot

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// JavaSupport returns the reasons why the Java library refuses messages of md, the first for each
// message type, in the order in which it meets them; none if it accepts them. It wants all
// messages that md can hold to be of proto3, of the full runtime, and without extensions. What else
// the files of the schema declare does not matter to it.
func JavaSupport(md protoreflect.MessageDescriptor) []string {
	var reasons []string
	seen := map[protoreflect.FullName]bool{md.FullName(): true}
	for todo := []protoreflect.MessageDescriptor{md}; len(todo) > 0; todo = todo[1:] {
		m := todo[0]
		if reason := refusal(m); reason != "" {
			reasons = append(reasons, fmt.Sprintf("%s %s", m.FullName(), reason))
		}
		for i := range m.Fields().Len() {
			if sub := m.Fields().Get(i).Message(); sub != nil && !seen[sub.FullName()] {
				seen[sub.FullName()] = true
				todo = append(todo, sub)
			}
		}
	}
	return reasons
}

// refusal returns why the Java library does not accept a message type, or "".
func refusal(m protoreflect.MessageDescriptor) string {
	o, _ := m.Options().(*descriptorpb.MessageOptions)
	switch {
	case m.IsPlaceholder():
		return "is not in the descriptors"
	case m.Extensions().Len() > 0:
		return "declares extensions"
	case o.GetMessageSetWireFormat():
		return "has message set wire format"
	case m.ExtensionRanges().Len() > 0:
		return "has extension ranges"
	case m.Syntax() != protoreflect.Proto3:
		return fmt.Sprintf("is of %s (%s), not of proto3", m.Syntax(), m.ParentFile().Path())
	case fileOptions(m.ParentFile()).GetOptimizeFor() == descriptorpb.FileOptions_LITE_RUNTIME:
		return fmt.Sprintf("is of the lite runtime (%s)", m.ParentFile().Path())
	default:
		return ""
	}
}
