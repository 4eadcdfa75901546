package flinkserbeam

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/state"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/timers"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"google.golang.org/grpc"

	"github.com/flinkser/flinkser/example/frames/orderpb"
)

// summing adds up in a state, and takes its time for some elements.
type summing struct {
	Sum   state.Value[*orderpb.Order]
	Flush timers.EventTime
	Slow  bool
}

func newSumming(slow bool) *summing {
	return &summing{Sum: state.MakeValueState[*orderpb.Order]("sum"), Flush: timers.InEventTime("flush"), Slow: slow}
}

func (f *summing) ProcessElement(sp state.Provider, tp timers.Provider, key string, o *orderpb.Order, _ func(*orderpb.Order)) error {
	sum, ok, err := f.Sum.Read(sp)
	if err != nil {
		return err
	}
	if !ok {
		sum = &orderpb.Order{Id: key}
		f.Flush.Set(tp, mtime.EndOfGlobalWindowTime.ToTime())
	}
	if f.Slow && o.CreatedMs%1000 == 50 {
		time.Sleep(time.Second)
	}
	sum.CreatedMs++
	return f.Sum.Write(sp, sum)
}

func (f *summing) OnTimer(_ context.Context, sp state.Provider, _ timers.Provider, _ string, _ timers.Context, emit func(*orderpb.Order)) error {
	sum, _, err := f.Sum.Read(sp)
	emit(sum)
	return err
}

func init() {
	beam.RegisterType(reflect.TypeFor[summing]())
}

// TestTrap1 has a stateful bundle that makes no progress for longer than Prism waits before it splits one. Without the
// experiment that Run sets, counts are lost.
func TestTrap1(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	const n = 2000
	orderFile(t, name, 0, n)
	fresh()
	p, s := beam.NewPipelineWithRoot()
	orders, _ := orderSource.Read(s, beam.Create(s, name), ReadOptions{})
	beam.ParDo0(s, gatherOrder, beam.ParDo(s, newSumming(true), beam.ParDo(s, one, orders)))
	onPrism(t, p)
	got := numbers(t)
	if want := slices.Repeat([]int{n / 10}, 10); !slices.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
}

// TestStarted refuses to work in a pipeline that Run has not started, whose engine may lose data.
func TestStarted(t *testing.T) {
	defer beam.PipelineOptions.Set(mark, beam.PipelineOptions.Get(mark))
	beam.PipelineOptions.Set(mark, "")
	name := filepath.Join(t.TempDir(), "in")
	orderFile(t, name, 0, 1)
	build := func() *beam.Pipeline {
		p, s := beam.NewPipelineWithRoot()
		orders, _ := orderSource.Read(s, beam.Create(s, name), ReadOptions{})
		beam.ParDo0(s, gatherOrder, orders)
		return p
	}
	if _, err := beam.Run(context.Background(), "prism", build()); err == nil || !strings.Contains(err.Error(), ErrOtherRunner.Error()) {
		t.Errorf("beam.Run: %.300v", err)
	}
	// A pipeline that Run has started changes nothing for those behind it.
	onPrism(t, build())
	if _, err := beam.Run(context.Background(), "prism", build()); err == nil || !strings.Contains(err.Error(), ErrOtherRunner.Error()) {
		t.Errorf("beam.Run after Run: %.300v", err)
	}
	fresh()
	AllowOtherRunners()
	_, err := beam.Run(context.Background(), "prism", build())
	check(t, err)
	if len(gathered.messages) != 1 {
		t.Errorf("%d messages", len(gathered.messages))
	}
}

// options of a streaming job, of which trap 2 is about the first four, and trap 3 about the last.
var streaming = map[string]any{
	"streaming": true, "checkpointing_interval": "10000", "finish_bundle_before_checkpointing": true, "max_bundle_time_mills": "100",
}

// unboundedPipeline is one whose source never ends.
func unboundedPipeline(name string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	orders, _ := orderSource.Read(s, beam.Create(s, name), ReadOptions{Growing: true, Poll: 20 * time.Millisecond})
	beam.ParDo0(s, gatherOrder, beam.ParDo(s, newSumming(false), beam.ParDo(s, one, orders)))
	return p
}

func boundedPipeline() *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, lose, beam.ParDo(s, makeOrder, beam.Impulse(s)))
	return p
}

// jobServer is a job server that keeps what it was sent, and refuses it.
type jobServer struct {
	jobpb.UnimplementedJobServiceServer
	prepared []*jobpb.PrepareJobRequest
}

func (s *jobServer) Prepare(_ context.Context, r *jobpb.PrepareJobRequest) (*jobpb.PrepareJobResponse, error) {
	s.prepared = append(s.prepared, r)
	return nil, errors.New("this one runs nothing")
}

