//! Signing of one file with a stateful key.

use std::path::Path;
use std::time::Duration;

use hasten_hbs::SignerLevel;
use hasten_keys::Error as KeyError;
use hasten_keys::encoding::PublicKey;
use hasten_keys::stateful::{
    Kept, Note, Purpose, Ready, ReleaseError, Sealed, Stateful, StorePermit, Unreleased,
    read_public_of,
};
use hasten_keys::verify::{each_part, whole};
use hasten_report::grouped;
use hasten_store::{Repair, Status};

use super::row::{self, Reserved, Row, State};
use super::{Args, check, once, timed};
use crate::engine::Engine;
use crate::envelope::Opened;
use crate::error::Error;
use crate::files::{Message, Output};
use crate::form::Format;
use crate::interrupt::{Hold, Interrupt};
use crate::output::note;
use crate::progress;
use crate::units;
use crate::{memory, store_args};

/// An open key, with the simulated engine if that does the hashing.
pub struct Hand {
    pub key: Stateful<'static>,
    engine: Option<Engine>,
    /// Maximum length of a signature in bytes.
    bytes: usize,
}

/// A key whose secret was read, but which is not open yet.
pub struct Unsealed {
    kept: Kept,
    per_reservation: u64,
    /// Maximum length of a signature in bytes.
    pub bytes: usize,
    /// Public key, if the form of the signature depends on it.
    public: Option<PublicKey>,
}

impl Hand {
    /// Returns the maximum length of a signature in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Signs one message with a permit. Returns the signature, the engine's clock cycles and the
    /// times.
    fn sign(
        &mut self,
        args: &Args,
        permit: StorePermit,
        (file, message): (&Path, &mut Message),
    ) -> Result<Done, Error> {
        let of = Error::key(args.key());
        let level = if self.engine.is_some() { SignerLevel::EarlyAuth } else { args.level };
        let (ready, prepare) = timed(|| self.key.prepare(permit, level));
        let mut ready = ready.map_err(&of)?;
        let index = ready.index();
        let Some(engine) = &self.engine else {
            let mut take = |part: &[u8]| ready.update(part);
            let (read, read_time) = timed(|| each_part(message, &mut take));
            read.map_err(Error::key(file))?;
            let (made, finish) = timed(|| finish(args, ready));
            let times = [prepare, read_time, finish];
            return Ok(Done { made: made?, cycles: None, times });
        };
        match args.level {
            SignerLevel::ChainTable => drop(engine.prepare_table(index)?),
            SignerLevel::Secrets | SignerLevel::Masks => drop(engine.prepare(index, false)?),
            SignerLevel::None | SignerLevel::EarlyAuth => (),
        }
        let (message, read_time) = timed(|| whole(message));
        let message = message.map_err(Error::key(file))?;
        let (made, finish) = timed(|| by_engine(engine, ready, &message));
        let (made, cycles) = made.map_err(|error| error.at(args.key()))?;
        Ok(Done { made, cycles: Some(cycles), times: [prepare, read_time, finish] })
    }
}

/// Finishes a signature. If this takes seconds, progress is shown. Ctrl-C stops it, and the index
/// is then lost.
fn finish(args: &Args, ready: Ready<'_>) -> Result<Unreleased, Error> {
    let interrupt = Interrupt::listen()?;
    let watch = &mut progress::of_leaves("signing", &interrupt);
    let threads = args.threads.unwrap_or_else(hasten_report::cores);
    match ready.on_threads(threads).finish_watched(&[], watch) {
        Err(KeyError::Scheme(hasten_hbs::Error::Stopped)) => Err(Error::Interrupted),
        made => made.map_err(Error::key(args.key())),
    }
}

/// A signature, and the times of preparing, reading and finishing.
struct Done {
    made: Unreleased,
    cycles: Option<u32>,
    times: [Duration; 3],
}

/// Error of the key or of the engine.
enum Refused {
    Key(KeyError),
    Engine(Error),
}

