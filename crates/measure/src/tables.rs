//! Tables of wolfSSL's appendix on post-quantum cryptography, reproduced on this machine.
//!
//! Each module makes one kind of table, from the registry or by measuring. [`appendix`] has the
//! published figures, with which `--compare` compares.

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
