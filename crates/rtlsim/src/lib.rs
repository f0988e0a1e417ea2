//! The hardware cores of `rtl/` from Rust: what is generated for them, exact models, and simulation.

pub mod ed25519;
