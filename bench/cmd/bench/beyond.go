package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkser/flinkser/bench/internal/drive"
)

// beyondCommand measures more than the time of a record.
func beyondCommand() *cobra.Command {
	var only string
	cmd := &cobra.Command{
		Use:   "beyond DIR",
		Short: "Measure growth, first use, several cores, retention, held-out data and compile time",
		Long: "Write tables about more than the time of a record into DIR; tables that are there stay as they are. Bench run does it, too.\n" +
			"If DIR is the folder of a run that has ended, its SHA256SUMS is made anew.\n\n" +
			"growth      time against the size of a message, for our code; a slope above 1.15 over the upper two decades is an error\n" +
			"firstuse    the first message of a type, opening a snapshot, a verdict on a schema of 1000 messages\n" +
			"parallel    one serializer used by several cores; a wait for a lock of package sync is an error\n" +
			"retention   bytes that stay alive because one small field of a message is kept\n" +
			"heldout     records that nothing was tuned on\n" +
			"compile     compile time and size of generated code",
		Args:         cobra.ExactArgs(1),
		SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			names, err := pick("table", only, drive.Beyond())
			if err != nil {
				return err
			}
			return drive.MeasureBeyond(cmd.Context(), args[0], names, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "names of tables, with commas between them; empty: "+strings.Join(drive.Beyond(), ","))
	return cmd
}
