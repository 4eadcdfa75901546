package flinkserbeam

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/xlangx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/hooks"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"google.golang.org/protobuf/types/known/structpb"
)

// ErrCancelled is returned for a job that was cancelled, by the program's own end or by others.
var ErrCancelled = errors.New("flinkserbeam: the job was cancelled")

// ErrOtherRunner is the error of a pipeline with a Source, a Sink or a Fold that was not started by Run.
var ErrOtherRunner = errors.New("flinkserbeam: this pipeline was not started by flinkserbeam.Run, and an engine that is started otherwise loses data with its defaults; AllowOtherRunners if you know that yours does not")

// mark is the pipeline option that tells workers who has started the pipeline.
const mark = "flinkserbeam_started"

// AllowOtherRunners lets Source, Sink and Fold work in pipelines that Run has not started. Nobody checks the
// types of messages, the schema of state, and what the engine needs then. Call it before the pipeline is run.
func AllowOtherRunners() { beam.PipelineOptions.Set(mark, "other") }

// started returns an error unless the pipeline was started by Run.
func started() error {
	switch {
	case codec.Load() == nil:
		return ErrNotRegistered
	case beam.PipelineOptions.Get(mark) == "":
		return ErrOtherRunner
	}
	return nil
}

// An Engine runs pipelines: Prism or Flink.
type Engine interface {
	// plan returns what is submitted for a pipeline, after all checks of the engine's own.
	plan(p *beam.Pipeline, unbounded bool) (*plan, error)
}

// A plan says how a pipeline is submitted.
type plan struct {
	name        string
	options     map[string]any // by their full names
	connect     func(ctx context.Context) (jobpb.JobServiceClient, func(), error)
	environment string                          // of workers; "" for this process
	before      func(ctx context.Context) error // right before the job is submitted, or nil
	cancelled   func(ctx context.Context) error // sees to it that a cancelled job does not go on, or nil
}

// A Result is what is known of a job that has ended.
type Result struct {
	Job  string        // the engine's name of it
	Took time.Duration // from its submission to its end
}

// Run runs a pipeline to its end. Before anything is submitted it checks the pipeline, see Check, and what the engine asks
// for. When ctx ends, or the program is told to stop (SIGINT, SIGTERM), the job is cancelled, and Run
// returns ErrCancelled; engines go on otherwise when their client has gone.
//
// Call it in the main function, after Register and beam.Init. It may be called several times, one after the other.
func Run(ctx context.Context, p *beam.Pipeline, on Engine) (Result, error) {
	if !beam.Initialized() {
		return Result{}, errors.New("flinkserbeam: beam.Init has to be called before the pipeline is built")
	}
	if err := Check(p); err != nil {
		return Result{}, err
	}
	edges, nodes, err := p.Build()
	if err != nil {
		return Result{}, err
	}
	pl, err := on.plan(p, !graph.Bounded(nodes))
	if err != nil {
		return Result{}, err
	}
	// For this pipeline only: beam.Run has other defaults.
	defer beam.PipelineOptions.Set(mark, beam.PipelineOptions.Get(mark))
	beam.PipelineOptions.Set(mark, "run")
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	result, err := pl.run(ctx, edges)
	if err != nil && ctx.Err() != nil && !errors.Is(err, ErrCancelled) {
		err = errors.Join(ErrCancelled, err) // before there was a job
	}
	return result, err
}

// run submits the pipeline and waits for its end.
func (pl *plan) run(ctx context.Context, edges []*graph.MultiEdge) (Result, error) {
	binary, remove, err := pl.workerBinary()
	if err != nil {
		return Result{}, err
	}
	defer remove()
	pipeline, release, err := pl.marshal(ctx, edges, binary)
	if err != nil {
		return Result{}, err
	}
	defer release()
	client, hangUp, err := pl.connect(ctx)
	if err != nil {
		return Result{}, err
	}
	defer hangUp()
	prepared, err := pl.prepare(ctx, client, pipeline)
	if err != nil {
		return Result{}, err
	}
	token, err := runnerlib.Stage(ctx, prepared.GetPreparationId(), prepared.GetArtifactStagingEndpoint().GetUrl(), binary, prepared.GetStagingSessionToken())
	if err != nil {
		return Result{}, err
	}
	if pl.before != nil {
		if err := pl.before(ctx); err != nil {
			return Result{}, err
		}
	}
	start := time.Now()
	job, err := submit(ctx, client, prepared.GetPreparationId(), token)
	if err != nil {
		return Result{}, err
	}
	err = pl.wait(ctx, client, job)
	return Result{Job: job, Took: time.Since(start)}, err
}

// submit starts the job. The end of ctx does not end the call: the job might run then, and nobody would know which it is.
func submit(ctx context.Context, client jobpb.JobServiceClient, preparation, token string) (job string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	return runnerlib.Submit(ctx, client, preparation, token)
}

// workerBinary returns the program that workers run. With workers in this process an empty file takes its place.
func (pl *plan) workerBinary() (path string, remove func(), err error) {
	if pl.environment != "" {
		path, err = os.Executable()
		return path, func() {}, err
	}
	file, err := os.CreateTemp("", "flinkserbeam-*")
	if err != nil {
		return "", nil, err
	}
	return file.Name(), func() { os.Remove(file.Name()) }, file.Close()
}

