//! The machine: where it starts, how it speaks, how it ends.

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use core::panic::PanicInfo;

/// A word here ends the program: 0 if all is well.
const END: *mut u32 = 0x8000_0000 as *mut u32;

/// A byte here is printed.
const TEXT: *mut u32 = 0x8000_0004 as *mut u32;

/// Words here count cycles by what they were spent on.
const SPENT: *const u32 = 0x8000_0010 as *const u32;

// The loops of memset and memcpy move eight words at a time: those of the compiler's library take
// five cycles for a word.
global_asm!(
    ".section .init",
    ".global _start",
    "_start:",
    "la sp, _stack_high",
    "la t0, _bss_start",
    "la t1, _bss_end",
    "1: bgeu t0, t1, 2f",
    "sw zero, 0(t0)",
    "addi t0, t0, 4",
    "j 1b",
    "2: call _prepare",
    "call main",
    "3: j 3b",
    ".text",
    ".global memset",
    "memset:",
    "mv a3, a0",
    "andi a1, a1, 255",
    "slli a4, a1, 8",
    "or a1, a1, a4",
    "slli a4, a1, 16",
    "or a1, a1, a4",
    "1: andi a4, a3, 3",
    "beqz a4, 2f",
    "beqz a2, 5f",
    "sb a1, 0(a3)",
    "addi a3, a3, 1",
    "addi a2, a2, -1",
    "j 1b",
    "2: addi a4, a2, -32",
    "bltz a4, 4f",
    "3: sw a1, 0(a3)",
    "sw a1, 4(a3)",
    "sw a1, 8(a3)",
    "sw a1, 12(a3)",
    "sw a1, 16(a3)",
    "sw a1, 20(a3)",
    "sw a1, 24(a3)",
    "sw a1, 28(a3)",
    "addi a3, a3, 32",
    "addi a4, a4, -32",
    "bgez a4, 3b",
    "andi a2, a2, 31",
    "4: beqz a2, 5f",
    "sb a1, 0(a3)",
    "addi a3, a3, 1",
    "addi a2, a2, -1",
    "j 4b",
    "5: ret",
);

// Copies words from where no word is.
#[cfg(not(feature = "small"))]
global_asm!(
    ".text",
    ".global memcpy",
    "memcpy:",
    "mv a3, a0",
    "1: addi a4, a2, -32",
    "bltz a4, 3f",
    "2: lw a5, 0(a1)",
    "lw a6, 4(a1)",
    "lw a7, 8(a1)",
    "lw t0, 12(a1)",
    "lw t1, 16(a1)",
    "lw t2, 20(a1)",
    "lw t3, 24(a1)",
    "lw t4, 28(a1)",
    "sw a5, 0(a3)",
    "sw a6, 4(a3)",
    "sw a7, 8(a3)",
    "sw t0, 12(a3)",
    "sw t1, 16(a3)",
    "sw t2, 20(a3)",
    "sw t3, 24(a3)",
    "sw t4, 28(a3)",
    "addi a1, a1, 32",
    "addi a3, a3, 32",
    "addi a4, a4, -32",
    "bgez a4, 2b",
    "andi a2, a2, 31",
    "3: addi a4, a2, -4",
    "bltz a4, 5f",
    "4: lw a5, 0(a1)",
    "sw a5, 0(a3)",
    "addi a1, a1, 4",
    "addi a3, a3, 4",
    "addi a4, a4, -4",
    "bgez a4, 4b",
    "andi a2, a2, 3",
    "5: beqz a2, 6f",
    "lbu a5, 0(a1)",
    "sb a5, 0(a3)",
    "addi a1, a1, 1",
    "addi a3, a3, 1",
    "addi a2, a2, -1",
    "j 5b",
    "6: ret",
);

// The counters run once mcountinhibit is 0. A trap ends the program with its cause.
#[cfg(not(feature = "small"))]
global_asm!(
    ".section .init",
    "_prepare:",
    "csrw mcountinhibit, zero",
    "la t0, _trap",
    "csrw mtvec, t0",
    "ret",
    ".balign 128",
    "_trap:",
    "csrr t0, mcause",
    "addi t0, t0, 2",
    "lui t1, 0x80000",
    "sw t0, 0(t1)",
    "1: j 1b",
);

// The small processor has counters that run, stops at a trap, and begins with anything in the
// registers, some of which a function keeps before it uses them.
#[cfg(feature = "small")]
global_asm!(
    ".section .init",
    "_prepare:",
    "li s0, 0",
    "li s1, 0",
    "li s2, 0",
    "li s3, 0",
    "li s4, 0",
    "li s5, 0",
    "li s6, 0",
    "li s7, 0",
    "li s8, 0",
    "li s9, 0",
    "li s10, 0",
    "li s11, 0",
    "ret",
);

/// Reads the low word of the cycle counter.
#[inline(always)]
fn cycles() -> u32 {
    let cycles: u32;
    // SAFETY: reads a counter.
    unsafe {
        #[cfg(not(feature = "small"))]
        asm!("csrr {0}, mcycle", out(reg) cycles);
        #[cfg(feature = "small")]
        asm!("rdcycle {0}", out(reg) cycles);
    }
    cycles
}

/// The host as a text sink.
pub(crate) struct Host;

impl Write for Host {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // SAFETY: the host takes a word at this address, always.
            unsafe { TEXT.write_volatile(byte.into()) };
        }
        Ok(())
    }
}

/// Ends the program: status 0 if all is well, else 1.
pub fn end(well: bool) -> ! {
    // SAFETY: the host takes a word at this address, always.
    unsafe { END.write_volatile(u32::from(!well)) };
    loop {}
}

/// Cycles up to the end of each instruction, by its kind.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    /// All of them.
    pub cycles: u32,
    /// Those of loads and stores, and one of each instruction of the unit.
    pub moving: u32,
    /// Those in which an instruction waits for the unit.
    pub hashing: u32,
    /// All others.
    pub control: u32,
}

impl Spent {
    /// Returns the cycles so far.
    #[inline(always)]
    pub fn now() -> Self {
        let cycles = cycles();
        // SAFETY: the host answers at these addresses, always.
        let [moving, hashing, control] = [0, 1, 2].map(|i| unsafe { SPENT.add(i).read_volatile() });
        Self { cycles, moving, hashing, control }
    }

    /// Returns the cycles since then.
    pub fn since(self, then: Self) -> Self {
        Self {
            cycles: self.cycles.wrapping_sub(then.cycles),
            moving: self.moving.wrapping_sub(then.moving),
            hashing: self.hashing.wrapping_sub(then.hashing),
            control: self.control.wrapping_sub(then.control),
        }
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let _ = writeln!(Host, "{info}");
    end(false)
}
