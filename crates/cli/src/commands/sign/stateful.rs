//! One file with a stateful key.

use std::path::Path;

use hasten_keys::Error as KeyError;
use hasten_keys::stateful::{Sealed, Stateful, StorePermit};
use hasten_keys::verify::each_part;
use hasten_store::{Repair, Status};

use super::row::{Reserved, Row, State};
use super::{Args, once, timed};
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::note;
use crate::place;
use crate::table::grouped;

/// The key, open, and how many indices one reservation sets aside.
pub fn open(args: &Args) -> Result<(Stateful<'static>, u64), Error> {
    let of = Error::key(args.key());
    let per_reservation = Sealed::of_store(args.key()).map_err(&of)?.reserve();
    let kept = place::unseal(args.key(), &args.passphrase)?;
    let (_, kernels) = args.backend.kernels()?;
    let mut key = args.place.open(&kept, kernels)?;
    if args.ack_exhaustion {
        key.acknowledge().map_err(&of)?;
    }
    Ok((key, per_reservation))
}

/// Signs one file with an index reserved now. The message is opened, and the output begun, before.
pub fn sign(args: &Args, file: &Path, target: &Path) -> Result<Row, Error> {
    let of = Error::key(args.key());
    let mut out = Output::begin(target, 0o644)?;
    let mut message = files::open(file)?;
    let (mut key, per_reservation) = open(args)?;
    let before = key.status();
    let count = per_reservation.min(before.remaining).max(1);
    let (reserved, reserve) = timed(|| key.reserve(count));
    let mut reserved = reserved.map_err(&of)?;
    let first = reserved.range().start;
    let permit = reserved.next().ok_or(of(KeyError::Unfinished))?;
    let mut row = with_permit(args, &mut key, permit, (file, &mut *message), (target, &mut out))?;
    let status = key.close().map_err(&of)?;
    warn(&status, before.repair);
    if let Some(state) = &mut row.state {
        state.reserved = Reserved::Now { reserved_first: first, reserved_count: count };
        state.reserve_us = once(reserve);
    }
    settle(&mut row, &status);
    Ok(row)
}

/// Signs one message with a permit; what it took but for the reservation and the account.
pub fn with_permit(
    args: &Args,
    key: &mut Stateful<'_>,
    permit: StorePermit,
    (file, message): (&Path, &mut dyn std::io::Read),
    (target, out): (&Path, &mut Output),
) -> Result<Row, Error> {
    let of = Error::key(args.key());
    let (ready, prepare) = timed(|| key.prepare(permit, args.level));
    let mut ready = ready.map_err(&of)?;
    let index = ready.index();
    let (read, reading) = timed(|| each_part(message, &mut |part| ready.update(part)));
    read.map_err(Error::key(file))?;
    let (signature, finish) = timed(|| ready.finish(&[]));
    let signature = signature.map_err(&of)?;
    out.finish(&signature)?;
    key.record(index).map_err(&of)?;
    let set = key.set();
    Ok(Row {
        alg: set.name.to_owned(),
        state: Some(State {
            index,
            capacity: set.capacity(),
            reserved: Reserved::Ahead { reserved_ahead: true },
            reserve_us: once(std::time::Duration::ZERO),
            prepare_us: once(prepare),
            read_us: once(reading),
            remaining: 0,
            lost: 0,
        }),
        finish_us: once(finish),
        signature_bytes: signature.len(),
        signature_file: target.to_owned(),
        cycles: args.backend.cycles(),
    })
}

/// The account at the end of the command.
pub fn settle(row: &mut Row, status: &Status) {
    if let Some(state) = &mut row.state {
        (state.remaining, state.lost) = (status.remaining, status.lost);
    }
}

/// Says what a person must know about the state.
pub fn warn(status: &Status, repair: Option<Repair>) {
    let (lost, burned) = (grouped(status.lost), grouped(status.burned));
    match repair {
        Some(Repair { overridden: true, .. }) => {
            note(&format!("a refusal was overridden: {burned} indices burned, {lost} lost in all"));
        }
        Some(repair) if repair.lost > 0 => {
            note(&format!(
                "indices that earlier commands reserved and did not use are lost: {lost}"
            ));
        }
        _ => {}
    }
    if status.near_exhaustion {
        note(&format!("only {} indices are left: plan the next key", grouped(status.remaining)));
    }
}
