//! Batched SHA-256, SHA-512 and Keccak-f\[1600\].
//!
//! A scheme takes a [`Kernels`] bundle and hands it batches. There are four ways in, from the
//! plainest to the fastest:
//!
//! * [`Midstate`]: one message, whole or in pieces;
//! * [`many`], [`keyed_many`]: many messages of one length, with a common prefix;
//! * [`chain`]: many values, each advanced by its own number of steps, in registers;
//! * [`Sha256::compress`], [`Sha512::compress`], [`Keccak::permute`]: the bare kernel.
//!
//! ```
//! use hasten_kernels::{Kernels, Midstate, ViaKeccak, many};
//! let kernels = Kernels::best();
//! let mut digests = [[0; 32]; 3];
//! let shake = Midstate::shake256();
//! many(ViaKeccak(kernels.keccak), &shake, b"onetwosix", digests.as_flattened_mut(), 32);
//! ```
//!
//! Kernels leave parts of what they hashed on the stack; [`scrubbed`] overwrites it after a job with
//! secrets.
//!
//! Nothing here allocates, and no branch or index depends on the bytes that are hashed.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod batch;
mod bundle;
pub mod chain;
mod engines;
mod error;
mod fused;
mod message;
mod midstate;
mod portable;
#[cfg(target_has_atomic = "64")]
mod probe;
mod round;
mod scrub;
mod seam;
mod vector;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86;

pub use bundle::{Kernels, NAMES};
pub use error::Error;
pub use message::{Messages, keyed_many, many, prepare_keys};
pub use midstate::{Midstate, State};
pub use portable::Portable;
#[cfg(target_has_atomic = "64")]
pub use probe::{Counter, Counts, Event, Observer, Probe, Which};
pub use scrub::scrubbed;
pub use seam::{
    Keccak, Kernel, Sha256, Sha512, State256, State512, State1600, ViaKeccak, ViaSha256, ViaSha512,
};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use x86::{Avx2, Avx512, ShaNi};
