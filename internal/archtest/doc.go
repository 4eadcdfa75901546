// Package archtest holds a test that keeps the packages of this module apart: which of
// them may import which others. See DESIGN.md for the reasons.
package archtest
