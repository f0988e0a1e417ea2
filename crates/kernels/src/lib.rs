//! Batched SHA-256, SHA-512 and Keccak-f\[1600\].
//!
//! A scheme takes a [`Kernels`] bundle and hands it batches. There are four ways in, from the
//! plainest to the fastest:
//!
//! * [`Midstate`]: one message, whole or in pieces;
//! * [`many`], [`keyed_many`]: many messages of one length, with a common prefix;
//! * [`chain`]: many values, each advanced by its own number of steps, in registers;
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
//! Kernels leave parts of what they hashed on the stack. [`scrubbed`] overwrites it after a job
//! with secrets.
//!
//! Nothing here allocates, and no branch or index depends on the bytes that are hashed.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

mod backend;
mod bundle;
pub mod chain;
#[cfg(target_has_atomic = "64")]
mod counting;
mod error;
mod hash;
mod kernel;
mod lanes;
mod message;
mod midstate;
mod scrub;

pub use backend::Portable;
#[cfg(all(feature = "std", target_arch = "aarch64", target_endian = "little"))]
pub use backend::{ArmSha2, ArmSha3, ArmSha512, Neon};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use backend::{Avx2, Avx512, ShaNi};
pub use bundle::{Kernels, NAMES};
#[cfg(target_has_atomic = "64")]
pub use counting::{Counter, Counting, Counts, Event, Observer};
pub use error::Error;
pub use hash::{HashFunction, Keccak, Sha256, Sha512, State256, State512, State1600, Which};
pub use kernel::Kernel;
pub use message::{Messages, keyed_many, many, prepare_keys};
pub use midstate::Midstate;
pub use scrub::scrubbed;
