package results

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
)

// The roles of lanes.
const (
	RoleNative     = "native"        // ours
	RoleBaseline   = "baseline"      // google.golang.org/protobuf
	RolePeer       = "protobuf peer" // another library that writes the same bytes
	RoleFormat     = "other format"
	RoleAnalogue   = "analogue"   // no serializer for general use: fixed-width tuples, bare copies
	RoleSupplement = "supplement" // measured for itself, such as programs with a profile
	RoleJava       = "java"       // another runtime
)

// Lane is what lanes.csv says of a lane: what it does for the user apart from being fast.
type Lane struct {
	Name    string
	Role    string
	Runtime string // "go" or "java"
	Library string
	Version string

	UTF8, Depth, Size, Required bool // what it checks
	Unknown                     bool // it keeps unknown fields

	SharesInput bool // values point into the bytes that they were read from
	OptIn       bool // a mode that a user has to ask for
	Immutable   bool // values cannot change, so that a copy is the value itself
}

// Unchecked returns the checks that ours makes and a lane leaves out.
func (l *Lane) Unchecked() []string {
	var all []string
	for _, c := range []struct {
		name string
		made bool
	}{{"UTF-8", l.UTF8}, {"depth", l.Depth}, {"size", l.Size}, {"required", l.Required}} {
		if !c.made {
			all = append(all, c.name)
		}
	}
	return all
}

// Judged reports whether there is a verdict on a comparison of ours with a lane.
func (l *Lane) Judged() bool { return l.Role != RoleNative && l.Role != RoleSupplement }

// SafeLanes are the names of all lanes of the benchmark that are safe peers, whether or not a run
// has measured them.
var SafeLanes = []string{
	"protobuf-go", "protobuf-go-opaque", "protobuf-go-guards", "vtprotobuf", "vtprotobuf-strict", "hyperpb", "gogo", "easyproto", "protobuf-go-lite",
	"dynamicpb",
}

// Safe reports whether a lane counts as a safe peer: a library that writes the same bytes, as it
// is used by default, whose values share no memory with the input.
func (l *Lane) Safe() bool {
	return (l.Role == RolePeer || l.Role == RoleBaseline) && !l.SharesInput && !l.OptIn
}

var lanesHeader = []string{
	"lane", "role", "runtime", "library", "version", "utf8", "depth", "size", "required", "unknown", "shares_input", "opt_in", "immutable",
}

// WriteLanes writes lanes.csv.
func WriteLanes(w io.Writer, lanes []Lane) error {
	rows := [][]string{lanesHeader}
	for _, l := range lanes {
		row := []string{l.Name, l.Role, l.Runtime, l.Library, l.Version}
		for _, b := range []bool{l.UTF8, l.Depth, l.Size, l.Required, l.Unknown, l.SharesInput, l.OptIn, l.Immutable} {
			row = append(row, strconv.FormatBool(b))
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// Size is what the records of a workload come to in a lane.
type Size struct {
	Lane           string
	Workload       string
	Records        int
	Mean, Min, Max float64 // bytes of a frame or element
}

var sizesHeader = []string{"lane", "workload", "records", "mean_bytes", "min_bytes", "max_bytes"}

// WriteSizes writes sizes.csv.
func WriteSizes(w io.Writer, sizes []Size) error {
	rows := [][]string{sizesHeader}
	for _, s := range sizes {
		rows = append(rows, []string{s.Lane, s.Workload, strconv.Itoa(s.Records), number(s.Mean), number(s.Min), number(s.Max)})
	}
	return writeCSV(w, rows)
}

// Reason says why a lane was not measured. An empty operation stands for all of them.
type Reason struct{ Lane, Workload, Operation, Reason string }

var unsupportedHeader = []string{"lane", "workload", "operation", "reason"}

// WriteUnsupported writes unsupported.csv.
func WriteUnsupported(w io.Writer, reasons []Reason) error {
	rows := [][]string{unsupportedHeader}
	for _, r := range reasons {
		rows = append(rows, []string{r.Lane, r.Workload, r.Operation, r.Reason})
	}
	return writeCSV(w, rows)
}

// readTables reads the tables of the driver.
func (r *Run) readTables(fsys fs.FS) error {
	err := errors.Join(
		readTable(fsys, LanesFile, lanesHeader, r.addLane),
		readTable(fsys, SizesFile, sizesHeader, r.addSize),
		readTable(fsys, UnsupportedFile, unsupportedHeader, r.addReason),
	)
	if err != nil {
		return err
	}
	for i := range r.Lanes {
		r.lanes[r.Lanes[i].Name] = &r.Lanes[i]
	}
	for i, s := range r.Sizes {
		r.sizes[[2]string{s.Lane, s.Workload}] = &r.Sizes[i]
	}
	for _, res := range r.Results {
		if r.lanes[res.Lane] == nil {
			return fmt.Errorf("%s does not know lane %s", LanesFile, res.Lane)
		}
	}
	return nil
}

// readTable gives every row of a CSV file to add, if its header is the right one.
func readTable(fsys fs.FS, name string, header []string, add func(row []string) error) error {
	data, err := readFile(fsys, name)
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], header) {
		return fmt.Errorf("%s: the header is not %q", name, header)
	}
	for i, row := range rows[1:] {
		if err := add(row); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, i+2, err)
		}
	}
	return nil
}

func (r *Run) addLane(row []string) error {
	l := Lane{Name: row[0], Role: row[1], Runtime: row[2], Library: row[3], Version: row[4]}
	for i, b := range []*bool{&l.UTF8, &l.Depth, &l.Size, &l.Required, &l.Unknown, &l.SharesInput, &l.OptIn, &l.Immutable} {
		var err error
		if *b, err = strconv.ParseBool(row[5+i]); err != nil {
			return fmt.Errorf("column %s: %w", lanesHeader[5+i], err)
		}
	}
	switch {
	case !plain.MatchString(l.Name) || slices.ContainsFunc(r.Lanes, func(o Lane) bool { return o.Name == l.Name }):
		return fmt.Errorf("lane %q is there twice, or that is no name", l.Name)
	case !slices.Contains([]string{RoleNative, RoleBaseline, RolePeer, RoleFormat, RoleAnalogue, RoleSupplement, RoleJava}, l.Role):
		return fmt.Errorf("there is no role %q", l.Role)
	}
	r.Lanes = append(r.Lanes, l)
	return nil
}

func (r *Run) addSize(row []string) error {
	s := Size{Lane: row[0], Workload: row[1]}
	var err error
	if s.Records, err = strconv.Atoi(row[2]); err != nil {
		return err
	}
	for i, f := range []*float64{&s.Mean, &s.Min, &s.Max} {
		if *f, err = strconv.ParseFloat(row[3+i], 64); err != nil {
			return err
		}
		if !countable(*f) {
			return fmt.Errorf("%v is no number of bytes", *f)
		}
	}
	r.Sizes = append(r.Sizes, s)
	return nil
}

func (r *Run) addReason(row []string) error {
	if row[3] == "" {
		return fmt.Errorf("no reason is given for lane %s", row[0])
	}
	r.Unsupported = append(r.Unsupported, Reason{row[0], row[1], row[2], row[3]})
	return nil
}

// writeCSV writes rows with \n after each.
func writeCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	return c.WriteAll(rows)
}

// number formats a number so that it can be read back exactly.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// ratio formats a ratio, or a limit of one.
func ratio(f float64) string { return strconv.FormatFloat(f, 'f', 8, 64) }
