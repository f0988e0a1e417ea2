//! The hint beside an error: what to do about it.

use hasten_process::NoOutput;

use super::{Error, arguments};
use crate::suggest::listed;

impl Error {
    /// Returns what to do about it.
    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::Arguments(error) => Some(arguments::hint(error)),
            Self::NoBackend { have, .. } => Some(format!("this machine has {}", listed(have))),
            #[cfg(feature = "rtl")]
            Self::NotVerilated(_) => Some("run cargo xtask hw tools, and build again".to_owned()),
            #[cfg(feature = "rtl")]
            Self::WholeCore(_) => {
                Some("keygen, sign and verify take it, with a key of Ed25519".to_owned())
            }
            Self::Output { why, .. } => output_hint(why).map(str::to_owned),
            Self::WhichPairs => Some(PAIRS_HINT.to_owned()),
            Self::Unrecorded { .. } => Some(
                "keep the signature or throw it away: its index is never used again, and is counted as lost"
                    .to_owned(),
            ),
            Self::NotOfCaliptra { .. } => Some(
                "'hasten keygen --alg LMS_SHA256_M24_H15_W4 --store DIR' makes one for it".to_owned(),
            ),
            Self::NoImageVersion(_) => Some("for example --image-version 7".to_owned()),
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

/// Returns what to do when nothing may be written under a name.
fn output_hint(why: &NoOutput) -> Option<&'static str> {
    match why {
        NoOutput::Exists => Some("--force replaces it"),
        NoOutput::Link | NoOutput::Special(_) => Some("for the standard output write -"),
        NoOutput::Readable => Some("choose a place on a file system that keeps permissions"),
        NoOutput::Printed => Some("name a file: it is made with mode 0600"),
        _ => None,
    }
}

/// Returns what to do when a key says no.
fn key_hint(cause: &hasten_keys::Error) -> Option<&'static str> {
    use hasten_store::StoreError;
    let state = match cause {
        hasten_keys::Error::State(state) => state,
        hasten_keys::Error::UnknownAlgorithm => return Some("'hasten list' shows the sets"),
        hasten_keys::Error::NotADigest => {
            return Some("without --digest given the digest of the file is computed here");
        }
        _ => return None,
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