impl From<KeyError> for Refused {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl Refused {
    fn at(self, key: &Path) -> Error {
        match self {
            Self::Key(error) => Error::key(key)(error),
            Self::Engine(error) => error,
        }
    }
}

fn by_engine(
    engine: &Engine,
    ready: Ready<'_>,
    message: &[u8],
) -> Result<(Unreleased, u32), Refused> {
    let mut cycles = 0;
    let made = ready.finish_elsewhere(message, |index| {
        let made = engine.sign(index, message).map_err(|error| Refused::Engine(error.into()))?;
        cycles = made.1;
        Ok::<_, Refused>(made.0)
    })?;
    Ok((made, cycles))
}

/// Returns the engine with the key loaded, if it is selected.
fn engine(args: &Args, kept: &Kept, key: &Stateful<'_>) -> Result<Option<Engine>, Error> {
    let Some(engine) = args.backend.engine(key.set())? else { return Ok(None) };
    let seed =
        device_seed(kept).ok_or(Error::Engine("it has keys of one seed, without sectors"))?;
    let public = key.public_key().map_err(Error::key(args.key()))?;
    engine.load_key(seed, &public.raw, 0)?;
    Ok(Some(engine))
}

/// Returns the seed to load into a simulated core; `None` if the key has sectors, or this build has
/// no such core.
#[cfg(feature = "rtl")]
fn device_seed(kept: &Kept) -> Option<&[u8]> {
    kept.device_seed()
}

#[cfg(not(feature = "rtl"))]
fn device_seed(_: &Kept) -> Option<&[u8]> {
    None
}

/// Reads the secret, which may ask for a passphrase. Nothing is locked yet.
pub fn unseal(args: &Args) -> Result<Unsealed, Error> {
    let of = Error::key(args.key());
    let sealed = Sealed::of_store(args.key()).map_err(&of)?;
    let set = hasten_hbs::Set::named(sealed.set()).map_err(|error| of(error.into()))?;
    // LMS signatures have HSS form here, which adds the number of levels in front.
    let bytes = set.signature_bytes() + 4;
    let public = (args.format != Format::Raw).then(|| read_public_of(args.key())).transpose();
    let public = public.map_err(&of)?;
    if let Some(public) = &public {
        args.format.check(args.key(), public)?;
    }
    let kept = store_args::unseal(args.key(), &args.passphrase)?;
    memory::lock();
    Ok(Unsealed { kept, per_reservation: sealed.reserve(), bytes, public })
}

impl Unsealed {
    /// Opens the key. Also returns how many indices one reservation sets aside.
    pub fn open(self, args: &Args) -> Result<(Hand, u64), Error> {
        let (_, kernels) = args.backend.beside()?;
        let mut key = args.place.open(&self.kept, kernels)?;
        if args.ack_exhaustion {
            key.acknowledge().map_err(Error::key(args.key()))?;
        }
        let engine = engine(args, &self.kept, &key)?;
        Ok((Hand { key, engine, bytes: self.bytes }, self.per_reservation))
    }
}

/// Signs one file with an index reserved now. Before the key is locked, the message is open (a pipe
/// is read to its end) and space for the signature is reserved.
pub fn sign(args: &Args, file: &Path, target: &Path) -> Result<Row, Error> {
    let unsealed = unseal(args)?;
    let opened = args.open(file, unsealed.public.as_ref())?;
    let out = args.begin(target, unsealed.bytes, &opened)?;
    let _whole = Hold::begin();
    let of = Error::key(args.key());
    let (mut hand, per_reservation) = unsealed.open(args)?;
    let before = hand.key.status();
    let count = per_reservation.min(before.remaining).max(1);
    let (reserved, reserve) = timed(|| hand.key.reserve(count));
    let mut reserved = reserved.map_err(&of)?;
    let first = reserved.range().start;
    let permit = reserved.first().map_err(&of)?;
    let mut row = with_permit(args, &mut hand, permit, (file, opened), (target, out))?;
    let status = hand.key.close().map_err(unrecorded(target, first))?;
    warn(&status, before.repair);
    if let Some(state) = &mut row.state {
        state.reserved = Reserved::Now { reserved_first: first, reserved_count: count };
        state.reserve_us = once(reserve);
    }
    settle(&mut row, &status);
    Ok(row)
}

/// Returns a function that converts the error of a key that could not record a written signature.
pub fn unrecorded(signature: &Path, index: u64) -> impl FnOnce(KeyError) -> Error {
    let signature = signature.to_owned();
    move |cause| Error::Unrecorded { signature, index, cause }
}

/// Returns the error of a signature that was not released, or not recorded.
pub fn unreleased(error: ReleaseError<Error>, signature: &Path, index: u64) -> Error {
    match error {
        ReleaseError::Out(error) => error,
        ReleaseError::Unrecorded(cause) => unrecorded(signature, index)(cause),
    }
}

/// Returns the note for the signing record of a file.
pub fn note_of(purpose: Purpose, file: &Path, request: Option<&str>) -> Note {
    Note {
        request: request.map(str::to_owned),
        user: hasten_process::user::name(),
        ..Note::of(purpose).named(file.to_string_lossy())
    }
}

/// Signs one message with a permit. The caller adds the reservation and the account to the row.
pub fn with_permit(
    args: &Args,
    hand: &mut Hand,
    permit: StorePermit,
    (file, opened): (&Path, Opened),
    (target, out): (&Path, Output),
) -> Result<Row, Error> {
    let of = Error::key(args.key());
    let Opened { mut message, envelope } = opened;
    let done = hand.sign(args, permit, (file, &mut message))?;
    let Done { made, cycles, times } = done;
    let public = hand.key.public_key().map_err(&of)?;
    let index = made.index();
    let note = note_of(purpose(args.format), file, args.request_id.as_deref());
    let note = Note { content: message.whole, ..note };
    let released = made.release(note, |signature| {
        let signature = check::faulty(signature);
        if args.verify_after {
            message.again().map_err(|cause| Error::key(file)(cause.into()))?;
            check::signature(&public, &mut message, &signature, (file, Some(index)))?;
        }
        let signature = args.written(&public, signature, envelope)?;
        out.finish(&signature)?;
        Ok(signature.len())
    });
    let signature_bytes = released.map_err(|error| unreleased(error, target, index))?;
    let set = hand.key.set();
    let [prepare, reading, finish] = times;
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
        form: row::Form::of(args),
        signature_bytes,
        signature_file: target.to_owned(),
        cycles: cycles.map(u64::from).or_else(|| args.backend.cycles()),
        core_us: cycles.map(|cycles| once(args.clock.time(cycles))),
    })
}

