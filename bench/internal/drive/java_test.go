package drive

import (
	"strings"
	"testing"
	"time"

	"github.com/flinkser/flinkser/bench/internal/java"
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

// TestJavaPairs shows that the lanes whose ratio is published are measured next to each other.
func TestJavaPairs(t *testing.T) {
	tools, err := java.Find(t.Context())
	if err != nil {
		t.Skip("the names of the Java lanes are not compared with the pairs: ", err)
	}
	p, err := java.Open(t.Context(), "../..", tools)
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := p.Lanes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, l := range lanes {
		names[l.Lane] = true
	}
	for _, pair := range pairs {
		if strings.HasPrefix(pair[0], "java-") && (!names[pair[0]] || !names[pair[1]]) {
			t.Errorf("Java has no lanes %q", pair)
		}
	}
	for i, c := range cells(lanes, "scalar", "serialize", 0) {
		if c.Lane == "java-native-peer" && cells(lanes, "scalar", "serialize", 0)[i+1].Lane != "java-protobuf-chill" {
			t.Error("the partner is not measured next")
		}
	}
}
