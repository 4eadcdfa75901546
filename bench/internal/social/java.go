package social

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/flinkser/flinkser/bench/internal/java"
)

// Java measures the lanes of Java: each cell in a JVM of its own. What it does is said on progress.
func Java(ctx context.Context, p *java.Project, e java.Effort, progress io.Writer) ([]Cell, error) {
	var cells []Cell
	for _, format := range java.SocialFormats() {
		fmt.Fprintf(progress, "social: java %s\n", format)
		for _, direction := range Directions() {
			out, err := p.Social(ctx, format, direction, e)
			if err != nil {
				return nil, err
			}
			var c Cell
			if err := json.Unmarshal(out, &c); err != nil {
				return nil, fmt.Errorf("java has printed %q: %w", out, err)
			}
			cells = append(cells, c)
		}
	}
	return cells, nil
}
