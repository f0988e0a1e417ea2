//! `hasten sign`: signatures, each with an index reserved durably before anything is computed for it.

mod row;
mod several;
mod stateful;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::encoding::PrivateKey;
use hasten_keys::stateless;
use hasten_keys::verify::whole;

use self::row::Row;
use crate::engine::Clock;
use crate::error::Error;
use crate::files::{self, Output};
use crate::names::{self, Backend};
use crate::output::{note, print};
use crate::passphrase::Source;
use crate::place::Place;
use crate::report::Report;
use crate::stats::Summary;
use crate::units::micros;

/// Arguments of `hasten sign`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hasten sign -k keys/fw firmware.bin\n  \
    hasten sign -k keys/fw release/*.bin\n  \
    tar c dir | hasten sign -k keys/fw - --out dir.sig\n  \
    hasten sign -k keys/web.key message.txt\n\n\
    The signature is written to FILE.sig; with FILE or --out given as -, the standard streams\n\
    are used. A stateful key reads the message once and holds none of it; a stateless one reads\n\
    it once and holds it in memory, at most 1 GiB. Of several files each has its own signature;\n\
    a stateful key then reserves ahead of need, so that no signature waits for the disk.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// What to sign; - is the standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
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
    #[command(flatten)]
    clock: Clock,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Signs and prints what that took.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let is_stateful = args.place.store.is_dir();
    match &args.files[..] {
        [file] => one(args, file, is_stateful)?,
        files if args.out.is_some() || files.iter().any(|file| files::is_stream(file)) => {
            return Err(Error::SeveralFiles);
        }
        files if is_stateful => several::sign(args, files)?,
        files => {
            let rows = files.iter().map(|file| stateless(args, file, &args.target(file)));
            show(args, &rows.collect::<Result<Vec<_>, _>>()?, false)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn one(args: &Args, file: &Path, is_stateful: bool) -> Result<(), Error> {
    let target = args.target(file);
    let row = match is_stateful {
        true => stateful::sign(args, file, &target)?,
        false => stateless(args, file, &target)?,
    };
    show(args, &[row], files::is_stream(&target))
}

/// Prints rows; beside the signature on the standard output, on the error stream.
fn show(args: &Args, rows: &[Row], aside: bool) -> Result<(), Error> {
    let text = match args.json {
        true => Report::new("hasten.sign/1", None, rows).json(),
        false => row::text(rows),
    };
    match aside {
        true => text.lines().for_each(note),
        false => print(&text)?,
    }
    Ok(())
}

impl Args {
    /// Where the signature of `file` goes.
    fn target(&self, file: &Path) -> PathBuf {
        let beside = || match files::is_stream(file) {
            true => file.to_owned(),
            false => files::with_ending(file, ".sig"),
        };
        self.out.clone().unwrap_or_else(beside)
    }

    fn key(&self) -> &Path {
        &self.place.store
    }
}

fn stateless(args: &Args, file: &Path, target: &Path) -> Result<Row, Error> {
    let mut out = Output::begin(target, 0o644)?;
    let of = Error::key(args.key());
    let key = files::private_key(args.key())?;
    let message = whole(&mut *files::open(file)?).map_err(Error::key(file))?;
    let signer = Stateless::of(args, &key)?;
    let begun = Instant::now();
    let (signature, cycles) = signer.sign(&key, &message).map_err(&of)?;
    let finish_us = once(begun.elapsed());
    out.finish(&signature)?;
    Ok(Row {
        alg: key.row.name.clone(),
        state: None,
        finish_us,
        signature_bytes: signature.len(),
        signature_file: target.to_owned(),
        cycles: cycles.or_else(|| args.backend.cycles()),
        core_us: None,
    })
}

/// What signs without a state.
enum Stateless {
    Kernels(Kernels<'static>),
    #[cfg(feature = "rtl")]
    Core(hasten_rtlsim::Ed25519Core),
}

impl Stateless {
    fn of(args: &Args, key: &PrivateKey) -> Result<Self, Error> {
        #[cfg(feature = "rtl")]
        if args.backend.is_ed25519() {
            return crate::ed25519::core(key.row).map(Self::Core);
        }
        let _ = key;
        Ok(Self::Kernels(args.backend.kernels()?.1))
    }

    /// The signature, and the clock cycles of a core that made it by itself.
    fn sign(&self, key: &PrivateKey, message: &[u8]) -> Result<(Vec<u8>, Option<u64>), KeyError> {
        match self {
            Self::Kernels(kernels) => Ok((stateless::sign(key, message, *kernels)?, None)),
            #[cfg(feature = "rtl")]
            Self::Core(core) => crate::ed25519::sign(core, key, message)
                .map(|(signature, cycles)| (signature, Some(cycles))),
        }
    }
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
