//! Overwriting the stack that a job has used.
//!
//! A compiler may keep values in memory at any time: lanes that do not fit the registers, moved
//! structures, arguments. Clearing variables does not reach these copies. Code that hashes secrets
//! therefore runs the job through [`scrubbed`], which overwrites the stack below it afterwards. The
//! job must not return a secret by value, only a pointer to one.

use core::hint::black_box;

/// Runs `job`, then overwrites the `BYTES` bytes of stack below the caller, where the job has run.
pub fn scrubbed<const BYTES: usize, T>(job: impl FnOnce() -> T) -> T {
    let done = apart(job);
    overwrite::<BYTES>();
    done
}

/// Runs `job` in a stack frame of its own, which begins where that of [`overwrite`] will begin.
#[inline(never)]
fn apart<T>(job: impl FnOnce() -> T) -> T {
    job()
}

#[inline(never)]
fn overwrite<const BYTES: usize>() {
    black_box(&mut [0_u8; BYTES]);
}
