//! The machine: startup, output and exit.

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use core::panic::PanicInfo;

/// Address of the exit status. Writing a word ends the program: 0 means success.
const END: *mut u32 = 0x8000_0000 as *mut u32;

/// Address of the output. A byte written here is printed.
const TEXT: *mut u32 = 0x8000_0004 as *mut u32;

/// Address of the counters of cycles by kind.
const SPENT: *const u32 = 0x8000_0010 as *const u32;

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

// On the small processor the counters always run and a trap stops it. Its registers start with
// arbitrary values, and a function saves some of them before it uses them.
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

/// The host, as a text sink.
pub(crate) struct Host;

impl Write for Host {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // SAFETY: the host always accepts a word at this address.
            unsafe { TEXT.write_volatile(byte.into()) };
        }
        Ok(())
    }
}

/// Ends the program with status 0 if all is well, otherwise 1.
pub fn end(well: bool) -> ! {
    // SAFETY: the host always accepts a word at this address.
    unsafe { END.write_volatile(u32::from(!well)) };
    loop {}
}

/// Cycles by kind of instruction, each counted up to its end.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    /// All cycles.
    pub cycles: u32,
    /// Cycles of loads and stores, and one cycle of each instruction of the unit.
    pub moving: u32,
    /// Cycles in which an instruction waits for the unit.
    pub hashing: u32,
    /// All other cycles.
    pub control: u32,
}

impl Spent {
    /// Returns the cycles so far.
    #[inline(always)]
    pub fn now() -> Self {
        let cycles = cycles();
        // SAFETY: the host always answers at these addresses.
        let [moving, hashing, control] = [0, 1, 2].map(|i| unsafe { SPENT.add(i).read_volatile() });
        Self { cycles, moving, hashing, control }
    }

    /// Returns the cycles spent since `then`.
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
