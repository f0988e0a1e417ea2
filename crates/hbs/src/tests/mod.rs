//! Tests that need the inside of the crate, and a tree to test with.

#[cfg(feature = "std")]
mod counts;
pub(crate) mod toy;
