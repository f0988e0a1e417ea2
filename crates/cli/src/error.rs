//! Everything that can stop a command, and how it is said: one line and one hint, status 2.

mod arguments;
mod channel;
mod command_line;
mod from;
mod hint;
mod meant;
mod slot;
mod value;
mod wrong_key;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_process::NoOutput;
use hasten_process::files::NotRead;
#[cfg(feature = "aws-lc")]
use hasten_report::grouped;
use hasten_store::StoreError;

pub use self::channel::Channel;
pub use self::slot::NoSlot;
pub use self::value::BadValue;
pub use self::wrong_key::WrongKey;
use crate::output::{aside, aside_report, is_json_asked_for};
use crate::report;
use crate::suggest::listed;
use crate::unfit::NoSignature;

/// Status of a usage or state error.
pub const USAGE: u8 = 2;

/// Why a command stopped, and its sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The arguments were wrong; clap says how.
    #[error("{}", arguments::problem(.0))]
    Arguments(clap::Error),
    /// The backend exists, but this CPU or this build lacks it.
    #[error("backend '{name}' needs instructions this machine lacks")]
    NoBackend { name: String, have: Vec<&'static str> },
    /// The simulated XMSS engine cannot do what is asked.
    #[error("{name}: {0}", name = crate::engine::NAME)]
    Engine(&'static str),
    /// The simulated core is not in this build.
    #[cfg(feature = "rtl")]
    #[error("'{0}' was built without Verilator")]
    NotVerilated(&'static str),
    /// The simulated core makes keys, signs and verifies, and does nothing else.
    #[cfg(feature = "rtl")]
    #[error("'{0}' is a whole core, no backend of kernels")]
    WholeCore(&'static str),
    /// The simulated core is of another algorithm.
    #[cfg(feature = "rtl")]
    #[error("'{name}' does not do {alg}")]
    OtherCore { name: &'static str, alg: &'static str },
    /// One name stands where a key and a file are needed, and it is no key's directory.
    #[error("which key? {alone} stands alone, and KEY comes first: {usage}", alone = alone.display())]
    WhichKey { alone: PathBuf, usage: &'static str },
    /// The first argument is taken for the key, and is none.
    #[error("{}: {}", .0.display(), hasten_keys::Error::NotAKey)]
    FirstIsNoKey(PathBuf),
    /// A key is named, and no file.
    #[error("which file? only the key is named: {0}")]
    WhichFile(&'static str),
    /// A step of key generation, signing or verification refused.
    #[error("{0}")]
    Scheme(hasten_hbs::Error),
    /// The socket, or the operating system's random numbers, failed.
    #[error("{doing}: {cause}")]
    System { doing: &'static str, cause: std::io::Error },
    /// A signature made here did not verify here.
    #[cfg(feature = "measure")]
    #[error("signature {index} of {alg} did not verify")]
    Rejected { alg: &'static str, index: u64 },
    /// A key or its store said no.
    #[error("{path}: {cause}{}", looked_for(.guard.as_deref()))]
    Key { path: PathBuf, guard: Option<PathBuf>, cause: hasten_keys::Error },
    /// A file could not be read or written.
    #[error("{doing} {path}: {cause}")]
    File { path: PathBuf, doing: &'static str, cause: std::io::Error },
    /// Nothing may be written under this name.
    #[error("{path}: {why}")]
    Output { path: PathBuf, why: NoOutput },
    /// A signature made here did not verify here; it was thrown away.
    #[error(
        "FAULT: the signature of {path} did not verify: it was erased, nothing was written{}",
        lost(*.index)
    )]
    Fault { path: PathBuf, index: Option<u64> },
    /// An option that this algorithm needs is missing.
    #[error("{alg} needs {option}")]
    Needs { option: &'static str, alg: &'static str },
    /// An option for the state of a key, where the key has none.
    #[error("--{option} is for keys with a state, and {alg} has none")]
    NoState { option: String, alg: String },
    /// The algorithm is known by name only.
    #[error("this build cannot compute with {0}: it knows its name, its numbers and its sizes")]
    NotBuiltIn(&'static str),
    /// The set has no levels to measure; `bench hbs` measures it.
    #[cfg(feature = "measure")]
    #[error("{0} has no levels of preparation")]
    NoLevels(&'static str),
    /// Certificates need an object identifier, which the draft does not give.
    #[error("{0} has no object identifier yet, so no certificate can name it")]
    NoIdentifier(&'static str),
    /// The set cannot be parted into so many sectors.
    #[error("--sectors: {alg} has a power of two of them, {most} at most")]
    NoSectors { alg: &'static str, most: u32 },
    /// The key takes its indices from etcd, which this build cannot speak to.
    #[cfg(not(feature = "etcd"))]
    #[error("{0}: this key takes its indices from etcd, and this build has no etcd")]
    NoEtcd(PathBuf),
    /// The key has a state of its own, not a fleet's.
    #[cfg(feature = "etcd")]
    #[error("{0}: this key has a state of its own, not a fleet's")]
    NoFleet(PathBuf),
    /// etcd cannot, or must not, be reached in this way.
    #[cfg(feature = "etcd")]
    #[error("{place}: {why}")]
    Etcd { place: String, why: hasten_store_etcd::BadAccess },
    /// No member of etcd answers.
    #[cfg(feature = "etcd")]
    #[error("{0}: etcd did not answer: the key is not finished")]
    NoAnswer(String),
    /// A signer of a fleet that has no guard, and no token to join with.
    #[cfg(feature = "etcd")]
    #[error(
        "{path}: REFUSED: this signer of the fleet has no guard at {guard}: it cannot know whether etcd went back"
    )]
    NoJoin { path: PathBuf, guard: PathBuf },
    /// Sectors are for directories with a state of their own.
    #[error("--sectors: every signer of a fleet needs every seed")]
    SectorsOfFleet,
    /// One name for the signatures of several files, or a stream among them.
    #[error("several files: no --out, and no standard stream among them")]
    SeveralFiles,
    /// Several files to verify, and nothing that says which signature is whose.
    #[error("which of these files are signatures is not said")]
    WhichPairs,
    /// A file of several public keys, where one is wanted.
    #[error("{path}: {count} public keys are in this file, and one is wanted")]
    SeveralKeys { path: PathBuf, count: usize },
    /// Several keys, and a message that can be read only once.
    #[error("{0}: it can be read once only, and several keys would have to read it")]
    ReadOnce(PathBuf),
    /// Several keys, of which none could look at a signature.
    #[error("none of {count} keys could look at it; {first}")]
    NoneOfKeys { count: usize, first: Box<Self> },
    /// A list of names without a name.
    #[error("{0}: the list is empty, so nothing was verified")]
    EmptyList(PathBuf),
    /// A list of digests is not as it should be.
    #[error("{path}: {why}")]
    Manifest { path: PathBuf, why: crate::manifest::Unfit },
    /// A key to scan for, and nothing that is scanned.
    #[error("nothing to scan is named")]
    NothingToScan,
    /// A standard stream among several files, or for a file and its signature.
    #[error("a standard stream can be one file only, and not among several")]
    SeveralStreams,
    /// A signature is whole and has its name, but the key could not record its index as used.
    #[error(
        "{signature} is a whole signature with index {index}, but that it is used could not be recorded: {cause}"
    )]
    Unrecorded { signature: PathBuf, index: u64, cause: hasten_keys::Error },
    /// The process cannot go on for another reason.
    #[error("{0}")]
    Process(hasten_process::Error),
    /// The bytes of a public key fit several sets.
    #[error("{path}: the raw key fits {}: its bytes do not say which", listed(.fits))]
    AmbiguousKey { path: PathBuf, fits: Vec<&'static str> },
    /// The second key of a dual signature is the directory of one with a state.
    #[error("{0}: this key has a state, and the second key of a dual signature has none")]
    SecondHasState(PathBuf),
    /// Caliptra verifies another set than that of the key.
    #[error("{path}: Caliptra verifies LMS_SHA256_M24_H15_W4 alone, and this key is of {alg}")]
    NotOfCaliptra { path: PathBuf, alg: String },
    /// An option that belongs to another form of signatures.
    #[error("{option} says nothing of a signature of --format {format}")]
    OtherForm { option: &'static str, format: &'static str },
    /// A file in the place of a key is another thing.
    #[error("{path}: {why}")]
    WrongKey { path: PathBuf, why: WrongKey },
    /// The PKCS#11 module cannot sign with the key.
    #[error("{path}: {why}")]
    NoSlot { path: PathBuf, why: NoSlot },
    /// One label for several keys.
    #[error("--label is the label of one key, and several are named")]
    OneLabel,
    /// No file is where the signature is looked for.
    #[error("reading {path}: {cause}")]
    AbsentSignature { path: PathBuf, file: PathBuf, cause: std::io::Error },
    /// The bytes in the place of a signature are none that the key could look at.
    #[error("{path} {why}")]
    NoSignature { path: PathBuf, why: NoSignature },
    /// Nobody gave the version that the header of an image has.
    #[error("--format {0} needs --image-version")]
    NoImageVersion(&'static str),
    /// A signer is named by the issuer of a certificate that is not given.
    #[error("--signer-by issuer needs the certificate, --cert FILE")]
    NoIssuer,
    /// Nothing known is in this file.
    #[error("{0}: nothing known here")]
    Unrecognised(PathBuf),
    /// The two passphrases typed are not the same.
    #[error("the two passphrases are not the same")]
    PassphrasesDiffer,
    /// A passphrase is needed and there is no terminal to ask on.
    #[error("a passphrase is needed, and there is no terminal")]
    NoPassphrase,
    /// A private key in the clear that every user of the machine can read.
    #[error("{0}: every user of this machine can read this private key")]
    Exposed(PathBuf),
    /// A passphrase of no characters protects nothing.
    #[error("the passphrase is empty, and protects nothing")]
    EmptyPassphrase,
    /// The user's state directory cannot hold the guard, or the register of imports.
    #[error("no place for the {holds}: {why}")]
    NoStateFolder { holds: &'static str, why: StoreError },
    /// The folder that was named cannot be the register of imports.
    #[error("--register: {0}")]
    NoRegister(StoreError),
    /// A value that only makes sense beside others.
    #[error("{option}: {value}")]
    Value { option: &'static str, value: BadValue },
    /// This build has no TLS.
    #[cfg(not(feature = "aws-lc"))]
    #[error("this build has no TLS")]
    NoTls,
    /// rustls refuses what it is given.
    #[cfg(feature = "aws-lc")]
    #[error("{0}")]
    Tls(String),
    /// The number belongs to round-3 Kyber.
    #[cfg(feature = "aws-lc")]
    #[error(
        "{name} is a group of round-3 Kyber, which is not ML-KEM: its number is not used for anything else"
    )]
    RoundThree { name: String, instead: &'static str },
    /// A key with state is to sign handshakes.
    #[cfg(feature = "aws-lc")]
    #[error(
        "{0}: a key with a state signs no handshakes, for their number is the peer's to decide"
    )]
    StatefulInTls(PathBuf),
    /// The chain is longer than a peer with rustls takes.
    #[cfg(feature = "aws-lc")]
    #[error(
        "{path}: certificates and signature take {} bytes, and rustls joins no more than {}",
        grouped(*.bytes as u64),
        grouped(*.most as u64)
    )]
    FlightTooLong { path: PathBuf, bytes: usize, most: usize, instead: String },
    /// Other machines could reach the address.
    #[cfg(feature = "aws-lc")]
    #[error("{0} can be reached by other machines")]
    NotLoopback(std::net::SocketAddr),
    /// A secret lies in the directory that a server would hand out.
    #[cfg(feature = "aws-lc")]
    #[error("--files {dir}: {unfit}")]
    HandOut { dir: PathBuf, unfit: rustls_hasten::endpoint::files::Unfit },
    /// The message of a signature that is to be believed was not found.
    #[error("{0}: the message of this signature was not found")]
    NoMessage(PathBuf),
    /// A signature that is to be believed does not verify.
    #[error("{signature}: no good signature of {message} by this key: its index is not believed")]
    NotOfKey { signature: PathBuf, message: PathBuf },
    /// An index outside of the key's range.
    #[error("the index is none of this directory's: it has {start}..{end}")]
    OtherRange { start: u64, end: u64 },
    /// No report of this name describes a machine.
    #[error("no report {0}.json lies beside the program or above it")]
    NoReport(&'static str),
    /// Nobody could be asked whether to go on.
    #[error("no terminal to ask on: nothing was changed")]
    NotAsked { goes_on: String },
    /// Nobody could be asked, and no record says that the count is enough.
    #[error("no terminal to ask on: nothing was changed")]
    NotAskedBlindly { burn: u64 },
    /// How far a key was used is known to nobody here.
    #[error("the newest signature of this key is not known here: nothing was changed")]
    NothingKnown,
    /// The answer to a question was not yes.
    #[error("nothing was changed: the answer was not yes")]
    Declined,
    /// A fleet keeps the state of this key.
    #[error("a fleet keeps the state of this key, not its files: nothing was changed")]
    StateOfFleet,
    /// The key has its state elsewhere, and nothing records what it signs.
    #[error(
        "{0}: a fleet or a witness keeps the state of this key, and what it signs is not recorded"
    )]
    NoRecord(PathBuf),
    /// A witness carries the state of this key.
    #[error("the witness of this key carries its state, not its files: nothing was changed")]
    StateAtWitness,
    /// A witness in a file is to carry the state of a key.
    #[error("file: a witness that carries the state lies outside of this machine")]
    CarriedInFile,
    /// A channel does not come about.
    #[error("{0}")]
    Channel(Channel),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Returns a system error, with what was being done.
    pub fn system(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::System { doing, cause }
    }

    /// Returns the error of a file that could not be read.
    pub fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::File { path, doing: "reading", cause }
    }

    /// Returns the error of a file that was not read.
    pub fn unread(path: &Path) -> impl FnOnce(NotRead) -> Self {
        let path = path.to_owned();
        move |why| {
            let cause = match why {
                NotRead::Failed(cause) => cause,
                why => std::io::Error::new(why.kind(), why),
            };
            Self::File { path, doing: "reading", cause }
        }
    }

    /// Returns an error of the key at `path`.
    pub fn key(path: &Path) -> impl Fn(hasten_keys::Error) -> Self + use<> {
        Self::key_and_guard(path, None)
    }

    /// Works as [`Error::key`]; a refusal names the guard that was looked for: the one that was
    /// named, or the one that the key's directory names.
    pub fn key_and_guard(
        path: &Path,
        named: Option<&Path>,
    ) -> impl Fn(hasten_keys::Error) -> Self + use<> {
        let (path, named) = (path.to_owned(), named.map(Path::to_owned));
        move |cause| match cause {
            hasten_keys::Error::Scheme(hasten_hbs::Error::Stopped) => Self::Interrupted,
            cause if wrong_key::is_no_directory(&path, &cause) => Self::WrongKey {
                path: path.clone(),
                why: WrongKey::NoDirectory { path: path.clone() },
            },
            cause => {
                let refused = matches!(cause, hasten_keys::Error::State(StoreError::Refused(_)));
                let guard =
                    || named.clone().or_else(|| hasten_store::Options::new().guard_of(&path));
                let guard = refused.then(guard).flatten();
                Self::Key { path: path.clone(), guard, cause }
            }
        }
    }

    /// Says the error on the error stream, or prints the help asked for; gives the status.
    pub fn report(&self) -> ExitCode {
        if let Self::Arguments(error) = self
            && !error.use_stderr()
        {
            // Help and version are no errors; a reader that has gone away is none either.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        self.say();
        ExitCode::from(USAGE)
    }

    /// Writes the error and its hint to the error stream: as JSON where JSON was asked for.
    fn say(&self) {
        let hint = self.hint();
        if is_json_asked_for() {
            let sentence = self.to_string();
            let failure = report::failure(&sentence, hint.as_deref(), self.kind(), USAGE);
            return aside_report(&failure);
        }
        aside(&format!("hasten: {self}"));
        if let Some(hint) = hint {
            aside(&format!("hint: {hint}"));
        }
    }

    /// Returns a word for programs: which part of the world stands in the way.
    fn kind(&self) -> &'static str {
        match self {
            Self::Interrupted | Self::Declined => "interrupted",
            Self::NothingKnown => "state",
            Self::Key { cause: hasten_keys::Error::State(_), .. } => "state",
            Self::Key { cause: hasten_keys::Error::NotADigest, .. } => "file",
            Self::Unrecorded { .. } => "state",
            Self::WrongKey { .. } | Self::NoSlot { .. } => "key",
            Self::Key { .. } | Self::AmbiguousKey { .. } | Self::Unrecognised(_) => "key",
            Self::NotOfCaliptra { .. } | Self::FirstIsNoKey(_) | Self::SecondHasState(_) => "key",
            Self::NoSignature { .. } => "signature",
            Self::NoneOfKeys { first, .. } => first.kind(),
            Self::SeveralKeys { .. } => "key",
            Self::Manifest { .. } | Self::ReadOnce(_) | Self::EmptyList(_) => "file",
            Self::File { .. } | Self::Output { .. } | Self::Exposed(_) => "file",
            Self::AbsentSignature { .. } => "file",
            Self::System { .. } | Self::NoStateFolder { .. } | Self::NoRegister(_) => "system",
            Self::NoPassphrase | Self::PassphrasesDiffer | Self::EmptyPassphrase => "passphrase",
            #[cfg(feature = "measure")]
            Self::Rejected { .. } => "fault",
            Self::Fault { .. } => "fault",
            Self::NoBackend { .. } | Self::NotBuiltIn(_) => "build",
            _ => "arguments",
        }
    }
}

/// Says which guard was looked for.
fn looked_for(guard: Option<&Path>) -> String {
    guard.map_or(String::new(), |path| format!(". The guard looked for is {}", path.display()))
}

/// Says what became of the index of a wrong signature.
fn lost(index: Option<u64>) -> String {
    index.map_or(String::new(), |index| format!(", and index {index} is lost"))
}
