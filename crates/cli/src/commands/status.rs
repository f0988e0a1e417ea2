//! `hasten status`: shows the account of a stateful key without opening it.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_keys::stateful::{Ailment, Sealed, ailments, unfinished};
use hasten_report::grouped;
use hasten_store::{Options, Status};
use serde::Serialize;

use crate::error::Error;
use crate::fleet::Member;
use crate::help;
use crate::named::Key;
use crate::output::{note, visible};
use crate::report;
use crate::store_args::fleet;
use crate::store_args::{self, Moved, Opening};
use crate::witness::Watch;

/// Arguments of `hasten status`.
#[derive(clap::Args)]
#[command(after_help = include_str!("status.txt"))]
pub struct Args {
    #[command(flatten)]
    store: Key,
    /// The guard file, if it has moved since the key was made; of a fleet's signer, its own.
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
    guard: Option<PathBuf>,
    #[command(flatten)]
    fleet: Member,
    #[command(flatten)]
    watch: Watch,
    #[command(flatten)]
    _moved: Moved,
    /// Shows the audit log instead: every reservation and what else changed the state, by whom,
    /// when, and how many.
    #[arg(long)]
    audit: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    alg: Option<String>,
    encrypted: Option<bool>,
    /// Sectors whose seeds are in this directory.
    sectors_here: Vec<u32>,
    finished: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fleet: Option<String>,
    /// Files needed for signing that are absent, damaged or of another key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<Damaged>,
    #[serde(flatten)]
    state: Status,
}

#[derive(Serialize)]
struct Damaged {
    sentence: String,
    /// Whether signing will rebuild the file.
    mends: bool,
}

impl Damaged {
    fn of(ailment: &Ailment) -> Self {
        Self { sentence: ailment.cause.to_string(), mends: ailment.mends }
    }

    fn text(&self) -> String {
        let mended = if self.mends { ": signing makes it anew" } else { "" };
        format!("damaged    {}{mended}", self.sentence)
    }
}

