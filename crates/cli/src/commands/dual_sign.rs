//! `hasten dual sign`: the second key, which is stateless, signs first, so that its failure costs
//! no index.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::dual::{HEAD, Pair};
use hasten_keys::encoding::PublicKey;
use hasten_keys::stateful::{Note, Purpose, is_store, read_public_of};
use hasten_keys::stateless::Signer;
use hasten_report::grouped;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::commands::sign::{check, stateful};
use crate::error::{Error, WrongKey};
use crate::files::{self, Identity, Message, Old, Output, Wanted};
use crate::interrupt::{self, Hold};
use crate::named::One;
use crate::output::visible;
use crate::passphrase::Source;
use crate::store_args::{self, Place};
use crate::{given, private_key, report};

/// Arguments of `hasten dual sign`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The second key, one without a state: for example of ML-DSA-87 or ECDSA-P-384.
    #[arg(long, value_name = "KEY")]
    second: PathBuf,
    #[command(flatten)]
    file: One,
    /// Where both signatures go [default: FILE.dual].
    #[arg(long, value_name = "SIG")]
    out: Option<PathBuf>,
    /// Replaces a file that is there already.
    #[arg(long)]
    force: bool,
    /// Name of this request in your own books; the signing record keeps it (stateful keys).
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    /// Goes on although few indices are left.
    #[arg(long)]
    ack_exhaustion: bool,
    #[command(flatten)]
    passphrase: Source,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    alg: String,
    second_alg: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    account: Option<Account>,
    signature_bytes: usize,
    #[serde(serialize_with = "report::path")]
    signature_file: PathBuf,
}

/// State of the first key, if it is stateful.
#[derive(Serialize)]
struct Account {
    index: u64,
    capacity: u64,
    remaining: u64,
    lost: u64,
}

/// Signs and prints the result.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    interrupt::attend()?;
    if args.second.is_dir() {
        return Err(Error::SecondHasState(args.second.clone()));
    }
    let second =
        signer(args, &args.second).map_err(|error| match (error, above(&args.second)) {
            (Error::WrongKey { why: WrongKey::Public { .. }, .. }, Some(key)) => {
                Error::SecondHasState(key.to_owned())
            }
            (error, _) => error,
        })?;
    let row = match args.place.store.is_dir() {
        true => with_state(args, &second)?,
        false => without_state(args, &second)?,
    };
    report::show(args.json, "hasten.dual-sign/1", None, &[&row], || text(&row))
}

/// Returns the directory of the stateful key that a file belongs to.
fn above(file: &Path) -> Option<&Path> {
    file.parent().filter(|dir| is_store(dir).unwrap_or(false))
}

/// Returns the signer of a stateless key.
fn signer(args: &Args, path: &Path) -> Result<Signer<'static>, Error> {
    let key = private_key::read(path, &args.passphrase)?;
    Signer::new(&key, Kernels::best()).map_err(Error::key(path))
}

/// A dual signature in progress: the bytes that both keys sign, the second signature, and the
/// output file.
struct Begun<'p> {
    pair: Pair<'p>,
    bytes: Vec<u8>,
    two: Vec<u8>,
    target: PathBuf,
    out: Output,
}

impl<'p> Begun<'p> {
    /// Signs with the second key, and begins the output file with room for a first signature of at
    /// most `most` bytes.
    fn new(
        args: &Args,
        first: &'p PublicKey,
        second: &'p Signer<'_>,
        most: usize,
    ) -> Result<Self, Error> {
        let of_second = Error::key(&args.second);
        let pair = Pair::new(first, second.public_key()).map_err(&of_second)?;
        let mut message = Message::open(&args.file)?;
        let bytes = pair.bytes(&mut message).map_err(Error::key(&args.file))?;
        let two = second.sign(&bytes).map_err(of_second)?;
        let target = args.out.clone().unwrap_or_else(|| files::with_ending(&args.file, ".dual"));
        let keys = [&*args.place.store, &args.second].into_iter();
        let keep: Vec<_> =
            message.identity.into_iter().chain(keys.filter_map(|key| Identity::at(key))).collect();
        let (old, bytes_of_file) = (Old::forced(args.force), Pair::room(most, two.len()));
        let wanted = Wanted { old, keep: &keep, bytes: bytes_of_file, secret: false };
        let out = Output::begin(&target, wanted)?;
        Ok(Self { pair, bytes, two, target, out })
    }

