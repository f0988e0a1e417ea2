//! An image that says which version of it was started.
#![no_std]
#![no_main]

use core::arch::global_asm;
use hasten_soc_rom::machine::{send, stop};

global_asm!(".section .init", ".global _start", "_start:", "la sp, _stack_high", "call next",);

#[unsafe(no_mangle)]
extern "C" fn next(version: u32) -> ! {
    say(b"booted version ");
    say_number(version);
    send(b'\n');
    stop()
}

fn say(text: &[u8]) {
    text.iter().for_each(|byte| send(*byte));
}

fn say_number(number: u32) {
    if number >= 10 {
        say_number(number / 10);
    }
    send(b'0' + (number % 10) as u8);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    stop()
}
