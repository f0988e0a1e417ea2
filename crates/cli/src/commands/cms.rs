//! `hasten cms`: SignedData of CMS, signed and verified.

mod verify;

use std::process::ExitCode;

use clap::Subcommand;

use super::sign;
use crate::error::Error;
use crate::form::Format;

/// The subcommands of `hasten cms`.
#[derive(Subcommand)]
pub enum Cms {
    /// Signs a file: 'hasten sign --format cms'.
    #[command(mut_arg("format", |format| format.hide(true)))]
    #[command(after_help = include_str!("cms/sign.txt"))]
    Sign(Box<sign::Args>),
    /// Verifies a signature, its attributes and, with --ca, its certificate.
    Verify(verify::Args),
}

/// Runs the command; gives the status to end with.
pub fn run(which: Cms) -> Result<ExitCode, Error> {
    match which {
        Cms::Sign(mut args) => {
            args.must_be(Format::Cms)?;
            sign::run(&args)
        }
        Cms::Verify(args) => verify::run(&args),
    }
}
