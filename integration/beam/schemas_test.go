package flinkserbeam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/example/frames/orderpb"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// changed returns the schemas of a pipeline as they would have been if orders had been declared otherwise.
func changed(t *testing.T, p *beam.Pipeline, change func(order *descriptorpb.DescriptorProto)) *Schemas {
	t.Helper()
	file := protodesc.ToFileDescriptorProto((&orderpb.Order{}).ProtoReflect().Descriptor().ParentFile())
	for _, m := range file.MessageType {
		if m.GetName() == "Order" {
			change(m)
		}
	}
	fd, err := protodesc.NewFile(file, nil)
	check(t, err)
	old, err := snapshot.OfDescriptor(fd.Messages().ByName("Order"), codec.Load().Settings())
	check(t, err)
	s, err := SchemasOf(p)
	check(t, err)
	n := 0
	for i, place := range s.Places {
		if place.Snapshots[0].MessageName() == old.MessageName() {
			s.Places[i].Snapshots = []*snapshot.Snapshot{old}
			n++
		}
	}
	if n < 3 {
		t.Fatalf("orders in %d places only", n)
	}
	return s
}

func field(m *descriptorpb.DescriptorProto, name string) *descriptorpb.FieldDescriptorProto {
	for _, f := range m.Field {
		if f.GetName() == name {
			return f
		}
	}
	return nil
}

// TestTrap5 starts from savepoints of earlier schemas. Flink would take any of them: the verdict is given before a job
// server is asked.
func TestTrap5(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*descriptorpb.DescriptorProto)
		ok     bool
	}{
		{"the same", func(*descriptorpb.DescriptorProto) {}, true},
		{"two fields were added", func(m *descriptorpb.DescriptorProto) {
			m.Field = slices.DeleteFunc(m.Field, func(f *descriptorpb.FieldDescriptorProto) bool {
				return f.GetName() == "labels" || f.GetName() == "discounts_cents"
			})
			m.NestedType = nil // the entry of labels
		}, true},
		{"int64 was sint64", func(m *descriptorpb.DescriptorProto) {
			field(m, "created_ms").Type = descriptorpb.FieldDescriptorProto_TYPE_SINT64.Enum()
		}, false},
		{"another type", func(m *descriptorpb.DescriptorProto) {
			field(m, "customer").Type = descriptorpb.FieldDescriptorProto_TYPE_INT32.Enum()
		}, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := unboundedPipeline("x")
			savepoint, folder := t.TempDir(), t.TempDir()
			check(t, changed(t, p, x.change).Write(filepath.Join(savepoint, SchemasFile)))
			server := &jobServer{}
			_, err := Run(context.Background(), p, Flink{Name: "job", Endpoint: serve(t, server), Schemas: folder, Savepoint: "file://" + savepoint})
			var refused *SchemaError
			var verdict *snapshot.IncompatibleError
			if x.ok {
				if len(server.prepared) != 1 || errors.As(err, &refused) {
					t.Fatalf("%d pipelines, %v", len(server.prepared), err)
				}
				if got := server.prepared[0].GetPipelineOptions().AsMap()["beam:option:savepoint_path:v1"]; got != "file://"+savepoint {
					t.Errorf("savepoint %v", got)
				}
				return
			}
			if len(server.prepared) != 0 || !errors.As(err, &refused) || !errors.As(err, &verdict) || refused.Place == "" {
				t.Fatalf("%d pipelines, %v", len(server.prepared), err)
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("schemas were written: %v, %v", left, err)
			}
		})
	}
}

