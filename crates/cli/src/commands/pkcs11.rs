//! `hasten pkcs11`: writes the configuration that tells the PKCS#11 module where a key is.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_hbs::Set;
use hasten_keys::encoding::PublicKey;
use hasten_keys::registry::{Family, Kind, Row as Algorithm};
use hasten_keys::stateful::{Sealed, fleet_of, read_public_of};
use hasten_store::{Options, is_hidden};
use serde::Serialize;

use super::verify::key;
use crate::error::{Error, NoSlot};
use crate::files::{self, Wanted};
use crate::named::{self, Keys};
use crate::output::{note, print, visible};
use crate::{private_key, report};

/// Maximum length of a label in bytes (PKCS#11 3.2, CK_TOKEN_INFO).
const LABEL: usize = 32;

/// Arguments of `hasten pkcs11`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key.help(named::PRIVATE)))]
#[command(mut_arg("store", |key| key
    .help("The key, where it is not the first argument; once for each of several")))]
#[command(after_help = include_str!("pkcs11.txt"))]
pub struct Args {
    #[command(flatten)]
    keys: Keys,
    /// Where the configuration goes, a new file [default: the standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Label of the slot [default: the name of the directory, or of the files].
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// Keeps the key from the first signature of a program to its last, and its indices reserved:
    /// faster, and no other program signs with it meanwhile.
    #[arg(long)]
    hold: bool,
    /// Prints JSON; the configuration needs --out then.
    #[arg(long, requires = "out")]
    json: bool,
}

/// Configuration file of the module.
#[derive(Serialize)]
struct Config<'s> {
    slot: Vec<&'s Slot>,
}

/// Configuration of one slot.
#[derive(Serialize)]
struct Slot {
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hold: bool,
}

#[derive(Serialize)]
struct Row {
    slot: usize,
    alg: String,
    /// Whether the secret is encrypted. Its passphrase is then the PIN.
    pin: bool,
    #[serde(flatten)]
    place: Slot,
}

/// Writes a slot for each key.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if args.label.is_some() && args.keys.len() > 1 {
        return Err(Error::OneLabel);
    }
    let rows = args.keys.iter().enumerate().map(|(slot, key)| row(args, slot, key));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let config = Config { slot: rows.iter().map(|row| &row.place).collect() };
    let out = args.out.as_deref().unwrap_or(Path::new("-"));
    let unwritten = |_| Error::NoSlot { path: out.to_owned(), why: NoSlot::Name };
    let text = toml::to_string(&config).map_err(unwritten)?;
    files::write(out, Wanted::default(), text.as_bytes())?;
    if files::is_stream(out) {
        return Ok(ExitCode::SUCCESS);
    }
    match args.json {
        true => print(&report::new("hasten.pkcs11/1", None, &rows).json())?,
        false => print(&rows.iter().map(text_of).collect::<Vec<_>>().join("\n"))?,
    }
    let whole = std::path::absolute(out).unwrap_or_else(|_| out.to_owned());
    note(&format!("the module reads it where HASTEN_PKCS11_CONF={} is set", visible(&whole)));
    Ok(ExitCode::SUCCESS)
}

fn row(args: &Args, slot: usize, named: &Path) -> Result<Row, Error> {
    let (path, alg, pin) = match named.is_dir() {
        true => kept(named)?,
        false => filed(named)?,
    };
    let whole = std::path::absolute(&path).map_err(Error::system("finding the key"))?;
    let unfit = |why| Error::NoSlot { path: named.to_owned(), why };
    let is_shown = |text: &&str| !text.contains(is_hidden);
    let text = whole.to_str().filter(is_shown).ok_or_else(|| unfit(NoSlot::Name))?.to_owned();
    let name = || whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let label = args.label.clone().unwrap_or_else(name);
    if label.is_empty() || label.len() > LABEL || label.contains(is_hidden) {
        return Err(unfit(NoSlot::Label { label, most: LABEL }));
    }
    let (store, key) = if named.is_dir() { (Some(text), None) } else { (None, Some(text)) };
    Ok(Row { slot, alg, pin, place: Slot { label, store, key, hold: args.hold } })
}

/// Returns the path of a stateful key, its set, and whether it is encrypted. A key with a witness,
/// or with its state elsewhere, is an error: the module supports neither.
fn kept(dir: &Path) -> Result<(PathBuf, String, bool), Error> {
    let of = Error::key(dir);
    let unfit = |why| Err(Error::NoSlot { path: dir.to_owned(), why });
    let public = read_public_of(dir).map_err(&of)?;
    let sealed = Sealed::of_store(dir).map_err(&of)?;
    let status = Options::new().peek(dir).map_err(|error| of(error.into()))?;
    if fleet_of(dir).map_err(&of)?.is_some() {
        return unfit(NoSlot::Elsewhere);
    }
    if status.witness {
        return unfit(NoSlot::Witness);
    }
    if sealed.sessions().is_some() {
        return unfit(NoSlot::Sessions);
    }
    let limited = Set::named(sealed.set()).is_ok_and(|set| set.limit.is_some());
    if limited || !has_mechanism(public.row) {
        return unfit(NoSlot::Algorithm(sealed.set().to_owned()));
    }
    Ok((dir.to_owned(), sealed.set().to_owned(), sealed.is_encrypted()))
}

/// Returns the common part of a stateless key's two file names, its algorithm, and whether it is
/// encrypted.
fn filed(named: &Path) -> Result<(PathBuf, String, bool), Error> {
    let ending = named.extension().filter(|ending| *ending == "key" || *ending == "pub");
    let prefix = if ending.is_some() { named.with_extension("") } else { named.to_owned() };
    let [private, public] = [".key", ".pub"].map(|ending| files::with_ending(&prefix, ending));
    if let Some(absent) = [&private, &public].into_iter().find(|path| !path.exists()) {
        let why = NoSlot::Absent { file: absent.clone() };
        return Err(Error::NoSlot { path: named.to_owned(), why });
    }
    let PublicKey { row, .. } = key::read(&public, None)?;
    if !has_mechanism(row) {
        let why = NoSlot::Algorithm(row.name.clone());
        return Err(Error::NoSlot { path: named.to_owned(), why });
    }
    let pin = private_key::is_encrypted(&private)?;
    Ok((prefix, row.name.clone(), pin))
}

/// Whether the module offers a PKCS#11 mechanism for the algorithm.
fn has_mechanism(row: &Algorithm) -> bool {
    let with_state =
        matches!(row.family, Family::Lms | Family::Hss | Family::Xmss | Family::XmssMt);
    let without = matches!(row.family, Family::SlhDsa | Family::MlDsa);
    with_state || (without && row.kind == Kind::Signature)
}

fn text_of(row: &Row) -> String {
    let Slot { label, store, key, .. } = &row.place;
    let place = store.as_ref().or(key.as_ref()).map_or("", |place| place);
    let pin = if row.pin { "the PIN is the key's passphrase" } else { "no PIN" };
    let (label, place) = (visible(Path::new(label)), visible(Path::new(place)));
    format!("slot {:<3} {label}: {}, {place}; {pin}", row.slot, row.alg)
}
