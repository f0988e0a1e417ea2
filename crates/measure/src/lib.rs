#![doc = include_str!("../README.md")]

pub mod calibrate;
pub mod channel;
pub mod clock;
pub mod compare;
mod distribution;
mod error;
pub mod kernels;
pub mod keygen;
pub mod latency;
pub mod meter;
pub mod pin;
pub mod row;
pub mod schemes;
#[cfg(feature = "tls")]
pub mod tables;
mod watch;
pub mod windows;

pub use error::Error;
pub use watch::{Progress, Step, Watch};
