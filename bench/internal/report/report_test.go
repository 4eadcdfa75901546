package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	_ "image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/report"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/results/fixture"
	"github.com/flinkser/flinkser/bench/internal/rundir"
)

var (
	screenshots = flag.String("screenshots", "", "folder into which TestBrowser puts what it sees")
	show        = flag.String("show", "", "path of a run that TestBrowser shows instead of one that was made up")
)

// newRun makes a run that looks like a real one.
func newRun(t *testing.T, o fixture.Options) string {
	t.Helper()
	dir := t.TempDir()
	if err := fixture.Write(dir, o); err != nil {
		t.Fatal(err)
	}
	if err := results.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func pageOf(t *testing.T, files fs.FS) (*report.Page, []byte, []byte) {
	t.Helper()
	page, err := report.New(files)
	if err != nil {
		t.Fatal(err)
	}
	var html, markdown bytes.Buffer
	if err := page.WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	if err := page.WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	return page, html.Bytes(), markdown.Bytes()
}

// TestReport looks at the page as text.
func TestReport(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 5, Java: true, Seed: 4})
	page, html, markdown := pageOf(t, os.DirFS(dir))
	// Loads nothing: no script, no address but those of links inside the page.
	if found := regexp.MustCompile(`<script|<link|<img|src=|url\(|@import|https?:`).FindAll(html, -1); found != nil {
		t.Errorf("the page loads something: %q", found)
	}
	if found := regexp.MustCompile(`#0101[0-9A-F]{2}|NaN|Inf\b|%!`).FindAll(html, -1); found != nil {
		t.Errorf("the page has placeholders or no numbers: %q", found[:1])
	}
	for _, want := range []string{
		"prefers-color-scheme: dark", `name="viewport"`, "What these figures do not say", "vtprotobuf †", "protobuf-go †", "unchecked: UTF-8, depth, size, required",
		"It has left out protobuf-go-guards, vtprotobuf-strict, gogo, protobuf-go-lite, dynamicpb.", "every safe peer that this run has measured",
	} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
	ids := map[string]bool{}
	for _, s := range page.Sections {
		if ids[s.ID] || s.Short == "" {
			t.Errorf("section %q is there twice, or not in the contents", s.ID)
		}
		ids[s.ID] = true
		for _, part := range s.Parts {
			for _, f := range part.Figures {
				if f.Title == "" || f.Alt == "" || !strings.Contains(string(f.SVG), "<path") {
					t.Errorf("section %s: figure %q is empty, or has no text for those who do not see it", s.ID, f.Title)
				}
			}
			for _, table := range part.Tables {
				for _, row := range table.Rows {
					if len(row) != len(table.Head) {
						t.Errorf("section %s, table %q: %d cells in %d columns", s.ID, table.Caption, len(row), len(table.Head))
					}
				}
			}
		}
	}
	for _, id := range []string{"standing", "goals", "workload-scalar", "workload-wide", "memory", "sizes", "growth", "java", "lanes", "caveats", "run"} {
		if !ids[id] {
			t.Errorf("there is no section %s", id)
		}
	}
	// The same ratio in the Markdown as in parity.csv.
	p := table(t, dir, "parity.csv")[0]
	want := regexp.MustCompile(`\| serialize \| [^|]+ \| ` + regexp.QuoteMeta(rounded(t, p[2])) + ` \[` + rounded(t, p[3]) + `, ` + rounded(t, p[4]) + `\] \|`)
	if !want.Match(markdown) {
		t.Errorf("the Markdown has no row like %s", want)
	}
}

// TestProfiled checks that the lanes with a profile stand beside each other, without a verdict.
func TestProfiled(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	_, _, markdown := pageOf(t, os.DirFS(dir))
	for _, want := range []string{
		`\| protobuf-go-pgo †, supplement; unchecked: size \|[^|]+\|[^|]+\| 0\.\d+ \[[^|]+\], of ours-pgo \| – \|`,
		`\| ours-pgo, supplement \|[^|]+\|[^|]+\|[^|]+\] \| – \|`,
	} {
		if !regexp.MustCompile(want).Match(markdown) {
			t.Errorf("the Markdown has no row like %s", want)
		}
	}
}

