package golden_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/gen"
	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/hybrid"
	"github.com/flinkser/flinkser/golden/opaque"
	"github.com/flinkser/flinkser/internal/protocheck"
)

// answer runs the plugin on files, .proto files by path.
func answer(t *testing.T, files map[string]string, parameter string) *pluginpb.CodeGeneratorResponse {
	t.Helper()
	req, err := protocheck.Request(files, parameter)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := gen.Answer(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func testD10(t *testing.T) {
	checkFields(t, "cases.tg.G")
	checkValue(t, &cases.G{Rg: []*cases.G_Rg{{Y: proto.Int32(1)}, nil, {}}}, "330801343334"+"3334")
	checkValue(t, &cases.G{O: &cases.G_Og_{}}, "3b3c")
	checkValue(t, &cases.G{Rg: []*cases.G_Rg{{}}, O: &cases.G_Og_{Og: &cases.G_Og{Z: proto.Int32(-1)}}}, "3334"+"3b08ffffffffffffffffff013c")
	checkValue(t, &cases.G{O: (*cases.G_Og_)(nil)}, "")
	checkValue(t, &cases.Must{Has: &cases.Must_Has{X: proto.Int32(0), Deep: []*cases.Must_Has_Deep{{S: proto.String("")}, {S: proto.String("a")}}}},
		"0b0800"+"130a0014"+"130a016114"+"0c")
	// A group is one level, in lists too.
	deep := &cases.Msg{}
	for range 20 {
		deep = &cases.Msg{Grp: &cases.Msg_Grp{Sub: deep}}
	}
	checkDepth(t, deep, 40)
	checkDepth(t, &cases.Must{Has: &cases.Must_Has{X: proto.Int32(1), Deep: []*cases.Must_Has_Deep{{S: proto.String("")}}}}, 2)
}

func testD14(t *testing.T) {
	const text = "edition = \"2023\";\npackage d14;\noption go_package = \"example.com/d14\";\nmessage M {\n  int32 a = 1;\n}\n"
	const both = uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL | pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS)
	for parameter, files := range map[string]int{"": 1, "default_api_level=API_HYBRID": 2, "apilevelMd14.proto=API_OPAQUE": 1} {
		resp := answer(t, map[string]string{"d14.proto": text}, parameter)
		if resp.Error != nil || len(resp.GetFile()) != files {
			t.Errorf("%q: %d files, want %d: %s", parameter, len(resp.GetFile()), files, resp.GetError())
		}
		if resp.GetSupportedFeatures() != both {
			t.Errorf("features %b, want %b", resp.GetSupportedFeatures(), both)
		}
		if resp.GetMinimumEdition() != int32(descriptorpb.Edition_EDITION_PROTO2) || resp.GetMaximumEdition() != int32(descriptorpb.Edition_EDITION_2024) {
			t.Errorf("editions %d to %d", resp.GetMinimumEdition(), resp.GetMaximumEdition())
		}
	}
	// Each feature does what it says, for a file, a message or a field.
	for _, name := range []string{
		"cases.te.M", "golden.editions.Implicit", "golden.editions.Explicit", "golden.editions.Packed", "golden.editions.Unpacked",
		"golden.editions.Choice", "golden.editions.MapKeys", "golden.editions.MapValues",
	} {
		checkFields(t, name)
	}
	checkValue(t, &cases.M{Imp: 1, Raw: proto.String("\xff"), Ex: []int32{1, 2}, Pk: []int32{1, 2}, Del: &cases.M{}, Cl: cases.Cl_CL_B.Enum(), Cls: []cases.Cl{99}},
		"0801"+"1a01ff"+"28012802"+"32020102"+"3b3c"+"4002"+"4a0163")
}

func testD15(t *testing.T) {
	m := opaque.Mangled_builder{
		Build_: proto.Int32(1), XWahoo_2: proto.Int32(2), XWahoo_3: proto.String("3"), XLazy_4: &opaque.Mangled{}, XLazy_5: &opaque.Mangled{},
		XMany_6: []*opaque.Mangled{{}}, XMany_7: [][]byte{{7}}, XMap_8: map[string]*opaque.Mangled{"": {}}, XMap_9: map[int32]string{9: ""},
		XMember_10: proto.Int32(10), Chosen: proto.String("12"), GetBuild: []byte{14}, HasBuild: proto.Bool(true), A_B: proto.Int32(16), XLead: proto.Int32(17),
		SizeFlinkser: proto.Int32(18), CloneFlinkser: []*opaque.Mangled{{}}, DecodeFlinkser: proto.Int32(20),
	}.Build()
	const common = "0801" + "1002" + "1a0133" + "2200" + "2a00" + "3200" + "3a0107" + "42040a001200" + "4a0408091200" + "500a" + "62023132"
	checkValue(t, m, common+"72010e"+"7801"+"800110"+"880111"+"900112"+"9a0100"+"a00114")
	checkFields(t, "golden.opaque.Mangled")

	h := hybrid.Mangled_builder{
		Build_: proto.Int32(1), XWahoo_2: proto.Int32(2), XWahoo_3: proto.String("3"), XLazy_4: &hybrid.Mangled{}, XLazy_5: &hybrid.Mangled{},
		XMany_6: []*hybrid.Mangled{{}}, XMany_7: [][]byte{{7}}, XMap_8: map[string]*hybrid.Mangled{"": {}}, XMap_9: map[int32]string{9: ""},
		XMember_10: proto.Int32(10), Chosen: proto.String("12"), HasBuild: proto.Bool(true), A_B: proto.Int32(16), XLead: proto.Int32(17),
	}.Build()
	checkValue(t, h, common+"7801"+"800110"+"880111")
	checkFields(t, "golden.hybrid.Mangled")
}

func testD19(t *testing.T) {
	files := map[string]string{"d19.proto": `syntax = "proto2";
package d19;
option go_package = "example.com/d19";
message Holder {
  message Set {
    option message_set_wire_format = true;
    extensions 4 to max;
  }
  optional Set set = 1;
}
`}
	resp := answer(t, files, "paths=source_relative")
	if protoLegacy {
		code := resp.GetFile()
		if resp.Error != nil || len(code) != 1 {
			t.Fatalf("%d files, %s", len(code), resp.GetError())
		}
		parse(t, code[0].GetName(), code[0].GetContent())
		if !strings.Contains(code[0].GetContent(), "MessageSet") {
			t.Error("the code treats it as an ordinary message")
		}
		checkMessageSets(t)
		return
	}
	// The descriptor library takes none without the tag: the error says which message it is,
	// and what to do.
	if len(resp.GetFile()) != 0 {
		t.Errorf("%d files were written", len(resp.GetFile()))
	}
	for _, want := range []string{"d19.proto:5:3: d19.Holder.Set: message_set_wire_format", "go install -tags protolegacy", "take the option away"} {
		if !strings.Contains(resp.GetError(), want) {
			t.Errorf("error %q does not have %q", resp.GetError(), want)
		}
	}
}
