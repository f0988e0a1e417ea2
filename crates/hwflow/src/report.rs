//! Rows of `results/hardware.json`, and the claims, tables and plots of each core.

pub mod claims;
mod description;
mod formula;
mod gates;
pub mod plots;
pub mod rows;
mod table;
