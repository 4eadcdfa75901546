package peers_test

import (
	"bytes"
	"context"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/golden/peers"
	"github.com/flinkser/flinkser/golden/peers/peersconnect"
	"github.com/flinkser/flinkser/golden/peers/samepackage"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// The interface of this project, by each generated message.
var (
	_ flinkser.Message = (*peers.Everything)(nil)
	_ flinkser.Message = (*peers.Part)(nil)
	_ flinkser.Message = (*peers.EchoRequest)(nil)
	_ flinkser.Message = (*samepackage.AddRequest)(nil)
)

// vtMessage is what vtprotobuf gives to every message.
type vtMessage interface {
	SizeVT() int
	MarshalVT() ([]byte, error)
	UnmarshalVT([]byte) error
}

// everything returns a message with something in every field.
func everything() *peers.Everything {
	part := &peers.Part{Name: "part", Kind: peers.Kind_KIND_NEGATIVE, Parts: []*peers.Part{{Name: "inner"}, {}}}
	return &peers.Everything{
		Number:    -5,
		Text:      "text é",
		Data:      []byte{0, 1, 255},
		Maybe:     proto.Float64(0),
		MaybeText: proto.String(""),
		Packed:    []int64{-1, 0, 1 << 40},
		Texts:     []string{"", "a"},
		Parts:     []*peers.Part{part, {}},
		ByName:    map[string]*peers.Part{"one": part, "two": {}},
		Numbers:   map[int32]uint64{-1: 1, 7: 1 << 63},
		Choice:    &peers.Everything_ChosenPart{ChosenPart: part},
		Part:      &peers.Part{Kind: peers.Kind_KIND_SMALL},
		At:        &timestamppb.Timestamp{Seconds: 1, Nanos: 2},
		Next:      &peers.Everything{Choice: &peers.Everything_ChosenFlag{}},
	}
}

// TestGeneratorsSideBySide takes one message through the code of every generator, in
// every direction, and through the services.
func TestGeneratorsSideBySide(t *testing.T) {
	t.Run("Codecs", codecs)
	t.Run("Clones", clones)
	t.Run("Pool", pool)
	t.Run("Grpc", throughGRPC)
	t.Run("Connect", throughConnect)
	t.Run("ConnectSamePackage", throughSamePackage)
	t.Run("Methods", methods)
	t.Run("Files", files)
}

// codecs writes with each codec and reads with each.
func codecs(t *testing.T) {
	want := everything()
	writers := map[string]func() ([]byte, error){
		"protobuf":      func() ([]byte, error) { return proto.Marshal(want) },
		"vtproto":       want.MarshalVT,
		"vtprotoStrict": want.MarshalVTStrict,
		"flinkser":      func() ([]byte, error) { return flinkser.Marshal(want) },
	}
	readers := map[string]func([]byte, *peers.Everything) error{
		"protobuf":      func(b []byte, m *peers.Everything) error { return proto.Unmarshal(b, m) },
		"vtproto":       func(b []byte, m *peers.Everything) error { return m.UnmarshalVT(b) },
		"vtprotoUnsafe": func(b []byte, m *peers.Everything) error { return m.UnmarshalVTUnsafe(b) },
		"flinkser":      func(b []byte, m *peers.Everything) error { return flinkser.Unmarshal(b, m) },
	}
	for from, write := range writers {
		b, err := write()
		if err != nil {
			t.Fatalf("%s: %v", from, err)
		}
		if len(b) != want.SizeVT() || len(b) != proto.Size(want) {
			t.Errorf("%s wrote %d bytes, the sizes are %d and %d", from, len(b), want.SizeVT(), proto.Size(want))
		}
		for to, read := range readers {
			got := &peers.Everything{}
			if err := read(b, got); err != nil {
				t.Errorf("%s to %s: %v", from, to, err)
			} else if !proto.Equal(got, want) || !got.EqualVT(want) {
				t.Errorf("%s to %s: got %v", from, to, got)
			}
		}
	}
}

// clones copies with each generator; the copies share nothing.
func clones(t *testing.T) {
	m, want := everything(), everything()
	for name, clone := range map[string]proto.Message{"vtproto": m.CloneVT(), "flinkser": m.CloneFlinkser(), "protobuf": proto.Clone(m)} {
		if !proto.Equal(clone, want) {
			t.Errorf("%s: clone is %v", name, clone)
		}
		c := clone.(*peers.Everything)
		c.Parts[0].Parts[0].Name = "changed"
		c.ByName["one"].Name = "changed"
		c.Data[0] = 9
		c.Packed[0] = 9
		if !proto.Equal(m, want) {
			t.Errorf("%s: the clone shares memory with the message", name)
		}
	}
}

// pool reads into a message that vtprotobuf has pooled, which may hold memory of an
// earlier one.
func pool(t *testing.T) {
	want := everything()
	b, err := flinkser.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	s, err := flinkser.New[*peers.Everything](flinkser.WithReuse())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		m := peers.EverythingFromVTPool()
		if err := s.DecodePayload(b, m); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(m, want) {
			t.Fatalf("got %v", m)
		}
		m.ReturnToVTPool()
	}
}

