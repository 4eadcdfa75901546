package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/report"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/rundir"
)

// reportCommand makes a page of a run.
func reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Make a page with figures out of a run, and the same tables as Markdown",
		Long: "Make " + results.ReportHTML + ", one file that loads nothing, and " + results.ReportMarkdown + " out of a run.\n" +
			"RUN is the folder of a run, or a file that bench pack has made of one.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				info, err := os.Stat(args[0])
				if err != nil {
					return err
				}
				if !info.IsDir() {
					return fmt.Errorf("%s is no folder: --out says where the report goes", args[0])
				}
				out = args[0]
			}
			return writeReport(cmd.OutOrStdout(), args[0], out)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for the report (that of the run)")
	return cmd
}

func writeReport(stdout io.Writer, run, out string) error {
	files, err := rundir.Open(run)
	if err != nil {
		return err
	}
	page, err := report.New(files)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{results.ReportHTML, page.WriteHTML}, {results.ReportMarkdown, page.WriteMarkdown}} {
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			return err
		}
		name := filepath.Join(out, f.name)
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			return err
		}
		fmt.Fprintln(stdout, name)
	}
	return nil
}

// packCommand packs a run into one file.
func packCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "pack DIR FILE" + rundir.Suffix,
		Short: "Pack the files of a run, without its report, into one file",
		Args:  cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var b bytes.Buffer
			if err := rundir.Pack(&b, args[0], results.ReportHTML, results.ReportMarkdown); err != nil {
				return err
			}
			return os.WriteFile(args[1], b.Bytes(), 0o666)
		},
	}
}
