package report_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// browser is a headless Chromium, spoken to in the protocol of its developer tools over a pair of
// pipes: JSON messages, each with a zero byte behind it.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	id      int
}

// chromium returns the path of the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("chromium is not on PATH, so the report is not looked at in a browser")
	return ""
}

// open starts a browser with one page.
func open(t *testing.T) *browser {
	t.Helper()
	path := chromium(t)
	toBrowser, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// The sandbox needs rights that containers do not give. What is opened is a file that the test
	// has made.
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // 3 and 4, where the browser expects them
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	if err := from.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		// Ends by itself when its pipe is closed.
		to.Close()
		if err := cmd.Wait(); err != nil && t.Failed() {
			t.Logf("chromium: %v: %s", err, &stderr)
		}
		from.Close()
	})
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.call("Page.enable", nil, nil)
	b.call("Runtime.enable", nil, nil)
	return b
}

// message is what goes through the pipes.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// call calls a method and waits for its result. Events in between are dropped.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.id++
	data, err := json.Marshal(message{ID: b.id, Session: b.session, Method: method, Params: params})
	if err == nil {
		_, err = b.to.Write(append(data, 0))
	}
	for err == nil {
		var m message
		if m, err = b.next(); err != nil || m.ID != b.id {
			continue
		}
		if m.Error != nil {
			err = errors.New(m.Error.Message)
		} else if result != nil {
			err = json.Unmarshal(m.Result, result)
		}
		break
	}
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

func (b *browser) next() (m message, err error) {
	data, err := b.from.ReadBytes(0)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(data[:len(data)-1], &m)
}

// view is a size of a screen with a colour scheme.
type view struct {
	name          string
	width, height int
	phone         bool
	scheme        string
}

// show opens a file as a screen shows it.
func (b *browser) show(file string, v view) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": v.width, "height": v.height, "deviceScaleFactor": 1, "mobile": v.phone,
	}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]any{{"name": "prefers-color-scheme", "value": v.scheme}}}, nil)
	abs, err := filepath.Abs(file)
	if err != nil {
		b.t.Fatal(err)
	}
	b.call("Page.navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: abs}).String()}, nil)
	for range 600 {
		if b.eval(`document.readyState + " " + (document.querySelector("h1") != null)`) == "complete true" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s is not ready", file)
}

// eval returns the value of an expression, as a string.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.Exception != nil {
		b.t.Fatalf("%s: %s", expression, r.Exception.Text)
	}
	return fmt.Sprint(r.Result.Value)
}

// screenshot returns a PNG of what is on the screen, or of the whole page.
func (b *browser) screenshot(whole bool) []byte {
	b.t.Helper()
	var r struct {
		Data string `json:"data"`
	}
	b.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole}, &r)
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}
