package java

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	lanesText = `lane,role,runtime,library,version,utf8
ours,native,go,a,v1,true
java-native-peer,java,java,"b, c",2,true
`
	timesText = `lane,workload,operation,deterministic,block,ns_per_op,derived_ops_per_second,allocated_bytes_per_op
ours,wide,serialize,false,0,100,1,0
ours,wide,serialize,false,1,200,1,1
ours,wide,serialize,true,0,9000,1,1
ours,wide,objectCopy,false,0,7,1,1
java-native-peer,wide,serialize,false,0,1.5,1,16
java-native-peer,scalar,deserialize,false,0,12.34,1,16
`
)

// TestTable shows what scripts/java-table.awk makes of a run: means over blocks, no copies, nothing of the
// supplement.
func TestTable(t *testing.T) {
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip("awk is not on PATH, so the script for the table of two runtimes is not run: ", err)
	}
	table := func(lanes, times, names string) (string, error) {
		dir := t.TempDir()
		files := []string{filepath.Join(dir, "lanes.csv"), filepath.Join(dir, "measurements.csv")}
		for i, text := range []string{lanes, times} {
			if err := os.WriteFile(files[i], []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		args := []string{"-v", "lanes=" + names, "-f", filepath.Join(module, "scripts", "java-table.awk")}
		out, err := exec.CommandContext(t.Context(), "awk", append(args, files...)...).CombinedOutput()
		return string(out), err
	}
	got, err := table(lanesText, timesText, "ours java-native-peer")
	want := `| workload | operation | ours (go), ns | bytes | java-native-peer (java), ns | bytes |
|---|---|---:|---:|---:|---:|
| scalar | deserialize | – | – | 12.3 | 16.0 |
| wide | serialize | 150 | 0.50 | 1.50 | 16.0 |
`
	if err != nil || got != want {
		t.Errorf("the table is\n%s\nwant\n%s%v", got, want, err)
	}
	for _, wrong := range []struct{ lanes, times, names, why string }{
		{lanesText, timesText, "", "the run has no lane java-protobuf"},
		{lanesText, "lane,ns\n", "ours", "unexpected header"},
	} {
		if got, err := table(wrong.lanes, wrong.times, wrong.names); err == nil || !strings.Contains(got, wrong.why) {
			t.Errorf("lanes %q: %v\n%s", wrong.names, err, got)
		}
	}
}
