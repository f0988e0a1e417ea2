//! `hasten page`: the latency explorer as a page that needs nothing else.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_report::grouped;

use crate::error::Error;
use crate::files::{self, Wanted};
use crate::output::print;
use crate::shipped;

/// Arguments of `hasten page`.
#[derive(clap::Args)]
#[command(after_help = include_str!("page.txt"))]
pub struct Args {
    /// Folder that the page is written into, as index.html.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The built page [default: the one that ships with the tool].
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Replaces a page that is there already.
    #[arg(long)]
    force: bool,
}

/// The name of the page that ships.
const PAGE: &str = "hasten.html";

/// Writes the page.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let from = args.from.clone().or_else(|| shipped::find(PAGE)).ok_or_else(none)?;
    let page = files::read(&from)?;
    let making = |cause| Error::File { path: args.out.clone(), doing: "making", cause };
    std::fs::create_dir_all(&args.out).map_err(making)?;
    let file = args.out.join("index.html");
    files::write(&file, Wanted::forced(args.force), &page)?;
    print(&format!("page       {}, {} bytes", file.display(), grouped(page.len() as u64)))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the error where no page ships with the tool, and what makes one.
fn none() -> Error {
    let cause = std::io::Error::other(
        "it lies neither beside the program nor above it; crates/web/build.sh makes it",
    );
    Error::File { path: PAGE.into(), doing: "finding", cause }
}
