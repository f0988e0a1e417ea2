//! `hasten dual`: two signatures by two keys, in one file.

use std::process::ExitCode;

use clap::Subcommand;

use super::{dual_sign as sign, dual_verify as verify};
use crate::error::Error;

/// The subcommands of `hasten dual`.
#[derive(Subcommand)]
pub enum Dual {
    /// Signs a file with both keys.
    #[command(after_help = include_str!("dual/sign.txt"))]
    Sign(Box<sign::Args>),
    /// Verifies both signatures: one alone is not enough.
    #[command(after_help = include_str!("dual/verify.txt"))]
    Verify(verify::Args),
}

/// Runs the command and returns its exit status.
pub fn run(which: &Dual) -> Result<ExitCode, Error> {
    match which {
        Dual::Sign(args) => sign::run(args),
        Dual::Verify(args) => verify::run(args),
    }
}
