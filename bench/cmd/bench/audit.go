package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/audit"
	"github.com/flinkser/flinkser/bench/internal/rundir"
)

// auditCommand counts a run again.
func auditCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "audit RUN",
		Short: "Count everything in a run again, with code of its own",
		Long: "Look whether every file is there and unchanged, whether all that was planned was measured, every lane in\n" +
			"every block or with a reason why not, whether the goals are those of the project, and whether the tables\n" +
			"follow from the single results. The code shares nothing with what writes them.\n" +
			"RUN is the folder of a run, or a file that bench pack has made of one.",
		Args:          cobra.ExactArgs(1),
		SilenceUsage:  true,
		SilenceErrors: false,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := rundir.Open(args[0])
			if err != nil {
				return err
			}
			return printAudit(cmd.OutOrStdout(), audit.Run(files))
		},
	}
}

// shownProblems is the number of problems that are printed.
const shownProblems = 50

func printAudit(w io.Writer, r *audit.Report) error {
	for _, c := range r.Checks {
		fmt.Fprintf(w, "%8d  %s\n", c.Count, c.What)
	}
	for i, p := range r.Problems {
		if i == shownProblems {
			fmt.Fprintf(w, "and %d more\n", len(r.Problems)-i)
			break
		}
		fmt.Fprintf(w, "WRONG: %s\n", p)
	}
	if !r.OK() {
		return fmt.Errorf("the audit has found %d problems", len(r.Problems))
	}
	fmt.Fprintln(w, "nothing is wrong")
	return nil
}
