//! The `hasten` command: the only part of Hasten that prints, exits, or reads arguments.

#[cfg(not(unix))]
compile_error!("the tool is for Linux and macOS: its files and its keys with a state need a Unix");

mod backend;
mod certificates;
mod commands;
#[cfg(feature = "rtl")]
mod ed25519;
mod engine;
mod envelope;
mod error;
#[cfg(feature = "etcd")]
mod etcd;
mod fleet;
mod form;
mod found;
mod given;
mod guard;
mod help;
mod image;
mod imports;
#[cfg(feature = "measure")]
mod key;
mod manifest;
mod named;
mod output;
mod parse;
mod passphrase;
mod private_key;
mod progress;
mod report;
mod shipped;
mod store_args;
mod suggest;
mod unfit;
mod units;
mod verdict;
mod wait;
#[cfg(feature = "measure")]
mod watch;
mod witness;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use hasten_process::{files, interrupt, memory, terminal};

use crate::error::Error;

/// Version and commit.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("HASTEN_COMMIT"), ")");

/// Signs and verifies within a latency budget, with one-time keys that are never used twice.
#[derive(Parser)]
#[command(name = "hasten", version = VERSION, subcommand_required = true, max_term_width = 100)]
#[command(after_help = include_str!("hasten.txt"))]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    interrupt::end_with(interrupted);
    progress::show_reading();
    let ready = files::survive_limit().map_err(Error::from);
    let parsed = || parsed().map_err(Error::from);
    let done = ready.and_then(|()| parsed()).and_then(|cli| cli.command.run());
    done.unwrap_or_else(|error| error.report())
}

/// Ends the command at Ctrl-C, with the error and exit status of an interruption.
fn interrupted() -> ! {
    terminal::show_typing();
    Error::Interrupted.report();
    std::process::exit(i32::from(error::USAGE))
}

/// Returns all commands and their arguments.
fn commands() -> clap::Command {
    help::written(Cli::command())
}

fn parsed() -> Result<Cli, clap::Error> {
    let matches = commands().try_get_matches()?;
    given::keep(&matches);
    Cli::from_arg_matches(&matches)
}

#[cfg(test)]
mod tests;