    /// Verifies both signatures and writes them to the file. Returns its length.
    fn finish(self, args: &Args, one: Vec<u8>, index: Option<u64>) -> Result<usize, Error> {
        let file = self.pair.seal(&check::faulty(one), &self.two);
        let fault = |_| Error::Fault { path: args.file.to_path_buf(), index };
        self.pair.verify(&file, &mut &self.bytes[HEAD..], Kernels::best()).map_err(fault)?;
        self.out.finish(&file)?;
        Ok(file.len())
    }
}

fn with_state(args: &Args, second: &Signer<'_>) -> Result<Row, Error> {
    let (dir, kernels) = (&args.place.store, Kernels::best());
    let of = Error::key(dir);
    let first = read_public_of(dir).map_err(&of)?;
    let kept = store_args::unseal(dir, &args.passphrase)?;
    // LMS signatures have HSS form here, which adds the number of levels in front.
    let most = Set::named(&kept.set)?.signature_bytes() + 4;
    let begun = Begun::new(args, &first, second, most)?;
    let _whole = Hold::begin();
    let mut key = args.place.open(&kept, kernels)?;
    let repair = key.status().repair;
    if args.ack_exhaustion {
        key.acknowledge().map_err(&of)?;
    }
    let ready = key.prepare_next(SignerLevel::ChainTable).map_err(&of)?;
    let bytes = &begun.bytes;
    let made = ready.finish_watched(bytes, &mut |_| ControlFlow::Continue(())).map_err(&of)?;
    let index = made.index();
    let note = Note {
        content: Some(Sha256::digest(&bytes[HEAD..]).into()),
        ..stateful::note_of(Purpose::Dual, &args.file, args.request_id.as_deref())
    };
    let target = begun.target.clone();
    let released = made.release(note, |one| begun.finish(args, one, Some(index)));
    let signature_bytes = released.map_err(|error| stateful::unreleased(error, &target, index))?;
    let (alg, capacity) = (key.set().name.to_owned(), key.set().capacity());
    let status = key.close().map_err(stateful::unrecorded(&target, index))?;
    stateful::warn(&status, repair);
    let account = Account { index, capacity, remaining: status.remaining, lost: status.lost };
    Ok(Row {
        alg,
        second_alg: second.row().name.clone(),
        account: Some(account),
        signature_bytes,
        signature_file: target,
    })
}

fn without_state(args: &Args, second: &Signer<'_>) -> Result<Row, Error> {
    let path = &args.place.store;
    let first = signer(args, path)?;
    let alg = first.row().name.clone();
    given::no_state(&alg)?;
    let begun = Begun::new(args, first.public_key(), second, first.row().sizes.output)?;
    let target = begun.target.clone();
    let one = first.sign(&begun.bytes).map_err(Error::key(path))?;
    Ok(Row {
        alg,
        second_alg: second.row().name.clone(),
        account: None,
        signature_bytes: begun.finish(args, one, None)?,
        signature_file: target,
    })
}

fn text(row: &Row) -> String {
    let Row { alg, second_alg, account, signature_file, .. } = row;
    let bytes = grouped(row.signature_bytes as u64);
    let signature =
        format!("signature  {}: {bytes} B, {alg} and {second_alg}", visible(signature_file));
    let Some(Account { index, capacity, remaining, .. }) = account else { return signature };
    let [capacity, left] = [*capacity, *remaining].map(grouped);
    format!(
        "index      {index} of {capacity}, reserved durably before use\n{signature}\nremaining  {left}"
    )
}
