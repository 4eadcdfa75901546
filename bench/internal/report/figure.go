package report

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a drawing with what stands above it and what is read aloud for it.
type Figure struct {
	Title string
	Alt   string
	SVG   template.HTML
}

// figureWidth is the width of a figure in its own units, of which one is about a pixel both on a
// phone and in the columns of a wide page.
const figureWidth = 360

// fontSize is that of labels and values.
const fontSize = 11

// The colours of figures stand for variables of the style sheet, which knows a light and a dark
// value for each. The plotting library needs real ones, so these are told apart by their last byte.
var (
	ink     = placeholder(1)
	muted   = placeholder(2)
	grid    = placeholder(3)
	native  = placeholder(4)
	band    = placeholder(5)
	peer    = placeholder(6)
	other   = placeholder(7)
	surface = placeholder(8)
	hidden  = placeholder(9) // text that only takes up room
)

var variables = []string{1: "ink", 2: "muted", 3: "grid", 4: "native", 5: "band", 6: "peer", 7: "other", 8: "surface"}

func placeholder(n uint8) color.Color { return color.RGBA{R: 1, G: 1, B: n, A: 255} }

var (
	placeholders = regexp.MustCompile(`#0101([0-9A-F]{2})`)
	texts        = regexp.MustCompile(`<text (x="[^"]*" y="[^"]*")[^>]*?font-size:([0-9.]+)px(?:;fill:(#[0-9A-F]{6}))?[^>]*>([^<]*)</text>`)
	svgHead      = regexp.MustCompile(`(?s)^.*?<svg [^>]*>`)
)

// svg draws on a canvas of the width of a figure.
func svg(alt string, height float64, drawing func(draw.Canvas)) (template.HTML, error) {
	c := vgsvg.New(figureWidth, vg.Length(height))
	drawing(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	s := texts.ReplaceAllStringFunc(b.String(), rewriteText)
	s = placeholders.ReplaceAllStringFunc(s, variable)
	head := fmt.Sprintf(`<svg viewBox="0 0 %d %.0f" role="img" aria-label="%s">`, figureWidth, height, template.HTMLEscapeString(alt))
	if !svgHead.MatchString(s) {
		return "", fmt.Errorf("the plotting library has drawn no svg: %.80s", s)
	}
	return template.HTML(svgHead.ReplaceAllLiteralString(s, head)), nil
}

// variable turns the colour of a placeholder into its variable.
func variable(hex string) string {
	n, err := strconv.ParseUint(hex[5:], 16, 8)
	if err != nil || int(n) >= len(variables) {
		return hex
	}
	return "var(--" + variables[n] + ")"
}

// rewriteText shortens a text of the plotting library, takes it out if it is hidden, and makes it as
// wide as the library thinks it is: readers have other fonts, and it may not run into its neighbours.
func rewriteText(element string) string {
	m := texts.FindStringSubmatch(element)
	at, fill, content := m[1], m[3], m[4]
	size, err := strconv.ParseFloat(m[2], 64)
	if err != nil || fill == hexOf(hidden) {
		return ""
	}
	width := style(size, ink).Width(html.UnescapeString(content))
	weight := ""
	if content == "ours" || strings.HasPrefix(content, "ours-") {
		weight = ` font-weight="bold"`
	}
	if fill == "" {
		fill = "currentColor"
	}
	return fmt.Sprintf(`<text %s transform="scale(1,-1)" style="fill:%s" font-size="%s" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`,
		at, fill, m[2], float64(width), weight, content)
}

func hexOf(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8)
}

func style(size float64, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)},
		XAlign:  draw.XCenter,
		YAlign:  draw.YCenter,
		Handler: plot.DefaultTextHandler,
	}
}

// newPlot returns a plot without title, in the style of the page.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label = style(fontSize-1, muted)
		a.Tick.Color, a.LineStyle.Color = grid, grid
		a.Label.TextStyle = style(fontSize-1, muted)
		a.Tick.Length = 3
	}
	p.X.Tick.Label.YAlign = draw.YTop
	p.X.Label.TextStyle.YAlign = draw.YBottom
	p.Y.Tick.Label.XAlign = draw.XRight
	return p
}

// Marks of lanes, by what they are.
type markKind int

