package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/rundir"
)

// compareCommand compares two versions of ours.
func compareCommand() *cobra.Command {
	var markdown bool
	var native string
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two versions of flinkser, each measured beside the baseline",
		Long: "Compare the ratios of a lane to " + results.Baseline + " in two runs. The baseline is the control: what the machine did to\n" +
			"both lanes of a block cancels out. The interval is Student's t for the difference of two means, with 8 degrees\n" +
			"of freedom. OLD and NEW are folders of runs, or files that bench pack has made of them. Runs on other machines, or with\n" +
			"another version of Go, are compared with a remark.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			older, err := readRun(args[0])
			if err != nil {
				return err
			}
			newer, err := readRun(args[1])
			if err != nil {
				return err
			}
			list, err := results.Compare(older, newer, native)
			if err != nil {
				return err
			}
			if err := printComparison(cmd.OutOrStdout(), list, markdown); err != nil {
				return err
			}
			for _, line := range results.Unlike(older, newer) {
				fmt.Fprintf(cmd.OutOrStdout(), "\nNot the versions alone: %s.\n", line)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print a table in Markdown, for a report in docs/perf")
	cmd.Flags().StringVar(&native, "lane", results.Native, "lane of flinkser that is compared")
	return cmd
}

func readRun(name string) (*results.Run, error) {
	files, err := rundir.Open(name)
	if err != nil {
		return nil, err
	}
	run, err := results.Read(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return run, nil
}

func printComparison(w io.Writer, list []results.Change, markdown bool) error {
	if len(list) == 0 {
		return errors.New("the two runs have no workload and operation in common")
	}
	rows := [][]string{{"workload", "operation", "old", "new", "new to old", "95 % interval", "verdict", "control"}}
	n := map[string]int{}
	for _, c := range list {
		n[c.Verdict]++
		rows = append(rows, []string{
			c.Workload, c.Operation, fmt.Sprintf("%.3f", c.Old.Ratio), fmt.Sprintf("%.3f", c.New.Ratio), fmt.Sprintf("%.3f", c.Ratio.Ratio),
			fmt.Sprintf("%.3f to %.3f", c.Ratio.Lower, c.Ratio.Upper), c.Verdict, fmt.Sprintf("%.2f", c.Control),
		})
	}
	if err := printRows(w, rows, markdown); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d faster, %d slower, %d without a difference that the runs can show. old, new: ratio to %s in its run;\n"+
		"control: time of %s in the new run to that in the old one.\n",
		n[results.Faster], n[results.Slower], n[results.Inconclusive], results.Baseline, results.Baseline)
	return nil
}

func printRows(w io.Writer, rows [][]string, markdown bool) error {
	if markdown {
		for i, row := range rows {
			fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(row)))
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}
