package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// codes lists the codes of a verdict that have a level.
func codes(v Verdict, level Level) []Code {
	list := []Code{}
	for _, f := range v.Findings {
		if f.Level == level {
			list = append(list, f.Code)
		}
	}
	return list
}

// TestRules holds the table to what its readers rely on.
func TestRules(t *testing.T) {
	seen := map[Code]bool{}
	for _, r := range Rules() {
		if r.Code == "" || seen[r.Code] {
			t.Errorf("code %q is empty or twice there", r.Code)
		}
		seen[r.Code] = true
		if r.Wire == Break && r.Strict != Break {
			t.Errorf("%s: breaks the wire policy and not the strict one", r.Code)
		}
		if r.Change == "" || !strings.HasSuffix(r.Why, ".") {
			t.Errorf("%s: no name of the change, or no sentence that says why", r.Code)
		}
		if r.Strict == Break && r.Do == "" {
			t.Errorf("%s: says not what to do", r.Code)
		}
		if r.Known < Published || r.Known > Inferred {
			t.Errorf("%s: says not how the strict rule is known", r.Code)
		}
	}
}

// TestFlinkSchemas gives the changes of one schema, each with a snapshot that Java wrote, the
// verdicts that are listed with them.
func TestFlinkSchemas(t *testing.T) {
	read := func(variant string) *Snapshot {
		t.Helper()
		b, err := os.ReadFile(filepath.Join("testdata/flink-schemas", variant, "envelope.snapshot"))
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	b, err := os.ReadFile("testdata/flink-schemas/verdicts.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Variant, Saved string
		Strict         string `json:"strict_restore"`
		Reasons        []string
	}
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 29 {
		t.Fatalf("%d variants, want 29", len(rows))
	}
	for _, row := range rows {
		t.Run(row.Variant, func(t *testing.T) {
			v := Check(read(row.Saved), read(row.Variant), Options{})
			if got := word(v); got != row.Strict {
				t.Errorf("got %s, want %s\n%v", got, row.Strict, v)
			}
			if (v.Count(Break) > 0) != (len(row.Reasons) > 0) {
				t.Errorf("reasons %q\n%v", row.Reasons, v)
			}
			t.Logf("%s %v", row.Strict, codes(v, Break))
		})
	}
}

// with returns a snapshot with other settings.
func with(t *testing.T, s *Snapshot, settings Settings) *Snapshot {
	t.Helper()
	other, err := OfFiles(s.Files(), s.MessageName(), settings)
	if err != nil {
		t.Fatal(err)
	}
	return other
}

func TestCheckSettings(t *testing.T) {
	base := compileText(t, proto3+" package v; message M { int32 a = 1; }", "v.M")
	settings := Settings{JavaClass: "v.V$M", MaxMessageSize: 100, RecursionLimit: 10}
	changed := func(change func(*Settings)) Settings {
		s := settings
		change(&s)
		return s
	}
	for _, c := range []struct {
		name     string
		new      Settings
		breaks   []Code
		rollback []Code
	}{
		{"same", settings, nil, nil},
		{"deterministic", changed(func(s *Settings) { s.Deterministic = true }), nil, nil},
		{"size raised", changed(func(s *Settings) { s.MaxMessageSize++ }), nil, []Code{"MAX_MESSAGE_SIZE_LOWERED"}},
		{"size lowered", changed(func(s *Settings) { s.MaxMessageSize-- }), []Code{"MAX_MESSAGE_SIZE_LOWERED"}, nil},
		{"depth raised", changed(func(s *Settings) { s.RecursionLimit++ }), nil, []Code{"RECURSION_LIMIT_LOWERED"}},
		{"depth lowered", changed(func(s *Settings) { s.RecursionLimit-- }), []Code{"RECURSION_LIMIT_LOWERED"}, nil},
		{"one of each", changed(func(s *Settings) { s.RecursionLimit--; s.MaxMessageSize++ }), []Code{"RECURSION_LIMIT_LOWERED"}, []Code{"MAX_MESSAGE_SIZE_LOWERED"}},
		{"class", changed(func(s *Settings) { s.JavaClass = "v.M" }), []Code{"JAVA_CLASS_CHANGED"}, []Code{"JAVA_CLASS_CHANGED"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, new := with(t, base, settings), with(t, base, c.new)
			if got := codes(Check(old, new, Options{}), Break); !slices.Equal(got, c.breaks) {
				t.Errorf("restore: %v, want %v", got, c.breaks)
			}
			if got := codes(Check(old, new, Options{Direction: Rollback}), Break); !slices.Equal(got, c.rollback) {
				t.Errorf("rollback: %v, want %v", got, c.rollback)
			}
			both := Check(old, new, Options{Direction: Both})
			if both.Count(Break) != len(c.breaks)+len(c.rollback) {
				t.Errorf("both: %v", both)
			}
			if v := Check(old, new, Options{IgnoreLimits: true}); v.Compatible != (c.name != "class") {
				t.Errorf("without limits: %v", v)
			}
		})
	}
}

func TestCheckRenames(t *testing.T) {
	old := compileText(t, proto3+" package v; message M { S s = 1; E e = 2; } message S { int32 x = 1; M m = 2; } enum E { Z = 0; }", "v.M")
	new := compileText(t, proto3+" package w; message N { T s = 1; F e = 2; } message T { int32 x = 1; N m = 2; } enum F { Z = 0; }", "w.N")
	all := map[protoreflect.FullName]protoreflect.FullName{"v.M": "w.N", "v.S": "w.T", "v.E": "w.F"}
	for _, policy := range []Policy{Strict, Wire} {
		for _, d := range []Direction{Restore, Rollback} {
			o := Options{Policy: policy, Direction: d, Renames: all}
			v := Check(old, new, o)
			if got := codes(v, Note); !v.Compatible || len(codes(v, Warning)) > 0 || !slices.Contains(got, "RENAME_HONOURED") || v.Count(Note) < 3 {
				t.Errorf("%v %v: %v", policy, d, v)
			}
			for _, f := range v.Findings {
				if f.Code == "RENAME_HONOURED" && (!strings.HasPrefix(string(f.Type), "v.") || !strings.HasPrefix(f.Old, "v.") || !strings.HasPrefix(f.New, "w.")) {
					t.Errorf("%v: old and new are exchanged: %+v", d, f)
				}
			}
		}
	}
	// The root alone: the types of its fields are compared by their shape.
	v := Check(old, new, Options{Policy: Wire, Renames: map[protoreflect.FullName]protoreflect.FullName{"v.M": "w.N"}})
	if got := codes(v, Warning); !v.Compatible || !slices.Equal(got, []Code{"TYPE_RENAMED", "TYPE_RENAMED"}) {
		t.Errorf("root only: %v", v)
	}
	// A rename that is not one.
	v = Check(old, new, Options{Policy: Wire, Renames: map[protoreflect.FullName]protoreflect.FullName{"v.M": "w.T"}})
	if got := codes(v, Break); !slices.Contains(got, "ROOT_RENAMED") {
		t.Errorf("wrong rename: %v", v)
	}
}

// TestCheckAll shows numbers that only an earlier schema has used.
func TestCheckAll(t *testing.T) {
	schema := func(body string) *Snapshot {
		return compileText(t, proto3+" package v; message M { "+body+" }", "v.M")
	}
	first, second := schema("int32 a = 1; string was = 2;"), schema("int32 a = 1;")
	third := schema("int32 a = 1; string is = 2;")
	for _, policy := range []Policy{Strict, Wire} {
		o := Options{Policy: policy}
		if v := Check(second, third, o); !v.Compatible {
			t.Errorf("%v: the last one alone: %v", policy, v)
		}
		v := CheckAll([]*Snapshot{second, first}, third, o)
		if got := codes(v, Break); !slices.Contains(got, "NUMBER_OF_EARLIER_FIELD") {
			t.Errorf("%v: both: %v", policy, v)
		}
		for _, f := range v.Findings {
			if f.Code == "NUMBER_OF_EARLIER_FIELD" && (!slices.Equal(f.Snapshots, []int{1}) || f.Number != 2 || f.Path != "is" || f.Basis != History) {
				t.Errorf("%v: %+v", policy, f)
			}
			if f.Code == "FIELD_ADDED" && !slices.Equal(f.Snapshots, []int{0}) {
				t.Errorf("%v: %+v", policy, f)
			}
		}
		// Two that have the same are one finding.
		v = CheckAll([]*Snapshot{second, second}, third, o)
		if len(v.Findings) != 1 || !slices.Equal(v.Findings[0].Snapshots, []int{0, 1}) {
			t.Errorf("%v: twice the same: %v", policy, v)
		}
		if v := CheckAll(nil, third, o); !v.Compatible {
			t.Errorf("%v: against nothing: %v", policy, v)
		}
	}
}

func TestCheckUninitialized(t *testing.T) {
	s := compileText(t, proto3+" package v; message M { }", "v.M")
	for _, pair := range [][2]*Snapshot{{nil, s}, {s, nil}, {nil, nil}, {new(Snapshot), s}, {s, new(Snapshot)}} {
		for _, o := range everyWay {
			if v := CheckAll([]*Snapshot{pair[0]}, pair[1], o); v.Compatible || v.Findings[0].Code != "UNINITIALIZED" {
				t.Errorf("%v", v)
			}
		}
	}
}

// TestVerdictForms reads the JSON of a verdict back, and looks at text and error.
func TestVerdictForms(t *testing.T) {
	old := compileText(t, proto3+" package v; message M { int32 a = 1; S s = 2; } message S { map<string, T> ts = 7; } message T { int64 n = 3; }", "v.M")
	new := compileText(t, proto3+" package v; message M { int32 a = 1; S s = 2; } message S { map<string, T> ts = 7; } message T { int32 n = 3; }", "v.M")
	v := Check(old, new, Options{Policy: Wire, Direction: Both})
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"compatible":false,"policy":"wire","direction":"both","findings":[{"code":"FIELD_TYPE_CHANGED","level":"break","direction":"restore","basis":"bytes","snapshots":[0],` +
		`"type":"v.T","path":"s.ts.value.n","number":3,"old":"int64 n = 3;","new":"int32 n = 3;",` +
		`"why":"Some stored values read as others, or fail.","do":"Keep the type; add a field with a new number for the new type."},` +
		`{"code":"FIELD_TYPE_WIDENED","level":"note","direction":"rollback","basis":"bytes","snapshots":[0],"type":"v.T","path":"s.ts.value.n","number":3,"old":"int64 n = 3;","new":"int32 n = 3;",` +
		`"why":"Every value that the writer can write reads equal. The other way round, large ones are cut.","do":"Keep it as it was, or use the wire policy."}]}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	var back Verdict
	if err := json.Unmarshal(b, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(v) {
		t.Errorf("read back: %v, %v", err, back)
	}
	for _, bad := range []string{`{"policy":"lax"}`, `{"direction":"up"}`, `{"findings":[{"level":"x"}]}`, `{"findings":[{"basis":"x"}]}`, `{"findings":[{"known":"x"}]}`} {
		if err := json.Unmarshal([]byte(bad), new2(&back)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	var incompatible *IncompatibleError
	if err := v.Err(); !errors.Is(err, ErrIncompatible) || !errors.As(err, &incompatible) || !strings.Contains(err.Error(), "FIELD_TYPE_CHANGED at v.T number 3 (s.ts.value.n): `int64 n = 3;` became `int32 n = 3;`") {
		t.Errorf("error: %v", err)
	}
	if text := v.String(); !strings.HasPrefix(text, "incompatible (wire policy, both): 1 break, 0 warnings, 1 note\n") || !strings.Contains(text, "\n  direction: rollback\n") {
		t.Errorf("text: %s", text)
	}
	if err := Check(old, old, Options{}).Err(); err != nil {
		t.Errorf("compatible, but %v", err)
	}
}

func new2(v *Verdict) *Verdict { *v = Verdict{}; return v }

// TestCheckManyTypes has more pairs of types than a check compares.
func TestCheckManyTypes(t *testing.T) {
	many := func(prefix string, shift int) *Snapshot {
		var b strings.Builder
		const n = 200
		b.WriteString(proto3 + " package v; message R { M" + prefix + "0 m = 1; }\n")
		for i := range n {
			fmt.Fprintf(&b, "message M%s%d { ", prefix, i)
			for j := range n {
				fmt.Fprintf(&b, "M%s%d f%d = %d;\n", prefix, (i*shift+j)%n, j, j+1)
			}
			b.WriteString("} ")
		}
		return compileText(t, b.String(), "v.R")
	}
	v := Check(many("a", 1), many("b", 7), Options{Policy: Wire})
	if v.Compatible || !slices.Contains(codes(v, Break), "TOO_MANY_REPLACED_TYPES") {
		t.Errorf("%d breaks, compatible %v", v.Count(Break), v.Compatible)
	}
}
