//! Tables of wolfSSL's appendix on post-quantum cryptography, made anew on this machine.
//!
//! Each module makes one kind of table out of the registry, or by measuring; [`appendix`] holds the
//! figures published there, which `--compare` puts beside ours.

pub mod account;
pub mod appendix;
pub mod binary;
pub mod bounds;
pub mod connect;
pub mod handshake;
pub mod identity;
pub mod maker;
pub mod memory;
pub mod names;
mod round_three;
pub mod sets;
pub mod sheet;
pub mod speed;
pub mod stateful;
pub mod wire;
