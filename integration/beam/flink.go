package flinkserbeam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
)

// Flink is Apache Flink behind a Beam job server. The zero value is a job server at localhost:8099 with workers in this
// process, which is enough for pipelines whose collections are bounded.
//
// For an unbounded pipeline Run sets what Beam's Flink runner needs to lose nothing: checkpoints, streaming, bundles that
// end before a checkpoint, and bundles of at most 100 ms.
type Flink struct {
	// Name is the name of the job, and of its file of schemas. No other job may have it at the same time, since Stop
	// finds the job by it. The default is one that Beam makes up.
	Name string
	// Endpoint is the address of the job server, localhost:8099 by default. It is spoken to without encryption.
	Endpoint string
	// Parallelism is 1 by default.
	Parallelism int

	// Boot is the path of Beam's boot program (go build github.com/apache/beam/sdks/v2/go/container) on the machines of
	// the cluster, which starts workers there. Without it, workers run in this process, and the job fails with it.
	Boot string

	// CheckpointEvery is the time between two checkpoints of an unbounded pipeline: 10 seconds by default, 1 ms at least.
	CheckpointEvery time.Duration
	// EndAfter lets an unbounded pipeline end when its sources, in Flink's sense, have been idle for so long. These are the
	// lists of files and the like that the pipeline begins with, not the files: it has to be longer than the
	// whole of reading takes, because Flink makes no checkpoints behind it. Without it Flink keeps a pipeline running
	// whose input has ended.
	EndAfter time.Duration

	// Schemas is the folder in which the schemas of an unbounded pipeline's state are kept, see Schemas. An unbounded
	// pipeline needs one, unless it has NoSchemas.
	Schemas string
	// NoSchemas says that nobody will restore this job's state with other code.
	NoSchemas bool
	// Savepoint is the folder of a savepoint, or of a retained checkpoint, to start from. Its schemas must lie in it, see
	// Stop, or in SavepointSchemas. A job server with a Flink of its own (--flink-master=[local]) starts without the savepoint, and
	// says nothing: it takes a cluster.
	Savepoint string
	// SavepointSchemas is a file of schemas for a Savepoint that has none in it.
	SavepointSchemas string
	// Restore says how schemas are compared. The default is the strict policy.
	Restore RestoreOptions

	// REST is the address of the JobManager, http://localhost:8081 by default. When a job is cancelled, Run asks there whether
	// it goes on: Beam's job server lets go of it, and Flink may restart it. Jobs of the same name that were there before are
	// left alone. Without an answer from the default address nothing more is done; from another one that is an error.
	REST string

	// Options are further pipeline options of Beam's Flink runner, by the short names of its documentation, such as
	// "state_backend". Those that Run sets are refused.
	Options map[string]any
}

// required are the options without which Beam's Flink runner loses data in a streaming pipeline.
func (e Flink) required() map[string]any {
	every := e.CheckpointEvery
	if every == 0 {
		every = 10 * time.Second
	}
	set := map[string]any{
		"streaming":              true,
		"checkpointing_interval": fmt.Sprint(every.Milliseconds()),
		// Otherwise what a worker still holds is not in the checkpoint.
		"finish_bundle_before_checkpointing": true,
		"max_bundle_time_mills":              "100",
	}
	if e.EndAfter > 0 {
		set["shutdown_sources_after_idle_ms"] = fmt.Sprint(e.EndAfter.Milliseconds())
	}
	return set
}

// reserved are options that Run sets, or must not be set.
var reserved = []string{
	"streaming", "checkpointing_interval", "checkpointing_mode", "finish_bundle_before_checkpointing", "max_bundle_time_mills",
	"shutdown_sources_after_idle_ms", "savepoint_path", "allow_non_restored_state", "parallelism", "experiments", "runner", "app_name", "job_name",
}

// pipelineOptions returns all options by their full names.
func (e Flink) pipelineOptions(unbounded bool) (map[string]any, error) {
	for name, d := range map[string]time.Duration{"CheckpointEvery": e.CheckpointEvery, "EndAfter": e.EndAfter} {
		if d != 0 && d < time.Millisecond {
			return nil, fmt.Errorf("flinkserbeam: Flink.%s is %v, and Flink counts in milliseconds", name, d)
		}
	}
	short := map[string]any{"parallelism": max(e.Parallelism, 1)}
	for key, value := range e.Options {
		short[key] = value
	}
	for _, key := range reserved {
		if _, ok := e.Options[key]; ok {
			return nil, fmt.Errorf("flinkserbeam: Flink.Options has %q, which Run sets by itself", key)
		}
	}
	if unbounded {
		for key, value := range e.required() {
			short[key] = value
		}
	}
	if e.Savepoint != "" {
		short["savepoint_path"] = e.Savepoint
	}
	full := map[string]any{experiments: []any{"beam_fn_api"}}
	for key, value := range short {
		full["beam:option:"+key+":v1"] = value
	}
	return full, nil
}

func (e Flink) plan(p *beam.Pipeline, unbounded bool) (*plan, error) {
	options, err := e.pipelineOptions(unbounded)
	if err != nil {
		return nil, err
	}
	pl := &plan{name: nameOr(e.Name), options: options, connect: e.connect}
	options["beam:option:job_name:v1"] = pl.name // Flink's name of it, which Beam makes up otherwise
	if e.Boot != "" {
		command, err := json.Marshal(map[string]string{"command": e.Boot})
		if err != nil {
			return nil, err
		}
		pl.environment = string(command)
	}
	write, err := e.judge(p, pl.name, unbounded)
	if err != nil {
		return nil, err
	}
	var earlier map[string]bool
	pl.before = func(ctx context.Context) error {
		earlier = e.going(ctx, pl.name)
		return write()
	}
	pl.cancelled = func(ctx context.Context) error { return e.cancel(ctx, pl.name, earlier) }
	return pl, nil
}

// connect waits a little for the job server.
func (e Flink) connect(ctx context.Context) (jobpb.JobServiceClient, func(), error) {
	endpoint := e.Endpoint
	if endpoint == "" {
		endpoint = "localhost:8099"
	}
	conn, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			return nil, nil, errors.Join(fmt.Errorf("flinkserbeam: there is no job server at %s", endpoint), ctx.Err(), conn.Close())
		}
	}
	return jobpb.NewJobServiceClient(conn), func() { conn.Close() }, nil
}
