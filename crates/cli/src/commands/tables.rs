//! `hasten tables`: recomputes the tables of wolfSSL's appendix.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;

use crate::error::Error;
use crate::units;

/// A table.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Which {
    /// wolfSSL's names, the submissions', and today's.
    Names,
    /// Groups and signature schemes of TLS 1.3.
    CodePoints,
    /// Object identifiers.
    Oids,
    /// Keys and signatures.
    SignatureSizes,
    /// Keys and ciphertexts.
    KemSizes,
    /// Bytes that a connection sends.
    TlsBytes,
    /// Heap and stack of each side.
    Memory,
    /// Throughput of every algorithm.
    Speed,
    /// Connect times and rates by group.
    Connect,
    /// Handshakes beside stock rustls.
    Bounds,
    /// Sets of LMS, HSS, XMSS and XMSS^MT.
    StatefulSets,
    /// Signatures that keep a state, on one thread and on four.
    Stateful,
    /// The tool with and without each family, built anew; the first time takes minutes.
    BinarySize,
    /// Every row of the appendix, and what stands for it here.
    Account,
}

/// Arguments of `hasten tables`.
#[derive(clap::Args)]
#[command(after_help = include_str!("tables.txt"))]
pub struct Args {
    /// Which tables; all if none is named.
    #[arg(value_name = "TABLE")]
    pub which: Vec<Which>,
    /// Puts the appendix's figures beside ours.
    #[arg(long)]
    pub compare: bool,
    /// Takes figures for the account from these reports of `hasten tables --json` as well.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub figures: Vec<PathBuf>,
    /// Time for each measurement.
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = units::positive_time)]
    pub time: Duration,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
    /// Runs one side of a handshake whose memory is counted: how `memory` calls itself.
    #[arg(long, hide = true, requires = "from")]
    pub one_side: Option<String>,
    /// Where that side finds its certificates.
    #[arg(long, hide = true, requires = "one_side")]
    pub from: Option<PathBuf>,
}

/// Makes the tables.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    #[cfg(feature = "aws-lc")]
    return made::run(args);
    #[cfg(not(feature = "aws-lc"))]
    {
        let _ = (
            &args.which,
            args.compare,
            args.time,
            args.json,
            &args.figures,
            &args.one_side,
            &args.from,
        );
        Err(Error::NoTls)
    }
}

#[cfg(feature = "aws-lc")]
mod made {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use hasten_measure::tables::maker::{Maker, SCHEMA, lacks_checkout, rows_of};
    use hasten_measure::tables::{appendix, memory};
    use serde_json::Value;

    use super::{Args, Error, ExitCode, ValueEnum, Which};
    use crate::interrupt::Interrupt;
    use crate::output::{note, print};
    use crate::report::{self, Machine};

    /// Returns the command that runs one side of a handshake in another process of this program.
    fn again(side: &str, place: &Path) -> io::Result<Command> {
        let mut child = Command::new(std::env::current_exe()?);
        child.args(["tables", "--one-side", side, "--from"]).arg(place);
        Ok(child)
    }

    /// Returns the rows of all given reports.
    fn figures(files: &[PathBuf]) -> Result<Vec<Value>, Error> {
        let mut rows = Vec::new();
        for file in files {
            let report = report::read(file)?;
            let none = || io::Error::other("no report of `hasten tables --json`");
            let failed = || Error::File { path: file.clone(), doing: "reading", cause: none() };
            rows.extend(rows_of(&report).ok_or_else(failed)?.clone());
        }
        Ok(rows)
    }

    pub fn run(args: &Args) -> Result<ExitCode, Error> {
        if let (Some(side), Some(place)) = (&args.one_side, &args.from) {
            memory::run_side(side, place)?;
            return Ok(ExitCode::SUCCESS);
        }
        let interrupt = Interrupt::listen()?;
        let wanted = if args.which.is_empty() { Which::value_variants() } else { &args.which };
        let mut maker = Maker::new(args.time, figures(&args.figures)?, &again, &note);
        let mut shown = Vec::new();
        for name in wanted.iter().filter_map(ValueEnum::to_possible_value) {
            interrupt.check()?;
            if args.which.is_empty() && lacks_checkout(name.get_name()) {
                note("no binary-size and no memory: they are made in a checkout of Hasten");
                continue;
            }
            let sheet = maker.make(name.get_name(), args.compare)?;
            if !args.json {
                print(&sheet.markdown())?;
            }
            shown.extend(sheet.json());
        }
        if args.json {
            let machine = Machine::with(crate::backend::best_name());
            print(&report::new(SCHEMA, Some(machine), &shown).json())?;
        } else if args.compare {
            let theirs = [appendix::MACHINE, appendix::stateful::MACHINE].join("; stateful: ");
            print(&format!("Ours: {}. Appendix: {theirs}.", hasten_report::cpu()))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
