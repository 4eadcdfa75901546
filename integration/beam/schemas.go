package flinkserbeam

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/runtime/snapshot"
)

// SchemasFile is the name of the file of schemas in a savepoint's folder.
const SchemasFile = "_flinkser_schemas.json"

// RestoreOptions say how the schemas of a savepoint are compared with those of the pipeline. They are those of
// snapshot.Options. The zero value is the strict policy, without renames.
type RestoreOptions struct {
	Policy  snapshot.Policy                                 // the strict one by default
	Renames map[protoreflect.FullName]protoreflect.FullName // from the names of messages in the savepoint to those of now
}

// Schemas are the schemas of all messages that may lie in the state of a job: in the states of functions, and in
// collections, which Flink keeps for a while. For each place they are those of all versions of the
// program that have written there, since an old record stays as it was until it is written again.
//
// Run keeps those of an unbounded pipeline in a file NAME.json of the folder Flink.Schemas. Stop copies it into the
// savepoint that it makes, where Run finds it when it starts from that savepoint. For a savepoint
// or retained checkpoint that others have made, copy the file there under the name SchemasFile. A file of other schemas is not
// replaced by a job that starts without a savepoint, see ErrOtherSchemas.
//
// Schemas share the snapshots that they are made of, and may be used by several goroutines as long as nobody changes them.
type Schemas struct {
	Places []PlaceSchemas
}

// PlaceSchemas are the schemas of one place.
type PlaceSchemas struct {
	// Place is where in the pipeline: a state, a collection. Its steps are numbered in the order in which the pipeline is
	// built, because only a pipeline with the same steps may restore a savepoint.
	Place string
	// Snapshots are the schemas, the first one first.
	Snapshots []*snapshot.Snapshot
}

// A SchemaError says why a savepoint may not be restored. Nothing has been submitted then.
type SchemaError struct {
	Place string
	Err   error // a *snapshot.IncompatibleError with the verdict, or ErrNoPlace
}

// ErrNoPlace is the cause of a SchemaError for state that has no place in the new pipeline.
var ErrNoPlace = errors.New("the pipeline has no such place: only the same steps may restore a savepoint")

// ErrOtherSchemas says that a job would be started without a savepoint, under the name of a job with other schemas, whose
// file would be lost, and with it what that job's savepoints are compared with. Start from a savepoint, choose another
// name or, if nobody will restore that job's state, remove the file.
var ErrOtherSchemas = errors.New("flinkserbeam: a job of this name has other schemas, and there is no savepoint to start from")

// Error describes the refusal.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("flinkserbeam: the savepoint may not be restored: %s: %v", e.Place, e.Err)
}

// Unwrap returns Err.
func (e *SchemaError) Unwrap() error { return e.Err }

// SchemasOf returns the schemas of a pipeline as it is now. The error is ErrNotRegistered, or that of a pipeline or a message
// type that cannot be used.
func SchemasOf(p *beam.Pipeline) (*Schemas, error) {
	s := codec.Load()
	if s == nil {
		return nil, ErrNotRegistered
	}
	places, err := placesOf(p)
	if err != nil {
		return nil, err
	}
	all := &Schemas{}
	for _, place := range places {
		if place.err != nil || !isMessage(place.typ) {
			continue
		}
		now, err := snapshot.Of(zero(place.typ), s.Settings())
		if err != nil {
			return nil, fmt.Errorf("flinkserbeam: %s: %w", place.name, err)
		}
		all.Places = append(all.Places, PlaceSchemas{Place: place.name, Snapshots: []*snapshot.Snapshot{now}})
	}
	return all, nil
}

// After returns the schemas of a pipeline that goes on with the state of an earlier one: those of both. The error joins a
// *SchemaError for each place where the schema of s may not read what is stored, or that s does not have.
func (s *Schemas) After(saved *Schemas, o RestoreOptions) (*Schemas, error) {
	merged, refused := &Schemas{}, []error(nil)
	has := map[string]bool{}
	for _, place := range s.Places {
		has[place.Place] = true
		earlier := saved.place(place.Place)
		new := place.Snapshots[len(place.Snapshots)-1]
		verdict := snapshot.CheckAll(earlier, new, snapshot.Options{Policy: o.Policy, Renames: o.Renames})
		if err := verdict.Err(); err != nil {
			refused = append(refused, &SchemaError{Place: place.Place, Err: err})
		}
		list := slices.Clone(earlier)
		if !slices.ContainsFunc(list, func(old *snapshot.Snapshot) bool { return old.Digest() == new.Digest() }) {
			list = append(list, new)
		}
		merged.Places = append(merged.Places, PlaceSchemas{Place: place.Place, Snapshots: list})
	}
	for _, place := range saved.Places {
		if !has[place.Place] {
			refused = append(refused, &SchemaError{Place: place.Place, Err: ErrNoPlace})
		}
	}
	return merged, errors.Join(refused...)
}

// place returns the snapshots of a place.
func (s *Schemas) place(name string) []*snapshot.Snapshot {
	for _, p := range s.Places {
		if p.Place == name {
			return p.Snapshots
		}
	}
	return nil
}

// The form of the file.
type schemasJSON struct {
	Format int         `json:"format"`
	Places []placeJSON `json:"places"`
}

type placeJSON struct {
	Place     string   `json:"place"`
	Snapshots [][]byte `json:"snapshots"`
}

const (
	schemasFormat = 1
	// schemasMax is the largest file that is read.
	schemasMax = 256 << 20
)

