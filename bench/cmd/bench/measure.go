package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/drive"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// choice holds the flags that say what to measure.
type choice struct {
	lanes, workloads, operations string
	all, java                    bool
}

func (c *choice) flags(cmd *cobra.Command, operations bool) {
	cmd.Flags().StringVar(&c.lanes, "lanes", "", "names of lanes, with commas between them; empty: all, or those of the core")
	cmd.Flags().StringVar(&c.workloads, "workloads", c.workloads, "names of workloads; empty: "+strings.Join(suite.Workloads(), ","))
	cmd.Flags().BoolVar(&c.java, "java", false, "lanes of Java too, where a JDK and Maven are there")
	if operations {
		cmd.Flags().StringVar(&c.operations, "operations", "", "names of operations; empty: "+strings.Join(suite.Operations(), ","))
	}
}

// options turns the flags into options.
func (c *choice) options() (drive.Options, error) {
	workloads, err := pick("workload", c.workloads, suite.Workloads())
	if err != nil {
		return drive.Options{}, err
	}
	operations, err := pick("operation", c.operations, suite.Operations())
	if err != nil {
		return drive.Options{}, err
	}
	o := drive.Options{All: c.all, Workloads: workloads, Operations: operations, Java: c.java}
	if c.lanes != "" {
		o.Lanes = strings.Split(c.lanes, ",")
	}
	return o, nil
}

// pick returns the names of a list in the order of all, or all where there are none.
func pick(what, list string, all []string) ([]string, error) {
	if list == "" {
		return all, nil
	}
	names := strings.Split(list, ",")
	for _, n := range names {
		if !slices.Contains(all, n) {
			return nil, fmt.Errorf("no %s %q; there are %s", what, n, strings.Join(all, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(n string) bool { return !slices.Contains(names, n) }), nil
}

// checkCommand runs the gate.
func checkCommand() *cobra.Command {
	var c choice
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check that every lane writes, reads and copies every record right",
		Long: "Run the gate of every lane, without measuring: each record is written, read, read into a used message and\n" +
			"copied, and compared with what it has to be. The exit code is 1 if a lane has not passed.",
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.all = true
			o, err := c.options()
			if err != nil {
				return err
			}
			return drive.Gate(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	c.flags(cmd, false)
	return cmd
}

// smokeCommand measures a little.
func smokeCommand() *cobra.Command {
	c := choice{workloads: suite.Collections}
	cmd := &cobra.Command{
		Use:   "smoke [DIR]",
		Short: "Measure every lane for a moment, to see that everything works",
		Long: "Run the gate of every lane and measure one workload in one block, 100 ms each. That gives all files of a run in DIR,\n" +
			"which must not be there, or in a new folder of the system's temporary ones. The figures mean little.",
		Args:         cobra.MaximumNArgs(1),
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.all = true
			o, err := c.options()
			if err != nil {
				return err
			}
			o.Blocks, o.Plain = 1, true
			o.Effort = drive.Effort{Warmup: 100 * time.Millisecond, Time: 100 * time.Millisecond, Iterations: 1}
			o.JavaEffort = o.Effort
			if len(args) == 0 {
				parent, err := os.MkdirTemp("", "flinkser-smoke-")
				if err != nil {
					return err
				}
				args = []string{filepath.Join(parent, "run")}
			}
			if err := drive.Run(cmd.Context(), args[0], o, cmd.ErrOrStderr()); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), args[0])
			return nil
		},
	}
	c.flags(cmd, true)
	return cmd
}

// runCommand measures everything.
func runCommand() *cobra.Command {
	var c choice
	var o drive.Options
	var beyond bool
	cmd := &cobra.Command{
		Use:   "run DIR",
		Short: "Measure, with intervals: the run that figures are taken from",
		Long: "Run the gate of every lane, then measure every workload and operation in five blocks, each with programs of another\n" +
			"layout and each cell in a fresh process, and write the results and the tables into DIR. DIR must not be there. A run that\n" +
			"was interrupted goes on where it was if the same command is given again. By default that are the lanes of the core.\n\n" +
			"Run it on a machine that does nothing else: before each block, when its programs are built, it looks up to three times\n" +
			"whether that is so, and notes in start-gate.csv what it has seen.",
		Args:         cobra.ExactArgs(1),
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := c.options()
			if err != nil {
				return err
			}
			if o.Blocks < 1 || o.Effort.Iterations < 1 || o.Effort.Time <= 0 || o.JavaEffort.Time < time.Millisecond {
				return errors.New("--blocks, --iterations, --time and --java-time have to be positive")
			}
			chosen.Blocks, chosen.Effort, chosen.Pause, chosen.Profiled = o.Blocks, o.Effort, o.Pause, o.Profiled
			chosen.JavaEffort = o.JavaEffort
			if beyond {
				chosen.Beyond = drive.Beyond()
			}
			return drive.Run(cmd.Context(), args[0], chosen, cmd.ErrOrStderr())
		},
	}
	c.flags(cmd, true)
	cmd.Flags().BoolVar(&c.all, "all", false, "all lanes instead of the core")
	cmd.Flags().IntVar(&o.Blocks, "blocks", 5, "number of blocks; without five there are no intervals")
	cmd.Flags().DurationVar(&o.Effort.Warmup, "warmup", 50*time.Millisecond, "time before the first timing of a cell")
	cmd.Flags().DurationVar(&o.Effort.Time, "time", 50*time.Millisecond, "length of a timing")
	cmd.Flags().DurationVar(&o.JavaEffort.Warmup, "java-warmup", 4*time.Second, "the same as --warmup, for the lanes of Java")
	cmd.Flags().DurationVar(&o.JavaEffort.Time, "java-time", time.Second, "the same as --time, for the lanes of Java")
	cmd.Flags().IntVar(&o.Effort.Iterations, "iterations", 5, "number of timings of a cell in a block")
	cmd.Flags().DurationVar(&o.Pause, "pause", 20*time.Second, "how long to wait on a busy machine before looking again")
	cmd.Flags().BoolVar(&beyond, "beyond", true, "write the tables of bench beyond, too")
	cmd.Flags().BoolVar(&o.Profiled, "pgo", true, "measure ours and protobuf-go built with a profile, too")
	return cmd
}
