package testee_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/conformance/testee"
)

// TestBuilds builds the four testees and has each read and write each message: with generated
// code where such code lies beside the message's, so that none is left out by a build tag.
func TestBuilds(t *testing.T) {
	for _, build := range []struct{ name, level, tags string }{
		{"open", "open", ""},
		{"hybrid", "hybrid", ""},
		{"protoopaque", "hybrid", "protoopaque"},
		{"opaque", "opaque", ""},
	} {
		t.Run(build.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			program, log := filepath.Join(dir, "testee"), filepath.Join(dir, "log")
			compile := exec.Command("go", "build", "-tags", build.tags, "-o", program, "../cmd/"+build.level)
			if b, err := compile.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, b)
			}

			var in bytes.Buffer
			var want strings.Builder
			for pkg, message := range messages {
				in.Write(frame(t, &request{Payload: &binaryIn{ProtobufPayload: []byte(seven)}, RequestedOutputFormat: toBinary, MessageType: message}))
				end := " " + codeBeside(t, filepath.Join("..", build.level, pkg)) + " " + message + "\n"
				want.WriteString("read" + end + "write" + end)
			}
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), testee.LogVariable+"="+log, testee.ReferenceVariable+"=0")
			cmd.Stdin = &in
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := answers(t, out)
			if len(got) != len(messages) {
				t.Errorf("%d answers, want %d", len(got), len(messages))
			}
			for _, resp := range got {
				if string(resp.GetProtobufPayload()) != seven {
					t.Errorf("answer %v", resp)
				}
			}
			logged, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if string(logged) != want.String() {
				t.Errorf("log is\n%swant\n%s", logged, want.String())
			}
		})
	}
}

// codeBeside returns the word in the log for messages whose code lies in this folder.
func codeBeside(t *testing.T, folder string) string {
	t.Helper()
	if files, err := filepath.Glob(filepath.Join(folder, "*.pb.go")); err != nil || len(files) == 0 {
		t.Fatalf("no generated code in %s (%v)", folder, err)
	}
	ours, err := filepath.Glob(filepath.Join(folder, "*_flinkser*.pb.go"))
	if err != nil {
		t.Fatal(err)
	}
	if len(ours) > 0 {
		return "generated"
	}
	return "protoreflect"
}

// TestMainFails lets Main fail: what it cannot do is an exit code and a sentence.
func TestMainFails(t *testing.T) {
	t.Setenv(testee.LogVariable, filepath.Join(t.TempDir(), "no", "such", "folder"))
	if code := testee.Main(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}
