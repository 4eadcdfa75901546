package flinkserbeam

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	flinkser "github.com/flinkser/flinkser/runtime"
	// Beam's loops without reflection, for the functions that are registered.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized"
)

// ErrNotRegistered is returned where Register has not been called.
var ErrNotRegistered = errors.New("flinkserbeam: Register has to be called before beam.Init")

// codec is the serializer that Register has made. Coders are plain functions without a place for one.
var codec atomic.Pointer[flinkser.Serializer[proto.Message]]

// given are the options of Register.
var given atomic.Pointer[[]flinkser.Option]

// options returns a copy of the options of Register.
func options() []flinkser.Option {
	if g := given.Load(); g != nil {
		return slices.Clone(*g)
	}
	return nil
}

var messageType = reflect.TypeFor[proto.Message]()

func init() {
	register.Function1x2(Encode)
	register.Function2x2(Decode)
}

// Register makes the codec the coder of every message, instead of the one of Beam, and registers the types of all messages
// with generated code that the program is linked with. Call it once, in main before beam.Init or in an init function, and
// in every binary that runs as a worker, with the same options.
//
// The options are those of flinkser.New: limits, RequireGenerated, WithDeterministic, WithCodec. What can
// be written must be readable, so the coder has no element budget unless an option sets one; a Source, whose files come from
// elsewhere, has the default one. WithAliasing, WithReuse and WithMerge are refused: Beam owns the bytes, and keeps messages.
//
// It also sets the experiment for Prism without which Prism loses state, for pipelines that are started by beam.Run.
func Register(opts ...flinkser.Option) error {
	for _, never := range []struct {
		name string
		opt  flinkser.Option
	}{{"WithMerge", flinkser.WithReuse()}, {"WithReuse", flinkser.WithMerge()}} {
		// The two exclude each other, so that one tells whether the other is among the options.
		if _, err := flinkser.New[proto.Message](append(opts[:len(opts):len(opts)], never.opt)...); err != nil {
			var excluded *flinkser.OptionError
			if errors.As(err, &excluded) && excluded.With != "" {
				return fmt.Errorf("flinkserbeam: %s cannot be used in a pipeline", never.name)
			}
			return err
		}
	}
	s, err := flinkser.New[proto.Message](append([]flinkser.Option{flinkser.WithoutElementBudget()}, opts...)...)
	if err != nil {
		return err
	}
	if s.Aliases() {
		return errors.New("flinkserbeam: WithAliasing cannot be used in a pipeline")
	}
	codec.Store(s)
	opts = slices.Clone(opts)
	given.Store(&opts)
	beam.RegisterCoder(messageType, Encode, Decode)
	registerTypes()
	addExperiment()
	return nil
}

// MustRegister is Register for options that are known to be right: it panics on an error.
func MustRegister(opts ...flinkser.Option) {
	if err := Register(opts...); err != nil {
		panic(err)
	}
}

// registerTypes registers the Go types of messages by name. Otherwise Beam would send their layout to the workers, and
// build them there anew without their methods.
func registerTypes() {
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		if m, ok := mt.Zero().Interface().(flinkser.Message); ok {
			beam.RegisterType(reflect.TypeOf(m))
		}
		return true
	})
}

// noSplit keeps Prism from splitting bundles. With it on, which is Prism's default, a stateful bundle that makes no
// progress for about 0.2 seconds is split, and its keyed state is lost.
const noSplit = "prism_disable_sdf_split"

func addExperiment() {
	for e := range strings.SplitSeq(*jobopts.Experiments, ",") {
		if e == noSplit {
			return
		}
	}
	*jobopts.Experiments = strings.TrimPrefix(*jobopts.Experiments+","+noSplit, ",")
}

// Encode returns the payload of a message. A nil message has an empty payload, or is an error where fields are
// required. It is the encoder that Register gives to Beam.
func Encode(m proto.Message) ([]byte, error) {
	s := codec.Load()
	if s == nil {
		return nil, ErrNotRegistered
	}
	if m == nil {
		return nil, errors.New("flinkserbeam: a nil interface has no type; a nil message of a type would have one")
	}
	return s.AppendPayload(nil, m)
}

// Decode returns a new message of type t, which is the pointer type of a message, with the content of a payload. It is
// the decoder that Register gives to Beam. An interface type is a *RefusedError.
func Decode(t reflect.Type, payload []byte) (proto.Message, error) {
	s := codec.Load()
	if s == nil {
		return nil, ErrNotRegistered
	}
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, &RefusedError{Type: t, Reason: ReasonInterface}
	}
	m, ok := reflect.New(t.Elem()).Interface().(proto.Message)
	if !ok {
		return nil, &RefusedError{Type: t, Reason: ReasonInterface}
	}
	if err := s.DecodePayload(payload, m); err != nil {
		return nil, err
	}
	return m, nil
}
