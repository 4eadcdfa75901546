package snapshot

import (
	"errors"
	"fmt"
	"io"
)

// Errors of snapshots: one for each check, to be asked for with errors.Is. What a function returns
// is an *Error around one of them.
var (
	// ErrUninitialized: a Snapshot that no function of this package made.
	ErrUninitialized = errors.New("snapshot has not been initialized")
	// ErrNoDescriptor: no message, or a type that does not say what messages it has.
	ErrNoDescriptor = errors.New("no message type")
	// ErrSetting: a limit out of its range. A *SettingError has more.
	ErrSetting = errors.New("invalid setting")

	// ErrTruncated: the input ends inside of a snapshot. It is also an io.ErrUnexpectedEOF.
	ErrTruncated error = truncated{}
	// ErrEnvelope: the class name in front is not that of the snapshots this package knows.
	ErrEnvelope = errors.New("snapshot of another serializer")
	// ErrVersion: a snapshot version other than 1.
	ErrVersion = errors.New("unsupported snapshot version")
	// ErrFraming: a framing version other than 1.
	ErrFraming = errors.New("unsupported framing version")
	// ErrNormalization: a descriptor normalization version other than 1.
	ErrNormalization = errors.New("unsupported normalization version")
	// ErrText: a class or message name that is not in modified UTF-8, or cannot be written so.
	ErrText = errors.New("malformed modified UTF-8")
	// ErrTextLength: a class or message name of more than 65535 bytes.
	ErrTextLength = errors.New("text is longer than 65535 bytes")
	// ErrEmptyClassName: no Java class name.
	ErrEmptyClassName = errors.New("empty Java class name")
	// ErrEmptyMessageName: no message name.
	ErrEmptyMessageName = errors.New("empty Protobuf message name")
	// ErrFlag: a deterministic flag that is neither 0 nor 1.
	ErrFlag = errors.New("invalid deterministic flag")
	// ErrMaxMessageSize: a size limit below 1.
	ErrMaxMessageSize = errors.New("invalid maxMessageSize")
	// ErrRecursionLimit: a recursion limit below 1.
	ErrRecursionLimit = errors.New("invalid recursionLimit")
	// ErrDescriptorLength: descriptors of no bytes, or of more than 64 MiB.
	ErrDescriptorLength = errors.New("invalid descriptor byte length")
	// ErrDigest: the SHA-256 is not that of the descriptor bytes.
	ErrDigest = errors.New("descriptor fingerprint mismatch")
	// ErrDescriptorSet: the bytes are no FileDescriptorSet, or one that is nested too deeply.
	ErrDescriptorSet = errors.New("malformed descriptor set")

	// ErrEmptyFileName: a descriptor file without a name.
	ErrEmptyFileName = errors.New("empty descriptor file name")
	// ErrConflictingFile: two different files of one name.
	ErrConflictingFile = errors.New("conflicting descriptor file")
	// ErrWeakDependency: the index of a weak import is out of range.
	ErrWeakDependency = errors.New("invalid weak dependency index")
	// ErrUnresolvedImport: an imported file is not there.
	ErrUnresolvedImport = errors.New("unresolved import")
	// ErrCyclicImports: files that import each other.
	ErrCyclicImports = errors.New("cyclic descriptor imports")
	// ErrInvalidGraph: the files do not make up valid descriptors.
	ErrInvalidGraph = errors.New("invalid descriptor graph")
	// ErrAmbiguousRoot: more than one message has the name of the root.
	ErrAmbiguousRoot = errors.New("ambiguous root message")
	// ErrMissingRoot: no message has the name of the root.
	ErrMissingRoot = errors.New("missing root message")
	// ErrOutsideClosure: a file that the root's file does not import, directly or indirectly.
	ErrOutsideClosure = errors.New("descriptor file outside the root import closure")

	// ErrJavaName: protoc cannot make a Java class for the message.
	ErrJavaName = errors.New("no Java class name")
)

type truncated struct{}

func (truncated) Error() string        { return "truncated Protobuf snapshot" }
func (truncated) Is(target error) bool { return target == io.ErrUnexpectedEOF }

// Error says what could not be done, and why.
type Error struct {
	Op     string // "read", "write" or "make"
	Offset int64  // on reading, where in the snapshot it is wrong: the beginning of the part that is refused; else -1
	Err    error
}

// Error returns what failed, where, and why.
func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("cannot %s Protobuf snapshot: %v", e.Op, e.Err)
	}
	return fmt.Sprintf("cannot %s Protobuf snapshot: %v (at byte %d)", e.Op, e.Err, e.Offset)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// SettingError is a limit out of its range. It is an ErrSetting.
type SettingError struct {
	Setting string // "MaxMessageSize" or "RecursionLimit"
	Value   int
}

// Error names the setting, its value, and what it can be.
func (e *SettingError) Error() string {
	return fmt.Sprintf("%s is %d; want 1 to 2147483647, or 0 for the default", e.Setting, e.Value)
}

// Is reports whether target is ErrSetting.
func (e *SettingError) Is(target error) bool { return target == ErrSetting }

const (
	opRead  = "read"
	opWrite = "write"
	opMake  = "make"
)

// failed is an error that has no place in a stream.
func failed(op string, err error) *Error { return &Error{Op: op, Offset: -1, Err: err} }

// because adds detail to a sentinel.
func because(sentinel error, format string, args ...any) error {
	return fmt.Errorf("%w: %w", sentinel, fmt.Errorf(format, args...))
}
