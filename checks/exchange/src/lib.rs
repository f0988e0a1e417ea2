//! Hasten beside other libraries and under many clients: `cargo xtask interop`, `handshakes` and
//! `load`.

pub mod handshakes;
pub mod interop;
pub mod load;
