package main

import (
	"strings"
	"testing"
)

// TestCurrent fails if the committed table is not current.
func TestCurrent(t *testing.T) {
	t.Chdir("../..")
	if err := run(true); err != nil {
		t.Error(err)
	}
}

const head = "message,payload_bytes,kept,library,mode,bytes_kept_alive,bytes_of_whole_message\n"

func TestFill(t *testing.T) {
	text := "a\n" + begin + "old\n" + end + "\nb\n"
	got, err := fill([]byte(text), []byte(head+"m,10,x,flinkser,default,1,9\nm,10,x,other,default,2,8\nm,10,y,flinkser,default,3,9\nn,5,x,flinkser,default,4,7\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := "a\n" + begin + `
| message | what is kept | default | other |
|---|---|---|---|
| m, 10 bytes | x | 1 | 2 |
| m, 10 bytes | y | 3 |  |
| m, 10 bytes | the whole message | 9 | 8 |
| n, 5 bytes | x | 4 |  |
| n, 5 bytes | the whole message | 7 |  |

` + end + "\nb\n"
	if string(got) != want {
		t.Errorf("the document is\n%s\nwant\n%s", got, want)
	}
	for _, tt := range []struct{ text, data, want string }{
		{"no table", head + "m,10,x,flinkser,default,1,9\n", "there is no"},
		{begin, head + "m,10,x,flinkser,default,1,9\n", "there is no"},
		{text, "a,b\n1,2\n", "other columns"},
		{text, head, "no rows"},
	} {
		if _, err := fill([]byte(tt.text), []byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q, %q: %v, want %q", tt.text, tt.data, err, tt.want)
		}
	}
}
