//! `hasten scan`: finds the index of each signature of a key, in files from anywhere, and indices
//! that were used twice.

pub(super) mod list;
mod read;
mod row;
mod text;

use std::process::ExitCode;

use hasten_kernels::Kernels;
use hasten_keys::registry::Row as Algorithm;
use hasten_keys::scan::Scanner;

use self::read::Scanned;
use super::verify::key;
use crate::error::Error;
use crate::files::Walk;
use crate::named::{self, Behind, Key};
use crate::output::{note, print_by};
use crate::parse::key_algorithm;
use crate::verdict::Verdict;
use crate::{interrupt, report, units};

/// Arguments of `hasten scan`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key.help(named::PUBLIC)))]
#[command(mut_arg("files", |names| names
    .help("Signatures, and folders of them")
    .value_name("SIG")))]
#[command(after_help = include_str!("scan.txt"))]
pub struct Args {
    #[command(flatten)]
    public: Key,
    #[command(flatten)]
    names: Behind,
    /// Algorithm of a key whose bytes leave it open.
    #[arg(long, value_name = "NAME", value_parser = key_algorithm)]
    alg: Option<&'static Algorithm>,
    #[command(flatten)]
    list: list::From,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Scans the files. The exit status tells whether an index was used twice.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    interrupt::attend()?;
    if args.names.is_empty() && args.list.from.is_none() {
        return Err(Error::NothingToScan);
    }
    let key = key::read(&args.public, args.alg).map_err(args.public.unread())?;
    let scanner = Scanner::new(&key, Kernels::best()).map_err(Error::key(&args.public))?;
    let mut walk = Walk::default();
    args.names.iter().for_each(|name| walk.add(name));
    args.list.each(&mut |name| walk.add(name))?;
    let scanned = read::all(&scanner, walk);
    match args.json {
        true => {
            let frame = report::new::<row::Row<'_>>("hasten.scan/1", None, &[]);
            print_by(|to| frame.stream(row::all(&scanned), to))?;
        }
        false => print_by(|to| text::write(&scanned, to))?,
    }
    say_how(&scanned);
    let verdict = match (scanned.is_wrong(), scanned.is_whole() && scanned.has_any()) {
        (true, _) => Verdict::Bad,
        (false, false) => Verdict::Unanswered,
        (false, true) => Verdict::Good,
    };
    Ok(verdict.status())
}

/// Prints notes on indices claimed twice without proof, and on a scan that found no signature.
fn say_how(scanned: &Scanned<'_>) {
    let counts = &scanned.counts;
    if counts.claimed > 0 {
        note(&format!(
            "{} claimed twice, which is no proof: a signature among them could not be verified, for its message does not lie beside it",
            units::counted(counts.claimed, "index is", "indices are")
        ));
    }
    if !scanned.has_any() {
        note("no signature that can be one of this key was found: nothing is known of its indices");
    }
}
