//! Hasten compared with other libraries, and under many clients: `cargo xtask interop`,
//! `handshakes`, `rates` and `load`.

pub mod handshakes;
pub mod interop;
pub mod load;
pub mod rates;
