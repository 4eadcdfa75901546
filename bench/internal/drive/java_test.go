package drive

import (
	"strings"
	"testing"
	"time"

	"github.com/flinkser/flinkser/bench/internal/java"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// TestJavaMissing shows that a run goes on without the lanes of Java where there is no JDK, and says why.
func TestJavaMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	f, missing, err := javaFamily(t.Context(), Effort{})
	if f != nil || err != nil || !strings.Contains(missing, "java is not on PATH") {
		t.Errorf("without a JDK: family %v, reason %q, error %v", f, missing, err)
	}
}

func TestJavaEffort(t *testing.T) {
	for _, tt := range []struct {
		e    Effort
		want java.Effort
	}{
		{Effort{4 * time.Second, time.Second, 5}, java.Full},
		{Effort{100 * time.Millisecond, 100 * time.Millisecond, 1}, java.Smoke},
		{Effort{0, time.Second, 1}, java.Effort{Warmups: 1, Iterations: 1, Time: time.Second}},
		{Effort{1500 * time.Millisecond, time.Second, 2}, java.Effort{Warmups: 2, Iterations: 2, Time: time.Second}},
		{Effort{time.Second, time.Microsecond, 1}, java.Effort{Warmups: 1_000_000, Iterations: 1, Time: time.Millisecond}},
	} {
		if got := tt.e.java(); got != tt.want {
			t.Errorf("%+v is %+v for Java, want %+v", tt.e, got, tt.want)
		}
	}
}

// TestJavaPairs shows that the two lanes of Java whose ratio is published are measured next to each other, and that
// the order changes from block to block.
func TestJavaPairs(t *testing.T) {
	var lanes []suite.Checked
	for _, name := range []string{"java-pojo", "java-protobuf-chill", "ours", "java-protobuf", "java-native-peer", "protobuf-go"} {
		lanes = append(lanes, suite.Checked{Lane: name})
	}
	for block, want := range []string{"java-native-peer java-protobuf-chill", "java-protobuf-chill java-native-peer"} {
		var names []string
		for _, c := range cells(lanes, suite.Scalar, suite.Serialize, block) {
			names = append(names, c.Lane)
		}
		if got := strings.Join(names, " "); len(names) != len(lanes) || !strings.Contains(got, want) {
			t.Errorf("block %d: the order is %s, without %s", block, got, want)
		}
	}
}
