//! Signing of several files with one stateful key. A thread reserves indices ahead of need.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hasten_store::Policy;

use super::row::Row;
use super::stateful::{Hand, settle, unseal, warn, with_permit};
use super::{Args, once, show, timed};
use crate::error::Error;
use crate::interrupt::{Hold, Interrupt};
use crate::progress::Progress;

/// Time limit for a commit. Exceeding it is an error.
const PATIENCE: Duration = Duration::from_secs(60);

/// Signs the files in order. Signatures made before an error or Ctrl-C are printed too.
pub fn sign(args: &Args, files: &[PathBuf]) -> Result<(), Error> {
    let of = Error::key(args.key());
    let unsealed = unseal(args)?;
    args.look(files, unsealed.bytes)?;
    let _whole = Hold::begin();
    let (mut hand, interval) = unsealed.open(args)?;
    let before = hand.key.status();
    let policy = Policy { interval, burst: 1, total: files.len() as u64, ..Policy::default() };
    hand.key.reserve_ahead(policy).map_err(&of)?;
    let mut rows = Vec::new();
    let ended = each(args, &mut hand, files, &mut rows);
    let closed = hand.key.close().map_err(&of);
    if let Ok(status) = &closed {
        warn(status, before.repair);
        rows.iter_mut().for_each(|row| settle(row, status));
    }
    // The signatures are reported even if the key could not be closed.
    if !rows.is_empty() {
        show(args, &rows, false)?;
    }
    ended.and(closed.map(drop))
}

fn each(args: &Args, hand: &mut Hand, files: &[PathBuf], rows: &mut Vec<Row>) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let progress = Progress::new("signing".to_owned(), files.len() as u64, "files");
    for file in files {
        if interrupt.asked() {
            return Err(Error::Interrupted);
        }
        rows.push(one(args, hand, file)?);
        progress.at(rows.len() as u64);
    }
    Ok(())
}

/// Opens the message and begins the output, and only then takes an index and signs.
fn one(args: &Args, hand: &mut Hand, file: &Path) -> Result<Row, Error> {
    let target = args.target(file);
    let key = hand.key.public_key().map_err(Error::key(args.key()))?;
    let opened = args.open(file, Some(&key))?;
    let out = args.begin(&target, hand.bytes(), &opened)?;
    let (permit, waited) = timed(|| hand.key.permit(PATIENCE));
    let permit = permit.map_err(Error::key(args.key()))?;
    let mut row = with_permit(args, hand, permit, (file, opened), (&target, out))?;
    if let Some(state) = &mut row.state {
        state.reserve_us = once(waited);
    }
    Ok(row)
}
