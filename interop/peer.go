// Package interop asks a Java program that runs Flink. Its tests compare what Flink and the Java serializer
// do with what this project does: frames, snapshots, verdicts, restores from savepoints. The program is in the folder peer.
package interop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/flinkser/flinkser/runtime/snapshot"
)

// Target is the environment variable that names the folder in which Maven has built the peer. tools/interop.sh sets it.
const Target = "FLINKSER_INTEROP_PEER"

// A Peer is the Java program. Its methods may be called from many goroutines; the answers are made one by one.
type Peer struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	log *os.File
}

// Start starts the program that is built in target. What it prints besides answers goes to a file at log.
func Start(target, log string) (*Peer, error) {
	libraries, err := os.ReadFile(filepath.Join(target, "classpath.txt"))
	if err != nil {
		return nil, err
	}
	classpath := filepath.Join(target, "classes") + string(os.PathListSeparator) + strings.TrimSpace(string(libraries))
	args := []string{"-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}
	for _, opened := range []string{"lang", "util", "time"} {
		args = append(args, "--add-opens=java.base/java."+opened+"=ALL-UNNAMED")
	}
	args = append(args, "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", classpath, "flinkpeer.Peer", filepath.Join(target, "protoc"))
	p := &Peer{cmd: exec.Command("java", args...)}
	if p.log, err = os.Create(log); err != nil {
		return nil, err
	}
	p.cmd.Stderr = p.log
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

// Close ends the program.
func (p *Peer) Close() error {
	return errors.Join(p.in.Close(), p.cmd.Wait(), p.log.Close())
}

// ask sends a question and reads the answer to it. An error says that the question was wrong, or that the peer has failed.
func (p *Peer) ask(question map[string]any, answer any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	line, err := json.Marshal(question)
	if err != nil {
		return err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("the peer has ended, see %s: %w", p.log.Name(), err)
	}
	line, err = p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the peer has ended, see %s: %w", p.log.Name(), err)
	}
	var failure struct{ Failed string }
	if err := json.Unmarshal(line, &failure); err != nil {
		return fmt.Errorf("the peer's answer to %v: %w", question["do"], err)
	}
	if failure.Failed != "" {
		return fmt.Errorf("%v: %s, see %s", question["do"], failure.Failed, p.log.Name())
	}
	return json.Unmarshal(line, answer)
}

// Versions are those of what the peer runs on.
type Versions struct{ Flink, Protobuf, Java string }

// Versions returns the versions of what the peer runs on.
func (p *Peer) Versions() (v Versions, err error) {
	err = p.ask(map[string]any{"do": "versions"}, &v)
	return v, err
}

// A Source is a .proto file. Its imports are looked up in Root.
type Source struct {
	ID   string `json:"id"`
	Root string `json:"root"`
	File string `json:"file"`
}

// Compile compiles sources into a jar. It returns those that protoc or javac refuse by ID, with the cause.
func (p *Peer) Compile(jar string, sources []Source) (refused map[string]string, err error) {
	var answer struct{ Refused map[string]string }
	err = p.ask(map[string]any{"do": "compile", "jar": jar, "sources": sources}, &answer)
	return answer.Refused, err
}

// A Class is the class of a message in a jar.
type Class struct{ Jar, Name string }

// Settings are those of a Java serializer, all given.
type Settings struct {
	Deterministic  bool `json:"deterministic"`
	MaxMessageSize int  `json:"maxMessageSize"`
	RecursionLimit int  `json:"recursionLimit"`
}

// SettingsOf returns the settings that a snapshot names.
func SettingsOf(s *snapshot.Snapshot) Settings {
	return Settings{s.Deterministic(), s.MaxMessageSize(), s.RecursionLimit()}
}

// A Result is what has become of one byte string.
type Result struct {
	Bytes    []byte
	Left     int    // bytes behind the frame
	Restored []byte // by Reread with a jar: the snapshot of the serializer that was restored
	Error    string // why it was refused
}

func (p *Peer) results(want int, question map[string]any) ([]Result, error) {
	var answer struct{ Results []Result }
	if err := p.ask(question, &answer); err != nil {
		return nil, err
	}
	if len(answer.Results) != want {
		return nil, fmt.Errorf("%v: %d results, want %d", question["do"], len(answer.Results), want)
	}
	return answer.Results, nil
}

// A What is what a serializer does with each of many byte strings.
type What string

const (
	Read  What = "read"  // read a frame
	Write What = "write" // write the message of a payload, which is parsed without limits
	Both  What = "both"  // read a frame and write it again
)

// Each has a serializer do something with each of many byte strings.
func (p *Peer) Each(c Class, s Settings, what What, items [][]byte) ([]Result, error) {
	return p.results(len(items), map[string]any{"do": "each", "jar": c.Jar, "class": c.Name, "settings": s, "what": what, "items": items})
}

// Corpus returns the frames of a workload of records, which Java has made and written.
func (p *Peer) Corpus(c Class, s Settings, workload string, size int) ([]Result, error) {
	return p.results(size, map[string]any{"do": "corpus", "jar": c.Jar, "class": c.Name, "settings": s, "workload": workload})
}

// Snapshot returns the snapshot of a Java serializer.
func (p *Peer) Snapshot(c Class, s Settings) ([]byte, error) {
	var answer Result
	err := p.ask(map[string]any{"do": "snapshot", "jar": c.Jar, "class": c.Name, "settings": s}, &answer)
	return answer.Bytes, err
}

// Reread has Flink read snapshots and write them again. With a jar it also restores the serializers.
func (p *Peer) Reread(jar string, snapshots [][]byte) ([]Result, error) {
	question := map[string]any{"do": "reread", "items": snapshots}
	if jar != "" {
		question["jar"] = jar
	}
	return p.results(len(snapshots), question)
}

// A Pair is two snapshots: state was saved under Old and is to be used with New.
type Pair struct {
	Old []byte `json:"old"`
	New []byte `json:"new"`
}

// A Resolution is Java's answer to a pair: "ok" or "break".
type Resolution struct {
	Verdict string
	Reasons []string
	Error   string
}

// Resolve asks for the compatibility of pairs.
func (p *Peer) Resolve(pairs []Pair) ([]Resolution, error) {
	var answer struct{ Results []Resolution }
	if err := p.ask(map[string]any{"do": "resolve", "pairs": pairs}, &answer); err != nil {
		return nil, err
	}
	if len(answer.Results) != len(pairs) {
		return nil, fmt.Errorf("resolve: %d results, want %d", len(answer.Results), len(pairs))
	}
	return answer.Results, nil
}

// A Case is messages that a job keeps in state.
type Case struct {
	Name     string   `json:"name"` // without spaces
	Class    string   `json:"class"`
	Settings Settings `json:"settings"`
	Payloads [][]byte `json:"payloads,omitempty"`
}

// A Value is a message, or with Frames a frame, that a job has found in its state.
type Value struct {
	State, Key string
	Bytes      []byte
}

// Frames sends frames through a job on the cluster, which keeps the messages in state and is restored from a savepoint in the
// middle. It returns the frames that the job writes at the end, in no order.
func (p *Peer) Frames(jar string, c Case, backend, folder string, frames [][]byte) ([]Value, error) {
	var answer struct{ Values []Value }
	err := p.ask(map[string]any{"do": "frames", "jar": jar, "case": c, "backend": backend, "folder": folder, "frames": frames}, &answer)
	return answer.Values, err
}

// The states of a job, and the backends and formats of savepoints.
var (
	States   = []string{"value", "map", "list", "operator", "broadcast"}
	Backends = []string{"hashmap", "rocksdb"}
	Formats  = []string{"CANONICAL", "NATIVE"}
)

// Savepoint runs a job that puts the payloads of cases into states, and returns the path of a savepoint below folder.
func (p *Peer) Savepoint(jar string, cases []Case, states []string, backend, format, folder string) (string, error) {
	var answer struct{ Savepoint string }
	err := p.ask(map[string]any{
		"do": "savepoint", "jar": jar, "cases": cases, "states": states, "backend": backend, "format": format, "folder": folder,
	}, &answer)
	return answer.Savepoint, err
}

// A Restoration is what Flink has made of a restore.
type Restoration struct {
	Restored  bool
	Savepoint string   // that was taken afterwards
	Values    []Value  // what the states hold
	Causes    []string // of a failure, the outermost first
}

// Restore restores some states of one case from a savepoint, and reads what was put under the first keys.
func (p *Peer) Restore(savepoint, jar string, c Case, states []string, backend, folder string, keys int) (r Restoration, err error) {
	err = p.ask(map[string]any{
		"do": "restore", "savepoint": savepoint, "jar": jar, "case": c, "states": states, "backend": backend, "folder": folder, "keys": keys,
	}, &r)
	return r, err
}

// A Saved is the snapshot of the serializer of a state. That of a message may be nested in it.
type Saved struct {
	State string
	Bytes []byte
}

// Extract has Flink read a savepoint, and returns the snapshots of the serializers of all states.
func (p *Peer) Extract(savepoint, jar string) ([]Saved, error) {
	var answer struct{ Snapshots []Saved }
	err := p.ask(map[string]any{"do": "extract", "savepoint": savepoint, "jar": jar}, &answer)
	return answer.Snapshots, err
}

// marker is how a snapshot of the Java serializer begins: the length and the name of its class.
var marker = []byte("\x00\x3bio.github.flink.gcp.protobuf.ProtobufTypeSerializerSnapshot")

// Find returns all snapshots of the Java serializer that are somewhere in b, as bytes and parsed.
func Find(b []byte) (raw [][]byte, parsed []*snapshot.Snapshot, err error) {
	for {
		i := bytes.Index(b, marker)
		if i < 0 {
			return raw, parsed, nil
		}
		b = b[i:]
		s, rest, err := snapshot.Parse(b)
		if err != nil {
			return nil, nil, err
		}
		raw, parsed = append(raw, b[:len(b)-len(rest)]), append(parsed, s)
		b = rest
	}
}