const (
	markNative markKind = iota // ours, by default
	markMode                   // ours, in a mode that a user asks for
	markPeer                   // a safe peer
	markUnsafe                 // a peer in a mode that a user asks for, or that shares the input
	markFormat                 // another format
	markLimit                  // an analogue
)

func (k markKind) glyph(radius float64) draw.GlyphStyle {
	g := draw.GlyphStyle{Radius: vg.Length(radius)}
	switch k {
	case markNative:
		g.Shape, g.Color = draw.CircleGlyph{}, native
	case markMode:
		g.Shape, g.Color = draw.RingGlyph{}, native
	case markPeer:
		g.Shape, g.Color = draw.BoxGlyph{}, peer
	case markUnsafe:
		g.Shape, g.Color = draw.SquareGlyph{}, peer
	case markFormat:
		g.Shape, g.Color = draw.PyramidGlyph{}, other
	case markLimit:
		g.Shape, g.Color = draw.CrossGlyph{}, other
	}
	return g
}

// point is one estimate in a row of a forest plot.
type point struct {
	kind                markKind
	ratio, lower, upper float64 // lower and upper are 0 without an interval
}

// row is a row of a forest plot.
type row struct {
	label  string
	value  string // printed at the right end
	points []point
	strong bool // with a band behind it
}

// forest draws ratios with their intervals on a logarithmic axis, and a line at 1.
type forest struct {
	rows  []row
	right vg.Length // space for the values

	// The axis is cut at these, if they are set, so that a lane far away does not press all others
	// together. Arrows stand for what is beyond.
	least, most float64
}

func (f *forest) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = 1, 1
	for _, r := range f.rows {
		for _, p := range r.points {
			xmin, xmax = min(xmin, p.ratio), max(xmax, p.ratio)
			if p.lower > 0 {
				xmin, xmax = min(xmin, p.lower), max(xmax, p.upper)
			}
		}
	}
	if f.least > 0 {
		xmin, xmax = max(xmin, f.least), min(xmax, f.most)
	}
	// Marks at the ends stay inside, and an axis has a length.
	margin := max(1.02, math.Pow(xmax/xmin, .04))
	return xmin / margin, xmax * margin, -.5, float64(len(f.rows)) - .5
}

// GlyphBoxes keeps space free for the values.
func (f *forest) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 1, Y: .5, Rectangle: vg.Rectangle{Max: vg.Point{X: f.right}}}}
}

func (f *forest) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	half := (y(1) - y(0)) / 2
	for i, r := range f.rows {
		if r.strong {
			// From the labels to the values.
			at := y(float64(i))
			c.FillPolygon(band, []vg.Point{{X: 0, Y: at - half}, {X: c.Max.X + f.right, Y: at - half}, {X: c.Max.X + f.right, Y: at + half}, {X: 0, Y: at + half}})
		}
	}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if t.Value != 1 {
			c.StrokeLine2(draw.LineStyle{Color: grid, Width: .6}, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
		}
	}
	c.StrokeLine2(draw.LineStyle{Color: muted, Width: 1, Dashes: []vg.Length{3, 2}}, x(1), c.Min.Y, x(1), c.Max.Y)
	for i, r := range f.rows {
		at := y(float64(i))
		for _, pt := range r.points {
			f.point(c, pt, at, x)
		}
		label := style(fontSize, ink)
		label.XAlign = draw.XRight
		c.FillText(label, vg.Point{X: c.Min.X - 6, Y: at}, r.label)
		value := style(fontSize, ink)
		value.XAlign = draw.XRight
		c.FillText(value, vg.Point{X: c.Max.X + f.right - 2, Y: at}, r.value)
	}
}