// grpcEcho and connectEcho implement the service for gRPC and connect.
type grpcEcho struct {
	peers.UnimplementedEchoServiceServer
}

func (grpcEcho) Echo(_ context.Context, req *peers.EchoRequest) (*peers.EchoResponse, error) {
	v, err := again(req.GetValue())
	return &peers.EchoResponse{Value: v}, err
}

type connectEcho struct {
	peersconnect.UnimplementedEchoServiceHandler
}

func (connectEcho) Echo(_ context.Context, req *connect.Request[peers.EchoRequest]) (*connect.Response[peers.EchoResponse], error) {
	v, err := again(req.Msg.GetValue())
	return connect.NewResponse(&peers.EchoResponse{Value: v}), err
}

// again writes and reads a message with this project's code.
func again(m *peers.Everything) (*peers.Everything, error) {
	b, err := flinkser.Marshal(m)
	if err != nil {
		return nil, err
	}
	got := &peers.Everything{}
	return got, flinkser.Unmarshal(b, got)
}

func throughGRPC(t *testing.T) {
	lis := bufconn.Listen(1 << 16)
	server := grpc.NewServer()
	peers.RegisterEchoServiceServer(server, grpcEcho{})
	served := make(chan error, 1)
	go func() { served <- server.Serve(lis) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	conn, err := grpc.NewClient("passthrough:///bufconn",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return lis.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	resp, err := peers.NewEchoServiceClient(conn).Echo(ctx, &peers.EchoRequest{Value: everything()})
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(resp.GetValue(), everything()) {
		t.Errorf("got %v", resp.GetValue())
	}
}

func throughConnect(t *testing.T) {
	_, handler := peersconnect.NewEchoServiceHandler(connectEcho{})
	server := httptest.NewServer(handler)
	defer server.Close()
	client := peersconnect.NewEchoServiceClient(server.Client(), server.URL)
	resp, err := client.Echo(t.Context(), connect.NewRequest(&peers.EchoRequest{Value: everything()}))
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(resp.Msg.GetValue(), everything()) {
		t.Errorf("got %v", resp.Msg.GetValue())
	}
}

// adder implements the service whose code is in the package of its messages.
type adder struct{}

func (adder) Add(_ context.Context, req *samepackage.AddRequest) (*samepackage.AddResponse, error) {
	resp := &samepackage.AddResponse{}
	for _, n := range req.GetNumbers() {
		resp.Sum += n
	}
	b, err := flinkser.Marshal(resp)
	if err != nil {
		return nil, err
	}
	got := &samepackage.AddResponse{}
	return got, got.UnmarshalVT(b)
}

func throughSamePackage(t *testing.T) {
	_, handler := samepackage.NewAddServiceHandler(adder{})
	server := httptest.NewServer(handler)
	defer server.Close()
	resp, err := samepackage.NewAddServiceClient(server.Client(), server.URL).Add(t.Context(), &samepackage.AddRequest{Numbers: []int64{2, 3, -1}})
	if err != nil {
		t.Fatal(err)
	}
	if resp.GetSum() != 4 {
		t.Errorf("sum is %d, want 4", resp.GetSum())
	}
}

// methods checks that each message has the methods of every generator, and that ours
// are told from all others by their ending.
func methods(t *testing.T) {
	for _, m := range []proto.Message{&peers.Everything{}, &peers.Part{}, &peers.EchoRequest{}, &peers.EchoResponse{}, &samepackage.AddRequest{}, &samepackage.AddResponse{}} {
		if _, ok := m.(vtMessage); !ok {
			t.Errorf("%T has no methods of vtprotobuf", m)
		}
		ours, other := 0, 0
		message := reflect.TypeFor[flinkser.Message]()
		typ := reflect.TypeOf(m)
		for i := range typ.NumMethod() {
			name := typ.Method(i).Name
			_, isOurs := message.MethodByName(name)
			isOurs = isOurs && name != "Reset" && name != "ProtoReflect" // of protoc-gen-go
			if isOurs != strings.HasSuffix(name, "Flinkser") {
				t.Errorf("%T.%s is a method of this project: %t", m, name, isOurs)
			}
			if isOurs {
				ours++
			} else {
				other++
			}
		}
		if ours < 6 || other < 8 {
			t.Errorf("%T has %d methods of this project and %d others", m, ours, other)
		}
	}
}

// files checks that every generator has written its file.
func files(t *testing.T) {
	for _, name := range []string{
		"peers.pb.go", "peers_grpc.pb.go", "peers_vtproto.pb.go", "peers_flinkser.pb.go", "peersconnect/peers.connect.go",
		"samepackage/same.pb.go", "samepackage/same.connect.go", "samepackage/same_vtproto.pb.go", "samepackage/same_flinkser.pb.go",
	} {
		b, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Contains(b[:min(len(b), 500)], []byte("// Code generated by protoc-gen-")) {
			t.Errorf("%s does not say that it is generated", name)
		}
	}
}
