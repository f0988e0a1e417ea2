//! The start: a stack, and a place to go when something goes wrong.

use core::arch::global_asm;

global_asm!(
    ".section .init",
    ".global _start",
    "_start:",
    "la t0, 1f",
    "csrw mtvec, t0",
    "la sp, _stack_high",
    "call main",
    ".balign 128",
    "1: lui sp, %hi(_stack_high)",
    "call defect",
    "2: j 2b",
);
