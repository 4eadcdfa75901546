// totals adds framed orders up to framed totals of each customer, with Beam: on one machine with nothing installed, or on
// Apache Flink.
//
//	totals -make 20000 -dir orders                 # writes files of orders
//	totals -dir orders -out totals                 # on Prism
//	totals -dir orders -out totals -engine flink   # on a Flink job server at localhost:8099
//
// It reads the result, compares it with what a plain loop over the files says, and prints both times.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	flinkserbeam "github.com/flinkser/flinkser/integration/beam"
	flinkser "github.com/flinkser/flinkser/runtime"
)

var (
	dir       = flag.String("dir", "orders", "folder with the files of orders")
	out       = flag.String("out", "totals", "where the totals go: the beginning of file names")
	number    = flag.Int("make", 0, "write so many orders to the folder, and end")
	customers = flag.Int("customers", 100, "customers of the orders that are written")
	files     = flag.Int("files", 4, "files of the orders that are written")
	engine    = flag.String("engine", "prism", "prism or flink")
	how       = flag.String("how", "fold", "fold: add up in each bundle, then in a state; state: in a state alone; group: bring the orders together")
	compare   = flag.Bool("compare", true, "compare the totals with those of a plain loop over the files")

	growing = flag.Bool("growing", false, "read as an unbounded source, as if the files still grew")
	quiet   = flag.Duration("quiet", time.Second, "with -growing: a file that has not changed for so long is complete")
	burst   = flag.Int("burst", 1000, "with -growing: frames that are read at once")
	pause   = flag.Duration("pause", 0, "with -growing: a pause between two bursts")

	endpoint   = flag.String("jobserver", "localhost:8099", "flink: the job server")
	parallel   = flag.Int("parallel", 2, "flink: parallelism")
	boot       = flag.String("boot", "", "flink: Beam's boot program, to have workers apart from this process")
	checkpoint = flag.Duration("checkpoint", time.Second, "flink: time between checkpoints of an unbounded pipeline")
	endAfter   = flag.Duration("end-after", 0, "flink: end an unbounded pipeline when its sources have been idle for so long; see flinkserbeam.Flink")
	schemas    = flag.String("schemas", "", "flink: folder where the schemas of jobs are kept")
	rest       = flag.String("rest", "http://localhost:8081", "flink: the JobManager, for -stop")
	stop       = flag.String("stop", "", "flink: stop the running job with a savepoint in this folder, print its path, and end")
	savepoint  = flag.String("savepoint", "", "flink: savepoint to start from")

	coder   = flag.String("coder", "flinkser", "measuring: flinkser, or beam for Beam's own coder of messages")
	profile = flag.String("cpuprofile", "", "measuring: write a profile to this file")

	failAt   = flag.Int64("fail-at", -1, "tests: the order at which something happens")
	fail     = flag.String("fail", "", "tests: what happens: error, panic, exit or pid")
	marker   = flag.String("fail-marker", "", "tests: a file that is written when it happens")
	slow     = flag.Int64("slow", 0, "tests: every order with a multiple of this number takes long")
	slowness = flag.Duration("slowness", 350*time.Millisecond, "tests: how long")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	flinkserbeam.MustRegister(flinkser.RequireGenerated())
	if *coder == "beam" {
		registerBeams()
	}
	beam.Init() // a worker does not come back from here
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	if *number > 0 {
		return makeOrders(*dir, *number, *customers, *files)
	}
	if *stop != "" {
		savepoint, err := flink().Stop(context.Background(), *rest, *stop)
		if err == nil {
			fmt.Println(savepoint)
		}
		return err
	}
	paths, err := filepath.Glob(filepath.Join(*dir, "*.frames"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("there are no files of orders in %s; write some with -make 20000", *dir)
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o755); err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline(s, paths, *out,
		flinkserbeam.ReadOptions{Growing: *growing, Quiet: *quiet, Burst: *burst, Pause: *pause},
		*how, trouble{At: *failAt, How: *fail, Marker: *marker, Slow: *slow, Long: *slowness})
	stopProfile, err := startProfile(*profile)
	if err != nil {
		return err
	}
	result, err := flinkserbeam.Run(context.Background(), p, selected())
	err = errors.Join(err, stopProfile())
	if err != nil {
		return err
	}
	return report(result, paths)
}

// selected returns the engine that was asked for.
func selected() flinkserbeam.Engine {
	if *engine != "flink" {
		return flinkserbeam.Prism{}
	}
	return flink()
}

func flink() flinkserbeam.Flink {
	return flinkserbeam.Flink{
		Endpoint: *endpoint, Parallelism: *parallel, Boot: *boot,
		CheckpointEvery: *checkpoint, EndAfter: *endAfter, Schemas: *schemas, Savepoint: *savepoint,
		Name: "totals",
	}
}

// report prints what has come out, and fails if it is not what a loop over the files says.
func report(result flinkserbeam.Result, paths []string) error {
	got, err := results(*out)
	if err != nil {
		return err
	}
	orders := int64(0)
	for _, t := range got {
		orders += t.Orders
	}
	fmt.Printf("%-8s %8.2f s  %d orders of %d customers, SHA-256 %.8x\n", *engine, result.Took.Seconds(), orders, len(got), sha256.Sum256([]byte(text(got))))
	if !*compare {
		return nil
	}
	start := time.Now()
	want, err := expect(paths)
	if err != nil {
		return err
	}
	took := time.Since(start)
	if *savepoint != "" { // what later versions have is not known of orders that an earlier one has read
		clearMore(got)
		clearMore(want)
	}
	if text(got) != text(want) {
		return fmt.Errorf("the totals differ from those of a loop over the files:\n%swant\n%s", head(text(got)), head(text(want)))
	}
	fmt.Printf("%-8s %8.2f s  the same totals\n", "loop", took.Seconds())
	return nil
}

// head returns the first lines of a text.
func head(s string) string {
	const enough = 500
	if len(s) > enough {
		return s[:enough] + "...\n"
	}
	return s
}

func logWritten(_ context.Context, w flinkserbeam.Written) {
	fmt.Fprintf(os.Stderr, "%s: %d frames, %d bytes\n", w.File, w.Frames, w.Bytes)
}

func logBad(_ context.Context, b flinkserbeam.Bad) {
	fmt.Fprintf(os.Stderr, "%s: frame at %d: %s\n", b.File, b.Offset, b.Cause)
}
