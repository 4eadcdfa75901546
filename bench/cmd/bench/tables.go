package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/report"
)

// tablesCommand fills the tables of documents.
func tablesCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "tables FILE.md...",
		Short: "Write the tables of documents that are made from runs",
		Long: "Write anew what stands between <!-- bench KIND RUN --> and <!-- /bench --> in Markdown files. KIND is summary,\n" +
			"goals, java or lanes; RUN is the path, from the file, of a run, or of a file that bench pack has made of one.",
		Args:         cobra.MinimumNArgs(1),
		SilenceUsage: true,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				if err := fillTables(name, check); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "fail if a table is not current, and leave the files as they are")
	return cmd
}

func fillTables(name string, check bool) error {
	was, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	is, err := report.FillTables(name, was)
	if err != nil || bytes.Equal(was, is) {
		return err
	}
	if check {
		return fmt.Errorf("%s: a table is not what its run says: tools/bench-tables.sh makes it anew", name)
	}
	return os.WriteFile(name, is, 0o666)
}
