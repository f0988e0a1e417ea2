//! Tests that need private items of the crate, and a tree for tests.

#[cfg(feature = "std")]
mod counts;
pub(crate) mod toy;
