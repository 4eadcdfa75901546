//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// BLOCK looks at 64 bytes and collects what is wrong with them in Z31. Z0 holds the
// bytes, Z1, Z2 and Z3 the ones one, two and three places before each of them. In order:
// what the byte before forbids, by its upper six bits and by its lower six; what the
// byte itself is; where all three agree. Then bit 7 for each byte that must continue,
// because a sequence of three began two places before or one of four three places
// before. It is an error where that bit is not that of the lookups, or where these have
// another. The shifts are of 16-bit words, so the upper two bits of each index are
// leftovers; VPERMB looks at the other six.
#define BLOCK \
	VPSRLW     $2, Z1, Z4         \
	VPERMB     Z16, Z4, Z4        \
	VPERMB     Z17, Z1, Z5        \
	VPSRLW     $2, Z0, Z6         \
	VPERMB     Z18, Z6, Z6        \
	VPTERNLOGD $0x80, Z4, Z5, Z6  \
	VPSUBUSB   Z20, Z2, Z2        \
	VPSUBUSB   Z21, Z3, Z3        \
	VPTERNLOGD $0xa8, Z22, Z3, Z2 \
	VPTERNLOGD $0xf6, Z2, Z6, Z31

// TABLES loads what BLOCK looks up, and what it compares with.
#define TABLES \
	VMOVDQU64    tables_before(DI), Z16 \
	VMOVDQU64    tables_low(DI), Z17    \
	VMOVDQU64    tables_this(DI), Z18   \
	VMOVDQU64    tables_shift(DI), Z19  \
	MOVL         $0x60, AX              \
	VPBROADCASTB AX, Z20                \
	MOVL         $0x70, AX              \
	VPBROADCASTB AX, Z21                \
	MOVL         $0x80, AX              \
	VPBROADCASTB AX, Z22                \
	VPXORD       Z31, Z31, Z31

// FIRST is BLOCK for the first bytes in Z0 that are not ASCII. Zeros stand for what is before them.
#define FIRST \
	MOVQ     $-2, AX         \
	KMOVQ    AX, K1          \
	VPERMB.Z Z0, Z19, K1, Z1 \
	VPERMB.Z Z1, Z19, K1, Z2 \
	VPERMB.Z Z2, Z19, K1, Z3 \
	BLOCK

// ANSWER returns whether nothing was wrong.
#define ANSWER \
	VPTESTMB Z31, Z31, K2 \
	KORTESTQ K2, K2       \
	SETEQ    ret+24(FP)   \
	VZEROUPPER            \
	RET

// func validBlocks(s string, t *tables) bool
// Requires: AVX512F, AVX512BW, AVX512VBMI, and 67 bytes of s or more.
TEXT ·validBlocks(SB), NOSPLIT, $0-25
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), DX
	MOVQ t+16(FP), DI

	TABLES

	// DX is where the last block begins. It ends where the string does, and may
	// repeat what the one before it has seen.
	LEAQ -64(SI)(DX*1), DX

	// ASCII blocks are stepped over until the first other one, since most strings
	// have no other.
ascii:
	VMOVDQU64 (SI), Z0
	VPMOVB2M  Z0, K2
	KORTESTQ  K2, K2
	JNZ       first
	ADDQ      $64, SI
	CMPQ      SI, DX
	JB        ascii
	JMP       last

	// What stands before this block, if anything, is ASCII. So are the zeros that
	// are moved in here instead.
first:
	FIRST
	ADDQ $64, SI

loop:
	CMPQ      SI, DX
	JAE       last
	VMOVDQU64 (SI), Z0
	VMOVDQU64 -1(SI), Z1
	VMOVDQU64 -2(SI), Z2
	VMOVDQU64 -3(SI), Z3
	BLOCK
	ADDQ      $64, SI
	JMP       loop

last:
	VMOVDQU64 (DX), Z0
	VMOVDQU64 -1(DX), Z1
	VMOVDQU64 -2(DX), Z2
	VMOVDQU64 -3(DX), Z3
	BLOCK

	ANSWER

// func validBlock(s string, t *tables) bool
// Requires: AVX512F, AVX512BW, AVX512VBMI, and less than 64 bytes of s.
TEXT ·validBlock(SB), NOSPLIT, $0-25
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	MOVQ t+16(FP), DI

	// Only the bytes of s are loaded; zeros stand behind them, which do not continue a
	// sequence that the end cuts short.
	MOVL       $1, AX
	SHLQ       CX, AX
	DECQ       AX
	KMOVQ      AX, K1
	VMOVDQU8.Z (SI), K1, Z0

	TABLES

	FIRST

	ANSWER
