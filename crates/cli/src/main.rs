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
mod image;
#[cfg(feature = "measure")]
mod key;
mod output;
mod parse;
mod passphrase;
mod private_key;
mod progress;
mod report;
mod shipped;
mod store_args;
mod suggest;
mod units;
mod wait;
#[cfg(feature = "measure")]
mod watch;
mod witness;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use hasten_process::{files, interrupt, memory, terminal};

use crate::error::Error;

/// Signs and verifies within a latency budget, with one-time keys that are never used twice.
#[derive(Parser)]
#[command(name = "hasten", version, subcommand_required = true, max_term_width = 100)]
#[command(after_help = include_str!("hasten.txt"))]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    interrupt::end_with(interrupted);
    let done = parsed().map_err(Error::from).and_then(|cli| cli.command.run());
    done.unwrap_or_else(|error| error.report())
}

/// Ends the command at Ctrl-C, with its sentence and its status.
fn interrupted() -> ! {
    terminal::show_typing();
    Error::Interrupted.report();
    std::process::exit(i32::from(error::USAGE))
}

fn parsed() -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches()?;
    given::keep(&matches);
    Cli::from_arg_matches(&matches)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        super::Cli::command().debug_assert();
    }
}
