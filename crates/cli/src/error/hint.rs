//! Hints on errors: what the user can do.

use hasten_process::NoOutput;
use hasten_store::Errno;

use super::{Error, arguments};
use crate::imports;
use crate::suggest::listed;

impl Error {
    /// Returns the hint, if there is one.
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
            Self::File { cause, .. } | Self::System { cause, .. }
                if cause.raw_os_error() == Some(Errno::TOO_LARGE.0) =>
            {
                Some(LIMIT_HINT.to_owned())
            }
            Self::File { cause, .. } if cause.kind() == std::io::ErrorKind::IsADirectory => Some(
                "name the files in it: 'hasten scan' takes folders, and no other command does".to_owned(),
            ),
            Self::NothingToScan => Some(
                "'hasten scan KEY SIG...' takes files and folders, --from LIST a list of them".to_owned(),
            ),
            Self::WhichKey { .. } => Some("-k KEY names it too, before or behind the files".to_owned()),
            Self::FirstIsNoKey(_) => Some("KEY comes first, then the files; -k KEY names it in any place".to_owned()),
            Self::WhichPairs => Some(PAIRS_HINT.to_owned()),
            Self::Unrecorded { .. } => Some(
                "keep the signature or throw it away: its index is never used again, and is counted as lost"
                    .to_owned(),
            ),
            Self::NotOfCaliptra { .. } => Some(
                "'hasten keygen --alg LMS_SHA256_M24_H15_W4 --store DIR' makes one for it".to_owned(),
            ),
            Self::WrongKey { why, .. } => Some(why.hint()),
            Self::NoSlot { why, .. } => why.hint().map(str::to_owned),
            Self::OneLabel => Some("without --label each slot has the name of its key".to_owned()),
            Self::NoSignature { why, .. } => Some(why.hint()),
            Self::AbsentSignature { file, .. } => Some(format!(
                "'hasten verify KEY {} SIG' names the signature where it does not lie beside the file",
                file.display()
            )),
            Self::NoneOfKeys { first, .. } => first.hint(),
            Self::SeveralKeys { .. } => Some(
                "'hasten verify' takes all of them; for this command put the right one into a file of its own".to_owned(),
            ),
            Self::ReadOnce(_) => Some("write it into a file first, or name one key".to_owned()),
            Self::Manifest { why, .. } => why.hint().map(str::to_owned),
            Self::NoImageVersion(_) => Some("for example --image-version 7".to_owned()),
            Self::Exposed(path) => Some(format!("chmod 600 {}", path.display())),
            Self::Fault { .. } => Some(FAULT_HINT.to_owned()),
            #[cfg(feature = "measure")]
            Self::Rejected { .. } => Some("this is a defect: please report it".to_owned()),
            Self::Key { cause, .. } => key_hint(cause).map(str::to_owned),
            Self::SecondHasState(_) => Some("name the key with a state by -k".to_owned()),
            Self::AmbiguousKey { .. } => Some("say which with --alg NAME".to_owned()),
            #[cfg(feature = "etcd")]
            Self::NoAnswer(_) => Some(
                "the same command goes on, with etcd there or with another address; several members stand behind one @, with commas".to_owned(),
            ),
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
            #[cfg(feature = "aws-lc")]
            Self::HandOut { .. } => Some(
                "give --files a directory that holds nothing but the files to be handed out".to_owned(),
            ),
            Self::NoMessage(_) => Some("--message FILE names it".to_owned()),
            Self::NoRecord(_) => Some("'hasten scan KEY SIG...' shows which indices signatures have".to_owned()),
            Self::StateAtWitness => Some(
                "if its word is lost or was put back, 'hasten retire KEY' ends the key safely, and a new key takes its place".to_owned(),
            ),
            Self::CarriedInFile => Some("exec:COMMAND reaches one; tools/witness has ready programs".to_owned()),
            Self::NotAsked { goes_on } => Some(format!("{goes_on} goes on without a question")),
            Self::NotAskedBlindly { burn } => Some(format!(
                "{NAME_THE_NEWEST}. --yes --burn {burn} goes on without a question, and is right only if no more than {burn} were used since"
            )),
            Self::NothingKnown => Some(NAME_THE_NEWEST.to_owned()),
            Self::NoReport(_) => Some(REPORT_HINT.to_owned()),
            Self::NoStateFolder { holds: imports::REGISTER, .. } => {
                Some(imports::REGISTER_HINT.to_owned())
            }
            Self::NoStateFolder { .. } => {
                Some("say where the guard is to lie with --guard PATH".to_owned())
            }
            Self::NoRegister(_) => Some(imports::REGISTER_HINT.to_owned()),
            _ => None,
        }
    }
}

