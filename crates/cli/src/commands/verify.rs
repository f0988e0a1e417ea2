//! `hasten verify`: good or bad, by any public key that says what it is.

mod key;

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_hbs::Set;
use hasten_keys::encoding::PublicKey;
use hasten_keys::{Error as KeyError, verify};
use serde::Serialize;

use crate::engine::{Clock, Engine};
use crate::error::Error;
use crate::files;
use crate::names::Backend;
use crate::output::print;
use crate::report::Report;
use crate::stats::Summary;
use crate::table::grouped;
use crate::units::micros;

/// Arguments of `hasten verify`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hasten verify -p keys/fw/public.pem firmware.bin firmware.bin.sig\n  \
    hasten verify -p raw.pub --alg XMSS-SHA2_10_256 firmware.bin firmware.bin.sig\n  \
    hasten verify -p raw.pub --form lms firmware.bin firmware.bin.sig\n\n\
    PUB is a PEM file, DER, raw bytes as any library writes them, the directory of a key, or a\n\
    certificate, whose path is not checked ('hasten cert verify' does that). A signature of one\n\
    LMS tree has the form of its public key: that of HSS, as certificates and Hasten's own files\n\
    have it, or bare; --form says it is the other.\n\
    Status 0: good. 1: bad signature. 2: the question could not be asked.")]
pub struct Args {
    /// Public key.
    #[arg(short = 'p', long = "pub", value_name = "PUB")]
    public: PathBuf,
    /// Algorithm, where the bytes of the public key leave it open.
    #[arg(long, value_name = "NAME")]
    alg: Option<String>,
    /// Form of an LMS signature, where it is not that of the public key.
    #[arg(long, value_name = "FORM")]
    form: Option<key::Form>,
    /// What was signed; - is the standard input.
    file: PathBuf,
    /// The signature.
    signature: PathBuf,
    #[command(flatten)]
    backend: Backend,
    #[command(flatten)]
    clock: Clock,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    good: bool,
    alg: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    verify_us: Summary,
    /// Clock cycles of the simulated core.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u64>,
    /// Their time, where the core is one that verifies by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    core_us: Option<Summary>,
}

/// What was said, how long that took, and the clock cycles of a simulated core.
struct Said {
    verdict: Result<(), KeyError>,
    took: Duration,
    cycles: Option<u64>,
    core: Option<Duration>,
}

/// Verifies; the status says how it went.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let key = key::read(&args.public, args.alg.as_deref())?;
    let written = files::read(&args.signature)?;
    let signature = key::in_form(args, &key, &written)?;
    let mut message = files::open(&args.file)?;
    let said = ask(args, &key, &mut *message, &signature)?;
    let good = match said.verdict {
        Ok(()) => true,
        Err(KeyError::BadSignature) => false,
        Err(error @ (KeyError::Io(_) | KeyError::TooLong)) => {
            return Err(Error::key(&args.file)(error));
        }
        Err(error) => return Err(Error::key(&args.public)(error)),
    };
    if !good && args.form.is_none() {
        key::say_other_form(&key, &signature);
    }
    let constant = |time| Summary::constant(micros(time));
    let row = Row {
        good,
        alg: key::name(&key, &signature),
        index: key::index(&key, &signature),
        verify_us: constant(said.took),
        cycles: said.cycles,
        core_us: said.core.map(constant),
    };
    show(args, &row)
}

/// Asks the kernels, or the core that verifies by itself.
fn ask(
    args: &Args,
    key: &PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
) -> Result<Said, Error> {
    #[cfg(feature = "rtl")]
    if args.backend.is_ed25519() {
        return by_ed25519(args, key, message, signature);
    }
    let (_, kernels) = args.backend.beside()?;
    if args.backend.is_engine() {
        return by_engine(args, key, message, signature);
    }
    let begun = Instant::now();
    let verdict = verify::verify(key, message, signature, kernels);
    Ok(Said { verdict, took: begun.elapsed(), cycles: args.backend.cycles(), core: None })
}

/// Prints the row; the status.
fn show(args: &Args, row: &Row) -> Result<ExitCode, Error> {
    print(&match args.json {
        true => Report::new("hasten.verify/1", Some(args.backend.machine()), &[row]).json(),
        false => text(row),
    })?;
    Ok(if row.good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The verdict of the simulated Ed25519 core.
#[cfg(feature = "rtl")]
fn by_ed25519(
    args: &Args,
    key: &PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
) -> Result<Said, Error> {
    let core = crate::ed25519::core(key.row)?;
    let message = verify::whole(message).map_err(Error::key(&args.file))?;
    let begun = Instant::now();
    let (verdict, cycles) = crate::ed25519::verify(&core, key, &message, signature);
    Ok(Said { verdict, took: begun.elapsed(), cycles, core: None })
}

/// The verdict of the simulated engine, and the clock cycles of a good one.
fn by_engine(
    args: &Args,
    key: &PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
) -> Result<Said, Error> {
    let begun = Instant::now();
    let name = &key::lowest(key).name;
    let set = Set::named(name).map_err(|_| Error::Engine("it has keys of one tree only"))?;
    let engine = Engine::new(set)?;
    engine.load_public(&key.raw)?;
    let message = verify::whole(message).map_err(Error::key(&args.file))?;
    let cycles = engine.verify(&message, signature)?;
    let verdict = cycles.map(drop).ok_or(KeyError::BadSignature);
    let core = cycles.map(|cycles| args.clock.time(cycles));
    Ok(Said { verdict, took: begun.elapsed(), cycles: cycles.map(u64::from), core })
}

fn text(row: &Row) -> String {
    let index = row.index.map_or(String::new(), |index| format!("  index {index}"));
    let verdict = if row.good { "good" } else { "BAD SIGNATURE" };
    let cycles =
        row.cycles.map_or(String::new(), |cycles| format!("  {} clock cycles", grouped(cycles)));
    let core = row.core_us.map_or(String::new(), |core| format!(", {:.1} us", core.min));
    format!("{verdict}  {}{index}  {:.1} us{cycles}{core}", row.alg, row.verify_us.min)
}
