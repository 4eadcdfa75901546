package flinkserbeam

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Stop stops the running job of the name Flink.Name with a savepoint, over the REST interface of Flink's JobManager, such
// as http://localhost:8081, and puts the job's schemas into the savepoint. The folder is where savepoints
// are made, as a path or URL that the cluster understands. It returns the savepoint, for Flink.Savepoint.
//
// Behind the savepoint Beam's runner may work off what is left before the job ends, so what that job has written then may
// be whole or a part; the job that starts from the savepoint writes it again. A program that waits for the job in Run goes on
// with a nil error, as the job has come to an end. Where Flink cannot make the savepoint, the job goes on. Stop waits until the
// savepoint is there, or ctx ends. Where only the schemas could not be put there, it returns the savepoint and an error.
func (e Flink) Stop(ctx context.Context, rest, folder string) (savepoint string, err error) {
	if e.Name == "" || e.Schemas == "" {
		return "", errors.New("flinkserbeam: Stop needs Flink.Name and Flink.Schemas, as they were when the job was started")
	}
	schemas, err := ReadSchemas(schemasPath(e.Schemas, e.Name))
	if err != nil {
		return "", err
	}
	job, err := e.running(ctx, rest)
	if err != nil {
		return "", err
	}
	var trigger struct {
		ID string `json:"request-id"`
	}
	order := map[string]any{"targetDirectory": folder, "drain": false}
	if err := call(ctx, rest, http.MethodPost, "/jobs/"+url.PathEscape(job)+"/stop", order, &trigger); err != nil {
		return "", err
	}
	if savepoint, err = awaitSavepoint(ctx, rest, job, trigger.ID); err != nil {
		return "", err
	}
	path, err := localPath(savepoint)
	if err == nil {
		err = schemas.Write(filepath.Join(path, SchemasFile))
	}
	if err != nil {
		err = fmt.Errorf("flinkserbeam: the savepoint %s was made, but its schemas could not be put there: copy %s to it as %s: %w",
			savepoint, schemasPath(e.Schemas, e.Name), SchemasFile, err)
	}
	return savepoint, err
}

// A flinkJob is a job as Flink's REST interface lists it.
type flinkJob struct{ JID, Name, State string }

// ended reports whether a job has come to an end.
func (j flinkJob) ended() bool {
	return j.State == "FINISHED" || j.State == "CANCELED" || j.State == "FAILED"
}

// overview returns the jobs that Flink knows, those that have ended too.
func overview(ctx context.Context, rest string) ([]flinkJob, error) {
	var answer struct{ Jobs []flinkJob }
	err := call(ctx, rest, http.MethodGet, "/jobs/overview", nil, &answer)
	return answer.Jobs, err
}

// running returns Flink's id of the job.
func (e Flink) running(ctx context.Context, rest string) (id string, err error) {
	jobs, err := overview(ctx, rest)
	if err != nil {
		return "", err
	}
	found := 0
	for _, j := range jobs {
		if j.State == "RUNNING" && j.Name == e.Name {
			id = j.JID
			found++
		}
	}
	if found != 1 {
		return "", fmt.Errorf("flinkserbeam: %d running jobs have the name %q, want 1", found, e.Name)
	}
	return id, nil
}

// rest returns the address of the JobManager.
func (e Flink) rest() string {
	if e.REST == "" {
		return "http://localhost:8081"
	}
	return e.REST
}

// going returns the ids of the jobs of a name that have not ended. No answer is none: there may be no JobManager yet.
func (e Flink) going(ctx context.Context, name string) map[string]bool {
	jobs, _ := overview(ctx, e.rest())
	ids := map[string]bool{}
	for _, j := range jobs {
		if j.Name == name && !j.ended() {
			ids[j.JID] = true
		}
	}
	return ids
}

// cancel cancels what Flink still does under a name, but for earlier jobs, and waits for its end.
func (e Flink) cancel(ctx context.Context, name string, earlier map[string]bool) error {
	for {
		jobs, err := overview(ctx, e.rest())
		if err != nil {
			if e.REST == "" {
				return nil // a Flink within the job server has gone with its job
			}
			return fmt.Errorf("flinkserbeam: whether the job %q goes on is not known: %w", name, err)
		}
		going := false
		for _, j := range jobs {
			if j.Name != name || j.ended() || earlier[j.JID] {
				continue
			}
			going = true
			var nothing map[string]any
			// It may end meanwhile, which the next look shows.
			_ = call(ctx, e.rest(), http.MethodPatch, "/jobs/"+url.PathEscape(j.JID)+"?mode=cancel", nil, &nothing)
		}
		if !going {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("flinkserbeam: the job %q goes on, it could not be cancelled: %w", name, ctx.Err())
		}
	}
}

// awaitSavepoint waits until a savepoint is there.
func awaitSavepoint(ctx context.Context, rest, job, trigger string) (string, error) {
	for {
		var answer struct {
			Status    struct{ ID string }
			Operation struct {
				Location string
				Failure  *struct {
					Class string `json:"class"`
					Stack string `json:"stack-trace"`
				} `json:"failure-cause"`
			}
		}
		if err := call(ctx, rest, http.MethodGet, "/jobs/"+url.PathEscape(job)+"/savepoints/"+url.PathEscape(trigger), nil, &answer); err != nil {
			return "", err
		}
		switch f := answer.Operation.Failure; {
		case f != nil:
			return "", fmt.Errorf("flinkserbeam: Flink could not make the savepoint: %s\n%s", f.Class, f.Stack)
		case answer.Status.ID == "COMPLETED" && answer.Operation.Location != "":
			return answer.Operation.Location, nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// answerMax is the largest answer that is read.
const answerMax = 16 << 20

// call calls Flink's REST interface.
func call(ctx context.Context, rest, method, path string, body, answer any) error {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(b)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(rest, "/")+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(io.LimitReader(response.Body, answerMax))
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("flinkserbeam: Flink says %s: %.2000s", response.Status, b)
	}
	return json.Unmarshal(b, answer)
}
