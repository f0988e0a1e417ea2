//! One module per command. To add one: a module, and a variant here; its arguments and a `run`
//! that gives the status live in the module.

mod bench;
mod latency;
mod list;

use std::process::ExitCode;

use clap::Subcommand;

use crate::error::Error;

/// What can be asked for.
#[derive(Subcommand)]
pub enum Command {
    /// Lists the parameter sets: sizes, capacity, and who approves them.
    List(list::Args),
    /// Signs, sends and verifies messages, and says whether a latency budget is met.
    Latency(latency::Args),
    /// Measures the kernels, or XMSS at every level, beside other implementations.
    Bench(bench::Args),
}

impl Command {
    /// Runs the command; gives the status to end with.
    pub fn run(self) -> Result<ExitCode, Error> {
        match self {
            Self::List(args) => list::run(&args),
            Self::Latency(args) => latency::run(&args),
            Self::Bench(args) => bench::run(&args),
        }
    }
}
