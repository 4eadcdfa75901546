package main

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestLockWaits shows that waits of others are not charged to the serializer.
func TestLockWaits(t *testing.T) {
	old := runtime.SetMutexProfileFraction(1)
	defer runtime.SetMutexProfileFraction(old)
	var mu sync.Mutex
	mu.Lock()
	var wg sync.WaitGroup
	waited := false
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		waited = true
	})
	time.Sleep(20 * time.Millisecond)
	mu.Unlock()
	wg.Wait()
	if n := lockWaits(); n != 0 || !waited {
		t.Errorf("%d waits are charged to the serializer", n)
	}
}

func TestCoreNumbers(t *testing.T) {
	all := coreNumbers()
	if all[len(all)-1] != runtime.NumCPU() {
		t.Errorf("the numbers of cores are %v on %d", all, runtime.NumCPU())
	}
	for i := 1; i < len(all); i++ {
		if all[i] <= all[i-1] {
			t.Errorf("the numbers of cores are %v", all)
		}
	}
}

func TestRate(t *testing.T) {
	calls := make(chan struct{}, 1)
	got, err := rate(1, func([]byte, int) error {
		select {
		case calls <- struct{}{}:
		default:
		}
		time.Sleep(time.Millisecond)
		return nil
	})
	if err != nil || len(calls) != 1 || got <= 0 || got > 1001 {
		t.Errorf("%v records a second of 1 ms each, error %v", got, err)
	}
}
