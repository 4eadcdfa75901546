package corpus

// javaRandom draws the numbers that java.util.Random draws from the same seed: a
// linear congruential generator of 48 bits whose upper bits are used.
type javaRandom struct{ state uint64 }

const (
	javaMultiplier = 0x5DEECE66D
	javaIncrement  = 0xB
	javaMask       = 1<<48 - 1
)

func newJavaRandom(seed int64) *javaRandom {
	return &javaRandom{(uint64(seed) ^ javaMultiplier) & javaMask}
}

// next draws a number of the given width in bits, which is at most 32.
func (r *javaRandom) next(bits uint) int32 {
	r.state = (r.state*javaMultiplier + javaIncrement) & javaMask
	return int32(r.state >> (48 - bits))
}

// int64 draws from all of int64, as nextLong does.
func (r *javaRandom) int64() int64 {
	high := int64(r.next(32))
	// The lower half is added with its sign.
	return high<<32 + int64(r.next(32))
}

// intn draws from 0 to n-1, as nextInt(n) does.
func (r *javaRandom) intn(n int32) int32 {
	if n&(n-1) == 0 {
		return int32(int64(n) * int64(r.next(31)) >> 31)
	}
	for {
		bits := r.next(31)
		v := bits % n
		// Java draws again where the last, incomplete run of n numbers would favour
		// small ones; it finds that out by overflow.
		if bits-v+(n-1) >= 0 {
			return v
		}
	}
}
