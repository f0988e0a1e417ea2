//! The sentence of every error.

use std::fmt;
use std::path::Path;

use super::{Error, arguments};
use crate::suggest::listed;
#[cfg(feature = "aws-lc")]
use crate::table::grouped;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(error) => f.write_str(&arguments::problem(error)),
            Self::NoBackend { name, .. } => {
                write!(f, "backend '{name}' needs instructions this machine lacks")
            }
            Self::Engine(why) => write!(f, "{}: {why}", crate::engine::NAME),
            #[cfg(feature = "rtl")]
            Self::NotVerilated(name) => write!(f, "'{name}' was built without Verilator"),
            #[cfg(feature = "rtl")]
            Self::WholeCore(name) => write!(f, "'{name}' is a whole core, no backend of kernels"),
            #[cfg(feature = "rtl")]
            Self::OtherCore { name, alg } => write!(f, "'{name}' does not do {alg}"),
            Self::Scheme(error) => write!(f, "{error}"),
            Self::System { doing, cause } => write!(f, "{doing}: {cause}"),
            #[cfg(feature = "measure")]
            Self::Rejected { alg, index } => {
                write!(f, "signature {index} of {alg} did not verify")
            }
            Self::Key { path, guard: Some(guard), cause } => {
                let (path, guard) = (path.display(), guard.display());
                write!(f, "{path}: {cause}. The guard looked for is {guard}")
            }
            Self::Key { path, cause, .. } => write!(f, "{}: {cause}", path.display()),
            Self::File { path, doing, cause } => write!(f, "{doing} {}: {cause}", path.display()),
            Self::Output { path, why } => write!(f, "{}: {why}", path.display()),
            Self::Fault { path, index } => fault(f, path, *index),
            Self::Needs { option, alg } => write!(f, "{alg} needs {option}"),
            Self::NotBuiltIn(alg) => write!(
                f,
                "this build cannot compute with {alg}: it knows its name, its numbers and its sizes"
            ),
            Self::NoState { option, alg } => {
                write!(f, "--{option} is for keys with a state, and {alg} has none")
            }
            #[cfg(feature = "measure")]
            Self::NoLevels(set) => write!(f, "{set} has no levels of preparation"),
            Self::NoReport(name) => {
                write!(f, "no report {name}.json lies beside the program or above it")
            }
            Self::NoIdentifier(alg) => {
                write!(f, "{alg} has no object identifier yet, so no certificate can name it")
            }
            Self::NoSectors { alg, most } => {
                write!(f, "--sectors: {alg} has a power of two of them, {most} at most")
            }
            #[cfg(not(feature = "etcd"))]
            Self::NoEtcd(path) => write!(
                f,
                "{}: this key takes its indices from etcd, and this build has no etcd",
                path.display()
            ),
            #[cfg(feature = "etcd")]
            Self::NoFleet(path) => {
                write!(f, "{}: this key has a state of its own, not a fleet's", path.display())
            }
            #[cfg(feature = "etcd")]
            Self::Etcd { place, why } => write!(f, "{place}: {why}"),
            #[cfg(feature = "etcd")]
            Self::NoJoin { path, guard } => write!(
                f,
                "{}: REFUSED: this signer of the fleet has no guard at {}: it cannot know whether etcd went back",
                path.display(),
                guard.display()
            ),
            #[cfg(feature = "etcd")]
            Self::SectorsOfFleet => {
                f.write_str("--sectors: every signer of a fleet needs every seed")
            }
            Self::SeveralFiles => {
                f.write_str("several files: no --out, and no standard stream among them")
            }
            Self::WhichPairs => f.write_str("which of these files are signatures is not said"),
            Self::SeveralStreams => {
                f.write_str("a standard stream can be one file only, and not among several")
            }
            Self::Unrecorded { signature, index, cause } => write!(
                f,
                "{} is a whole signature with index {index}, but that it is used could not be recorded: {cause}",
                signature.display()
            ),
            Self::NotRegular(path) => {
                write!(f, "{}: among several files, only regular files are signed", path.display())
            }
            Self::AmbiguousKey { path, fits } => write!(
                f,
                "{}: the raw key fits {}: its bytes do not say which",
                path.display(),
                listed(fits)
            ),
            Self::NotOfCaliptra { path, alg } => write!(
                f,
                "{}: Caliptra verifies LMS_SHA256_M24_H15_W4 alone, and this key is of {alg}",
                path.display()
            ),
            Self::NotADigest(path) => write!(
                f,
                "{}: not a SHA-384 digest: 48 bytes, neither more nor fewer",
                path.display()
            ),
            Self::Unrecognised(path) => write!(f, "{}: nothing known here", path.display()),
            Self::PassphrasesDiffer => f.write_str("the two passphrases are not the same"),
            Self::NoPassphrase => f.write_str("a passphrase is needed, and there is no terminal"),
            Self::Exposed(path) => write!(
                f,
                "{}: every user of this machine can read this private key",
                path.display()
            ),
            Self::EmptyPassphrase => f.write_str("the passphrase is empty, and protects nothing"),
            Self::NoHome => f.write_str("no home directory is known"),
            Self::Value { option, value } => write!(f, "{option}: {value}"),
            #[cfg(not(feature = "aws-lc"))]
            Self::NoTls => f.write_str("this build has no TLS"),
            #[cfg(feature = "aws-lc")]
            Self::Tls(reason) => f.write_str(reason),
            #[cfg(feature = "aws-lc")]
            Self::RoundThree { name, .. } => write!(
                f,
                "{name} is a group of round-3 Kyber, which is not ML-KEM: its number is not used for anything else"
            ),
            #[cfg(feature = "aws-lc")]
            Self::StatefulInTls(path) => write!(
                f,
                "{}: a key with a state signs no handshakes, for their number is the peer's to decide",
                path.display()
            ),
            #[cfg(feature = "aws-lc")]
            Self::FlightTooLong { path, bytes, most, .. } => write!(
                f,
                "{}: certificates and signature take {} bytes, and rustls joins no more than {}",
                path.display(),
                grouped(*bytes as u64),
                grouped(*most as u64)
            ),
            #[cfg(feature = "aws-lc")]
            Self::NotLoopback(address) => {
                write!(f, "{address} can be reached by other machines")
            }
            Self::NoMessage(path) => {
                write!(f, "{}: the message of this signature was not found", path.display())
            }
            Self::NotOfKey { signature, message } => write!(
                f,
                "{}: no good signature of {} by this key: its index is not believed",
                signature.display(),
                message.display()
            ),
            Self::OtherRange { start, end } => {
                write!(f, "the index is none of this directory's: it has {start}..{end}")
            }
            Self::NotAsked { .. } => f.write_str("no terminal to ask on: nothing was changed"),
            Self::Channel(why) => why.fmt(f),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// Writes that a signature was wrong, and what became of its index.
fn fault(f: &mut fmt::Formatter<'_>, path: &Path, index: Option<u64>) -> fmt::Result {
    let path = path.display();
    write!(f, "FAULT: the signature of {path} did not verify: it was erased, nothing was written")?;
    match index {
        Some(index) => write!(f, ", and index {index} is lost"),
        None => Ok(()),
    }
}
