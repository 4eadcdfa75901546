package wire_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// The schemas of the tests. t3 has the messages of golden/cases under another package.
var schemas = map[string]string{
	"t3.proto": `syntax = "proto3"; package reflect.t3;
message Empty {}
message Inner { int32 a=1; int32 b=2; repeated int32 r=3; Inner next=4; string s=5; }
enum Neg { option allow_alias=true; NEG_ZERO=0; NEG_M1=-1; NEG_ALIAS=-1; NEG_MIN=-2147483648; NEG_MAX=2147483647; }
message All { string s=1; bytes by=2; Inner m=3; repeated int32 pk=4; repeated int32 up=5 [packed=false];
  map<string,string> mss=6; map<string,Inner> msm=7; map<int32,Neg> mie=8;
  oneof o { string os=9; Empty oe=10; Inner om=11; double od=12; bytes ob=25; int32 oi=26; float of=27; Neg on=28; bool obl=29; }
  optional string opt=13; optional bytes optb=14; Neg e=15; repeated Neg re=16; bool bo=17; repeated Inner rm=18; repeated string rs=19;
  sint32 si=20; fixed64 f64=21; double d=22; float f=23; uint32 u32=24; map<bool,bytes> mbb=30; repeated double rd=31; repeated bool rb=32;
  int64 i64=33; repeated Empty re0=34; int32 hi=536870911; }
message Rec { int32 id=1; Rec next=2; map<string,Rec> kids=3; repeated Rec list=4; oneof k { Rec alt=5; } }
message Numbers { int32 a=18999; int32 b=20000; }`,

	"t2.proto": `syntax = "proto2"; package reflect.t2;
enum ClosedZ { CZ_ZERO=0; CZ_ONE=1; }
enum Closed { CLOSED_ONE=1; CLOSED_TWO=2; CLOSED_NEG=-5; }
message Msg { optional Closed e=1; repeated Closed re=2; repeated Closed pe=3 [packed=true]; map<string,ClosedZ> me=4;
  optional group Grp=5 { optional int32 x=1; optional Msg sub=2; } optional string s=7 [default="dflt"]; optional bytes b=8;
  repeated int32 r=9; repeated int32 p=10 [packed=true]; oneof o { Closed oe=11; string os=12; } optional Req rq=13; extensions 100 to 199;
  optional int32 after=300; map<string,Req> mr=301; optional float f=302; }
message Req { required int32 id=1; optional Req child=2; repeated Req kids=3; }
message NeedsGroup { required group Need=1 { required int32 x=1; } }
extend Msg { optional int32 ext_i=100; repeated string ext_s=101; optional Req ext_m=102; repeated int32 ext_p=103 [packed=true];
  optional group ExtG=104 { optional int32 x=1; } optional Closed ext_e=105; repeated Msg ext_r=106; optional string ext_u=107; }
message G { repeated group Rg=6 { optional int32 y=1; } oneof o { group Og=7 { optional int32 z=1; } int32 n=8; } }
`,

	"e.proto": `edition = "2023"; package reflect.e;
enum Cl {option features.enum_type=CLOSED; CL_A=1; CL_B=2;}
message M { int32 imp=1 [features.field_presence=IMPLICIT]; int32 exp=2; string raw=3 [features.utf8_validation=NONE]; string ver=4;
  repeated int32 ex=5 [features.repeated_field_encoding=EXPANDED]; repeated int32 pk=6; M del=7 [features.message_encoding=DELIMITED];
  Cl cl=8; repeated Cl cls=9; repeated M dels=10 [features.message_encoding=DELIMITED]; oneof o { M od=11 [features.message_encoding=DELIMITED]; string os=12; }
  map<string,M> mm=13; float zero=14 [features.field_presence=IMPLICIT]; map<string,string> raws=15 [features.utf8_validation=NONE]; M len=16;
  R req=17; extensions 50 to 60; }
message R { int32 id=1 [features.field_presence=LEGACY_REQUIRED]; }
extend M { string ext_s=50; repeated R ext_r=51 [features.message_encoding=DELIMITED]; }`,

	"k3.proto": `syntax = "proto3"; package reflect.k3;` + kinds("K", `KIND i_KIND=NN; optional KIND o_KIND=1NN; repeated KIND r_KIND=2NN; repeated KIND x_KIND=3NNOPTION; oneof oNN { KIND a_KIND=4NN; string b_KIND=5NN; } map<string,KIND> m_KIND=6NN;`) + mapKeys,
	"k2.proto": `syntax = "proto2"; package reflect.k2;` + kinds("K", `optional KIND o_KIND=1NN; required KIND q_KIND=NN; repeated KIND r_KIND=2NN; oneof oNN { KIND a_KIND=4NN; string b_KIND=5NN; } map<string,KIND> m_KIND=6NN;`) + mapKeys,
}

const mapKeys = `message Keys { map<bool,int32> b=1; map<int32,int32> i32=2; map<int64,int32> i64=3; map<uint32,int32> u32=4; map<uint64,int32> u64=5;
  map<sint32,int32> s32=6; map<sint64,int32> s64=7; map<fixed32,int32> f32=8; map<fixed64,int32> f64=9; map<sfixed32,int32> sf32=10; map<sfixed64,int32> sf64=11;
  map<string,bytes> s=12; }`

// kinds returns a message with the fields of format for every scalar kind: KIND stands
// for its name, NN for a number of two digits, OPTION for the option that switches
// packing off where there is such a thing.
func kinds(name, format string) string {
	var b strings.Builder
	b.WriteString("message " + name + " {")
	for i, kind := range strings.Fields("double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes") {
		option := " [packed=false]"
		if kind == "string" || kind == "bytes" {
			option = ""
		}
		b.WriteString(strings.NewReplacer("KIND", kind, "NN", fmt.Sprint(10+i), "OPTION", option).Replace(format))
	}
	b.WriteString("}")
	return b.String()
}

// files compiles the schemas and registers their extensions.
var files = sync.OnceValue(func() map[string]protoreflect.FileDescriptor {
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(schemas),
	})}
	out := make(map[string]protoreflect.FileDescriptor)
	for name := range schemas {
		compiled, err := compiler.Compile(context.Background(), name)
		if err != nil {
			panic(err)
		}
		fd, err := protodesc.NewFile(protodesc.ToFileDescriptorProto(compiled[0]), protoregistry.GlobalFiles)
		if err != nil {
			panic(err)
		}
		out[name] = fd
		for i := range fd.Extensions().Len() {
			if err := protoregistry.GlobalTypes.RegisterExtension(dynamicpb.NewExtensionType(fd.Extensions().Get(i))); err != nil {
				panic(err)
			}
		}
	}
	return out
})

// dynamic returns an empty dynamic message of a schema's message, as in "t3.All".
func dynamic(t testing.TB, name string) proto.Message {
	t.Helper()
	file, message, _ := strings.Cut(name, ".")
	md := files()[file+".proto"].Messages().ByName(protoreflect.Name(message))
	if md == nil {
		t.Fatalf("no message %s", name)
	}
	return dynamicpb.NewMessage(md)
}
