//! Hasten on other machines, in emulation: `cargo xtask arm` and `riscv`. `cargo xtask x86` counts
//! instructions on this one.

pub mod arm;
mod listing;
pub mod riscv;
pub mod x86;
