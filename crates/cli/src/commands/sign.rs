//! `hasten sign`: one signature, its index reserved durably before anything is computed for it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_hbs::SignerLevel;
use hasten_keys::stateful::Stateful;
use hasten_keys::verify::{each_part, whole};
use hasten_keys::{Error as KeyError, stateful::Sealed, stateless};
use hasten_store::{Repair, Status};
use serde::Serialize;

use crate::error::Error;
use crate::files::{self, Output};
use crate::names::{self, Backend};
use crate::output::{note, print};
use crate::passphrase::Source;
use crate::place::{self, Place};
use crate::report::Report;
use crate::stats::Summary;
use crate::table::grouped;
use crate::units::micros;

/// Arguments of `hasten sign`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hasten sign -k keys/fw firmware.bin\n  \
    tar c dir | hasten sign -k keys/fw - --out dir.sig\n  \
    hasten sign -k keys/web.key message.txt\n\n\
    The signature is written to FILE.sig; with FILE or --out given as -, the standard streams\n\
    are used. A stateful key reads the message once and holds none of it; a stateless one reads\n\
    it once and holds it in memory, at most 1 GiB.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// What to sign; - is the standard input.
    file: PathBuf,
    /// Where the signature goes [default: FILE.sig].
    #[arg(long, value_name = "SIG")]
    out: Option<PathBuf>,
    /// What is ready before the message is read.
    #[arg(long, value_name = "LEVEL", default_value = "chain-table", value_parser = names::signer_level)]
    level: SignerLevel,
    /// Goes on although few indices are left.
    #[arg(long)]
    ack_exhaustion: bool,
    #[command(flatten)]
    passphrase: Source,
    #[command(flatten)]
    backend: Backend,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    alg: String,
    #[serde(flatten)]
    state: Option<State>,
    finish_us: Summary,
    signature_bytes: usize,
    signature_file: PathBuf,
}

/// What a signature took from a stateful key.
#[derive(Serialize)]
struct State {
    index: u64,
    capacity: u64,
    reserved_first: u64,
    reserved_count: u64,
    reserve_us: Summary,
    prepare_us: Summary,
    read_us: Summary,
    remaining: u64,
    lost: u64,
}

/// Signs and prints what that took.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let target = args.target();
    let mut out = Output::begin(&target, 0o644)?;
    let row = match args.place.store.is_dir() {
        true => stateful(args, &mut out, target.clone())?,
        false => stateless(args, &mut out, target.clone())?,
    };
    let text = match args.json {
        true => Report::new("hasten.sign/1", None, &[row]).json(),
        false => text(&row),
    };
    match files::is_stream(&target) {
        true => text.lines().for_each(note),
        false => print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn target(&self) -> PathBuf {
        let beside = || match files::is_stream(&self.file) {
            true => self.file.clone(),
            false => files::with_ending(&self.file, ".sig"),
        };
        self.out.clone().unwrap_or_else(beside)
    }

    fn key(&self) -> &Path {
        &self.place.store
    }
}

fn stateless(args: &Args, out: &mut Output, target: PathBuf) -> Result<Row, Error> {
    let of = Error::key(args.key());
    let key = files::private_key(args.key())?;
    let message = whole(&mut *files::open(&args.file)?).map_err(Error::key(&args.file))?;
    let (_, kernels) = args.backend.kernels()?;
    let begun = Instant::now();
    let signature = stateless::sign(&key, &message, kernels).map_err(&of)?;
    let finish_us = once(begun.elapsed());
    out.finish(&signature)?;
    Ok(Row {
        alg: key.row.name.clone(),
        state: None,
        finish_us,
        signature_bytes: signature.len(),
        signature_file: target,
    })
}

/// The message is opened, and the output begun, before an index is taken for them.
fn stateful(args: &Args, out: &mut Output, target: PathBuf) -> Result<Row, Error> {
    let of = Error::key(args.key());
    let per_reservation = Sealed::of_store(args.key()).map_err(&of)?.reserve();
    let kept = place::unseal(args.key(), &args.passphrase)?;
    let (_, kernels) = args.backend.kernels()?;
    let mut message = files::open(&args.file)?;
    let options = args.place.opening.options();
    let mut key = Stateful::open(args.key(), options, &kept, kernels).map_err(&of)?;
    if args.ack_exhaustion {
        key.acknowledge().map_err(&of)?;
    }
    let before = key.status();
    let count = per_reservation.min(before.remaining).max(1);
    let (reserved, reserve) = timed(|| key.reserve(count));
    let mut reserved = reserved.map_err(&of)?;
    let range = reserved.range();
    let permit = reserved.next().ok_or(Error::key(args.key())(KeyError::Unfinished))?;
    let (ready, prepare) = timed(|| key.prepare(permit, args.level));
    let mut ready = ready.map_err(&of)?;
    let index = ready.index();
    let (read, reading) = timed(|| each_part(&mut *message, &mut |part| ready.update(part)));
    read.map_err(Error::key(&args.file))?;
    let (signature, finish) = timed(|| ready.finish(&[]));
    let signature = signature.map_err(&of)?;
    out.finish(&signature)?;
    key.record(index).map_err(&of)?;
    let set = key.set();
    let status = key.close().map_err(&of)?;
    warn(&status, before.repair);
    Ok(Row {
        alg: set.name.to_owned(),
        state: Some(State {
            index,
            capacity: set.capacity(),
            reserved_first: range.start,
            reserved_count: count,
            reserve_us: once(reserve),
            prepare_us: once(prepare),
            read_us: once(reading),
            remaining: status.remaining,
            lost: status.lost,
        }),
        finish_us: once(finish),
        signature_bytes: signature.len(),
        signature_file: target,
    })
}

/// A time measured once.
fn once(time: Duration) -> Summary {
    Summary::constant(micros(time))
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed())
}

fn warn(status: &Status, repair: Option<Repair>) {
    let (lost, burned) = (grouped(status.lost), grouped(status.burned));
    match repair {
        Some(Repair { overridden: true, .. }) => {
            note(&format!("a refusal was overridden: {burned} indices burned, {lost} lost in all"));
        }
        Some(repair) if repair.lost > 0 => {
            note(&format!("an earlier command ended early: indices lost in all: {lost}"));
        }
        _ => {}
    }
    if status.near_exhaustion {
        note(&format!("only {} indices are left: plan the next key", grouped(status.remaining)));
    }
}

fn text(row: &Row) -> String {
    let mut lines = Vec::new();
    if let Some(state) = &row.state {
        let last = state.reserved_first + state.reserved_count - 1;
        lines.push(format!(
            "index      {} of {}, reserved {}..{} durably before use",
            grouped(state.index),
            grouped(state.capacity),
            state.reserved_first,
            last
        ));
        lines.push(format!(
            "time       reserve {:.1} us, prepare {:.1} us, read {:.1} us, finish {:.1} us",
            state.reserve_us.min, state.prepare_us.min, state.read_us.min, row.finish_us.min
        ));
    } else {
        lines.push(format!("time       sign {:.1} us", row.finish_us.min));
    }
    let bytes = grouped(row.signature_bytes as u64);
    lines.push(format!("signature  {}: {bytes} B, {}", row.signature_file.display(), row.alg));
    lines
        .extend(row.state.as_ref().map(|state| format!("remaining  {}", grouped(state.remaining))));
    lines.join("\n")
}
