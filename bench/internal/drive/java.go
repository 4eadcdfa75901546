package drive

import "context"

// javaFamily returns the lanes of Java, or what is missing for them.
func javaFamily(context.Context) (f family, missing string) {
	return nil, "there are none yet"
}
