//! Nothing: what start, heap, serial port and measurement alone take.
#![no_std]
#![no_main]

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    hasten_riscv::measure("none", || Some(()), |(), message| !message.is_empty(), &[0])
}
