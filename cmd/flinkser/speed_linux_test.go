package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"google.golang.org/protobuf/reflect/protodesc"

	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// TestCatSpeed prints a file, looks at the memory that it takes, and compares the processor time with
// that of protojson alone. FLINKSER_CAT_RECORDS is the number of records. Without it there are few, and
// the ratio is only printed: the start of the processes counts then.
func TestCatSpeed(t *testing.T) {
	records, long := 20_000, false
	if v := os.Getenv("FLINKSER_CAT_RECORDS"); v != "" {
		var err error
		if records, err = strconv.Atoi(v); err != nil || records < 1000 {
			t.Fatalf("FLINKSER_CAT_RECORDS is %q, want a number from 1000 on", v)
		}
		long = true
	}
	dir := t.TempDir()
	schema := writeSchema(t, dir)
	for _, tt := range []struct {
		name    string
		message proto.Message
		all     []proto.Message
	}{
		{"nested", &recordpb.Record{}, messages(corpus.Records("nested"))},
		{"social", &recordpb.SocialMediaPost{}, messages(corpus.Posts())},
	} {
		t.Run(tt.name, func(t *testing.T) {
			few, many := writeFile(t, dir, tt.all, records/10), writeFile(t, dir, tt.all, records)
			name := string(tt.message.ProtoReflect().Descriptor().FullName())
			cat := func(file string) usage {
				return measured(t, "flinkser", "frames", "cat", "--schema", schema, "--message", name, file)
			}
			small := cat(few)
			var ratios []float64
			for range 3 {
				ours := cat(many)
				alone := measured(t, "protojson-alone", tt.name, fmt.Sprint(records))
				if ours.lines != records || alone.lines != records {
					t.Fatalf("%d and %d lines, want %d", ours.lines, alone.lines, records)
				}
				if grown := ours.memory - small.memory; grown > 16<<20 {
					t.Errorf("%d records take %d bytes of memory more than a tenth of them", records, grown)
				}
				ratios = append(ratios, alone.time.Seconds()/ours.time.Seconds())
			}
			slices.Sort(ratios)
			t.Logf("%d records: %.2f of the speed of protojson alone", records, ratios[1])
			if long && ratios[1] < .5 {
				t.Errorf("%.2f of the speed of protojson alone, want .5", ratios[1])
			}
		})
	}
}

func init() { programs["protojson-alone"] = protojsonAlone }

func messages[M proto.Message](all []M) []proto.Message {
	var list []proto.Message
	for _, m := range all {
		list = append(list, m)
	}
	return list
}

// writeSchema writes the descriptors of the corpus.
func writeSchema(t *testing.T, dir string) string {
	b, err := proto.Marshal(&descriptorpb.FileDescriptorSet{
		File: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(recordpb.File_internal_corpus_recordpb_bench_proto)},
	})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "corpus.binpb")
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// writeFile writes a number of frames.
func writeFile(t *testing.T, dir string, all []proto.Message, records int) string {
	file, err := os.Create(filepath.Join(dir, fmt.Sprint(records)))
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	w := flinkser.NewWriter[proto.Message](out)
	for i := range records {
		if err := w.Write(all[i%len(all)]); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}

// usage is what a process came to.
type usage struct {
	time   time.Duration // of the processor
	memory int64         // the most that it had, in bytes
	lines  int
}

// measured runs a command and counts the lines that it prints.
func measured(t *testing.T, name string, args ...string) usage {
	var out lineCounter
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, stderr.String())
	}
	rusage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	memory := int64(rusage.Maxrss) << 10 //nolint:unconvert // int32 where a word has 32 bits
	return usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), memory, int(out)}
}

type lineCounter int

func (n *lineCounter) Write(b []byte) (int, error) {
	*n += lineCounter(bytes.Count(b, []byte("\n")))
	return len(b), nil
}

// protojsonAlone prints records of a workload of the corpus with protojson and does nothing else: no
// frame is read and no message decoded.
func protojsonAlone() {
	all := messages(corpus.Posts())
	if os.Args[1] == "nested" {
		all = messages(corpus.Records("nested"))
	}
	for i, m := range all {
		b, err := proto.Marshal(m)
		must(err)
		all[i] = dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
		must(proto.Unmarshal(b, all[i]))
	}
	records, err := strconv.Atoi(os.Args[2])
	must(err)
	out := bufio.NewWriter(os.Stdout)
	var b []byte
	for i := range records {
		b, err = protojson.MarshalOptions{}.MarshalAppend(b[:0], all[i%len(all)])
		must(err)
		b = append(b, '\n')
		_, err = out.Write(b)
		must(err)
	}
	must(out.Flush())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
