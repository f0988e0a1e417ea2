//! Hasten on other machines: in emulation (`cargo xtask arm` and `riscv`), and on the processor of
//! `rtl/asip` in simulation (`cargo xtask hw asip`), compared with a model (`cargo xtask hw
//! lockstep`). `cargo xtask x86` counts instructions on this machine.

pub mod arm;
pub mod asip;
mod listing;
pub mod lockstep;
pub mod riscv;
pub mod x86;
