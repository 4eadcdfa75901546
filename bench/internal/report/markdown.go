package report

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// WriteMarkdown writes the text and the tables of the page.
func (p *Page) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", p.Title, p.Lead)
	if p.Notice != "" {
		fmt.Fprintf(&b, "> %s\n\n", plain(p.Notice))
	}
	fmt.Fprintf(&b, "%s\n", plain(strings.Join(p.Facts, " · ")))
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, t := range s.Text {
			fmt.Fprintf(&b, "\n%s\n", t)
		}
		if len(s.List) > 0 {
			fmt.Fprintln(&b)
		}
		for _, t := range s.List {
			fmt.Fprintf(&b, "- %s\n", t)
		}
		for _, part := range s.Parts {
			for _, t := range part.Tables {
				t.markdown(&b)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plain makes text of a file stay text, in one line and one cell.
func plain(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "|", `\|`).Replace(html.EscapeString(s))
}

func (t *Table) markdown(b *strings.Builder) {
	if t.Caption != "" {
		fmt.Fprintf(b, "\n%s\n", plain(t.Caption))
	}
	fmt.Fprintf(b, "\n|")
	for _, h := range t.Head {
		fmt.Fprintf(b, " %s |", plain(h))
	}
	fmt.Fprintf(b, "\n|%s\n", strings.Repeat("---|", len(t.Head)))
	for _, row := range t.Rows {
		fmt.Fprint(b, "|")
		for _, c := range row {
			text := c.Text
			if c.Sub != "" {
				text += ", " + c.Sub
			}
			fmt.Fprintf(b, " %s |", plain(text))
		}
		fmt.Fprintln(b)
	}
}
