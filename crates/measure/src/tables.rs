//! Tables of wolfSSL's appendix on post-quantum cryptography, made anew on this machine.
//!
//! Each module makes one kind of table out of the registry, or by measuring; [`appendix`] holds the
//! figures published there, which `--compare` puts beside ours.

pub mod appendix;
pub mod binary;
pub mod bounds;
pub mod connect;
pub mod handshake;
pub mod identity;
pub mod memory;
pub mod names;
pub mod sheet;
pub mod speed;
pub mod wire;