/// Returns the purpose to record for signatures of this form.
fn purpose(format: Format) -> Purpose {
    match format {
        Format::Cms => Purpose::Cms,
        Format::Cose => Purpose::Cose,
        Format::Boot | Format::BootHss => Purpose::Boot,
        _ => Purpose::Message,
    }
}

/// Adds the account at the end of the command to the row.
pub fn settle(row: &mut Row, status: &Status) {
    if let Some(state) = &mut row.state {
        (state.remaining, state.lost) = (status.remaining, status.lost);
    }
}

/// Prints notes on the state that the user must know.
pub fn warn(status: &Status, repair: Option<Repair>) {
    let (lost, burned) = (grouped(status.lost), units::indices(status.burned));
    match repair {
        Some(Repair { overridden: true, .. }) => {
            note(&format!("a refusal was overridden: {burned} burned, {lost} lost in all"));
        }
        Some(repair) if repair.lost > 0 => {
            note(&format!(
                "indices that earlier commands reserved and did not use are lost: {lost}"
            ));
        }
        _ => {}
    }
    if status.near_exhaustion {
        note(&match status.remaining {
            0 => "no index is left: this key signs nothing more".to_owned(),
            left => {
                let left = units::counted(left, "index is", "indices are");
                format!("only {left} left: plan the next key")
            }
        });
    }
}
