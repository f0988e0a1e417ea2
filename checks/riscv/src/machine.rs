//! The machine: startup, output and exit.

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use core::panic::PanicInfo;

/// The serial port's data register.
const SERIAL: *mut u8 = 0x1000_0000 as *mut u8;

/// Register that ends the machine when written.
const FINISHER: *mut u32 = 0x0010_0000 as *mut u32;

/// Value that ends the machine with status 0.
const PASS: u32 = 0x5555;

/// Value that ends the machine with status 1.
const FAIL: u32 = 0x0001_3333;

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
    "2: call main",
    "3: j 3b",
);

/// The serial port, as a text sink.
pub(crate) struct Serial;

impl Write for Serial {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // SAFETY: the machine has a serial port at this address, which is always ready.
            unsafe { SERIAL.write_volatile(byte) };
        }
        Ok(())
    }
}

/// Ends the machine with status 0 if all is well, otherwise 1.
pub fn end(well: bool) -> ! {
    // SAFETY: the machine has its finisher at this address.
    unsafe { FINISHER.write_volatile(if well { PASS } else { FAIL }) };
    loop {}
}

/// Returns the number of instructions retired so far.
pub(crate) fn instructions() -> u32 {
    let count: u32;
    // SAFETY: reads a counter.
    unsafe { asm!("rdinstret {0}", out(reg) count) };
    count
}

/// Returns the stack pointer.
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let at: usize;
    // SAFETY: reads a register.
    unsafe { asm!("mv {0}, sp", out(reg) at) };
    at
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    end(false)
}
