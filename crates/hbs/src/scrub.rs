//! How deep the stack is overwritten after work with secrets.
//!
//! Every operation that touches a seed or an element of a chain runs inside [`deep`] or [`rows`],
//! so that what the compiler put on the stack is gone when it returns. The sizes are above what any
//! backend uses; the test `residue` measures that, and finds what is left.

use hasten_kernels::scrubbed;

/// Bytes for anything: trees, leaves, one-time keys. Only the vector backends, which `std` brings,
/// use that much, and unoptimized code more.
const DEEP: usize = (if cfg!(feature = "std") { 64 << 10 } else { 24 << 10 }) * SLACK;
/// Bytes for chains whose keys and masks are at hand: what signing at level `masks` waits for.
const ROWS: usize = (if cfg!(feature = "std") { 36 << 10 } else { 16 << 10 }) * SLACK;
/// Bytes of a one-time signature over a kernel that goes no deeper than [`SHALLOW`].
const BRIEF: usize = (SHALLOW + (1 << 9)) * SLACK;
const SHALLOW: usize = 1 << 10;
const SLACK: usize = if cfg!(debug_assertions) { 2 } else { 1 };

/// Runs `job` and overwrites the stack it used.
pub fn deep<T>(job: impl FnOnce() -> T) -> T {
    scrubbed::<DEEP, T>(job)
}

/// Does the same for a job that makes a one-time signature and no tree, over a kernel that says how
/// deep it goes, or does not.
pub fn one_time<T>(depth: Option<usize>, job: impl FnOnce() -> T) -> T {
    match depth {
        Some(..=SHALLOW) => scrubbed::<BRIEF, T>(job),
        _ => deep(job),
    }
}

/// Does the same for a job that takes chains by their rows, and no more.
pub fn rows<T>(depth: Option<usize>, job: impl FnOnce() -> T) -> T {
    match depth {
        Some(..=SHALLOW) => scrubbed::<BRIEF, T>(job),
        _ => scrubbed::<ROWS, T>(job),
    }
}
