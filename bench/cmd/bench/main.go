// Command bench measures the serializers of Go beside each other, and makes tables and a report out
// of what it has measured.
package main

import (
	"os"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "bench"}
	root.AddCommand(reportCommand(), packCommand(), auditCommand(), compareCommand(), tablesCommand())
	if root.Execute() != nil {
		os.Exit(1)
	}
}
