// Package names decides every identifier that generated code declares, and the
// names of the files it is written to.
package names

import "strings"

// Methods of generated messages. The exported ones form the interface
// flinkser.Message; a field of the same Go name would not compile beside them.
const (
	Size   = "SizeFlinkser"
	Append = "AppendFlinkser"
	Decode = "DecodeFlinkser"
	Reuse  = "ReuseFlinkser"
	Clone  = "CloneFlinkser"
	Reset  = "ResetFlinkser"
	Schema = "SchemaFlinkser"

	// The next ones are only there where they are of use.
	DecodeGroup = "DecodeGroupFlinkser"
	Required    = "RequiredFlinkser"
	Calls       = "CallsFlinkser"
	JSONNames   = "JSONNamesFlinkser"
)

var methods = []string{Size, Append, Decode, Reuse, Clone, Reset, Schema, DecodeGroup, Required, Calls, JSONNames}

// OfCodec is the name that a method of a message has where it is one of a codec: there it
// stands among no other methods.
func OfCodec(method string) string { return strings.TrimSuffix(method, "Flinkser") }

// CodecType is the name of the type of the codec that is called goName. Names of messages begin
// with an upper-case letter, and so do those of codecs.
func CodecType(goName string) string {
	return strings.ToLower(goName[:1]) + goName[1:] + "Codec"
}

// Collides reports whether a field or oneof of this Go name cannot stand in a
// message beside the generated methods.
func Collides(goName string) bool {
	for _, m := range methods {
		if goName == m {
			return true
		}
	}
	return false
}

// TypedClone is the method that clones without going through the interface. Names
// that begin with a lower-case letter cannot collide: protoc-gen-go gives none to
// fields and methods of messages.
const TypedClone = "cloneFlinkser"

// DecodeTo is the method that reads the content of a message up to its end, or to that of
// the group that it is.
const DecodeTo = "decodeToFlinkser"

// Fresh is the method that returns a new message for a payload.
const Fresh = "freshFlinkser"

// PutEntry is the method that writes an entry of the map field goName.
func PutEntry(goName string) string { return "put" + goName + "Flinkser" }

// TakeEntry is the method that reads one.
func TakeEntry(goName string) string { return "take" + goName + "Flinkser" }

// FileSuffix is what generated files have behind the name of their .proto file. variant is
// what protoc-gen-go puts there in the name of the file that a file belongs to.
func FileSuffix(variant string) string { return "_flinkser" + variant + ".pb.go" }

// Local returns the names of parameters and variables in generated functions, and
// the identifiers of Go itself that they use. No import may be called so.
func Local() []string {
	return strings.Fields(`a at b block buf c code d depth e end err i k layout m n next o ok p parts room s seen size start tag u unknown v width wrapper x z
		any append bool byte cap clear copy error false float32 float64 int int32 int64 len make new nil string true
		uint uint32 uint64`)
}

// BuildConstraint returns the constraint that the go command derives from the name
// of the file that protoc-gen-go writes for prefix (a .proto path without its
// extension), or "". The generated methods need the same one: their own file name
// does not end in it.
func BuildConstraint(prefix string) string {
	base := prefix[strings.LastIndexByte(prefix, '/')+1:]
	base, _, _ = strings.Cut(base, ".")
	_, after, found := strings.Cut(base, "_")
	if !found {
		return ""
	}
	parts := strings.Split(after, "_")
	if n := len(parts) - 1; n > 0 && parts[n] == "test" {
		parts = parts[:n] // the go command looks at what is in front of it
	}
	last := parts[len(parts)-1]
	switch {
	case len(parts) >= 2 && known(goos, parts[len(parts)-2]) && known(goarch, last):
		return parts[len(parts)-2] + " && " + last
	case known(goos, last), known(goarch, last):
		return last
	}
	return ""
}

func known(list, name string) bool {
	for _, n := range strings.Fields(list) {
		if n == name {
			return true
		}
	}
	return false
}

// The values of GOOS and GOARCH that the go command recognises in file names, past
// and future ones included (go doc go/build, "Build Constraints").
const (
	goos = `aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris
		wasip1 windows zos`
	goarch = `386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le
		ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`
)
