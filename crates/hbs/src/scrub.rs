//! Overwriting of the stack after work with secrets, and the depths that this needs.
//!
//! Every operation that uses a seed or a secret element of a chain runs inside [`deep`],
//! [`one_time`] or [`rows`]. Everything that the compiler put on the stack is then overwritten when
//! the operation returns. The sizes are larger than any backend needs. The test `residue` measures
//! this, and searches for secrets that are left.

use hasten_kernels::scrubbed;

/// Bytes for any job: trees, leaves, one-time keys. Only the vector backends, which need `std`, use
/// that much; unoptimised code uses more.
const DEEP: usize = (if cfg!(feature = "std") { 64 << 10 } else { 24 << 10 }) * SLACK;
/// Bytes for chains whose keys and masks are prepared, as in signing at level `masks`.
const ROWS: usize = (if cfg!(feature = "std") { 36 << 10 } else { 16 << 10 }) * SLACK;
/// Bytes for a one-time signature over a kernel that goes no deeper than [`SHALLOW`].
const BRIEF: usize = (SHALLOW + (1 << 9)) * SLACK;
const SHALLOW: usize = 1 << 10;
const SLACK: usize = if cfg!(debug_assertions) { 2 } else { 1 };

/// Runs `job` and overwrites the stack that it used.
pub fn deep<T>(job: impl FnOnce() -> T) -> T {
    scrubbed::<DEEP, T>(job)
}

/// Runs a job that computes a one-time signature but no tree, and overwrites the stack that it
/// used. `depth` is the stack depth of the kernel, if it is known.
pub fn one_time<T>(depth: Option<usize>, job: impl FnOnce() -> T) -> T {
    match depth {
        Some(..=SHALLOW) => scrubbed::<BRIEF, T>(job),
        _ => deep(job),
    }
}

/// Runs a job that only advances chains by their rows, and overwrites the stack that it used.
pub fn rows<T>(depth: Option<usize>, job: impl FnOnce() -> T) -> T {
    match depth {
        Some(..=SHALLOW) => scrubbed::<BRIEF, T>(job),
        _ => scrubbed::<ROWS, T>(job),
    }
}
