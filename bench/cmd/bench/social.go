package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/java"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/social"
	"github.com/flinkser/flinkser/bench/internal/wholefile"
)

// socialCommand makes the table of the social media posts.
func socialCommand() *cobra.Command {
	var withJava, smoke bool
	cmd := &cobra.Command{
		Use:   "social [DIR]",
		Short: "Compare JSON, Protobuf, Avro's JSON and Avro's binary format on a social media post",
		Long: "Measure size and time of " + fmt.Sprint(social.Formats()) + " on the posts of the workload social: the least, the\n" +
			"mean and the median time of a single call. The table is printed, and with DIR, the folder of a run that has ended, written\n" +
			"there as " + social.File + " too.",
		Args:         cobra.MaximumNArgs(1),
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			cells, err := socialCells(cmd, withJava, smoke)
			if err != nil {
				return err
			}
			if err := social.WriteMarkdown(cmd.OutOrStdout(), cells); err != nil || len(args) == 0 {
				return err
			}
			return addTable(args[0], cells)
		},
	}
	cmd.Flags().BoolVar(&withJava, "java", false, "lanes of Java too, where a JDK and Maven are there")
	cmd.Flags().BoolVar(&smoke, "smoke", false, "measure for a moment only, to see that everything works")
	return cmd
}

// socialCells measures.
func socialCells(cmd *cobra.Command, withJava, smoke bool) ([]social.Cell, error) {
	effort, javaEffort := social.Full, java.Full
	if smoke {
		effort, javaEffort = social.Smoke, java.Smoke
	}
	cells, err := social.Go(cmd.Context(), effort, cmd.ErrOrStderr())
	if err != nil || !withJava {
		return cells, err
	}
	more, err := social.Java(cmd.Context(), javaEffort, cmd.ErrOrStderr())
	if errors.Is(err, java.ErrMissing) {
		fmt.Fprintf(cmd.ErrOrStderr(), "skipped, so that the table has no lines of Java: %v\n", err)
		return cells, nil
	}
	return append(cells, more...), err
}

// addTable writes the table into the folder of a run, whose hashes it makes anew.
func addTable(dir string, cells []social.Cell) error {
	if _, err := os.Stat(filepath.Join(dir, results.SumsFile)); err != nil {
		return fmt.Errorf("this is not the folder of a run that has ended: %w", err)
	}
	var table bytes.Buffer
	if err := social.WriteCSV(&table, cells); err != nil {
		return err
	}
	if err := wholefile.Write(filepath.Join(dir, social.File), table.Bytes()); err != nil {
		return err
	}
	return results.WriteSums(dir)
}