// Write writes the schemas to a file, which appears, or replaces another, when it is complete and on disk. The errors are
// those of the file system.
func (s *Schemas) Write(path string) error {
	form := schemasJSON{Format: schemasFormat, Places: []placeJSON{}}
	for _, p := range s.Places {
		entry := placeJSON{Place: p.Place}
		for _, one := range p.Snapshots {
			b, err := one.Append(nil)
			if err != nil {
				return err
			}
			entry.Snapshots = append(entry.Snapshots, b)
		}
		form.Places = append(form.Places, entry)
	}
	b, err := json.MarshalIndent(form, "", "  ")
	if err != nil {
		return err
	}
	return writeWhole(path, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
}

// ReadSchemas reads a file that Write has written. A damaged file, or one of another format, is an error, and so is one of
// more than 256 MiB.
func ReadSchemas(path string) (*Schemas, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, schemasMax+1))
	if err != nil {
		return nil, err
	}
	if len(b) > schemasMax {
		return nil, fmt.Errorf("flinkserbeam: %s has more than %d bytes", path, schemasMax)
	}
	s, err := parseSchemas(b)
	if err != nil {
		return nil, fmt.Errorf("flinkserbeam: %s: %w", path, err)
	}
	return s, nil
}

func parseSchemas(b []byte) (*Schemas, error) {
	var form schemasJSON
	if err := json.Unmarshal(b, &form); err != nil {
		return nil, err
	}
	if form.Format != schemasFormat {
		return nil, fmt.Errorf("format %d, want %d", form.Format, schemasFormat)
	}
	all := &Schemas{}
	for _, p := range form.Places {
		if p.Place == "" || all.place(p.Place) != nil || len(p.Snapshots) == 0 {
			return nil, fmt.Errorf("place %q is empty or there twice", p.Place)
		}
		entry := PlaceSchemas{Place: p.Place}
		for _, b := range p.Snapshots {
			one, rest, err := snapshot.Parse(b)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("%d bytes behind the snapshot", len(rest))
			}
			if err != nil {
				return nil, fmt.Errorf("place %q: %w", p.Place, err)
			}
			entry.Snapshots = append(entry.Snapshots, one)
		}
		all.Places = append(all.Places, entry)
	}
	return all, nil
}

// judge compares the schemas of a savepoint with those of the pipeline. It returns what is to be done right before the
// job is submitted: to write the schemas of the new job down.
func (e Flink) judge(p *beam.Pipeline, name string, unbounded bool) (before func() error, err error) {
	switch {
	case e.Savepoint == "" && e.SavepointSchemas != "":
		return nil, errors.New("flinkserbeam: Flink.SavepointSchemas is set, but no Savepoint")
	case e.NoSchemas && e.Savepoint != "":
		return nil, errors.New("flinkserbeam: a savepoint cannot be restored with Flink.NoSchemas: Flink would take any schema, and misread the state")
	case unbounded && e.Schemas == "" && !e.NoSchemas:
		return nil, errors.New("flinkserbeam: an unbounded pipeline has state that outlives its code: set Flink.Schemas to a folder for the schemas, or NoSchemas")
	case e.NoSchemas || e.Schemas == "" && e.Savepoint == "":
		return func() error { return nil }, nil
	}
	now, err := SchemasOf(p)
	if err != nil {
		return nil, err
	}
	if e.Savepoint != "" {
		saved, err := e.saved()
		if err != nil {
			return nil, err
		}
		if now, err = now.After(saved, e.Restore); err != nil {
			return nil, err
		}
	}
	if e.Schemas == "" {
		return func() error { return nil }, nil
	}
	path := schemasPath(e.Schemas, name)
	if e.Savepoint == "" {
		return func() error { return now.writeFirst(path) }, nil
	}
	return func() error { return now.Write(path) }, nil
}

// writeFirst writes the schemas of a job that starts without state. A file of the same schemas stays, with those of earlier
// versions, since their savepoints may still be there.
func (s *Schemas) writeFirst(path string) error {
	kept, err := ReadSchemas(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s.Write(path)
	case err != nil:
		return err
	case !kept.lastAre(s):
		return fmt.Errorf("%w: %s", ErrOtherSchemas, path)
	}
	return nil
}

// lastAre reports whether the latest schemas are those of another pipeline, at the same places.
func (s *Schemas) lastAre(other *Schemas) bool {
	last := func(p PlaceSchemas) *snapshot.Snapshot { return p.Snapshots[len(p.Snapshots)-1] }
	return slices.EqualFunc(s.Places, other.Places, func(a, b PlaceSchemas) bool {
		return a.Place == b.Place && last(a).Digest() == last(b).Digest()
	})
}

// saved reads the schemas of the savepoint.
func (e Flink) saved() (*Schemas, error) {
	path := e.SavepointSchemas
	if path == "" {
		folder, err := localPath(e.Savepoint)
		if err != nil {
			return nil, fmt.Errorf("%w; name a file of its schemas in Flink.SavepointSchemas", err)
		}
		path = filepath.Join(folder, SchemasFile)
	}
	saved, err := ReadSchemas(path)
	if err != nil {
		return nil, fmt.Errorf("flinkserbeam: the schemas of the savepoint cannot be read, so whether it may be restored is not known: %w", err)
	}
	return saved, nil
}

// schemasPath is where the schemas of a job are kept. A name may be anything.
func schemasPath(folder, name string) string {
	return filepath.Join(folder, url.PathEscape(name)+".json")
}

// localPath returns the path of a folder that Flink names as a URL.
func localPath(s string) (string, error) {
	if !strings.Contains(s, ":") {
		return s, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "file" || u.Host != "" {
		return "", fmt.Errorf("flinkserbeam: %q is no folder of this machine", s)
	}
	return u.Path, nil
}