// serve starts a job server and returns its address.
func serve(t *testing.T, s jobpb.JobServiceServer) string {
	t.Helper()
	listener, err := net.Listen("tcp", "localhost:0")
	check(t, err)
	server := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	jobpb.RegisterJobServiceServer(server, s)
	go func() { _ = server.Serve(listener) }() // ends with Stop
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// TestTrap2And3 looks at what arrives at a job server.
func TestTrap2And3(t *testing.T) {
	for _, x := range []struct {
		name string
		p    *beam.Pipeline
		e    Flink
		want map[string]any
	}{
		{"bounded", boundedPipeline(), Flink{Parallelism: 3}, map[string]any{"parallelism": 3.0}},
		{"unbounded", unboundedPipeline("x"), Flink{NoSchemas: true}, merged(streaming, map[string]any{"parallelism": 1.0})},
		{
			"unbounded with an end", unboundedPipeline("x"),
			Flink{NoSchemas: true, EndAfter: time.Minute, CheckpointEvery: 500 * time.Millisecond},
			merged(streaming, map[string]any{"parallelism": 1.0, "checkpointing_interval": "500", "shutdown_sources_after_idle_ms": "60000"}),
		},
		{"more options", boundedPipeline(), Flink{Options: map[string]any{"state_backend": "rocksdb"}}, map[string]any{"parallelism": 1.0, "state_backend": "rocksdb"}},
	} {
		server := &jobServer{}
		x.e.Endpoint = serve(t, server)
		if _, err := Run(context.Background(), x.p, x.e); err == nil || !strings.Contains(err.Error(), "runs nothing") {
			t.Fatalf("%s: %v", x.name, err)
		}
		got := map[string]any{}
		for key, value := range server.prepared[0].GetPipelineOptions().AsMap() {
			key = strings.TrimSuffix(strings.TrimPrefix(key, "beam:option:"), ":v1")
			if key != "go_options" && key != "app_name" && key != "job_name" && key != "experiments" {
				got[key] = value
			}
		}
		if !reflect.DeepEqual(got, x.want) {
			t.Errorf("%s: options %v, want %v", x.name, got, x.want)
		}
	}
}

func merged(a, b map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range []map[string]any{a, b} {
		for key, value := range m {
			all[key] = value
		}
	}
	return all
}

// TestFlinkRefuses settings that would lose data, before a job server is asked.
func TestFlinkRefuses(t *testing.T) {
	for _, x := range []struct {
		name string
		p    *beam.Pipeline
		e    Flink
		want string
	}{
		{"a required option", unboundedPipeline("x"), Flink{NoSchemas: true, Options: map[string]any{"finish_bundle_before_checkpointing": false}}, "finish_bundle_before_checkpointing"},
		{"another one", boundedPipeline(), Flink{Options: map[string]any{"allow_non_restored_state": true}}, "allow_non_restored_state"},
		{"fewer checks", unboundedPipeline("x"), Flink{NoSchemas: true, Options: map[string]any{"checkpointing_mode": "AT_LEAST_ONCE"}}, "checkpointing_mode"},
		{"no time between checkpoints", unboundedPipeline("x"), Flink{NoSchemas: true, CheckpointEvery: 500 * time.Microsecond}, "CheckpointEvery"},
		{"no time to end after", unboundedPipeline("x"), Flink{NoSchemas: true, EndAfter: -time.Second}, "EndAfter"},
		{"no schemas", unboundedPipeline("x"), Flink{}, "Flink.Schemas"},
		{"a savepoint without schemas", unboundedPipeline("x"), Flink{NoSchemas: true, Savepoint: "/x"}, "Flink.NoSchemas"},
		{"a savepoint whose schemas are missing", unboundedPipeline("x"), Flink{Schemas: t.TempDir(), Savepoint: t.TempDir()}, SchemasFile},
		{"a savepoint elsewhere", unboundedPipeline("x"), Flink{Schemas: t.TempDir(), Savepoint: "s3://bucket/x"}, "SavepointSchemas"},
		{"schemas of no savepoint", unboundedPipeline("x"), Flink{Schemas: t.TempDir(), SavepointSchemas: "x"}, "no Savepoint"},
	} {
		server := &jobServer{}
		x.e.Endpoint = serve(t, server)
		if _, err := Run(context.Background(), x.p, x.e); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
		if len(server.prepared) > 0 {
			t.Errorf("%s: a job server was asked", x.name)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, boundedPipeline(), Flink{Endpoint: "localhost:1"}); err == nil || !strings.Contains(err.Error(), "no job server at localhost:1") {
		t.Error(err)
	}
}

// TestTrap11 ends the program's context, and then tells the program to stop: the job is cancelled, where engines
// go on otherwise.
func TestTrap11(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	orderFile(t, name, 0, 10)
	for _, how := range []string{"context", "SIGTERM", "SIGINT"} {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			time.Sleep(time.Second)
			switch how {
			case "context":
				cancel()
			case "SIGTERM":
				_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
			case "SIGINT":
				_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
			}
		}()
		result, err := Run(ctx, unboundedPipeline(name), Prism{})
		cancel()
		if !errors.Is(err, ErrCancelled) || result.Job == "" {
			t.Fatalf("%s: %v, %v", how, result, err)
		}
		client, err := prismServer()
		check(t, err)
		state, err := client.GetState(context.Background(), &jobpb.GetJobStateRequest{JobId: result.Job})
		check(t, err)
		if s := state.GetState(); s != jobpb.JobState_CANCELLED && s != jobpb.JobState_CANCELLING && s != jobpb.JobState_FAILED {
			t.Errorf("%s: the job is %v", how, s)
		}
	}
}

// stubborn is a job server whose jobs end as told.
type stubborn struct {
	jobpb.JobServiceClient
	state  jobpb.JobState_Enum
	refuse error
}

func (s *stubborn) GetState(context.Context, *jobpb.GetJobStateRequest, ...grpc.CallOption) (*jobpb.JobStateEvent, error) {
	return &jobpb.JobStateEvent{State: s.state}, s.refuse
}

// lost is a job server that starts jobs, does not tell of them, and keeps what it was told.
type lost struct {
	jobpb.UnimplementedJobServiceServer
	state     jobpb.JobState_Enum
	cancelled []string
}

func (s *lost) GetMessageStream(*jobpb.JobMessagesRequest, jobpb.JobService_GetMessageStreamServer) error {
	return errors.New("the line is cut")
}

func (s *lost) GetState(context.Context, *jobpb.GetJobStateRequest) (*jobpb.JobStateEvent, error) {
	return &jobpb.JobStateEvent{State: s.state}, nil
}

func (s *lost) Cancel(_ context.Context, r *jobpb.CancelJobRequest) (*jobpb.CancelJobResponse, error) {
	s.cancelled = append(s.cancelled, r.GetJobId())
	return &jobpb.CancelJobResponse{}, nil
}

// TestLost loses the line to the job server: a job that nobody looks after is cancelled, one that has ended is not.
func TestLost(t *testing.T) {
	for state, want := range map[jobpb.JobState_Enum]int{jobpb.JobState_RUNNING: 1, jobpb.JobState_FAILED: 0} {
		s := &lost{state: state}
		client, hangUp, err := Flink{Endpoint: serve(t, s)}.connect(context.Background())
		check(t, err)
		behind := 0
		pl := &plan{cancelled: func(context.Context) error { behind++; return nil }}
		err = pl.wait(context.Background(), client, "job")
		if err == nil || !strings.Contains(err.Error(), "the line is cut") || len(s.cancelled) != want || behind != want {
			t.Errorf("%v: %v, cancelled %v and %d times", state, err, s.cancelled, behind)
		}
		hangUp()
	}
}

// TestMarshalFails has an environment that Beam refuses, and a path that is hard to write.
func TestMarshalFails(t *testing.T) {
	p := boundedPipeline()
	edges, _, err := p.Build()
	check(t, err)
	if _, _, err := (&plan{environment: "{"}).marshal(context.Background(), edges, os.Args[0]); err == nil {
		t.Error("half an environment is accepted")
	}
	pl, err := Flink{Boot: "/opt/a\vb \"c\""}.plan(p, false)
	check(t, err)
	_, release, err := pl.marshal(context.Background(), edges, os.Args[0])
	check(t, err)
	release()
}

// TestCancelledBefore ends the context before there is a job.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, boundedPipeline(), Flink{Endpoint: serve(t, &jobServer{})}); !errors.Is(err, ErrCancelled) {
		t.Error(err)
	}
}

// TestOutcome tells jobs that were cancelled by others from those that have ended.
func TestOutcome(t *testing.T) {
	for _, x := range []struct {
		state jobpb.JobState_Enum
		err   error
		want  string
	}{
		{jobpb.JobState_DONE, nil, ""},
		{jobpb.JobState_CANCELLED, nil, ErrCancelled.Error()},
		{jobpb.JobState_FAILED, nil, "FAILED"},
		{jobpb.JobState_RUNNING, nil, "RUNNING"},
		{jobpb.JobState_DONE, errors.New("gone"), "gone"},
	} {
		err := outcome(context.Background(), &stubborn{state: x.state, refuse: x.err}, "job", nil)
		if got := fmt.Sprint(err); x.want == "" && err != nil || !strings.Contains(got, x.want) {
			t.Errorf("%v: %v", x.state, err)
		}
	}
}
