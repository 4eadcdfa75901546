// Package pin keeps a process on one core.
package pin