func (f *forest) point(c draw.Canvas, p point, at vg.Length, x func(float64) vg.Length) {
	g := p.kind.glyph(3.4)
	if f.least > 0 && (p.ratio < f.least || p.ratio > f.most) {
		tip, back := c.Min.X, vg.Length(7)
		if p.ratio > f.most {
			tip, back = c.Max.X, -7
		}
		c.FillPolygon(g.Color, []vg.Point{{X: tip, Y: at}, {X: tip + back, Y: at + 3.5}, {X: tip + back, Y: at - 3.5}})
		return
	}
	if f.least > 0 && p.lower > 0 {
		p.lower, p.upper = max(p.lower, f.least), min(p.upper, f.most)
	}
	if p.lower > 0 {
		line := draw.LineStyle{Color: g.Color, Width: 1.6}
		c.StrokeLine2(line, x(p.lower), at, x(p.upper), at)
		for _, end := range []float64{p.lower, p.upper} {
			c.StrokeLine2(draw.LineStyle{Color: g.Color, Width: 1}, x(end), at-2.5, x(end), at+2.5)
		}
	}
	center := vg.Point{X: x(p.ratio), Y: at}
	switch p.kind {
	case markMode, markUnsafe:
		// Hollow, so that the line of the interval does not show through.
		filled := draw.GlyphStyle{Shape: draw.CircleGlyph{}, Color: surface, Radius: 3}
		c.DrawGlyph(filled, center)
	case markNative, markPeer, markFormat, markLimit:
	}
	c.DrawGlyph(g, center)
}

const rowHeight = 18

// forestFigure draws rows from top to bottom. The axis goes from least to most, if they are not 0.
func forestFigure(title, alt string, rows []row, least, most float64) (Figure, error) {
	f := &forest{rows: slices.Clone(rows), least: least, most: most}
	slices.Reverse(f.rows)
	p := newPlot()
	labels := make([]plot.Tick, len(f.rows))
	for i, r := range f.rows {
		// The plot makes room for the labels, forest draws them in the colour of text.
		labels[i] = plot.Tick{Value: float64(i), Label: r.label}
		f.right = max(f.right, style(fontSize, ink).Width(r.value)+8)
	}
	p.Y.Tick.Marker = plot.ConstantTicks(labels)
	// As wide as what is drawn in its place.
	p.Y.Tick.Label = style(fontSize, hidden)
	p.Y.Tick.Label.XAlign = draw.XRight
	p.Y.Tick.Length, p.Y.LineStyle.Width, p.Y.Padding = 0, 0, 6
	p.X.Scale = plot.LogScale{}
	p.X.Padding = 0
	p.Add(f)
	p.X.Tick.Marker = logTicks{}
	p.Y.Min, p.Y.Max = -.5, float64(len(rows))-.5
	s, err := svg(alt, float64(len(rows))*rowHeight+26, p.Draw)
	return Figure{Title: title, Alt: alt, SVG: s}, err
}

// logTicks are at 1, 2 and 5 times powers of ten, or powers of ten alone where the axis is long.
type logTicks struct{}

func (logTicks) Ticks(least, most float64) []plot.Tick {
	steps := []float64{1, 2, 5}
	if math.Log10(most/least) > 1.7 {
		steps = []float64{1, 3}
	}
	if math.Log10(most/least) > 2.6 {
		steps = []float64{1}
	}
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(least)); e <= math.Ceil(math.Log10(most)); e++ {
		for _, s := range steps {
			v := s * math.Pow(10, e)
			if v >= least*.999 && v <= most*1.001 {
				// As it reads: 0.1 rather than the nearest binary number to ten times it.
				v, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
				ticks = append(ticks, plot.Tick{Value: v, Label: short(v)})
			}
		}
	}
	return ticks
}

// short prints a number of an axis: 0.05, 20, 10k, 1M.
func short(v float64) string {
	switch {
	case v >= 1e9:
		return trimmed(v/1e9, 1) + "G"
	case v >= 1e6:
		return trimmed(v/1e6, 1) + "M"
	case v >= 1e4:
		return trimmed(v/1e3, 1) + "k"
	default:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
}

// bar is a row of a bar chart.
type bar struct {
	label, value string
	length       float64
	kind         markKind
}

// bars draws lengths from zero.
type bars struct {
	rows  []bar
	right vg.Length
}

func (b *bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, r := range b.rows {
		xmax = max(xmax, r.length)
	}
	if xmax == 0 {
		xmax = 1
	}
	return 0, xmax, -.5, float64(len(b.rows)) - .5
}

// GlyphBoxes keeps space free for the values.
func (b *bars) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 1, Y: .5, Rectangle: vg.Rectangle{Max: vg.Point{X: b.right}}}}
}