// marshal returns the pipeline as engines take it, and starts a server for workers in this process.
func (pl *plan) marshal(ctx context.Context, edges []*graph.MultiEdge, binary string) (*pipepb.Pipeline, func(), error) {
	urn, config, release := "beam:env:process:v1", func(context.Context) string { return pl.environment }, func() {}
	if pl.environment == "" {
		// Its context must outlive ctx, or workers would go before the job is cancelled.
		loopback, err := extworker.StartLoopback(context.WithoutCancel(ctx), 0)
		if err != nil {
			return nil, nil, err
		}
		urn, config = "beam:env:external:v1", loopback.EnvironmentConfig
		release = func() { _ = loopback.Stop(context.WithoutCancel(ctx)) } // it never fails
	}
	pipeline, err := marshalFor(ctx, edges, binary, urn, config)
	if err != nil {
		release()
		return nil, nil, err
	}
	return pipeline, release, nil
}

// marshalFor returns the pipeline for workers of an environment.
func marshalFor(ctx context.Context, edges []*graph.MultiEdge, binary, urn string, config func(context.Context) string) (*pipepb.Pipeline, error) {
	xlangx.ResolveArtifacts(ctx, edges, nil)
	env, err := graphx.CreateEnvironment(ctx, urn, config)
	if err != nil {
		return nil, err
	}
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: env, PipelineResourceHints: jobopts.GetPipelineResourceHints()})
	if err != nil {
		return nil, err
	}
	return pipeline, runnerlib.UpdateGoEnvironmentWorker(binary, pipeline)
}

// prepare hands the pipeline and its options over.
func (pl *plan) prepare(ctx context.Context, client jobpb.JobServiceClient, pipeline *pipepb.Pipeline) (*jobpb.PrepareJobResponse, error) {
	hooks.SerializeHooksToOptions()
	beam.PipelineOptions.LoadOptionsFromFlags(nil)
	own := map[string]any{}
	for key, value := range beam.PipelineOptions.Export().Options {
		own[key] = value
	}
	all := map[string]any{
		"beam:option:go_options:v1": map[string]any{"options": own},
		"beam:option:app_name:v1":   pl.name,
	}
	for key, value := range pl.options {
		all[key] = value
	}
	options, err := structpb.NewStruct(all)
	if err != nil {
		return nil, fmt.Errorf("flinkserbeam: options: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	prepared, err := client.Prepare(ctx, &jobpb.PrepareJobRequest{Pipeline: pipeline, PipelineOptions: options, JobName: pl.name})
	if err != nil {
		return nil, fmt.Errorf("flinkserbeam: the job server has refused the pipeline: %w", err)
	}
	return prepared, nil
}

// patience is how long a job may take to be cancelled.
const patience = 30 * time.Second

// wait waits for the end of a job, and cancels it when ctx ends before, or when the job server no longer tells of it: nobody
// would look after it.
func (pl *plan) wait(ctx context.Context, client jobpb.JobServiceClient, job string) error {
	watch, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- runnerlib.WaitForCompletion(watch, client, job) }()
	select {
	case err := <-ended:
		if err != nil && !over(watch, client, job) {
			return errors.Join(fmt.Errorf("flinkserbeam: the job server no longer tells of job %s: %w", job, err), pl.cancel(watch, client, job))
		}
		return outcome(watch, client, job, err)
	case <-ctx.Done():
	}
	if err := pl.cancel(watch, client, job); err != nil {
		return err
	}
	select {
	case err := <-ended: // nil, unless it has failed first
		return errors.Join(ErrCancelled, err)
	case <-time.After(patience):
		return fmt.Errorf("flinkserbeam: job %s was told to stop, but has not within %v", job, patience)
	}
}

// cancel tells the job server, and the engine behind it, to let go of a job.
func (pl *plan) cancel(ctx context.Context, client jobpb.JobServiceClient, job string) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_, err := client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: job})
	if err != nil {
		err = fmt.Errorf("flinkserbeam: job %s goes on, it could not be cancelled: %w", job, err)
	}
	if pl.cancelled != nil {
		err = errors.Join(err, pl.cancelled(ctx))
	}
	return err
}

// over reports whether the job server says that a job has come to an end.
func over(ctx context.Context, client jobpb.JobServiceClient, job string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	state, err := client.GetState(ctx, &jobpb.GetJobStateRequest{JobId: job})
	if err != nil {
		return false
	}
	switch state.GetState() {
	case jobpb.JobState_DONE, jobpb.JobState_FAILED, jobpb.JobState_CANCELLED:
		return true
	default:
		return false
	}
}

// outcome tells a job that was cancelled by others from one that has ended.
func outcome(ctx context.Context, client jobpb.JobServiceClient, job string, err error) error {
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	state, err := client.GetState(ctx, &jobpb.GetJobStateRequest{JobId: job})
	switch {
	case err != nil:
		return fmt.Errorf("flinkserbeam: how job %s has ended is not known: %w", job, err)
	case state.GetState() == jobpb.JobState_CANCELLED:
		return ErrCancelled
	case state.GetState() != jobpb.JobState_DONE:
		return fmt.Errorf("flinkserbeam: job %s is in the state %v", job, state.GetState())
	}
	return nil
}

// Prism is Beam's engine within the program: one machine, nothing to install, all in memory. The zero value is ready.
// It listens on a port of all network interfaces.
type Prism struct {
	// Name is the name of the job in logs.
	Name string
}

// prismServer is one for all pipelines of the program: there is no way to stop one.
var prismServer = sync.OnceValues(func() (jobpb.JobServiceClient, error) {
	return prism.CreateJobServer(context.Background(), prism.Options{})
})

func (e Prism) plan(*beam.Pipeline, bool) (*plan, error) {
	return &plan{
		name:    nameOr(e.Name),
		options: map[string]any{experiments: []any{noSplit, "beam_fn_api"}},
		connect: func(context.Context) (jobpb.JobServiceClient, func(), error) {
			client, err := prismServer()
			return client, func() {}, err
		},
	}, nil
}

const experiments = "beam:option:experiments:v1"

func nameOr(name string) string {
	if name == "" {
		return jobopts.GetJobName()
	}
	return name
}
