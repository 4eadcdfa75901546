package corpus

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/internal/differ"
)

// TestCasesAgainstReference checks the answers in the case file against
// google.golang.org/protobuf: it refuses what is marked as refused, and reads In
// and Out as the same message.
func TestCasesAgainstReference(t *testing.T) {
	for _, c := range Cases() {
		t.Run(c.ID, func(t *testing.T) {
			typ, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(c.Message))
			if err != nil {
				t.Fatal(err)
			}
			m := typ.New().Interface()
			err = proto.Unmarshal(c.In, m)
			if c.Rejected() {
				if err == nil {
					t.Fatalf("%s: %x is accepted as %v", c.What, c.In, m)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %x is refused: %v", c.What, c.In, err)
			}
			again := typ.New().Interface()
			if err := proto.Unmarshal(c.Out, again); err != nil {
				t.Fatalf("%s: out %x is refused: %v", c.What, c.Out, err)
			}
			if !proto.Equal(m, again) {
				t.Errorf("%s: in is\n%v\nbut out is\n%v", c.What, m, again)
			}
			// No case holds a map of two entries, so the reference writes the same bytes
			// but for the order of the fields.
			if got := proto.Size(m); got != len(c.Out) {
				t.Errorf("%s: the message takes %d bytes, out has %d", c.What, got, len(c.Out))
			}
			if err := differ.CheckAscending(typ.Descriptor(), c.Out); err != nil {
				t.Errorf("%s: out: %v", c.What, err)
			}
		})
	}
}

func TestCases(t *testing.T) {
	cases := Cases()
	id := regexp.MustCompile(`^[A-Z][0-9]{2}/[0-9]+$`)
	for _, c := range cases {
		if !id.MatchString(c.ID) {
			t.Errorf("case %q: the name is not of the form A01/1", c.ID)
		}
		if c.Rejected() != (c.Out == nil) {
			t.Errorf("case %s: reason %q goes with out %x", c.ID, c.Reason, c.Out)
		}
	}
	if got, want := hex.EncodeToString(cases[0].Out), "3a040a001200"; cases[0].ID != "A01/1" || got != want {
		t.Errorf("first case is %s with out %s, want A01/1 with %s", cases[0].ID, got, want)
	}
	cases[0].In[0]++
	if again := Cases(); cases[0].In[0] == again[0].In[0] {
		t.Error("two calls of Cases share bytes")
	}
}

func TestParseCases(t *testing.T) {
	const good = "case: A01/1\nwhat: w\nmessage: m\n"
	got, err := parseCases("# note\n\n" + good + "in: 0a 00\nout:\n\n\ncase: A01/2\nwhat: w\n# note\nmessage: m\nin:\nerror: utf8")
	if err != nil || len(got) != 2 {
		t.Fatalf("got %d cases and error %v, want 2 and none", len(got), err)
	}
	if string(got[0].In) != "\n\x00" || got[0].Out == nil || got[0].Rejected() {
		t.Errorf("first case is %+v", got[0])
	}
	if got[1].ID != "A01/2" || len(got[1].In) != 0 || got[1].Reason != "utf8" {
		t.Errorf("second case is %+v", got[1])
	}

	for _, tt := range []struct{ text, want string }{
		{good + "out: 00", "line 1: in is missing"},
		{"case: A01/1\nwhat: w\nin:\nout:", "message is missing"},
		{good + "in: 0\nout:", "in: "},
		{good + "in:\nout: zz", "out: "},
		{good + "in:", "needs one of out and error"},
		{good + "in:\nout:\nerror: utf8", "needs one of out and error"},
		{good + "in:\nerror: strange", `unknown error "strange"`},
		{good + "in:\nout:\nmore: 1", `unknown key "more"`},
		{good + "in:\nin:\nout:", "in is given twice"},
		{good + "what", "not of the form"},
		{good + "in:\nout:\n\n" + good + "in:\nout:", "line 7: case A01/1 is already at line 1"},
	} {
		_, err := parseCases(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one with %q", tt.text, err, tt.want)
		}
	}
}
