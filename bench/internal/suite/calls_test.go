package suite

import "testing"

func TestSummary(t *testing.T) {
	c, err := summary([]int64{5, 1, 3, 11})
	if err != nil || *c != (Calls{Min: 1, Mean: 5, Median: 4, Calls: 4}) {
		t.Errorf("got %+v and error %v", c, err)
	}
	if c, err = summary([]int64{7, 2, 3}); err != nil || c.Median != 3 {
		t.Errorf("got %+v and error %v, want a median of 3", c, err)
	}
	if _, err := summary(nil); err == nil {
		t.Error("no times have a summary")
	}
}
