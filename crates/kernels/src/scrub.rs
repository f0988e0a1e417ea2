//! The stack that a job leaves behind, overwritten.
//!
//! A compiler keeps values in memory where it likes: lanes that do not fit the registers, moved
//! structures, arguments. Clearing variables does not reach these copies, so whoever hashes secrets
//! runs the job through [`scrubbed`], which overwrites the stack below it afterwards. The job must
//! not return a secret by value, only what points to one.

use core::hint::black_box;

/// Runs `job`, then overwrites the `BYTES` of stack below the caller, which the job has used.
pub fn scrubbed<const BYTES: usize, T>(job: impl FnOnce() -> T) -> T {
    let done = apart(job);
    overwrite::<BYTES>();
    done
}

/// Begins a frame of its own, at the place where that of [`overwrite`] will begin.
#[inline(never)]
fn apart<T>(job: impl FnOnce() -> T) -> T {
    job()
}

#[inline(never)]
fn overwrite<const BYTES: usize>() {
    black_box(&mut [0_u8; BYTES]);
}