func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, r := range b.rows {
		at := y(float64(i))
		b.bar(c, r.kind, x(0), x(r.length), at)
		label := style(fontSize, ink)
		label.XAlign = draw.XRight
		c.FillText(label, vg.Point{X: c.Min.X - 6, Y: at}, r.label)
		value := style(fontSize, ink)
		value.XAlign = draw.XLeft
		c.FillText(value, vg.Point{X: x(r.length) + 4, Y: at}, r.value)
	}
	c.StrokeLine2(draw.LineStyle{Color: muted, Width: .8}, x(0), c.Min.Y, x(0), c.Max.Y)
}

// bar draws modes on request as outlines.
func (b *bars) bar(c draw.Canvas, kind markKind, from, to, at vg.Length) {
	const half = 4.5
	hollow := kind == markMode || kind == markUnsafe
	box := []vg.Point{{X: from, Y: at - half}, {X: to, Y: at - half}, {X: to, Y: at + half}, {X: from, Y: at + half}}
	if !hollow {
		c.FillPolygon(kind.glyph(1).Color, box)
		return
	}
	c.StrokeLines(draw.LineStyle{Color: kind.glyph(1).Color, Width: 1}, append(box, box[0]))
}

// barFigure draws bars from top to bottom, with the values at their ends and no axis.
func barFigure(title, alt string, rows []bar) (Figure, error) {
	b := &bars{rows: slices.Clone(rows)}
	slices.Reverse(b.rows)
	p := newPlot()
	labels := make([]plot.Tick, len(b.rows))
	for i, r := range b.rows {
		labels[i] = plot.Tick{Value: float64(i), Label: r.label}
		b.right = max(b.right, style(fontSize, ink).Width(r.value)+8)
	}
	p.HideX()
	p.Y.Tick.Marker = plot.ConstantTicks(labels)
	// As wide as what is drawn in its place.
	p.Y.Tick.Label = style(fontSize, hidden)
	p.Y.Tick.Label.XAlign = draw.XRight
	p.Y.Tick.Length, p.Y.LineStyle.Width, p.Y.Padding = 0, 0, 6
	p.Add(b)
	p.Y.Min, p.Y.Max = -.5, float64(len(rows))-.5
	s, err := svg(alt, float64(len(rows))*rowHeight+6, p.Draw)
	return Figure{Title: title, Alt: alt, SVG: s}, err
}

// curve is a line of a growth figure.
type curve struct {
	label string
	kind  markKind
	x, y  []float64
}

// curves draws lines with their points, and names them at their ends.
type curves struct{ list []curve }

func (g *curves) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, ymin = math.Inf(1), math.Inf(1)
	for _, l := range g.list {
		xmin, xmax = min(xmin, slices.Min(l.x)), max(xmax, slices.Max(l.x))
		ymin, ymax = min(ymin, slices.Min(l.y)), max(ymax, slices.Max(l.y))
	}
	if xmin == xmax {
		xmin, xmax = xmin/1.5, xmax*1.5
	}
	return xmin, xmax, ymin / 1.3, ymax * 1.6
}

func (g *curves) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: .6}, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
	}
	for _, l := range g.list {
		var line []vg.Point
		for i := range l.x {
			line = append(line, vg.Point{X: x(l.x[i]), Y: y(l.y[i])})
		}
		glyph := l.kind.glyph(2.8)
		c.StrokeLines(draw.LineStyle{Color: glyph.Color, Width: 1.6}, line)
		for _, at := range line {
			c.DrawGlyph(glyph, at)
		}
	}
}

// growthFigure draws times against a size, both logarithmic.
func growthFigure(title, alt, unit string, list []curve) (Figure, error) {
	p := newPlot()
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = logTicks{}, timeTicks{}
	p.X.Label.Text = unit
	p.Add(&curves{list})
	s, err := svg(alt, 210, p.Draw)
	return Figure{Title: title, Alt: alt, SVG: s}, err
}

// timeTicks are powers of ten of nanoseconds.
type timeTicks struct{}

func (timeTicks) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Ceil(math.Log10(least)); e <= math.Log10(most); e++ {
		v := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: v, Label: nanoseconds(v)})
	}
	return ticks
}