// TestSchemasAfter keeps the schemas of all versions, since old records stay as they were.
func TestSchemasAfter(t *testing.T) {
	p := unboundedPipeline("x")
	now, err := SchemasOf(p)
	check(t, err)
	old := changed(t, p, func(m *descriptorpb.DescriptorProto) { m.Field = m.Field[:3]; m.OneofDecl, m.NestedType = nil, nil })
	both, err := now.After(old, RestoreOptions{})
	check(t, err)
	again, err := now.After(both, RestoreOptions{})
	check(t, err)
	if len(again.Places) != len(now.Places) {
		t.Fatalf("%d places, want %d", len(again.Places), len(now.Places))
	}
	for _, place := range again.Places {
		if len(place.Snapshots) != 2 {
			t.Errorf("%s: %d snapshots", place.Place, len(place.Snapshots))
		}
	}
	path := filepath.Join(t.TempDir(), "x.json")
	check(t, again.Write(path))
	read, err := ReadSchemas(path)
	check(t, err)
	for i, place := range read.Places {
		want := again.Places[i]
		same := func(a, b *snapshot.Snapshot) bool { return a.Digest() == b.Digest() }
		if place.Place != want.Place || !slices.EqualFunc(place.Snapshots, want.Snapshots, same) {
			t.Errorf("%s has changed", want.Place)
		}
	}
	other, err := SchemasOf(boundedPipeline())
	check(t, err)
	if _, err := other.After(old, RestoreOptions{}); !errors.Is(err, ErrNoPlace) {
		t.Errorf("another pipeline: %v", err)
	}
}

// TestSchemasDamaged reads files that are not what Write writes.
func TestSchemasDamaged(t *testing.T) {
	s, err := SchemasOf(unboundedPipeline("x"))
	check(t, err)
	path := filepath.Join(t.TempDir(), "x.json")
	check(t, s.Write(path))
	good, err := os.ReadFile(path)
	check(t, err)
	for n := 0; n < len(good)-2; n += 97 {
		if _, err := parseSchemas(good[:n]); err == nil {
			t.Errorf("cut to %d bytes", n)
		}
	}
	for _, bad := range []string{
		`{"format":2}`, `{"format":1,"places":[{"place":"a","snapshots":[]}]}`, `{"format":1,"places":[{"place":"a","snapshots":["AAAA"]}]}`,
		`{"format":1,"places":[{"place":"","snapshots":["AAAA"]}]}`, `[]`,
	} {
		if _, err := parseSchemas([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	if _, err := ReadSchemas(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for name, want := range map[string]string{"a": "a.json", "../a/b": "..%2Fa%2Fb.json"} {
		if got := schemasPath("x", name); got != filepath.Join("x", want) {
			t.Errorf("%q is kept in %s", name, got)
		}
	}
}

// TestStop stops a job over a REST interface that answers as Flink does.
func TestStop(t *testing.T) {
	folder, savepoint := t.TempDir(), t.TempDir()
	s, err := SchemasOf(unboundedPipeline("x"))
	check(t, err)
	e := Flink{Name: "mine", Schemas: folder}
	check(t, s.Write(schemasPath(folder, e.Name)))
	jobs, asked, failure := `{"jid":"a","name":"mine","state":"RUNNING"},{"jid":"b","name":"mine","state":"FINISHED"},{"jid":"c","name":"other","state":"RUNNING"}`, 0, ""
	flink := http.NewServeMux()
	flink.HandleFunc("GET /jobs/overview", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"jobs":[%s]}`, jobs) })
	flink.HandleFunc("POST /jobs/a/stop", func(w http.ResponseWriter, r *http.Request) {
		var got map[string]any
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || got["targetDirectory"] != "/savepoints" || got["drain"] != false {
			t.Errorf("asked for %v, %v", got, err)
		}
		fmt.Fprint(w, `{"request-id":"r"}`)
	})
	flink.HandleFunc("GET /jobs/a/savepoints/r", func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked%2 == 1 {
			fmt.Fprint(w, `{"status":{"id":"IN_PROGRESS"},"operation":null}`)
			return
		}
		fmt.Fprintf(w, `{"status":{"id":"COMPLETED"},"operation":{"location":"file:%s"%s}}`, savepoint, failure)
	})
	server := httptest.NewServer(flink)
	defer server.Close()
	stop := func() (string, error) { return e.Stop(context.Background(), server.URL, "/savepoints") }
	if got, err := stop(); err != nil || got != "file:"+savepoint {
		t.Fatalf("%q, %v", got, err)
	}
	moved, err := ReadSchemas(filepath.Join(savepoint, SchemasFile))
	if err != nil || len(moved.Places) != len(s.Places) {
		t.Fatalf("%v", err)
	}
	failure = `,"failure-cause":{"class":"Trouble","stack-trace":"at x"}`
	if _, err := stop(); err == nil || !strings.Contains(err.Error(), "Trouble") {
		t.Error(err)
	}
	jobs += `,{"jid":"d","name":"mine","state":"RUNNING"}`
	if _, err := stop(); err == nil || !strings.Contains(err.Error(), "2 running jobs") {
		t.Error(err)
	}
	e.Name = "unknown"
	if _, err := stop(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestTrap11Flink cancels a job that Flink would go on with, and leaves those of other names alone.
func TestTrap11Flink(t *testing.T) {
	state, patched := "RESTARTING", 0
	flink := http.NewServeMux()
	flink.HandleFunc("GET /jobs/overview", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"jobs":[{"jid":"a","name":"mine","state":%q},{"jid":"b","name":"other","state":"RUNNING"}]}`, state)
	})
	flink.HandleFunc("PATCH /jobs/a", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "mode=cancel" {
			t.Errorf("query %q", r.URL.RawQuery)
		}
		if patched++; patched == 2 {
			state = "CANCELED"
		}
		fmt.Fprint(w, "{}")
	})
	server := httptest.NewServer(flink)
	defer server.Close()
	e := Flink{REST: server.URL}
	// A job of the same name that was there before belongs to somebody else.
	check(t, e.cancel(context.Background(), "mine", e.going(context.Background(), "mine")))
	if patched != 0 {
		t.Errorf("an earlier job was cancelled %d times", patched)
	}
	check(t, e.cancel(context.Background(), "mine", nil))
	if patched != 2 {
		t.Errorf("cancelled %d times", patched)
	}
	if err := (Flink{REST: "http://localhost:1"}).cancel(context.Background(), "mine", nil); err == nil {
		t.Error("no answer is no error")
	}
}

