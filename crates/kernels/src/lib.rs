//! Batched SHA-256, SHA-512 and Keccak-f\[1600\].
//!
//! A scheme takes a [`Kernels`] bundle and passes batches to it. There are six ways to use it, from
//! the simplest to the most direct:
//!
//! * [`Midstate`]: one message, whole or in pieces;
//! * [`many`], [`keyed_many`]: many messages of one length with a common prefix;
//! * [`chain`]: many values, each advanced by a number of steps of its own;
//! * [`grid`]: messages and chains with addresses that count up;
//! * [`node`]: pairs of values under a key and masks;
//! * [`Kernel::compress`]: the bare kernel.
//!
//! ```
//! use hasten_kernels::{Kernels, Midstate, many};
//! let kernels = Kernels::best();
//! let mut digests = [[0; 32]; 3];
//! let shake = Midstate::shake256();
//! many(kernels.keccak, &shake, b"onetwosix", digests.as_flattened_mut(), 32);
//! ```
//!
//! Kernels leave parts of their input on the stack. Run jobs with secrets in [`scrubbed`], which
//! overwrites the stack afterwards.
//!
//! The crate does not allocate. No branch or index depends on the hashed bytes.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

mod backend;
mod bundle;
#[cfg(target_has_atomic = "64")]
mod counting;
mod error;
mod hash;
mod kernel;
mod lanes;
mod scrub;
mod word;

pub use backend::Portable;
#[cfg(all(feature = "std", target_arch = "aarch64", target_endian = "little"))]
pub use backend::{ArmSha2, ArmSha3, ArmSha512, Neon};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use backend::{Avx2, Avx512, Avx512Vl, ShaNi};
pub use bundle::NAMES;
#[cfg(target_has_atomic = "64")]
pub use counting::{Counter, Counting, Counts, Event, Observer};
pub use error::Error;
pub use hash::{State256, State512, State1600};
pub use kernel::chain;
pub use kernel::function::{HashFunction, Keccak, Sha256, Sha512, Which};
pub use kernel::grid::{self, numbered, trace, walk};
pub use kernel::message::{Messages, Places, keyed_many, many, prepare_keys};
pub use kernel::midstate::Midstate;
pub use kernel::node;
pub use kernel::{Kernel, Kernels};
pub use scrub::scrubbed;
