package corpus

// JavaRandom draws the numbers that java.util.Random draws from the same seed: a
// linear congruential generator of 48 bits whose upper bits are used.
type JavaRandom struct{ state uint64 }

const (
	javaMultiplier = 0x5DEECE66D
	javaIncrement  = 0xB
	javaMask       = 1<<48 - 1
)

// NewJavaRandom returns a generator with the seed of new Random(seed).
func NewJavaRandom(seed int64) *JavaRandom {
	return &JavaRandom{(uint64(seed) ^ javaMultiplier) & javaMask}
}

// next draws a number of the given width in bits, which is at most 32.
func (r *JavaRandom) next(bits uint) int32 {
	r.state = (r.state*javaMultiplier + javaIncrement) & javaMask
	return int32(r.state >> (48 - bits))
}

// Int64 draws from all of int64, as nextLong does.
func (r *JavaRandom) Int64() int64 {
	high := int64(r.next(32))
	// The lower half is added with its sign.
	return high<<32 + int64(r.next(32))
}

// Intn draws from 0 to n-1, as nextInt(n) does.
func (r *JavaRandom) Intn(n int32) int32 {
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

// Letters draws n ASCII letters and digits.
func (r *JavaRandom) Letters(n int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.Intn(int32(len(alphabet)))]
	}
	return string(b)
}

// Bytes draws n bytes.
func (r *JavaRandom) Bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Intn(256))
	}
	return b
}