/// Prints the account, or the audit log.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if args.audit {
        return super::audit::show(&args.store, &options(args), args.json);
    }
    let of = Error::key(&args.store);
    let (fleet, state) = state(args)?;
    let sealed = Sealed::of_store(&args.store).ok();
    let public =
        options(args).peek_blob(&args.store, "public.pem").map_err(|error| of(error.into()))?;
    let ailing = ailments(&args.store, &options(args), &state).map_err(&of)?;
    let row = Row {
        alg: sealed.as_ref().map(|sealed| sealed.set().to_owned()),
        encrypted: sealed.as_ref().map(Sealed::is_encrypted),
        sectors_here: sealed.as_ref().map(Sealed::here).unwrap_or_default(),
        finished: public.is_some(),
        fleet,
        damaged: ailing.iter().map(Damaged::of).collect(),
        state,
    };
    report::show(args.json, "hasten.status/1", None, &[&row], || text(&row))?;
    store_args::memory_note(&row.state).into_iter().for_each(note);
    if row.fleet.is_none() && row.state.refused.is_none() {
        store_args::binding_note(&row.state).into_iter().for_each(note);
    }
    store_args::clone_note(&row.state).into_iter().for_each(note);
    if let Some(refusal) = &row.state.refused {
        return Err(of(hasten_store::StoreError::Refused(*refusal).into()));
    }
    if let Some(Ailment { cause, .. }) = ailing.into_iter().next() {
        return Err(of(cause));
    }
    options(args).peek_audit(&args.store).map_err(|error| of(error.into()))?;
    if args.watch.is_given() && !is_carried(row.fleet.as_deref()) {
        compare(args, &row.state)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares the key with the named witness. A key in use is skipped, because it changes meanwhile.
fn compare(args: &Args, state: &Status) -> Result<(), Error> {
    if state.holder.is_some() {
        note("the key is in use: it was not compared with the witness");
        return Ok(());
    }
    let watched = args.watch.over(options(args), &args.store, &args.fleet)?;
    watched.peek_witness(&args.store).map_err(|error| Error::key(&args.store)(error.into()))?;
    note("the witness knows this state as the newest");
    Ok(())
}

/// Whether a witness has the state, and not a fleet with this name.
fn is_carried(fleet: Option<&str>) -> bool {
    fleet == Some(fleet::CARRIED)
}

fn options(args: &Args) -> Options {
    args.guard.as_ref().map_or_else(Options::new, |guard| Options::new().guard(guard))
}

/// Returns the name of the key's fleet and its state. Without a fleet, the state is that of the
/// directory.
fn state(args: &Args) -> Result<(Option<String>, Status), Error> {
    let mut opening =
        Opening { guard: args.guard.clone(), fleet: args.fleet.clone(), ..Opening::default() };
    let name = fleet::name(&args.store, &opening)?;
    if is_carried(name.as_deref()) {
        opening.watch = args.watch.clone();
    }
    let state = store_args::peek(&args.store, &opening)?;
    Ok((name, state))
}

fn text(row: &Row) -> String {
    let state = &row.state;
    let secret = match row.encrypted {
        Some(true) => "under a passphrase",
        Some(false) => "not encrypted",
        None => "none here",
    };
    let refused = state.refused.as_ref();
    let refused = refused
        .map(|_| "REFUSED    what stands here is the account of these files, not of the key");
    let mut lines: Vec<String> = refused.into_iter().map(str::to_owned).collect();
    lines.extend([
        format!("set        {}", row.alg.as_deref().unwrap_or("unknown")),
        format!("secret     {secret}"),
        format!("indices    {}..{} of {}", state.start, state.end, grouped(state.capacity)),
    ]);
    if state.sectors > 1 {
        let here: Vec<_> = row.sectors_here.iter().map(u32::to_string).collect();
        let each = grouped(state.capacity / u64::from(state.sectors));
        let count = state.sectors;
        lines.push(format!("sectors    {count} of {each}; seeds here: {}", here.join(" ")));
    }
    let counts = [
        ("used", state.used),
        ("lost", state.lost),
        ("burned", state.burned),
        ("given", state.given),
        ("reserved", state.reserved),
        ("remaining", state.remaining),
        ("generation", state.generation),
    ];
    lines.extend(counts.map(|(name, count)| format!("{name:<10} {}", grouped(count))));
    if !is_carried(row.fleet.as_deref()) {
        lines.push(format!("guard      {}", visible(&state.guard)));
    }
    let accepted = if state.shared_filesystem_accepted { ", accepted" } else { "" };
    let places = [("key", state.filesystem), ("guard", state.guard_filesystem)];
    lines.extend(places.into_iter().filter_map(|(what, kind)| {
        Some(format!("note       the {what} lies on {}{accepted}", kind?))
    }));
    lines.extend(row.damaged.iter().map(Damaged::text));
    lines.extend(row.fleet.as_ref().map(|fleet| match is_carried(Some(fleet)) {
        true => "state      in the word of the witness".to_owned(),
        false => format!("fleet      {fleet}"),
    }));
    lines.extend(remarks(row).into_iter().map(|remark| format!("note       {remark}")));
    lines.join("\n")
}

fn remarks(row: &Row) -> Vec<String> {
    let state = &row.state;
    let held = state.holder.as_ref().map(|h| format!("held by process {} on {}", h.pid, h.host));
    let said = [
        (state.retired, "retired: it signs nothing more"),
        (state.near_exhaustion && !state.retired, "few indices are left: plan the next key"),
    ];
    let said = said.into_iter().filter(|(is, _)| *is).map(|(_, text)| text.to_owned());
    // A key that only lacks a file that signing rebuilds is not unfinished: it needs no other
    // command.
    let begun = (!row.finished && row.damaged.is_empty()).then(|| unfinished(state).to_string());
    begun.into_iter().chain(said).chain(held).collect()
}
