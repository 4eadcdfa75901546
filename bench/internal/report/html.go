package report

import (
	_ "embed"
	"html/template"
	"io"
	"regexp"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"css":   func() template.CSS { return template.CSS(pageCSS) },
	"first": func(i int) bool { return i == 0 },
	"soft":  soft,
}).Parse(pageHTML))

// WriteHTML writes the page as one file that loads nothing.
func (p *Page) WriteHTML(w io.Writer) error { return pageTemplate.Execute(w, p) }

// words are places in a name where a line may be broken.
var words = regexp.MustCompile(`([a-z])([A-Z])|([-/])`)

// soft lets a browser break long names of operations and lanes.
func soft(s string) template.HTML {
	return template.HTML(words.ReplaceAllString(template.HTMLEscapeString(s), "$1$3<wbr>$2"))
}
