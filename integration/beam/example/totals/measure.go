package main

import (
	"os"
	"reflect"
	"runtime/pprof"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"google.golang.org/protobuf/proto"
)

// registerBeams puts Beam's own coder of messages in the place of ours: functions of the same types, which do the
// same.
func registerBeams() {
	beam.RegisterCoder(reflect.TypeFor[proto.Message](), beamsEncode, beamsDecode)
}

func beamsEncode(in beam.T) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(in.(proto.Message))
}

func beamsDecode(t reflect.Type, in []byte) (beam.T, error) {
	m := reflect.New(t.Elem()).Interface().(proto.Message)
	if err := proto.Unmarshal(in, m); err != nil {
		return nil, err
	}
	return m, nil
}

// startProfile writes a profile until the function that it returns is called.
func startProfile(name string) (stop func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		file.Close()
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}
