// throughput compares our coder with Beam's own one in whole pipelines, round by round in turn, and says what share of the
// time serialization takes and what a fold saves. tools/beam.sh runs it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

var (
	program = flag.String("program", "", "the program of example/totals")
	dir     = flag.String("dir", "", "folder for orders and results")
	orders  = flag.Int("n", 1_000_000, "orders")
	fewer   = flag.Int("fold-n", 100_000, "orders for the comparison with and without a fold")
	rounds  = flag.Int("rounds", 5, "rounds")
	flink   = flag.Bool("flink", false, "measure on Flink too, with a job server at localhost:8099")
	limit   = flag.Float64("limit", 1, "fail if the upper limit of the ratio is above this; 0 never fails")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	engines := []string{"prism"}
	if *flink {
		engines = append(engines, "flink")
	}
	many, few := filepath.Join(*dir, "many"), filepath.Join(*dir, "few")
	for folder, n := range map[string]int{many: *orders, few: *fewer} {
		if out, err := exec.Command(*program, "-make", strconv.Itoa(n), "-customers", "10000", "-files", "4", "-dir", folder).CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	var failed error
	for _, engine := range engines {
		failed = errors.Join(failed, compare(engine, many))
		if err := folds(engine, few); err != nil {
			return err
		}
	}
	return errors.Join(failed, share(many))
}

// compare runs the pipeline with both coders in turn. The order changes with each round. A run before them is not counted:
// the classes of Flink are loaded and compiled in it.
func compare(engine, folder string) error {
	warm, err := measure(engine, folder, "-how=group", "-coder=beam")
	if err != nil {
		return err
	}
	fmt.Printf("%-6s before:  %6.2f s with Beam's coder, not counted\n", engine, warm)
	var ratios []float64
	for round := range *rounds {
		took := map[string]float64{}
		coders := []string{"flinkser", "beam"}
		for i := range coders {
			coder := coders[(i+round)%2]
			if took[coder], err = measure(engine, folder, "-how=group", "-coder="+coder); err != nil {
				return err
			}
		}
		ratios = append(ratios, took["flinkser"]/took["beam"])
		fmt.Printf("%-6s round %d: %6.2f s with our coder, %6.2f s with Beam's: %.3f\n", engine, round+1, took["flinkser"], took["beam"], ratios[round])
	}
	mean, upper := bound(ratios)
	fmt.Printf("%-6s %d orders: %.3f of the time, upper limit (95 %%) %.3f\n", engine, *orders, mean, upper)
	if *limit > 0 && upper > *limit {
		return fmt.Errorf("%s: the upper limit %.3f is above %v", engine, upper, *limit)
	}
	return nil
}

// folds compares the pipeline with and without a fold.
func folds(engine, folder string) error {
	with, err := measure(engine, folder, "-how=fold")
	if err != nil {
		return err
	}
	without, err := measure(engine, folder, "-how=state")
	if err != nil {
		return err
	}
	fmt.Printf("%-6s %d orders in a state: %.2f s with a fold, %.2f s without\n", engine, *fewer, with, without)
	return nil
}

var taken = regexp.MustCompile(`(?m)^(?:prism|flink) +([0-9.]+) s `)

// measure runs the pipeline once and returns the seconds from its submission to its end.
func measure(engine, folder string, args ...string) (float64, error) {
	args = append(args, "-engine="+engine, "-dir", folder, "-out", filepath.Join(*dir, "totals"), "-compare=false")
	out, err := exec.Command(*program, args...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%v: %w\n%s", args, err, out)
	}
	m := taken.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("%v has not printed its time:\n%s", args, out)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// quantiles of Student's t for 95 % on one side, by degrees of freedom from 1.
var quantiles = []float64{6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812}

// bound returns the geometric mean of ratios, and the value that the true one is below with 95 %.
func bound(ratios []float64) (mean, upper float64) {
	n := float64(len(ratios))
	sum, squares := 0.0, 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	center := sum / n
	for _, r := range ratios {
		squares += (math.Log(r) - center) * (math.Log(r) - center)
	}
	if len(ratios) < 2 {
		return math.Exp(center), math.Inf(1)
	}
	t := quantiles[min(len(ratios)-1, len(quantiles))-1]
	return math.Exp(center), math.Exp(center + t*math.Sqrt(squares/(n-1)/n))
}

var accounted = regexp.MustCompile(`(?m)^Showing nodes accounting for .*, ([0-9.]+)% of`)

// share prints which part of the processor's time the coders take, in the whole program and its engine.
func share(folder string) error {
	for coder, focus := range map[string]string{"flinkser": `integration/beam\.(Encode|Decode)$`, "beam": `main\.beams(Encode|Decode)$`} {
		profile := filepath.Join(*dir, coder+".pprof")
		if _, err := measure("prism", folder, "-how=group", "-coder="+coder, "-cpuprofile="+profile); err != nil {
			return err
		}
		cmd := exec.Command("go", "tool", "pprof", "-top", "-focus", focus, *program, profile)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return err
		}
		m := accounted.FindSubmatch(out)
		if m == nil || string(m[1]) == "0" {
			return fmt.Errorf("go tool pprof says nothing of %s:\n%s", focus, out)
		}
		fmt.Printf("prism  serialization by %s takes %s %% of the processor's time\n", coder, m[1])
	}
	return nil
}
