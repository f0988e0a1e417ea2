//! `hasten sign`: makes signatures. An index is reserved durably before anything is computed for
//! it.

pub(super) mod check;
mod row;
mod several;
pub(super) mod stateful;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::enclosed::Enclosure;
use hasten_keys::encoding::{PrivateKey, PublicKey};
use hasten_keys::stateless;
use hasten_keys::verify::whole;
use hasten_report::{Summary, micros};

use self::row::Row;
use crate::backend::Backend;
use crate::engine::Clock;
use crate::envelope::{Beside, Opened};
use crate::error::Error;
use crate::files::{self, Identity, Old, Output, Wanted};
use crate::form::{Digest, Format};
use crate::given;
use crate::help;
use crate::interrupt::{self, Interrupt};
use crate::manifest;
use crate::named::Behind;
use crate::output::{self, note, print};
use crate::parse;
use crate::passphrase::Source;
use crate::private_key;
use crate::report;
use crate::store_args::Place;
use crate::units;

/// Arguments of `hasten sign`.
#[derive(clap::Args)]
#[command(mut_arg("key", |key| key
    .help("The key: the directory of one with a state, or the file of another")))]
#[command(mut_arg("files", |files| files
    .help("Files to sign, each by itself; - is the standard input")))]
#[command(after_help = include_str!("sign.txt"))]
pub struct Args {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    files: Behind,
    /// Where the signature goes [default: FILE.sig].
    #[arg(long, value_name = "SIG")]
    out: Option<PathBuf>,
    /// Writes a list of the digests of all FILEs, and of all files in folders among them, as
    /// sha256sum does, and signs that: one signature for all.
    #[arg(long, value_name = "LIST")]
    manifest: Option<PathBuf>,
    /// Form of the signature.
    #[arg(long, value_name = "FORM", default_value = "raw")]
    format: Format,
    /// Signs a digest in the place of FILE [default: none, of --format caliptra sha384].
    #[arg(long, value_name = "HOW", help_heading = help::FORMATS)]
    digest: Option<Digest>,
    #[command(flatten)]
    beside: Beside,
    /// Replaces signatures that are there already.
    #[arg(long)]
    force: bool,
    /// Verifies each signature before it gets its name, against faults of the machine; the message
    /// is read again.
    #[arg(long, value_name = "BOOL", default_value = "true", default_missing_value = "true",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    verify_after: bool,
    /// Level of the signer: what is ready before the message is read.
    #[arg(long, value_name = "LEVEL", default_value = "chain-table", value_parser = parse::signer_level, help_heading = help::MEASURING)]
    level: SignerLevel,
    /// Threads of a signature with a key for a limited number of them, SLH-DSA-SHA2-128-24 and its
    /// like, which takes seconds and has no levels [default: one for each core].
    #[arg(long, value_name = "N", value_parser = units::count, help_heading = help::MEASURING)]
    threads: Option<usize>,
    /// Name of this request in your own books; the signing record keeps it (stateful keys).
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
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

/// Signs the files and prints the times.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    interrupt::attend()?;
    args.files.must_be_named(&args.place.store, "hasten sign KEY FILE...")?;
    args.beside.check(args.format, args.digest.is_some())?;
    let is_stateful = args.place.store.is_dir();
    let files = match &args.manifest {
        Some(list) => vec![list.clone()],
        None => args.files.to_vec(),
    };
    if args.json && files::is_stream(&args.target(&files[0])) {
        output::keep_notes();
    }
    if let Some(list) = &args.manifest {
        if files::is_stream(list) || args.files.iter().any(|file| files::is_stream(file)) {
            return Err(Error::SeveralStreams);
        }
        if !files::is_stream(&args.target(list)) {
            files::check(&args.target(list), Old::forced(args.force), &[])?;
        }
        manifest::make(list, &args.files, &args.target(list), args.force)?;
    }
    match &files[..] {
        [file] => one(args, file, is_stateful)?,
        files if args.out.is_some() || files.iter().any(|file| files::is_stream(file)) => {
            return Err(Error::SeveralFiles);
        }
        files if is_stateful => several::sign(args, files)?,
        files => stateless_ones(args, files)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn one(args: &Args, file: &Path, is_stateful: bool) -> Result<(), Error> {
    let target = args.target(file);
    let row = match is_stateful {
        true => stateful::sign(args, file, &target)?,
        false => Signer::of(args)?.sign(args, file, &target)?,
    };
    show(args, &[row], files::is_stream(&target))
}

/// Signs the files in order with a stateless key. Signatures made before an error or Ctrl-C are
/// printed too.
fn stateless_ones(args: &Args, files: &[PathBuf]) -> Result<(), Error> {
    let signer = Signer::of(args)?;
    args.look(files, signer.public.row.sizes.output)?;
    let interrupt = Interrupt::listen()?;
    let mut rows = Vec::new();
    let mut each = |file: &PathBuf| {
        interrupt.check()?;
        rows.push(signer.sign(args, file, &args.target(file))?);
        Ok(())
    };
    let ended = files.iter().try_for_each(&mut each);
    if !rows.is_empty() {
        show(args, &rows, false)?;
    }
    ended
}

/// Prints the rows. They go to the error stream if the signature itself is written to standard
/// output.
fn show(args: &Args, rows: &[Row], aside: bool) -> Result<(), Error> {
    let report = || report::new("hasten.sign/1", Some(args.backend.machine()), rows).json();
    match (args.json, aside) {
        (true, false) => print(&report())?,
        (true, true) => output::aside_report(&report()),
        (false, false) => print(&row::text(rows))?,
        (false, true) => row::text(rows).lines().for_each(note),
    }
    Ok(())
}

impl Args {
    /// Sets the form that another command requires. A different `--format` is an error.
    pub fn must_be(&mut self, format: Format) -> Result<(), Error> {
        if ![Format::Raw, format].contains(&self.format) {
            return Err(Error::OtherForm { option: "--format", format: format.name() });
        }
        self.format = format;
        Ok(())
    }

    /// Returns the path for the signature of `file`.
    fn target(&self, file: &Path) -> PathBuf {
        let beside = || match files::is_stream(file) {
            true => file.to_owned(),
            false => files::with_ending(file, self.beside.ending(self.format)),
        };
        self.out.clone().unwrap_or_else(beside)
    }

    /// Opens a message, or the structure or digest that `key` signs in its place.
    fn open(&self, file: &Path, key: Option<&PublicKey>) -> Result<Opened, Error> {
        match (self.format, key) {
            (format, Some(key)) if format.is_enclosing() => self.beside.open(format, file, key),
            _ => Opened::bare(file, self.format.digest(self.digest)),
        }
    }

    /// Returns the file content for a signature in its key's own form.
    fn written(
        &self,
        key: &PublicKey,
        signature: Vec<u8>,
        envelope: Option<Enclosure>,
    ) -> Result<Vec<u8>, Error> {
        match envelope {
            Some(envelope) => envelope.finish(&signature).map_err(Error::key(self.key())),
            None => self.format.write(self.key(), key, signature),
        }
    }

    fn key(&self) -> &Path {
        &self.place.store
    }

    /// Checks all files before the first index is taken.
    fn look(&self, files: &[PathBuf], bytes: usize) -> Result<(), Error> {
        let planned: Vec<_> = files.iter().map(|file| (file.clone(), self.target(file))).collect();
        let (old, key) = (Old::forced(self.force), Identity::at(self.key()));
        Ok(files::look(&planned, old, key, bytes)?)
    }

    /// Begins the output file, with room for a signature of `bytes` bytes.
    fn begin(&self, target: &Path, bytes: usize, opened: &Opened) -> Result<Output, Error> {
        let identity = opened.message.identity;
        let keep: Vec<_> = identity.into_iter().chain(Identity::at(self.key())).collect();
        let old = Old::forced(self.force);
        let bytes = opened.room(bytes);
        Ok(Output::begin(target, Wanted { secret: false, old, keep: &keep, bytes })?)
    }
}

/// A stateless key, expanded once, and its public key.
struct Signer {
    public: PublicKey,
    means: Stateless,
}

impl Signer {
    fn of(args: &Args) -> Result<Self, Error> {
        let key = private_key::read(args.key(), &args.passphrase);
        let key = key.map_err(args.place.store.unread())?;
        given::no_state(&key.row.name)?;
        let of = Error::key(args.key());
        let public = stateless::public(&key, Kernels::best()).map_err(of)?;
        args.format.check(args.key(), &public)?;
        Ok(Self { public, means: Stateless::of(args, key)? })
    }

    /// Signs one message and returns its row, with the time.
    fn sign(&self, args: &Args, file: &Path, target: &Path) -> Result<Row, Error> {
        let row = self.public.row;
        let mut opened = args.open(file, Some(&self.public))?;
        let out = args.begin(target, row.sizes.output, &opened)?;
        let bytes = whole(&mut opened.message).map_err(Error::key(file))?;
        let (made, time) = timed(|| self.means.sign(&bytes));
        let (signature, cycles) = made.map_err(Error::key(args.key()))?;
        let signature = check::faulty(signature);
        if args.verify_after {
            check::signature(&self.public, &mut &bytes[..], &signature, (file, None))?;
        }
        let signature = args.written(&self.public, signature, opened.envelope)?;
        out.finish(&signature)?;
        Ok(Row {
            alg: row.name.clone(),
            state: None,
            finish_us: once(time),
            form: row::Form::of(args),
            signature_bytes: signature.len(),
            signature_file: target.to_owned(),
            cycles: cycles.or_else(|| args.backend.cycles()),
            core_us: None,
        })
    }
}

/// Signer of a stateless key.
enum Stateless {
    Software(stateless::Signer<'static>),
    #[cfg(feature = "rtl")]
    Core(hasten_rtlsim::Ed25519Core, PrivateKey),
}

impl Stateless {
    fn of(args: &Args, key: PrivateKey) -> Result<Self, Error> {
        #[cfg(feature = "rtl")]
        if args.backend.is_ed25519() {
            return Ok(Self::Core(crate::ed25519::core(key.row)?, key));
        }
        let signer = stateless::Signer::new(&key, args.backend.kernels()?.1);
        signer.map(Self::Software).map_err(Error::key(args.key()))
    }

    /// Returns the signature, and the clock cycles if a core made it on its own.
    fn sign(&self, message: &[u8]) -> Result<(Vec<u8>, Option<u64>), KeyError> {
        match self {
            Self::Software(signer) => Ok((signer.sign(message)?, None)),
            #[cfg(feature = "rtl")]
            Self::Core(core, key) => crate::ed25519::sign(core, key, message)
                .map(|(signature, cycles)| (signature, Some(cycles))),
        }
    }
}

/// Returns a time that was measured once, as a summary.
fn once(time: Duration) -> Summary {
    Summary::constant(micros(time))
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed())
}