func firstItemOf(o *orderpb.Order) (string, *orderpb.Item) { return o.Id, o.Items[0] }

func joined(string, func(**orderpb.Order) bool, func(**orderpb.Item) bool) string { return "" }

// TestPlacesDiffer joins two collections of messages, each of which has a place of its own.
func TestPlacesDiffer(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	orders := beam.ParDo(s, makeOrder, beam.Impulse(s))
	beam.ParDo(s, joined, beam.CoGroupByKey(s, beam.ParDo(s, toPair, orders), beam.ParDo(s, firstItemOf, orders)))
	check(t, Check(p))
	now, err := SchemasOf(p)
	check(t, err)
	path := filepath.Join(t.TempDir(), "x.json")
	check(t, now.Write(path))
	read, err := ReadSchemas(path)
	check(t, err)
	if len(read.Places) != len(now.Places) || len(now.Places) < 5 {
		t.Fatalf("%d places were written, %d read", len(now.Places), len(read.Places))
	}
	if _, err := now.After(read, RestoreOptions{}); err != nil {
		t.Error(err)
	}
}

// TestOtherSchemas starts a job without a savepoint under the name of one whose schemas are kept.
func TestOtherSchemas(t *testing.T) {
	folder := t.TempDir()
	p := unboundedPipeline("x")
	start := func() error {
		before, err := Flink{Name: "job", Schemas: folder}.judge(p, "job", true)
		check(t, err)
		return before()
	}
	check(t, start())
	check(t, start())
	path := schemasPath(folder, "job")
	now, err := SchemasOf(p)
	check(t, err)
	old := changed(t, p, func(m *descriptorpb.DescriptorProto) { m.Field = m.Field[:3]; m.OneofDecl, m.NestedType = nil, nil })
	both, err := now.After(old, RestoreOptions{})
	check(t, err)
	check(t, both.Write(path))
	check(t, start())
	kept, err := ReadSchemas(path)
	check(t, err)
	if len(kept.Places[0].Snapshots) != 2 {
		t.Error("the schemas of an earlier version are lost")
	}
	check(t, old.Write(path))
	if err := start(); !errors.Is(err, ErrOtherSchemas) {
		t.Errorf("the schemas of another job are replaced: %v", err)
	}
	check(t, os.WriteFile(path, []byte("damaged"), 0o600))
	if err := start(); err == nil {
		t.Error("a file that nobody can read is replaced")
	}
}
