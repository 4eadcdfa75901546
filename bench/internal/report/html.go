package report

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"css":   func() template.CSS { return template.CSS(pageCSS) },
	"first": func(i int) bool { return i == 0 },
}).Parse(pageHTML))

// WriteHTML writes the page as one file that loads nothing.
func (p *Page) WriteHTML(w io.Writer) error { return pageTemplate.Execute(w, p) }
