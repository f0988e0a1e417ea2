//! `hasten fleet`: prints what a new signer needs to join a fleet.

use std::process::ExitCode;

use serde::Serialize;

use crate::error::Error;
use crate::report;
use crate::store_args::{Place, fleet};

/// The subcommands of `hasten fleet`.
#[derive(clap::Subcommand)]
pub enum Fleet {
    /// Prints what a new signer joins with: how far the fleet is known to have come.
    Token(Token),
}

/// Arguments of `hasten fleet token`.
#[derive(clap::Args)]
#[command(after_help = include_str!("fleet.txt"))]
pub struct Token {
    #[command(flatten)]
    place: Place,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    fleet: String,
    token: String,
}

/// Runs the command.
pub fn run(which: &Fleet) -> Result<ExitCode, Error> {
    match which {
        Fleet::Token(args) => token(args),
    }
}

fn token(args: &Token) -> Result<ExitCode, Error> {
    let dir = &args.place.store;
    let of = |error: hasten_store::StoreError| Error::key(dir)(error.into());
    let no_fleet = || Error::NoFleet(dir.to_path_buf());
    let name = fleet::name(dir, &args.place.opening)?.filter(|name| name != fleet::CARRIED);
    let name = name.ok_or_else(no_fleet)?;
    let fleet = fleet::in_etcd(dir, &args.place.opening, &name)?;
    let store = fleet.open().map_err(of)?;
    let row = Row { fleet: name, token: store.service().token().map_err(of)? };
    store.close().map_err(of)?;
    report::show(args.json, "hasten.fleet-token/1", None, &[&row], || row.token.clone())
}
