// Package roundtrip is the program that internal/schemas links the generated code of random
// schemas, or of published ones, into: it compares all their messages with google.golang.org/protobuf.
package roundtrip

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/flinkser/flinkser/internal/differ"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// Module is the path of the module with the generated code, in which each schema has a folder. It
// is below the path of this module, so that internal packages can be imported.
const Module = "github.com/flinkser/flinkser/schemas"

// Result is a line that the program prints, as JSON: one for each schema.
type Result struct {
	Schema   string // the folder of its Go packages
	Messages int    // types compared
	Inputs   int    // messages and payloads compared
	// Inputs that google.golang.org/protobuf accepts although they lack a required field.
	Overlooked int
	Failures   []Failure
}

// Failure is a difference, or a message without generated code.
type Failure struct {
	Message string // full name of the type
	Error   string
}

// perMessage bounds the time for one message type: what takes longer hangs.
const perMessage = 2 * time.Minute

// Main is the program. Its arguments are the schemas to compare.
func Main() {
	seed := flag.Uint64("seed", 1, "`seed` of the messages")
	rounds := flag.Int("rounds", 1, "comparisons of each message type")
	generated := flag.Bool("generated", true, "fail for message types without generated code")
	flag.Parse()
	codecs, err := differ.New()
	if err != nil {
		fmt.Fprintln(os.Stderr, "roundtrip:", err)
		os.Exit(1)
	}
	r := runner{codecs: codecs, seed: *seed, rounds: *rounds, generated: *generated, types: types()}
	schemas := make(chan string)
	var workers sync.WaitGroup
	var out sync.Mutex
	encoder := json.NewEncoder(os.Stdout)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for s := range schemas {
				result := r.schema(s)
				out.Lock()
				if err := encoder.Encode(result); err != nil {
					panic(err)
				}
				out.Unlock()
			}
		})
	}
	for _, s := range flag.Args() {
		schemas <- s
	}
	close(schemas)
	workers.Wait()
}

// types returns the message types of each schema.
func types() map[string][]protoreflect.MessageType {
	all := map[string][]protoreflect.MessageType{}
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		if !mt.Descriptor().IsMapEntry() {
			path := strings.TrimPrefix(reflect.TypeOf(mt.Zero().Interface()).Elem().PkgPath(), Module+"/")
			schema, _, _ := strings.Cut(path, "/")
			all[schema] = append(all[schema], mt)
		}
		return true
	})
	for _, list := range all {
		slices.SortFunc(list, func(a, b protoreflect.MessageType) int {
			return strings.Compare(string(a.Descriptor().FullName()), string(b.Descriptor().FullName()))
		})
	}
	return all
}

type runner struct {
	codecs    *differ.Codecs
	seed      uint64
	rounds    int
	generated bool
	types     map[string][]protoreflect.MessageType
}

func (r *runner) schema(name string) Result {
	result := Result{Schema: name, Messages: len(r.types[name])}
	for _, mt := range r.types[name] {
		n, overlooked, err := r.message(name, mt)
		result.Inputs += n
		result.Overlooked += overlooked
		if err != nil {
			result.Failures = append(result.Failures, Failure{string(mt.Descriptor().FullName()), err.Error()})
		}
	}
	return result
}

// effort is chosen such that compiling takes much longer than comparing.
var effort = differ.Effort{Messages: 4, Prefixes: 60, Mutations: 40}

// message compares one type. A panic is a difference, too.
func (r *runner) message(schema string, mt protoreflect.MessageType) (inputs, overlooked int, err error) {
	name := string(mt.Descriptor().FullName())
	if _, ok := mt.Zero().Interface().(flinkser.Message); !ok && r.generated {
		return 0, 0, fmt.Errorf("it has no generated code")
	}
	hangs := time.AfterFunc(perMessage, func() {
		fmt.Fprintf(os.Stderr, "roundtrip: %s takes more than %v\n", name, perMessage)
		os.Exit(3)
	})
	defer hangs.Stop()
	h := fnv.New64a()
	h.Write([]byte(strings.TrimPrefix(name, schema))) // the same messages in all places
	c := r.codecs.Compare(rand.New(rand.NewPCG(r.seed, h.Sum64())), mt)
	defer func() {
		inputs, overlooked = c.Inputs, c.Overlooked
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if err := c.EveryPrefix(); err != nil {
		return 0, 0, err
	}
	for range r.rounds {
		if err := c.Round(effort); err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, nil
}
