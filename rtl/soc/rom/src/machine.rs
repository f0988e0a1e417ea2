//! The registers of the system (`rtl/soc/soc_pkg.sv`), and all `unsafe` code but the jump.

use core::alloc::{GlobalAlloc, Layout};

/// 64 KiB of RAM.
pub const RAM: usize = 0x2000_0000;
/// Bytes of the RAM.
pub const RAM_BYTES: usize = 0x1_0000;

const UART: usize = 0x3000_0000;
const FLASH: usize = 0x3000_0100;
const FUSES: usize = 0x3000_0200;
const GATE: usize = 0x3000_0300;
/// The registers of the verifier.
pub const VERIFIER: usize = 0x3000_0400;
/// Words of the verifier's stream, and the last one.
pub const STREAM: [usize; 2] = [0x3000_0480, 0x3000_0484];

/// Words of a hash of a public key.
pub const HASH_WORDS: usize = 8;
/// The fuses behind two such hashes: the lowest version that boots, and the life cycle.
pub const LOWEST_VERSION: usize = 16;
/// The life cycle.
pub const LIFE: usize = 17;

/// Reads a word of a device or of the RAM.
#[inline(always)]
pub fn read(address: usize) -> u32 {
    // SAFETY: the address is one of this machine's constants or lies in the RAM, and is aligned.
    unsafe { (address as *const u32).read_volatile() }
}

/// Writes a word of a device or of the RAM.
#[inline(always)]
pub fn write(address: usize, word: u32) {
    // SAFETY: as above; no object of the program lies there.
    unsafe { (address as *mut u32).write_volatile(word) };
}

/// Returns words as the bytes that they are in memory.
pub fn bytes(words: &[u32]) -> &[u8] {
    // SAFETY: every byte of a word is one, and a byte may lie anywhere.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), 4 * words.len()) }
}

/// Returns the same to be changed.
pub fn bytes_of(words: &mut [u32]) -> &mut [u8] {
    // SAFETY: every byte of a word is one, and a byte may lie anywhere.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), 4 * words.len()) }
}

/// Begins to read the flash at an address.
pub fn start_flash(address: u32) {
    write(FLASH, address);
}

/// Returns the next word of the flash.
#[inline(always)]
pub fn flash_word() -> u32 {
    read(FLASH)
}

/// Returns a word that was programmed once.
#[inline(never)]
pub fn fuse(number: usize) -> u32 {
    read(FUSES + 4 * number)
}

/// Writes both words of the gate; it opens if they are those of a good image.
#[inline(never)]
pub fn open(first: u32, second: u32) {
    write(GATE, first);
    write(GATE + 4, second);
}

/// Says what the ROM has come to.
pub fn tell(state: u32) {
    write(GATE + 8, state);
}

/// Sends a byte.
pub fn send(byte: u8) {
    write(UART, byte.into());
}

/// Waits until a reset.
pub fn stop() -> ! {
    loop {
        // SAFETY: waits for an interrupt, and there is none.
        unsafe { core::arch::asm!("wfi") };
    }
}

/// Starts the image, and gives it its version.
pub fn jump(entry: u32, version: u32) -> ! {
    // SAFETY: the image was found good, and the entry lies in it.
    unsafe { core::arch::asm!("jr {0}", in(reg) entry, in("a0") version, options(noreturn)) }
}

/// Copies and fills, words before bytes: the compiler's own take ten times the code. The processor
/// takes words at any address. It would wait for a load that the next instruction needs.
mod memory {
    use core::arch::global_asm;

    global_asm!(
        ".section .text.memory",
        ".global memcpy, memset",
        "memcpy:",
        "add a2, a2, a0",
        "addi a5, a2, -3",
        "mv a3, a0",
        "j 2f",
        "1: lw a4, 0(a1)",
        "addi a1, a1, 4",
        "addi a3, a3, 4",
        "sw a4, -4(a3)",
        "2: bltu a3, a5, 1b",
        "j 4f",
        "3: lbu a4, 0(a1)",
        "addi a1, a1, 1",
        "addi a3, a3, 1",
        "sb a4, -1(a3)",
        "4: bne a3, a2, 3b",
        "ret",
        // Words where all bytes are zero, four at a time.
        "memset:",
        "add a2, a2, a0",
        "mv a3, a0",
        "bnez a1, 4f",
        "addi a5, a2, -15",
        "j 2f",
        "1: sw zero, 0(a3)",
        "sw zero, 4(a3)",
        "sw zero, 8(a3)",
        "sw zero, 12(a3)",
        "addi a3, a3, 16",
        "2: bltu a3, a5, 1b",
        "j 4f",
        "3: sb a1, 0(a3)",
        "addi a3, a3, 1",
        "4: bne a3, a2, 3b",
        "ret",
    );
}

/// The allocator that the crate `alloc` asks for: it has nothing to give, and is not called.
struct Nothing;

#[global_allocator]
static NOTHING: Nothing = Nothing;

// SAFETY: no block is ever given.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
