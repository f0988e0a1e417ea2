//! Microprograms, constants and the exact model of the Ed25519 core in `rtl/ed25519`.
//!
//! The programs are written here once. [`emit`] turns them into the SystemVerilog that the core
//! reads, and [`model`] runs the same words with the same issue rule, bit by bit and cycle by
//! cycle.

pub mod asm;
pub mod constants;
pub mod digits;
pub mod emit;
pub mod field;
pub mod half;
pub mod halve;
pub mod isa;
pub mod model;
pub mod operations;
pub mod point;
pub mod scalar;
