//! The figures of wolfSSL's appendix, as published: bytes and speed on a Core i7-1165G7 at 3 GHz.

pub mod connect;
pub mod memory;
pub mod names;
pub mod sent;
pub mod sizes;
pub mod speed;
pub mod stateful;
pub mod withdrawn;

/// Machine on which the figures were taken.
pub const MACHINE: &str = "11th Gen Core i7-1165G7 at 3 GHz, liboqs and wolfSSL built with -Os";
