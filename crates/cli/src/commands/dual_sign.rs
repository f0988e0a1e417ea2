//! `hasten dual sign`: the second key signs first, so that its failure takes no index.

use std::path::PathBuf;
use std::process::ExitCode;

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::dual::{HEAD, Pair};
use hasten_keys::stateful::read_public_of;
use hasten_keys::stateless::Signer;
use hasten_report::grouped;
use hasten_store::Signed;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::commands::sign::{check, stateful};
use crate::error::Error;
use crate::files::{self, Identity, Message, Old, Output, Wanted};
use crate::interrupt::{self, Hold};
use crate::passphrase::Source;
use crate::store_args::{self, Place};
use crate::{private_key, report};

/// Arguments of `hasten dual sign`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The second key, one without a state: for example of ML-DSA-87 or ECDSA-P-384.
    #[arg(long, value_name = "KEY")]
    second: PathBuf,
    /// File to sign.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where both signatures go [default: FILE.dual].
    #[arg(long, value_name = "SIG")]
    out: Option<PathBuf>,
    /// Replaces a file that is there already.
    #[arg(long)]
    force: bool,
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
    index: u64,
    capacity: u64,
    remaining: u64,
    lost: u64,
    signature_bytes: usize,
    #[serde(serialize_with = "report::path")]
    signature_file: PathBuf,
}

/// Signs and prints what was made.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    interrupt::attend()?;
    let (dir, kernels) = (&args.place.store, Kernels::best());
    let (of, of_file) = (Error::key(dir), Error::key(&args.file));
    let first = read_public_of(dir).map_err(&of)?;
    let second = private_key::read(&args.second, &args.passphrase)?;
    let second = Signer::new(&second, kernels).map_err(Error::key(&args.second))?;
    let pair = Pair::new(&first, second.public_key()).map_err(Error::key(&args.second))?;
    let mut message = Message::open(&args.file)?;
    let bytes = pair.bytes(&mut message).map_err(of_file)?;
    let two = second.sign(&bytes).map_err(Error::key(&args.second))?;
    let kept = store_args::unseal(dir, &args.passphrase)?;
    let target = args.out.clone().unwrap_or_else(|| files::with_ending(&args.file, ".dual"));
    let keep: Vec<_> = message.identity.into_iter().chain(Identity::at(&args.second)).collect();
    // LMS stands in the form of HSS, with the number of levels in front.
    let room = Pair::room(Set::named(&kept.set)?.signature_bytes() + 4, two.len());
    let wanted = Wanted { old: Old::forced(args.force), keep: &keep, bytes: room, secret: false };
    let out = Output::begin(&target, wanted)?;
    let _whole = Hold::begin();
    let mut key = args.place.open(&kept, kernels)?;
    let repair = key.status().repair;
    if args.ack_exhaustion {
        key.acknowledge().map_err(&of)?;
    }
    let permit = key.reserve(1).map_err(&of)?.next().ok_or(of(KeyError::Unfinished))?;
    let ready = key.prepare(permit, SignerLevel::ChainTable).map_err(&of)?;
    let index = ready.index();
    let one = check::faulty(ready.finish(&bytes).map_err(&of)?);
    let file = pair.seal(&one, &two);
    let fault = |_| Error::Fault { path: args.file.clone(), index: Some(index) };
    pair.verify(&file, &mut &bytes[HEAD..], kernels).map_err(fault)?;
    out.finish(&file)?;
    let unrecorded = |cause| Error::Unrecorded { signature: target.clone(), index, cause };
    let mut signed = Signed::new(index, Sha256::digest(&bytes[HEAD..]).into());
    signed.file = Some(args.file.to_string_lossy().into_owned());
    key.record_signed(&signed).map_err(unrecorded)?;
    let (alg, capacity) = (key.set().name.to_owned(), key.set().capacity());
    let status = key.close_confirmed().map_err(unrecorded)?;
    stateful::warn(&status, repair);
    let row = Row {
        alg,
        second_alg: second.row().name.clone(),
        index,
        capacity,
        remaining: status.remaining,
        lost: status.lost,
        signature_bytes: file.len(),
        signature_file: target.clone(),
    };
    report::show(args.json, "hasten.dual-sign/1", None, &[&row], || text(&row))
}

fn text(row: &Row) -> String {
    let Row { alg, second_alg, index, signature_file, .. } = row;
    let [capacity, bytes, left] =
        [row.capacity, row.signature_bytes as u64, row.remaining].map(grouped);
    format!(
        "index      {index} of {capacity}, reserved durably before use\nsignature  {}: {bytes} B, {alg} and {second_alg}\nremaining  {left}",
        signature_file.display()
    )
}
