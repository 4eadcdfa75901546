// Command bench measures the serializers of Go beside each other, and makes tables and a report out
// of what it has measured.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "bench"}
	root.AddCommand(checkCommand(), smokeCommand(), runCommand(), beyondCommand(), socialCommand())
	root.AddCommand(reportCommand(), packCommand(), auditCommand(), compareCommand(), tablesCommand())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root.ExecuteContext(ctx)
	stop()
	if err != nil {
		os.Exit(1)
	}
}
