//! `hasten cms`: signs and verifies SignedData of CMS.

mod verify;

use std::process::ExitCode;

use clap::{Arg, Subcommand};

use super::sign;
use crate::error::Error;
use crate::form::Format;
use crate::help;

/// The subcommands of `hasten cms`.
#[derive(Subcommand)]
pub enum Cms {
    /// Signs a file: 'hasten sign --format cms'.
    #[command(mut_args(of_cms))]
    #[command(after_help = include_str!("cms/sign.txt"))]
    Sign(Box<sign::Args>),
    /// Verifies a signature, its attributes and, with --ca, its certificate.
    Verify(verify::Args),
}

/// Hides the options of `hasten sign` that are refused for CMS signatures.
fn of_cms(arg: Arg) -> Arg {
    let is_refused = ["format", "digest"].contains(&arg.get_id().as_str())
        || arg.get_help_heading() == Some(help::IMAGES);
    if is_refused { arg.hide(true) } else { arg }
}

/// Runs the command and returns its exit status.
pub fn run(which: Cms) -> Result<ExitCode, Error> {
    match which {
        Cms::Sign(mut args) => {
            args.must_be(Format::Cms)?;
            sign::run(&args)
        }
        Cms::Verify(args) => verify::run(&args),
    }
}