/// Hint if nobody knows how far a key was used.
const NAME_THE_NEWEST: &str = "name the newest signature ever made with it, --newest SIG, or the \
    highest index used, --index INDEX; if nobody knows, 'hasten retire KEY' ends the key safely";

/// Hint on the source of reports on machines.
const REPORT_HINT: &str = "--machines FILE names a report; 'hasten analyze calibrate --out FILE' \
    makes one of this machine";

/// Hint on the verification of several files.
const PAIRS_HINT: &str = "'--each FILE...' takes each signature from FILE.sig, \
    '--pairs FILE SIG...' takes them in turn";

/// Hint on a limit on the size of files.
const LIMIT_HINT: &str = "a limit on the size of files is set for this process: 'ulimit -f' shows \
    it, LimitFSIZE= sets that of a service";

/// Hint if the machine computes wrongly.
const FAULT_HINT: &str = "trust nothing that this machine signs until its memory and processor are \
    tested: an attacker who sees a faulty signature may forge others";

/// Returns the hint if an output must not be written under its name.
fn output_hint(why: &NoOutput) -> Option<&'static str> {
    match why {
        NoOutput::Exists => Some("--force replaces it"),
        NoOutput::Link | NoOutput::Special(_) => Some("for the standard output write -"),
        NoOutput::Readable => Some("choose a place on a file system that keeps permissions"),
        NoOutput::Printed => Some("name a file: it is made with mode 0600"),
        _ => None,
    }
}

/// Hint on a damaged record.
const MEND: &str = "'hasten audit mend KEY' sets the damaged files aside, and notes it in the log: \
    indices are counted elsewhere";

/// Returns the hint on a file of a key.
fn file_hint(cause: &hasten_keys::Error) -> Option<&'static str> {
    use hasten_keys::{Error, KeyFile};
    Some(match cause {
        Error::NotRebuilt(_) => {
            "put a copy of this file in its place, however old: a backup, or that of another shard of the key"
        }
        Error::AbsentFile(KeyFile::Cache | KeyFile::Public)
        | Error::DamagedFile(KeyFile::Cache | KeyFile::Public) => {
            "'hasten sign' makes the file anew from the seed, and checks it; or put a copy in its place, however old"
        }
        Error::NoSecret => {
            "if it was not destroyed on purpose, put a backup of the file 'secret' in its place, however old: it alone is enough"
        }
        Error::DamagedFile(KeyFile::Secret) => {
            "put a backup of the file 'secret' in its place, however old: it alone is enough, and nothing else can make it"
        }
        Error::DamagedFile(KeyFile::Service) => {
            "'hasten sign' makes the file anew from the seed of a key without a fleet; or put a backup in its place, however old: it never changes"
        }
        Error::DamagedFile(KeyFile::Fleet) => {
            "put a backup of this file in its place, however old: it never changes"
        }
        Error::ForeignFile(KeyFile::Cache | KeyFile::Public) => {
            "move the file away: 'hasten sign' makes the right one anew from the seed"
        }
        Error::ForeignFile(_) => {
            "put the file of this key in its place: a backup of it, however old"
        }
        _ => return None,
    })
}

