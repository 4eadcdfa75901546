package social

import (
	"context"
	"fmt"
	"io"

	"github.com/flinkser/flinkser/bench/internal/java"
	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Java measures the lanes of Java. The error wraps java.ErrMissing where there is no JDK or no Maven.
func Java(ctx context.Context, e java.Effort, progress io.Writer) ([]Cell, error) {
	tools, err := java.Find(ctx)
	if err != nil {
		return nil, err
	}
	module, err := process.Run(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/flinkser/flinkser/bench")
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(progress, "social: building the lanes of Java")
	project, err := java.Open(ctx, string(trimLine(module)), tools)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, format := range java.SocialFormats() {
		fmt.Fprintf(progress, "social: %s of Java\n", format)
		for _, direction := range Directions() {
			c, err := project.Social(ctx, format, direction, e)
			if err != nil {
				return nil, fmt.Errorf("java, %s, %s: %w", format, direction, err)
			}
			cells = append(cells, fromJava(c))
		}
	}
	return cells, nil
}

// fromJava returns a cell that Java has measured. A format has one lane there.
func fromJava(c *java.SocialCell) Cell {
	return Cell{
		Runtime: "java", Format: c.Format, Direction: c.Direction, Size: c.Size,
		Calls: suite.Calls{Min: c.Min, Mean: c.Avg, Median: c.Median, Calls: int(c.Calls)},
	}
}
