//! Rows of `results/hardware.json`, and tables and checks made from them.

pub mod claims;
pub mod closing;
pub mod ladder;
pub mod rows;
