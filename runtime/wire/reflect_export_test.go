package wire

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// AppendPlain is AppendMessage through protoreflect only, for messages with generated code
// too.
func AppendPlain(e *Encoder, b []byte, i, depth int, m proto.Message) ([]byte, int) {
	r := reflected(m)
	if r == nil {
		return b, i
	}
	w := newWriter(e)
	defer w.free()
	w.plain = true
	return w.append(tableOf(r.Descriptor()), b, i, depth, r)
}

// ReachesRequired reports whether messages of the type may hold required fields.
func ReachesRequired(md protoreflect.MessageDescriptor) bool {
	return tableOf(md).reach()&reachesRequired != 0
}
