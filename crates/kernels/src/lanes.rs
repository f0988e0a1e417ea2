//! Work over a vector word: batches, digests, chains and rows in lanes.

#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) mod batch;
pub(crate) mod chains;
#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod digests;
#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod grid;
mod items;
pub(crate) mod plan;
mod rows;
mod step;
mod text;

#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use digests::digests;
#[cfg(all(feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use grid::{numbered, walk};
pub(crate) use rows::fill_rows;