// TestUnchecked checks that tables for other documents mark peers that leave out checks.
func TestUnchecked(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	for kind, want := range map[string]string{
		"summary": `\d vtprotobuf, unchecked \|`, "goals": `\| vtprotobuf, unchecked \|`, "lanes": `\| vtprotobuf \|[^\n]+\| no \| no \| no \| no \| unchecked \|`,
	} {
		text, err := report.FillTables(filepath.Join(dir, "x.md"), []byte("<!-- bench "+kind+" . -->\n<!-- /bench -->"))
		if err != nil || !regexp.MustCompile(want).Match(text) {
			t.Errorf("%s: %v; no row like %s in\n%s", kind, err, want, text)
		}
	}
}

func rounded(t *testing.T, s string) string {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%.2f", f)
}

// table returns the rows of a table of a run.
func table(t *testing.T, dir, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestSmokeReport checks that a run of one block says so and gives no verdict.
func TestSmokeReport(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 1, Workloads: []string{"collections"}})
	_, html, _ := pageOf(t, os.DirFS(dir))
	if !bytes.Contains(html, []byte("This is a trial run")) {
		t.Error("the page does not say that it is a trial run")
	}
	if bytes.Contains(html, []byte(`class="ahead`)) || bytes.Contains(html, []byte(`class="behind`)) {
		t.Error("there is a verdict")
	}
}

