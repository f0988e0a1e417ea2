//! Errors that stop a command. Each is printed as one line and one hint, and ends with status 2.

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

/// Exit status of a usage or state error.
pub const USAGE: u8 = 2;

/// The error that stopped a command. Its text is the sentence to print.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The arguments are wrong; clap has the details.
    #[error("{}", arguments::problem(.0))]
    Arguments(clap::Error),
    /// The backend exists, but this CPU or this build lacks it.
    #[error("backend '{name}' needs instructions this machine lacks")]
    NoBackend { name: String, have: Vec<&'static str> },
    /// The simulated XMSS engine does not support the request.
    #[error("{name}: {0}", name = crate::engine::NAME)]
    Engine(&'static str),
    /// The simulated core is not in this build.
    #[cfg(feature = "rtl")]
    #[error("'{0}' was built without Verilator")]
    NotVerilated(&'static str),
    /// The simulated core only makes keys, signs and verifies. It provides no kernels.
    #[cfg(feature = "rtl")]
    #[error("'{0}' is a whole core, no backend of kernels")]
    WholeCore(&'static str),
    /// The simulated core implements another algorithm.
    #[cfg(feature = "rtl")]
    #[error("'{name}' does not do {alg}")]
    OtherCore { name: &'static str, alg: &'static str },
    /// A key and a file are needed, but there is only one name, which is not that of a key's
    /// directory.
    #[error("which key? {alone} stands alone, and KEY comes first: {usage}", alone = alone.display())]
    WhichKey { alone: PathBuf, usage: &'static str },
    /// The first argument should be the key, but is not one.
    #[error("{}: {}", .0.display(), hasten_keys::Error::NotAKey)]
    FirstIsNoKey(PathBuf),
    /// A key is named, but no file.
    #[error("which file? only the key is named: {0}")]
    WhichFile(&'static str),
    /// A step of key generation, signing or verification failed.
    #[error("{0}")]
    Scheme(hasten_hbs::Error),
    /// The socket, or the operating system's random numbers, failed.
    #[error("{doing}: {cause}")]
    System { doing: &'static str, cause: std::io::Error },
    /// A signature made here did not verify here.
    #[cfg(feature = "measure")]
    #[error("signature {index} of {alg} did not verify")]
    Rejected { alg: &'static str, index: u64 },
    /// Error of a key or its store.
    #[error("{path}: {cause}{}", looked_for(.guard.as_deref()))]
    Key { path: PathBuf, guard: Option<PathBuf>, cause: hasten_keys::Error },
    /// A file could not be read or written.
    #[error("{doing} {path}: {cause}")]
    File { path: PathBuf, doing: &'static str, cause: std::io::Error },
    /// The output must not be written under this name.
    #[error("{path}: {why}")]
    Output { path: PathBuf, why: NoOutput },
    /// A signature made here did not verify here, and was erased.
    #[error(
        "FAULT: the signature of {path} did not verify: it was erased, nothing was written{}",
        lost(*.index)
    )]
    Fault { path: PathBuf, index: Option<u64> },
    /// An option that this algorithm needs is missing.
    #[error("{alg} needs {option}")]
    Needs { option: &'static str, alg: &'static str },
    /// An option for the state of a key, but the key is stateless.
    #[error("--{option} is for keys with a state, and {alg} has none")]
    NoState { option: String, alg: String },
    /// This build only knows the name, numbers and sizes of the algorithm.
    #[error("this build cannot compute with {0}: it knows its name, its numbers and its sizes")]
    NotBuiltIn(&'static str),
    /// The set has no levels to measure; `bench hbs` measures it.
    #[cfg(feature = "measure")]
    #[error("{0} has no levels of preparation")]
    NoLevels(&'static str),
    /// The draft assigns no object identifier to the set, and certificates need one.
    #[error("{0} has no object identifier yet, so no certificate can name it")]
    NoIdentifier(&'static str),
    /// The set cannot be divided into that many sectors.
    #[error("--sectors: {alg} has a power of two of them, {most} at most")]
    NoSectors { alg: &'static str, most: u32 },
    /// The key takes its indices from etcd, which this build does not support.
    #[cfg(not(feature = "etcd"))]
    #[error("{0}: this key takes its indices from etcd, and this build has no etcd")]
    NoEtcd(PathBuf),
    /// The key has its own state, and is not in a fleet.
    #[cfg(feature = "etcd")]
    #[error("{0}: this key has a state of its own, not a fleet's")]
    NoFleet(PathBuf),
    /// etcd cannot, or must not, be reached this way.
    #[cfg(feature = "etcd")]
    #[error("{place}: {why}")]
    Etcd { place: String, why: hasten_store_etcd::BadAccess },
    /// No member of etcd answers.
    #[cfg(feature = "etcd")]
    #[error("{0}: etcd did not answer: the key is not finished")]
    NoAnswer(String),
    /// A signer of a fleet has neither a guard nor a token to join with.
    #[cfg(feature = "etcd")]
    #[error(
        "{path}: REFUSED: this signer of the fleet has no guard at {guard}: it cannot know whether etcd went back"
    )]
    NoJoin { path: PathBuf, guard: PathBuf },
    /// The keys of a fleet have no sectors, because every signer needs every seed.
    #[error("--sectors: every signer of a fleet needs every seed")]
    SectorsOfFleet,
    /// Several files, but one name for their signatures, or a standard stream among them.
    #[error("several files: no --out, and no standard stream among them")]
    SeveralFiles,
    /// Several files to verify, but no option that tells which of them are signatures.
    #[error("which of these files are signatures is not said")]
    WhichPairs,
    /// The file has several public keys, but only one is allowed.
    #[error("{path}: {count} public keys are in this file, and one is wanted")]
    SeveralKeys { path: PathBuf, count: usize },
    /// Several keys, but the message can be read only once.
    #[error("{0}: it can be read once only, and several keys would have to read it")]
    ReadOnce(PathBuf),
    /// The signature fits none of several keys.
    #[error("none of {count} keys could look at it; {first}")]
    NoneOfKeys { count: usize, first: Box<Self> },
    /// The list of names is empty.
    #[error("{0}: the list is empty, so nothing was verified")]
    EmptyList(PathBuf),
    /// The list of digests is invalid, or cannot be written.
    #[error("{path}: {why}")]
    Manifest { path: PathBuf, why: crate::manifest::Unfit },
    /// No file to scan is named.
    #[error("nothing to scan is named")]
    NothingToScan,
    /// A standard stream among several files, or for both a file and its signature.
    #[error("a standard stream can be one file only, and not among several")]
    SeveralStreams,
    /// The signature is complete and written, but the key could not record its index as used.
    #[error(
        "{signature} is a whole signature with index {index}, but that it is used could not be recorded: {cause}"
    )]
    Unrecorded { signature: PathBuf, index: u64, cause: hasten_keys::Error },
    /// Another error of the process.
    #[error("{0}")]
    Process(hasten_process::Error),
    /// The bytes of a public key fit several sets.
    #[error("{path}: the raw key fits {}: its bytes do not say which", listed(.fits))]
    AmbiguousKey { path: PathBuf, fits: Vec<&'static str> },
    /// The second key of a dual signature is the directory of a stateful key.
    #[error("{0}: this key has a state, and the second key of a dual signature has none")]
    SecondHasState(PathBuf),
    /// Caliptra does not support the set of the key.
    #[error("{path}: Caliptra verifies LMS_SHA256_M24_H15_W4 alone, and this key is of {alg}")]
    NotOfCaliptra { path: PathBuf, alg: String },
    /// The option does not apply to signatures of this format.
    #[error("{option} says nothing of a signature of --format {format}")]
    OtherForm { option: &'static str, format: &'static str },
    /// The file of a key is something else.
    #[error("{path}: {why}")]
    WrongKey { path: PathBuf, why: WrongKey },
    /// The PKCS#11 module cannot sign with the key.
    #[error("{path}: {why}")]
    NoSlot { path: PathBuf, why: NoSlot },
    /// One label, but several keys.
    #[error("--label is the label of one key, and several are named")]
    OneLabel,
    /// The signature does not exist where it is expected.
    #[error("reading {path}: {cause}")]
    AbsentSignature { path: PathBuf, file: PathBuf, cause: std::io::Error },
    /// The bytes cannot be a signature of the key.
    #[error("{path} {why}")]
    NoSignature { path: PathBuf, why: NoSignature },
    /// The version for the header of an image is missing.
    #[error("--format {0} needs --image-version")]
    NoImageVersion(&'static str),
    /// The signer is to be named by the issuer of its certificate, but no certificate is given.
    #[error("--signer-by issuer needs the certificate, --cert FILE")]
    NoIssuer,
    /// Nothing in the file was recognised.
    #[error("{0}: nothing known here")]
    Unrecognised(PathBuf),
    /// The two passphrases that were typed differ.
    #[error("the two passphrases are not the same")]
    PassphrasesDiffer,
    /// A passphrase is needed, but there is no terminal to ask on.
    #[error("a passphrase is needed, and there is no terminal")]
    NoPassphrase,
    /// Every user of the machine can read this unencrypted private key.
    #[error("{0}: every user of this machine can read this private key")]
    Exposed(PathBuf),
    /// An empty passphrase protects nothing.
    #[error("the passphrase is empty, and protects nothing")]
    EmptyPassphrase,
    /// The user's state directory cannot hold the guard, or the register of imports.
    #[error("no place for the {holds}: {why}")]
    NoStateFolder { holds: &'static str, why: StoreError },
    /// The named folder cannot be the register of imports.
    #[error("--register: {0}")]
    NoRegister(StoreError),
    /// The value is wrong, which was only found after the command line was parsed.
    #[error("{option}: {value}")]
    Value { option: &'static str, value: BadValue },
    /// This build has no TLS.
    #[cfg(not(feature = "aws-lc"))]
    #[error("this build has no TLS")]
    NoTls,
    /// Error of TLS, as a sentence.
    #[cfg(feature = "aws-lc")]
    #[error("{0}")]
    Tls(String),
    /// The group is one of round-3 Kyber, not of ML-KEM.
    #[cfg(feature = "aws-lc")]
    #[error(
        "{name} is a group of round-3 Kyber, which is not ML-KEM: its number is not used for anything else"
    )]
    RoundThree { name: String, instead: &'static str },
    /// A stateful key cannot sign handshakes.
    #[cfg(feature = "aws-lc")]
    #[error(
        "{0}: a key with a state signs no handshakes, for their number is the peer's to decide"
    )]
    StatefulInTls(PathBuf),
    /// Certificates and signature are longer than a peer with rustls accepts.
    #[cfg(feature = "aws-lc")]
    #[error(
        "{path}: certificates and signature take {} bytes, and rustls joins no more than {}",
        grouped(*.bytes as u64),
        grouped(*.most as u64)
    )]
    FlightTooLong { path: PathBuf, bytes: usize, most: usize, instead: String },
    /// Other machines can reach the address.
    #[cfg(feature = "aws-lc")]
    #[error("{0} can be reached by other machines")]
    NotLoopback(std::net::SocketAddr),
    /// The directory to serve contains a secret.
    #[cfg(feature = "aws-lc")]
    #[error("--files {dir}: {unfit}")]
    HandOut { dir: PathBuf, unfit: rustls_hasten::endpoint::files::Unfit },
    /// The message of a signature was not found, so its index cannot be believed.
    #[error("{0}: the message of this signature was not found")]
    NoMessage(PathBuf),
    /// A signature does not verify, so its index is not believed.
    #[error("{signature}: no good signature of {message} by this key: its index is not believed")]
    NotOfKey { signature: PathBuf, message: PathBuf },
    /// The index is outside the key's range.
    #[error("the index is none of this directory's: it has {start}..{end}")]
    OtherRange { start: u64, end: u64 },
    /// There is no report with this name.
    #[error("no report {0}.json lies beside the program or above it")]
    NoReport(&'static str),
    /// There is no terminal to ask for confirmation on.
    #[error("no terminal to ask on: nothing was changed")]
    NotAsked { goes_on: String },
    /// There is no terminal to ask for confirmation on, and no record shows that the count is
    /// enough.
    #[error("no terminal to ask on: nothing was changed")]
    NotAskedBlindly { burn: u64 },
    /// Nobody here knows how far the key was used.
    #[error("the newest signature of this key is not known here: nothing was changed")]
    NothingKnown,
    /// The answer to a question was not yes.
    #[error("nothing was changed: the answer was not yes")]
    Declined,
    /// A fleet keeps the state of this key.
    #[error("a fleet keeps the state of this key, not its files: nothing was changed")]
    StateOfFleet,
    /// The state of the key is elsewhere, and its signatures are not recorded.
    #[error(
        "{0}: a fleet or a witness keeps the state of this key, and what it signs is not recorded"
    )]
    NoRecord(PathBuf),
    /// A witness carries the state of this key.
    #[error("the witness of this key carries its state, not its files: nothing was changed")]
    StateAtWitness,
    /// The witness is a file, which must not carry the state of a key.
    #[error("file: a witness that carries the state lies outside of this machine")]
    CarriedInFile,
    /// Error of a channel.
    #[error("{0}")]
    Channel(Channel),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Returns a function that converts a system error and adds what was being done.
    pub fn system(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::System { doing, cause }
    }

    /// Returns a function that converts an error in reading the file at `path`.
    pub fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::File { path, doing: "reading", cause }
    }

    /// Returns a function that converts the reason why the file at `path` was not read.
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

    /// Returns a function that converts an error of the key at `path`.
    pub fn key(path: &Path) -> impl Fn(hasten_keys::Error) -> Self + use<> {
        Self::key_and_guard(path, None)
    }

    /// As [`Error::key`]. A refusal also names the guard that was expected: `named`, or the guard
    /// that the key's directory names.
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

    /// Prints the error, or the requested help. Returns the exit status.
    pub fn report(&self) -> ExitCode {
        if let Self::Arguments(error) = self
            && !error.use_stderr()
        {
            // Help and version are not errors, and neither is a reader that has gone away.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        self.say();
        ExitCode::from(USAGE)
    }

    /// Writes the error and its hint to the error stream, as JSON if JSON was requested.
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

    /// Returns the kind of the error, as a word for programs.
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

/// Returns the sentence that names the expected guard.
fn looked_for(guard: Option<&Path>) -> String {
    guard.map_or(String::new(), |path| format!(". The guard looked for is {}", path.display()))
}

/// Returns the words on the lost index of a wrong signature.
fn lost(index: Option<u64>) -> String {
    index.map_or(String::new(), |index| format!(", and index {index} is lost"))
}
