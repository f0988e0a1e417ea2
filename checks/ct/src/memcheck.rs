//! Requests to valgrind's memcheck. Without valgrind they do nothing.

use core::arch::asm;

/// The number of memcheck's first request: 'M' 'C'.
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;

/// Marks bytes as undefined: any branch or address that depends on them is an error.
pub fn undefine(bytes: &mut [u8]) {
    request(MEMCHECK + 1, bytes.as_ptr() as usize, bytes.len());
}

/// Marks bytes as defined.
pub fn define<T>(values: &mut [T]) {
    request(MEMCHECK + 2, values.as_ptr() as usize, size_of_val(values));
}

/// Executes the instruction sequence that valgrind recognises. On a processor it has no effect.
fn request(what: usize, at: usize, length: usize) {
    let words = [what, at, length, 0, 0, 0];
    // SAFETY: rotates a register by 128 bits altogether and exchanges another with itself. Valgrind
    // reads the six words and changes only its own record of the memory.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") 0usize => _,
        );
    }
}
