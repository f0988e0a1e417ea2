#![doc = include_str!("../README.md")]

mod command;
mod cpu;
mod frame;
mod grouped;
mod kept;
mod machine;
mod origin;
mod program;
mod summary;
mod time;

pub use command::{command, published_command, test_command};
pub use cpu::{cores, cpu, mhz};
pub use frame::{Report, write};
pub use grouped::grouped;
pub use kept::keep;
pub use machine::{Machine, Unneeded};
pub use origin::{Origin, commit};
pub use program::{argument, number, publish};
pub use summary::{Summary, micros, rank, round};
pub use time::{read_time, scaled, show_time};
