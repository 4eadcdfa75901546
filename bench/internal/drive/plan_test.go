package drive

import (
	"slices"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// TestJavaHash compares with the values of the contract.
func TestJavaHash(t *testing.T) {
	for s, want := range map[string]int32{
		"scalar": -908189716, "text": 3556653, "nested": -1048944393, "collections": 1853891989, "large": 102742843,
	} {
		if got := javaHash(s); got != want {
			t.Errorf("the hash of %s is %d, want %d", s, got, want)
		}
	}
}

// TestShuffle compares with what Collections.shuffle of JDK 17 makes of a list of 0 to 9.
func TestShuffle(t *testing.T) {
	for seed, want := range map[int64][]int{
		42: {4, 6, 2, 1, 7, 9, 8, 5, 3, 0},
		// The corpus, block 1, scalar.
		30012026 + 1 - 908189716: {2, 7, 0, 5, 6, 9, 8, 3, 1, 4},
	} {
		list := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
		shuffle(list, seed)
		if !slices.Equal(list, want) {
			t.Errorf("seed %d: the order is %v, want %v", seed, list, want)
		}
	}
}

func lanes(names ...string) []suite.Checked {
	var all []suite.Checked
	for _, n := range names {
		all = append(all, suite.Checked{Lane: n, Unsupported: map[string]string{}})
	}
	return all
}

func TestPlan(t *testing.T) {
	all := lanes("ours", "a", "b", "java-protobuf-chill", "c", "protobuf-go", "d", "java-native-peer")
	all[1].Unsupported = map[string]string{"text": "not there", "scalar/deserialize": "not there"}
	all = append(all, suite.Checked{Lane: "ours-deterministic", Deterministic: "ours", Unsupported: map[string]string{}})
	const blocks = 5
	workloads, operations := []string{"scalar", "text", "collections"}, []string{"serialize", "deserialize"}
	p := plan(all, workloads, operations, blocks, true)

	// Lane a is missing three times, the supplement is measured once, two lanes with a profile six times.
	if want := blocks * (8*6 - 3 + 1 + 2*6); len(p) != want {
		t.Errorf("there are %d cells, want %d", len(p), want)
	}
	names := map[string]bool{}
	for _, c := range p {
		if names[c.Name()] {
			t.Errorf("%s is there twice", c.Name())
		}
		names[c.Name()] = true
		if c.Lane == "a" && (c.Workload == "text" || c.Workload == "scalar" && c.Operation == "deserialize") {
			t.Errorf("%s is there, but not supported", c.Name())
		}
	}
	for _, name := range []string{"ours-collections-serialize-deterministic-4", "protobuf-go-pgo-text-deserialize-0", "d-text-serialize-2"} {
		if !names[name] {
			t.Errorf("%s is not there", name)
		}
	}
	first := map[string]int{}
	for i, c := range p {
		native := map[string]string{"ours": "protobuf-go", "java-native-peer": "java-protobuf-chill"}[c.Lane]
		if native == "" || c.Deterministic {
			continue
		}
		next := i + 1
		if c.Block%2 == 1 {
			next = i - 1
		}
		if p[next].Lane != native || p[next].Workload != c.Workload || p[next].Operation != c.Operation || p[next].Block != c.Block {
			t.Errorf("%s is followed by %s", c.Name(), p[next].Name())
		}
	}
	for i, c := range p {
		if i == 0 || p[i-1].Workload != c.Workload || p[i-1].Operation != c.Operation {
			first[c.Lane]++
		}
	}
	if len(first) < 4 {
		t.Errorf("only %v were first: the order is not random", first)
	}
	if again := plan(all, workloads, operations, blocks, true); !slices.Equal(p, again) {
		t.Error("a second plan differs")
	}
}