// TestNotice looks at what the page says of the source.
func TestNotice(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 5, Workloads: []string{"scalar"}})
	name := filepath.Join(dir, "manifest.properties")
	manifest, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for status, want := range map[string]string{
		"clean": "", "unknown": "git could not be asked", "changed 0011223344556677": "had changes that are not in the revision",
	} {
		if err := os.WriteFile(name, bytes.Replace(manifest, []byte("source.status=clean"), []byte("source.status="+status), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		page, _, _ := pageOf(t, os.DirFS(dir))
		if ok := page.Notice == "" && want == "" || want != "" && strings.Contains(page.Notice, want); !ok {
			t.Errorf("source.status=%s: the page says %q, want %q", status, page.Notice, want)
		}
	}
}

// TestHostileNames checks that what a file says stays text.
func TestHostileNames(t *testing.T) {
	dir := newRun(t, fixture.Options{Blocks: 1, Workloads: []string{"scalar"}})
	for name, data := range map[string]string{
		"manifest.properties": "cpu=<script>alert(1)</script>\n",
		"unsupported.csv":     "lane,workload,operation,reason\nx,,,\"<img src=x onerror=alert(1)>\"\n",
		"further.csv":         "\"<b>|x\"\n\"<b>\ny|z\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, html, markdown := pageOf(t, os.DirFS(dir))
	if found := regexp.MustCompile(`<script|<img|<b>`).Find(markdown); found != nil {
		t.Errorf("the Markdown has the element %q", found)
	}
	if want := "\n| &lt;b&gt;\\|x |\n|---|\n| &lt;b&gt; y\\|z |\n"; !bytes.Contains(markdown, []byte(want)) {
		t.Errorf("the Markdown has no table %q", want)
	}
	if found := regexp.MustCompile(`<script|<img|<b>\s*<`).Find(html); found != nil {
		t.Errorf("the page has the element %q", found)
	}
	if !bytes.Contains(html, []byte("&lt;script&gt;alert(1)")) {
		t.Error("the text is not there")
	}
}

// TestBadGrowth checks that a table that is no table is an error.
func TestBadGrowth(t *testing.T) {
	for _, data := range []string{"", "dimension,operation,size,ns_per_op\nlist,x,0,1\n", "dimension,operation,size,ns_per_op\nlist,x,1\n"} {
		dir := newRun(t, fixture.Options{Blocks: 1, Workloads: []string{"scalar"}})
		if err := os.WriteFile(filepath.Join(dir, "growth.csv"), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := report.New(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "growth.csv") {
			t.Errorf("%q: error %v, want one about growth.csv", data, err)
		}
	}
}

var views = []view{
	{"desktop-light", 1280, 900, false, "light"},
	{"desktop-dark", 1280, 900, false, "dark"},
	{"phone-light", 390, 844, true, "light"},
	{"phone-dark", 390, 844, true, "dark"},
}

// TestBrowser opens the page as readers do, and reads values out of it.
func TestBrowser(t *testing.T) {
	b := open(t)
	dir := browserRun(t)
	files, err := rundir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, html, _ := pageOf(t, files)
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, html, 0o666); err != nil {
		t.Fatal(err)
	}
	backgrounds := map[string]string{}
	for _, v := range views {
		b.show(file, v)
		backgrounds[v.scheme] = b.eval(`getComputedStyle(document.body).backgroundColor`)
		// Tables scroll by themselves; the page as a whole does not go beyond the screen.
		if width := b.eval(`document.documentElement.scrollWidth`); width != strconv.Itoa(v.width) {
			t.Errorf("%s: the page is %s pixels wide", v.name, width)
		}
		b.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
		if width := b.eval(`document.documentElement.scrollWidth`); width != strconv.Itoa(v.width) {
			t.Errorf("%s: with everything unfolded, the page is %s pixels wide", v.name, width)
		}
		b.eval(`document.querySelectorAll("details").forEach(d => d.open = false)`)
		// Of the size of text: figures are drawn for the width that they have.
		if size, err := strconv.ParseFloat(b.eval(`(() => { const s = document.querySelector("figure svg"); return s.getBoundingClientRect().width / s.viewBox.baseVal.width * 10 })()`), 64); err != nil || size < 9 || size > 14 {
			t.Errorf("%s: the text of figures is %v pixels high, error %v", v.name, size, err)
		}
		if n := b.eval(`[...document.querySelectorAll("figure svg")].filter(s => s.checkVisibility() && s.getBoundingClientRect().height < 15).length`); n != "0" {
			t.Errorf("%s: %s figures have no height", v.name, n)
		}
		picture := b.screenshot(false)
		distinct(t, v, picture)
		if *screenshots != "" {
			save(t, v.name+".png", picture)
			save(t, v.name+"-whole.png", b.screenshot(true))
		}
	}
	if backgrounds["light"] == backgrounds["dark"] {
		t.Errorf("the page is %s, light and dark", backgrounds["light"])
	}
	compareValues(t, b, files)
}

// browserRun is the run that is shown.
func browserRun(t *testing.T) string {
	if *show != "" {
		return *show
	}
	return newRun(t, fixture.Options{Blocks: 5, Java: true, Seed: 4})
}

func save(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(*screenshots, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// distinct fails if a screenshot has another size than the screen, or hardly any colours.
func distinct(t *testing.T, v view, picture []byte) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != v.width || size.Y != v.height {
		t.Errorf("%s: the screenshot is %v", v.name, size)
	}
	colours := map[[3]uint32]bool{}
	for y := 0; y < v.height; y += 2 {
		for x := 0; x < v.width; x += 2 {
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}] = true
		}
	}
	if len(colours) < 50 {
		t.Errorf("%s: the screenshot has %d colours", v.name, len(colours))
	}
}

// compareValues compares what stands on the page with parity.csv and goals.csv.
func compareValues(t *testing.T, b *browser, files fs.FS) {
	t.Helper()
	var page map[string]string
	got := b.eval(`JSON.stringify(Object.fromEntries([...document.querySelectorAll("td[data-key]")].map(c => [c.dataset.key, c.dataset.value + " " + c.textContent])))`)
	if err := json.Unmarshal([]byte(got), &page); err != nil {
		t.Fatal(err)
	}
	compared := 0
	same := func(key, ratio, text string) {
		compared++
		if want := ratio + " " + text; !strings.HasPrefix(page[key], want) {
			t.Errorf("%s: the page says %q, the file %q", key, page[key], want)
		}
	}
	data, err := fs.ReadFile(files, "parity.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		if r[2] == "" {
			continue
		}
		f, err := strconv.ParseFloat(r[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		text := strconv.FormatFloat(f, 'f', 2, 64)
		if f < .0995 {
			text = strconv.FormatFloat(f, 'f', 3, 64)
		} else if f >= 9.95 {
			text = strconv.FormatFloat(f, 'f', 1, 64)
		}
		same("parity/"+r[0]+"/"+r[1], r[2], text)
		same("cell/"+r[0]+"/"+r[1], r[2], text)
	}
	if compared < 10 {
		t.Errorf("only %d values were compared", compared)
	}
}
