//! Hasten on other machines, in emulation: `cargo xtask arm` and `riscv`.

pub mod arm;
pub mod riscv;