/// Returns the hint on a state and a guard that do not match.
fn refusal_hint(reason: hasten_store::Reason) -> &'static str {
    use hasten_store::Reason;
    match reason {
        reason if reason.is_moved() => {
            "if a copy was put back, 'hasten recover KEY --newest SIG' goes on behind the newest signature; only if it was moved, or its owner or mode changed, and nothing was signed since, 'hasten moved KEY' goes on"
        }
        Reason::DamagedLog => {
            "put the newest copy of the log files back; if there is none, 'hasten recover KEY' shows what is known and goes on behind it"
        }
        Reason::NoGuard => {
            "if the guard was moved, 'hasten moved KEY --guard PATH' goes on with it and loses no index; if it is gone, 'hasten recover KEY' shows what is known and goes on behind it"
        }
        Reason::ForeignGuard | Reason::OtherKey => {
            "--guard PATH names the guard of this key; if that is gone for good, 'hasten recover KEY' with another --guard goes on behind what is known"
        }
        _ => {
            "sign with the newest copy; if it is gone for good, 'hasten recover KEY' shows what is known and goes on behind it"
        }
    }
}

/// Returns the hint on an error of a key.
fn key_hint(cause: &hasten_keys::Error) -> Option<&'static str> {
    use hasten_store::StoreError;
    let state = match cause {
        hasten_keys::Error::State(state) => state,
        hasten_keys::Error::UnknownAlgorithm => return Some("'hasten list' shows the sets"),
        hasten_keys::Error::TooLong => {
            return Some(
                "'hasten sign --digest sha384' signs the digest of a file in its place, of any length, and 'hasten verify --digest sha384' verifies that",
            );
        }
        hasten_keys::Error::NotADigest => {
            return Some("without --digest given the digest of the file is computed here");
        }
        cause => return file_hint(cause),
    };
    Some(match state {
        StoreError::Busy { .. } => "--wait TIME waits longer",
        StoreError::Refused(refusal) => refusal_hint(refusal.reason),
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
            "if that process has ended for certain, 'hasten recover KEY' goes on; --wait TIME waits longer"
        }
        StoreError::GuardTaken { .. } => {
            "--guard PATH names another place; remove this file only if its key is gone for good"
        }
        StoreError::Exposed { most: 0o755, .. } => "chmod go-w DIR closes it",
        StoreError::Exposed { .. } => {
            "chmod 600 FILE closes it; if others could read it, make a new key"
        }
        StoreError::MachineUnreadable | StoreError::NoMachine => {
            "--machine-id-file PATH names the file"
        }
        StoreError::NotAGuard { .. } => "--guard PATH names another place",
        StoreError::NoWitness => {
            "add --witness KIND:WHERE, the same as at 'hasten keygen': a key does not remember where its witness is"
        }
        StoreError::NotWatched => "leave --witness out",
        StoreError::OtherKind {
            expected: hasten_store::FileKind::Guard | hasten_store::FileKind::SignerGuard,
            ..
        } => "--guard PATH names the right file",
        StoreError::Io { errno: hasten_store::Errno::INVALID, file: Some(_), .. } => {
            "something that is no plain file stands in its place: move it away, and put the file of this key back"
        }
        StoreError::Io { errno: hasten_store::Errno::TOO_LARGE, .. } => LIMIT_HINT,
        StoreError::LogDamaged => {
            "put the newest copy of the log files back: 'hasten recover KEY' goes on from it, behind the guard"
        }
        StoreError::Absent { file } if file.ends_with("audit") => MEND,
        StoreError::Damaged { .. } | StoreError::Absent { .. } => {
            "put a copy of the file back; if there is none, 'hasten recover KEY' goes on with what is left, for the file config with --guard PATH, and --witness if the key has one"
        }
        StoreError::Audit(_) => MEND,
        StoreError::NotAStore => "'hasten keygen --alg NAME --store DIR' makes one",
        _ => return None,
    })
}
