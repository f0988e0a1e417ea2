//! `hasten page`: the latency explorer as a self-contained page.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_report::grouped;

use crate::error::Error;
use crate::files::{self, Wanted};
use crate::output::{print, visible};
use crate::report;
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

/// File name of the shipped page.
const PAGE: &str = "hasten.html";

/// Part of the page that is empty in the shipped file.
#[derive(Clone, Copy)]
enum Part {
    /// The initial state of the page.
    Start,
    /// Reports on machines.
    Reports,
}

impl Part {
    /// Returns the escape for `<` in this part. A plain `<` could end its script, or begin a
    /// comment that swallows the next one. In JSON it can only occur within strings.
    const fn less_than(self) -> &'static str {
        match self {
            Self::Start => "%3C",
            Self::Reports => "\\u003c",
        }
    }

    /// Returns the text that precedes the part.
    const fn mark(self) -> &'static str {
        match self {
            Self::Start => "id=\"start\">",
            Self::Reports => "id=\"reports\">",
        }
    }
}

/// Writes the page.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let page = built(args.from.as_deref())?;
    let making = |cause| Error::File { path: args.out.clone(), doing: "making", cause };
    std::fs::create_dir_all(&args.out).map_err(making)?;
    let file = args.out.join("index.html");
    files::write(&file, Wanted::forced(args.force), page.as_bytes())?;
    print(&format!("page       {}, {} bytes", visible(&file), grouped(page.len() as u64)))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the built page: the given file, or the page that ships with the tool.
pub fn built(from: Option<&Path>) -> Result<String, Error> {
    let from = from.map(Path::to_owned).or_else(|| shipped::find(PAGE)).ok_or_else(none)?;
    Ok(files::read_text(&from)?)
}

/// Returns the page with an initial state and with reports on the processor and other machines.
pub fn opened(
    page: &str,
    state: &str,
    processor: &[PathBuf],
    others: &[PathBuf],
) -> Result<String, Error> {
    let read = |files: &[PathBuf]| {
        files.iter().map(|file| report::read(file)).collect::<Result<Vec<_>, _>>()
    };
    let page = set(page, Part::Start, state)?;
    match [read(processor)?, read(others)?] {
        [processor, others] if processor.is_empty() && others.is_empty() => Ok(page),
        both => set(&page, Part::Reports, &serde_json::json!(both).to_string()),
    }
}

/// Returns the page with one part filled in.
fn set(page: &str, part: Part, text: &str) -> Result<String, Error> {
    let other = || Error::File {
        path: PAGE.into(),
        doing: "reading",
        cause: std::io::Error::other("it is not the page of this version"),
    };
    let (before, after) = page.split_once(part.mark()).ok_or_else(other)?;
    Ok([before, part.mark(), &text.replace('<', part.less_than()), after].concat())
}

/// Returns the error for a missing page, which says how to build one.
fn none() -> Error {
    let cause = std::io::Error::other(
        "it lies neither beside the program nor above it; crates/web/build.sh makes it",
    );
    Error::File { path: PAGE.into(), doing: "finding", cause }
}
