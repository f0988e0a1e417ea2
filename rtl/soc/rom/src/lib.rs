//! The machine, as its programs see it: registers, start, end.
#![cfg_attr(target_os = "none", no_std)]
#![cfg(target_os = "none")]

pub mod machine;
