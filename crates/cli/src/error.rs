//! Everything that can stop a command, and how it is said: one line and one hint, status 2.

mod arguments;
mod channel;
mod output;
mod said;
mod value;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub use self::channel::Channel;
pub use self::output::NoOutput;
pub use self::value::BadValue;
use crate::output::aside;
use crate::report;
use crate::suggest::listed;

/// Status of a usage or state error.
pub const USAGE: u8 = 2;

/// Why a command stopped.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The arguments were wrong; clap says how.
    Arguments(clap::Error),
    /// The backend exists, but this CPU or this build lacks it.
    NoBackend { name: String, have: Vec<&'static str> },
    /// The simulated XMSS engine cannot do what is asked.
    Engine(&'static str),
    /// The simulated core is not in this build.
    #[cfg(feature = "rtl")]
    NotVerilated(&'static str),
    /// The simulated core makes keys, signs and verifies, and does nothing else.
    #[cfg(feature = "rtl")]
    WholeCore(&'static str),
    /// The simulated core is of another algorithm.
    #[cfg(feature = "rtl")]
    OtherCore { name: &'static str, alg: &'static str },
    /// A step of key generation, signing or verification refused.
    Scheme(hasten_hbs::Error),
    /// The socket, or the operating system's random numbers, failed.
    System { doing: &'static str, cause: std::io::Error },
    /// A signature made here did not verify here.
    #[cfg(feature = "measure")]
    Rejected { alg: &'static str, index: u64 },
    /// A key or its store said no.
    Key { path: PathBuf, guard: Option<PathBuf>, cause: hasten_keys::Error },
    /// A file could not be read or written.
    File { path: PathBuf, doing: &'static str, cause: std::io::Error },
    /// Nothing may be written under this name.
    Output { path: PathBuf, why: NoOutput },
    /// A signature made here did not verify here; it was thrown away.
    Fault { path: PathBuf, index: Option<u64> },
    /// An option that this algorithm needs is missing.
    Needs { option: &'static str, alg: &'static str },
    /// An option for the state of a key, where the key has none.
    NoState { option: String, alg: String },
    /// The algorithm is known by name only.
    NotBuiltIn(&'static str),
    /// The set has no levels to measure; `bench hbs` measures it.
    #[cfg(feature = "measure")]
    NoLevels(&'static str),
    /// Certificates need an object identifier, which the draft does not give.
    NoIdentifier(&'static str),
    /// The set cannot be parted into so many sectors.
    NoSectors { alg: &'static str, most: u32 },
    /// The key takes its indices from etcd, which this build cannot speak to.
    #[cfg(not(feature = "etcd"))]
    NoEtcd(PathBuf),
    /// The key has a state of its own, not a fleet's.
    #[cfg(feature = "etcd")]
    NoFleet(PathBuf),
    /// etcd cannot, or must not, be reached in this way.
    #[cfg(feature = "etcd")]
    Etcd { place: String, why: hasten_store_etcd::BadAccess },
    /// A signer of a fleet that has no guard, and no token to join with.
    #[cfg(feature = "etcd")]
    NoJoin { path: PathBuf, guard: PathBuf },
    /// Sectors are for directories with a state of their own.
    #[cfg(feature = "etcd")]
    SectorsOfFleet,
    /// One name for the signatures of several files, or a stream among them.
    SeveralFiles,
    /// Several files to verify, and nothing that says which signature is whose.
    WhichPairs,
    /// A standard stream among several files, or for a file and its signature.
    SeveralStreams,
    /// A signature is whole and has its name, but the key could not record its index as used.
    Unrecorded { signature: PathBuf, index: u64, cause: hasten_keys::Error },
    /// For several files, one that is no regular file.
    NotRegular(PathBuf),
    /// The bytes of a public key fit several sets.
    AmbiguousKey { path: PathBuf, fits: Vec<&'static str> },
    /// Caliptra verifies another set than that of the key.
    NotOfCaliptra { path: PathBuf, alg: String },
    /// A file that is to be a digest has another length.
    NotADigest(PathBuf),
    /// Nothing known is in this file.
    Unrecognised(PathBuf),
    /// The two passphrases typed are not the same.
    PassphrasesDiffer,
    /// A passphrase is needed and there is no terminal to ask on.
    NoPassphrase,
    /// A private key in the clear that every user of the machine can read.
    Exposed(PathBuf),
    /// A passphrase of no characters protects nothing.
    EmptyPassphrase,
    /// There is no home directory to keep a guard in.
    NoHome,
    /// A value that only makes sense beside others.
    Value { option: &'static str, value: BadValue },
    /// This build has no TLS.
    #[cfg(not(feature = "aws-lc"))]
    NoTls,
    /// rustls refuses what it is given.
    #[cfg(feature = "aws-lc")]
    Tls(String),
    /// The number belongs to round-3 Kyber.
    #[cfg(feature = "aws-lc")]
    RoundThree { name: String, instead: &'static str },
    /// A key with state is to sign handshakes.
    #[cfg(feature = "aws-lc")]
    StatefulInTls(PathBuf),
    /// The chain is longer than a peer with rustls takes.
    #[cfg(feature = "aws-lc")]
    FlightTooLong { path: PathBuf, bytes: usize, most: usize, instead: String },
    /// Other machines could reach the address.
    #[cfg(feature = "aws-lc")]
    NotLoopback(std::net::SocketAddr),
    /// The message of a signature that is to be believed was not found.
    NoMessage(PathBuf),
    /// A signature that is to be believed does not verify.
    NotOfKey { signature: PathBuf, message: PathBuf },
    /// An index outside of the key's range.
    OtherRange { start: u64, end: u64 },
    /// No report of this name describes a machine.
    NoReport(&'static str),
    /// Nobody could be asked whether to go on.
    NotAsked { burn: u64 },
    /// A channel does not come about.
    Channel(Channel),
    /// Ctrl-C.
    Interrupted,
}

impl Error {
    /// Returns a system error, with what was being done.
    pub fn system(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::System { doing, cause }
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
            cause => {
                let refused = matches!(
                    cause,
                    hasten_keys::Error::State(hasten_store::StoreError::Refused(_))
                );
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
        if report::is_asked_for() {
            let sentence = self.to_string();
            let failure = report::Failure::new(&sentence, hint.as_deref(), self.kind(), USAGE);
            return aside(&failure.line());
        }
        aside(&format!("hasten: {self}"));
        if let Some(hint) = hint {
            aside(&format!("hint: {hint}"));
        }
    }

    /// Returns a word for programs: which part of the world stands in the way.
    fn kind(&self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::Key { cause: hasten_keys::Error::State(_), .. } => "state",
            Self::Unrecorded { .. } => "state",
            Self::Key { .. } | Self::AmbiguousKey { .. } | Self::Unrecognised(_) => "key",
            Self::NotOfCaliptra { .. } => "key",
            Self::NotADigest(_) => "file",
            Self::File { .. } | Self::Output { .. } | Self::Exposed(_) => "file",
            Self::System { .. } | Self::NoHome => "system",
            Self::NoPassphrase | Self::PassphrasesDiffer | Self::EmptyPassphrase => "passphrase",
            #[cfg(feature = "measure")]
            Self::Rejected { .. } => "fault",
            Self::Fault { .. } => "fault",
            Self::NoBackend { .. } | Self::NotBuiltIn(_) => "build",
            _ => "arguments",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Arguments(error) => Some(arguments::hint(error)),
            Self::NoBackend { have, .. } => Some(format!("this machine has {}", listed(have))),
            #[cfg(feature = "rtl")]
            Self::NotVerilated(_) => Some("run cargo xtask hw tools, and build again".to_owned()),
            #[cfg(feature = "rtl")]
            Self::WholeCore(_) => {
                Some("keygen, sign and verify take it, with a key of Ed25519".to_owned())
            }
            Self::Output { why, .. } => why.hint().map(str::to_owned),
            Self::WhichPairs => Some(PAIRS_HINT.to_owned()),
            Self::Unrecorded { .. } => Some(
                "keep the signature or throw it away: its index is never used again, and is counted as lost"
                    .to_owned(),
            ),
            Self::NotOfCaliptra { .. } => Some(
                "'hasten keygen --alg LMS_SHA256_M24_H15_W4 --store DIR' makes one for it".to_owned(),
            ),
            Self::NotADigest(_) => {
                Some("without --digest given the digest of the file is computed here".to_owned())
            }
            Self::Exposed(path) => Some(format!("chmod 600 {}", path.display())),
            Self::Fault { .. } => Some(FAULT_HINT.to_owned()),
            #[cfg(feature = "measure")]
            Self::Rejected { .. } => Some("this is a defect: please report it".to_owned()),
            Self::Key { cause, .. } => key_hint(cause).map(str::to_owned),
            Self::AmbiguousKey { .. } => Some("say which with --alg NAME".to_owned()),
            #[cfg(feature = "etcd")]
            Self::NoJoin { .. } => Some(
                "a signer that has signed before names its guard with --guard FILE; a new one joins with --join TOKEN, which 'hasten fleet token -k KEY' prints on one that signs already".to_owned(),
            ),
            #[cfg(not(feature = "etcd"))]
            Self::NoEtcd(_) => Some("build it with --features etcd".to_owned()),
            Self::NoPassphrase => Some("--passphrase-file FILE reads it from a file".to_owned()),
            #[cfg(feature = "measure")]
            Self::NoLevels(set) => Some(format!("'hasten bench hbs --alg {set}' measures it")),
            Self::Value { value, .. } => value.hint(),
            Self::Channel(why) => why.hint().map(str::to_owned),
            #[cfg(not(feature = "aws-lc"))]
            Self::NoTls => Some("build with --features aws-lc, as ./hasten does".to_owned()),
            #[cfg(feature = "aws-lc")]
            Self::RoundThree { instead, .. } => Some(format!("the group of today is {instead}")),
            #[cfg(feature = "aws-lc")]
            Self::StatefulInTls(_) => {
                Some("let it sign certificates: 'hasten cert leaf --ca-store DIR'".to_owned())
            }
            #[cfg(feature = "aws-lc")]
            Self::FlightTooLong { instead, .. } => Some(instead.clone()),
            #[cfg(feature = "aws-lc")]
            Self::NotLoopback(_) => Some("--anywhere allows it".to_owned()),
            Self::NoMessage(_) => Some("--message FILE names it".to_owned()),
            Self::NotAsked { burn } => {
                Some(format!("--yes --burn {burn} goes on without a question"))
            }
            Self::NoReport(_) => Some(REPORT_HINT.to_owned()),
            Self::NoHome => Some("say where the guard is to lie with --guard PATH".to_owned()),
            _ => None,
        }
    }
}

/// Where reports of machines come from.
const REPORT_HINT: &str = "--machines FILE names a report; 'hasten analyze calibrate --out FILE' \
    makes one of this machine";

/// How several files are verified.
const PAIRS_HINT: &str = "'--each FILE...' takes each signature from FILE.sig, \
    '--pairs FILE SIG...' takes them in turn";

/// Holds what to do when the machine computes wrongly.
const FAULT_HINT: &str = "trust nothing that this machine signs until its memory and processor are \
    tested: an attacker who sees a faulty signature may forge others";

/// Returns what to do when a key says no.
fn key_hint(cause: &hasten_keys::Error) -> Option<&'static str> {
    use hasten_store::StoreError;
    let hasten_keys::Error::State(state) = cause else {
        return matches!(cause, hasten_keys::Error::UnknownAlgorithm)
            .then_some("'hasten list' shows the sets");
    };
    Some(match state {
        StoreError::Busy { .. } => "--wait TIME waits longer",
        StoreError::Refused(_) => {
            "sign with the newest copy; if it is gone for good, 'hasten recover' shows what is known and goes on behind it"
        }
        StoreError::WrongPlace { kind: hasten_store::FileSystem::Layered(_), .. } => {
            "put key and guard on a volume, or give the key an outside witness; --shared-filesystem-accepted goes on"
        }
        StoreError::WrongPlace { .. } => {
            "use a local disk, or give the key an outside witness; --shared-filesystem-accepted goes on"
        }
        StoreError::NearExhaustion { .. } => {
            "plan the next key; --ack-exhaustion signs with this one"
        }
        StoreError::Exhausted { .. } | StoreError::Retired => "make a new key with 'hasten keygen'",
        StoreError::RelativeGuard => {
            "--guard PATH names the guard file once, and its whole path is kept from then on"
        }
        StoreError::OtherSession { .. } => {
            "if that process has ended for certain, 'hasten recover' goes on; --wait TIME waits longer"
        }
        StoreError::GuardTaken { .. } => {
            "--guard PATH names another place; remove this file only if its key is gone for good"
        }
        StoreError::Exposed { most: 0o755, .. } => "chmod go-w DIR closes it",
        StoreError::Exposed { .. } => {
            "chmod 600 FILE closes it; if others could read it, make a new key"
        }
        StoreError::NoMachine => "--machine-id-file PATH names the file",
        StoreError::NotAGuard { .. } => "--guard PATH names another place",
        StoreError::NotAStore => "'hasten keygen --alg NAME --store DIR' makes one",
        _ => return None,
    })
}

impl From<clap::Error> for Error {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<hasten_hbs::Error> for Error {
    fn from(error: hasten_hbs::Error) -> Self {
        match error {
            hasten_hbs::Error::Stopped => Self::Interrupted,
            other => Self::Scheme(other),
        }
    }
}

#[cfg(feature = "measure")]
impl From<hasten_measure::Error> for Error {
    fn from(error: hasten_measure::Error) -> Self {
        use hasten_measure::Error as Measured;
        match error {
            Measured::Stopped => Self::Interrupted,
            Measured::Rejected { alg, index } => Self::Rejected { alg, index },
            Measured::Scheme(error) => Self::Scheme(error),
            Measured::Engine(why) => Self::Engine(why),
            Measured::System { doing, cause } => Self::System { doing, cause },
            #[cfg(feature = "aws-lc")]
            Measured::NotBuiltIn(alg) => Self::NotBuiltIn(alg),
            #[cfg(feature = "aws-lc")]
            Measured::Tls(_)
            | Measured::Table(_)
            | Measured::Build(_)
            | Measured::Object(_)
            | Measured::Side { .. } => Self::Tls(error.to_string()),
            other => Self::system("measuring")(std::io::Error::other(other.to_string())),
        }
    }
}

#[cfg(feature = "aws-lc")]
impl From<rustls_hasten::endpoint::Error> for Error {
    fn from(error: rustls_hasten::endpoint::Error) -> Self {
        use rustls_hasten::endpoint::Error as End;
        match error {
            End::Connecting(cause) => Self::System { doing: "connecting", cause },
            other => Self::Tls(other.to_string()),
        }
    }
}

impl std::error::Error for Error {}
