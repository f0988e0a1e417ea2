#![doc = include_str!("../README.md")]

mod command;
mod cpu;
mod failure;
mod frame;
mod grouped;
mod kept;
mod machine;
mod origin;
mod paths;
mod program;
mod skipped;
mod summary;
mod table;
mod time;

pub use command::{command, published_command, test_command};
pub use cpu::{cores, cpu, mhz};
pub use failure::Failure;
pub use frame::{Report, write};
pub use grouped::grouped;
pub use kept::keep;
pub use machine::{Machine, Unneeded};
pub use origin::{Origin, commit};
pub use paths::{path, path_if_any, paths};
pub use program::{argument, number, publish};
pub use skipped::{is_built, skipped};
pub use summary::{Summary, micros, rank, round};
pub use table::{Column, Table, numbers, words};
pub use time::{read_micros, read_time, scaled, show_micros, show_time};
