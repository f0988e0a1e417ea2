//! The one error type of this crate.

#[cfg(feature = "sign")]
mod dual;
#[cfg(feature = "sign")]
mod foreign;
#[cfg(feature = "x509")]
mod path;

use core::fmt;

#[cfg(feature = "sign")]
pub use dual::DualError;
#[cfg(feature = "sign")]
pub use foreign::ForeignError;
#[cfg(feature = "x509")]
pub use path::PathError;

use crate::kind::Kind;

/// A file in the directory of a stateful key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyFile {
    /// The seeds.
    Secret,
    /// How far an unfinished generation is.
    Progress,
    /// The nodes from which signing starts.
    Cache,
    /// The leaves next to the next index.
    Leaves,
    /// The trees that follow.
    Growth,
    /// The public key.
    Public,
    /// The name of the fleet.
    Fleet,
    /// The key under which values at a witness or in a fleet's state carry a MAC.
    Service,
}

impl KeyFile {
    /// Returns its name in the directory.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Progress => "progress",
            Self::Cache => "cache",
            Self::Leaves => "leaves",
            Self::Growth => "growth",
            Self::Public => "public.pem",
            Self::Fleet => "fleet",
            Self::Service => "service",
        }
    }
}

/// Says what can go wrong with names, keys and encodings. Never carries key material.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No algorithm of the registry has this name.
    UnknownAlgorithm,
    /// The algorithm is in the registry (its keys are recognised), but this build cannot compute
    /// with it.
    NotBuiltIn,
    /// Says what is asked for is not what keys of this algorithm are for, which is named.
    OtherPurpose(Kind),
    /// The number stands for round 3 of SPHINCS+, which differs from SLH-DSA and, in what is
    /// secret, from round 3.1.
    EarlierRound,
    /// The bytes are not a key in any encoding read here.
    NotAKey,
    /// The algorithm identifier carries parameters, and its standard has none.
    Parameters,
    /// Signatures of this key have one form only: it is no single LMS tree.
    NoForms,
    /// The key is of so many LMS trees over each other, and has no bare form.
    SeveralLevels(u32),
    /// The encoding is right, but the key inside does not have the size its algorithm asks for.
    KeySize,
    /// The ciphertext does not have the size that the key's algorithm gives one.
    CiphertextSize,
    /// The bytes fit more than one algorithm; the caller must name one.
    Ambiguous,
    /// The key belongs to another algorithm than the one named.
    WrongAlgorithm,
    /// The signature does not verify.
    BadSignature,
    /// Keys of this algorithm have no state: no index of theirs can be used twice.
    NoState,
    /// Different good signatures have one index.
    Reused {
        /// The index, where 64 bits hold it.
        index: Option<u64>,
        /// Its level, 0 the lowest.
        level: u32,
    },
    /// The bytes that are to be a SHA-384 digest have another length.
    NotADigest,
    /// The operating system gave no random bytes.
    Randomness,
    /// A file of a key is damaged.
    Damaged,
    /// This file of a key is damaged.
    DamagedFile(KeyFile),
    /// This file of a key is absent.
    AbsentFile(KeyFile),
    /// This file belongs to another key than the state beside it.
    ForeignFile(KeyFile),
    /// This file is absent or damaged, and cannot be made anew: seeds of its sectors were given
    /// away.
    NotRebuilt(KeyFile),
    /// The directory holds no secret seed: destroyed, or never a key.
    NoSecret,
    /// The generation of this key has not ended; key generation goes on where it stopped.
    Unfinished,
    /// The import of this key, or of this shard, has not ended; the same import goes on.
    UnfinishedImport,
    /// The generation of this key was begun with another number of sectors.
    OtherSectors,
    /// The generation of this key was begun for a fleet, for another one, or for none.
    OtherFleet,
    /// The key takes its indices from a fleet, and was opened without it.
    OfFleet,
    /// The key signs session trees of a channel, and nothing else.
    OfSessions,
    /// The key was not made to sign session trees.
    NotOfSessions,
    /// The key is encrypted in a way that is not read here.
    Encryption,
    /// The passphrase is missing or wrong.
    Passphrase,
    /// The message is longer than this algorithm, which must hold it whole, is allowed to hold.
    TooLong,
    /// The bytes are no certificate, or no request.
    NotACertificate,
    /// The certificate belongs to no authority.
    NotAnAuthority,
    /// The private key is not the one of the certificate.
    NotThisKey,
    /// Another open key prepared the signature.
    NotPreparedHere,
    /// The text is not a name that a certificate can carry.
    BadName,
    /// The text is not a point in time.
    BadTime,
    /// No standard says how keys of this algorithm sign in CMS.
    NoCms,
    /// The bytes are no CMS SignedData that is read here.
    NotCms,
    /// The content was hashed with a digest that is not taken for signatures of this algorithm.
    OtherDigest,
    /// No number is registered for signatures of this algorithm in COSE.
    NoCose,
    /// The bytes are no COSE_Sign1, or one that demands more than is understood here.
    NotCose,
    /// No boot ROM verifies signatures of this algorithm.
    NoBoot,
    /// The bytes are no image for a boot ROM, or its addresses are not its own.
    NotAnImage,
    /// The bytes are no image with a header, a public key and a signature in front.
    NotBoot,
    /// The content is not in the file of its signature: it must be given.
    Detached,
    /// The content is too long to be attached.
    TooLongToAttach,
    /// None of the signers is the one asked about.
    NotThisSigner,
    /// More than one of the signers is the one asked about.
    SeveralSigners,
    /// A dual signature is refused.
    #[cfg(feature = "sign")]
    Dual(DualError),
    /// The private key of another program is not imported.
    #[cfg(feature = "sign")]
    Foreign(ForeignError),
    /// The bytes are no file of a shard.
    NotAShard,
    /// The file of a shard is cut off, or was changed.
    BrokenShard,
    /// No path leads from the certificate to an authority that is trusted.
    #[cfg(feature = "x509")]
    Path(PathError),
    /// Reading failed.
    Io(std::io::ErrorKind),
    /// The state of the key forbids it.
    #[cfg(feature = "sign")]
    State(hasten_store::StoreError),
    /// The directory of a shard could not be made.
    #[cfg(feature = "sign")]
    ShardPlace(hasten_store::StoreError),
    /// The scheme refused.
    Scheme(hasten_hbs::Error),
}

#[cfg(feature = "sign")]
impl From<hasten_store::StoreError> for Error {
    fn from(error: hasten_store::StoreError) -> Self {
        Self::State(error)
    }
}

#[cfg(feature = "sign")]
impl From<DualError> for Error {
    fn from(error: DualError) -> Self {
        Self::Dual(error)
    }
}

#[cfg(feature = "sign")]
impl From<ForeignError> for Error {
    fn from(error: ForeignError) -> Self {
        Self::Foreign(error)
    }
}

impl From<hasten_hbs::Error> for Error {
    fn from(error: hasten_hbs::Error) -> Self {
        match error {
            hasten_hbs::Error::BadSignature => Self::BadSignature,
            error => Self::Scheme(error),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error.kind())
    }
}

/// Returns what keys of a kind are for.
fn purpose(kind: Kind) -> &'static str {
    match kind {
        Kind::Signature | Kind::StatefulSignature => {
            "keys of this algorithm sign and verify, and encapsulate no secrets"
        }
        Kind::Kem => "keys of this algorithm encapsulate secrets, and sign nothing",
        Kind::Agreement => {
            "this algorithm agrees on secrets in TLS, as a --group: its keys live for one connection, and have no files"
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            #[cfg(feature = "sign")]
            Self::State(error) | Self::ShardPlace(error) => return error.fmt(f),
            Self::Scheme(error) => return error.fmt(f),
            #[cfg(feature = "sign")]
            Self::Dual(error) => return error.fmt(f),
            #[cfg(feature = "sign")]
            Self::Foreign(error) => return error.fmt(f),
            #[cfg(feature = "x509")]
            Self::Path(error) => return error.fmt(f),
            Self::DamagedFile(file) => {
                return write!(f, "the file '{}' of this key is damaged", file.name());
            }
            Self::NotRebuilt(file) => {
                return write!(
                    f,
                    "the file '{}' of this key is absent or damaged, and does not follow from the seeds that are here: those of other sectors were given away",
                    file.name()
                );
            }
            Self::AbsentFile(file) => {
                return write!(f, "the file '{}' of this key is absent", file.name());
            }
            Self::ForeignFile(file) => {
                let name = file.name();
                return write!(f, "the file '{name}' belongs to another key than the state beside it");
            }
            Self::SeveralLevels(levels) => {
                return write!(f, "the bare form of LMS is of one tree, and this key has {levels} levels");
            }
            Self::Reused { index, level } => {
                let index = index.map_or("-".to_owned(), |index| index.to_string());
                let level = if *level > 0 { format!(" of level {level}") } else { String::new() };
                return write!(f, "REUSED index {index}{level}: different signatures here have it");
            }
            Self::Io(kind) => return write!(f, "reading failed: {kind}"),
            Self::UnknownAlgorithm => "no algorithm of this name is known",
            Self::NotBuiltIn => {
                "this algorithm is recognised, but this build cannot compute with it"
            }
            Self::OtherPurpose(kind) => purpose(*kind),
            Self::EarlierRound => {
                "this number stands for round 3 of SPHINCS+: neither round 3.1 nor SLH-DSA; a build with the feature legacy verifies its sets with SHAKE, and nothing here signs with its keys"
            }
            Self::NotAKey => "not a key in any encoding known here",
            Self::Parameters => {
                "its algorithm identifier has parameters, which the standard wants absent"
            }
            Self::NoForms => "signatures of this key have one form only: it is not a single LMS tree",
            Self::KeySize => "the key does not have the size of its algorithm",
            Self::CiphertextSize => "not a ciphertext for this key: its algorithm's have another length",
            Self::Ambiguous => "the bytes fit more than one algorithm: name one with --alg",
            Self::WrongAlgorithm => "the key belongs to another algorithm",
            Self::BadSignature => "the signature does not verify",
            Self::NoState => {
                "keys of this algorithm have no state: no index of theirs can be used twice"
            }
            Self::NotADigest => "not a SHA-384 digest: 48 bytes, neither more nor fewer",
            Self::Randomness => "the operating system gave no random bytes",
            Self::NotACertificate => "not a certificate, nor a request for one",
            Self::NotAnAuthority => {
                "this certificate belongs to no authority: it may sign no other"
            }
            Self::NotThisKey => "the private key is not the one of this certificate",
            Self::NotPreparedHere => {
                "another open key prepared this signature: the key that did must finish it"
            }
            Self::BadName => "not a name that a certificate can carry",
            Self::BadTime => "not a time: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ",
            Self::NoCms => {
                "no standard says how keys of this algorithm sign in CMS: HSS/LMS, ML-DSA and SLH-DSA do"
            }
            Self::NotCms => "not a CMS SignedData, in DER or PEM",
            Self::OtherDigest => {
                "its content is hashed with a digest that is too short for this key, or not known here: RFC 9708, 9814 and 9882 name those that are taken"
            }
            Self::NoCose => {
                "signatures of this algorithm have no number in COSE: those of HSS/LMS and ML-DSA have"
            }
            Self::NotCose => "not a COSE_Sign1, or one with headers that must be understood",
            Self::NoBoot => "an image for a boot ROM is signed with LMS, HSS or XMSS",
            Self::NotAnImage => {
                "not an image: it has 1 byte to 32 MiB, addresses that are multiples of 4, and its entry in it"
            }
            Self::NotBoot => {
                "not a signed image for a boot ROM: header, key, signature and image, as long as the header says"
            }
            Self::Detached => "the signed content is not in this file: it must be given",
            Self::TooLongToAttach => {
                "the content is too long to stand in the signature, which takes 32 MiB: leave it detached"
            }
            Self::NotThisSigner => "this key has not signed here: the signer is named otherwise",
            Self::SeveralSigners => "several signers here are named as this key is",
            Self::Damaged => "a file of this key is damaged",
            Self::NotAShard => "not the file of a shard: 'hasten export-shard' writes one",
            Self::BrokenShard => {
                "the file of this shard is cut off, or was changed: nothing was made of it. Copy it again"
            }
            Self::NoSecret => "no secret seed is here: destroyed, or never a key",
            Self::Unfinished => {
                "this key is not finished: run keygen again, it goes on where it stopped"
            }
            Self::UnfinishedImport => {
                "this key is not whole: run import-shard (or import) again as before, it goes on where it stopped"
            }
            Self::OtherSectors => "this key was begun with another number of sectors",
            Self::OtherFleet => "this key was begun for a fleet, for another one, or for none",
            Self::OfFleet => "this key takes its indices from a fleet, or from the word of a witness",
            Self::OfSessions => {
                "this key signs the session trees of a channel and nothing else: use it with 'hasten publish'"
            }
            Self::NotOfSessions => {
                "this key signs messages, not session trees: make one with 'hasten keygen --sessions'"
            }
            Self::Encryption => {
                "this key is encrypted in a way not read here: PBES2 with PBKDF2 (HMAC-SHA-2) or scrypt, and AES"
            }
            Self::Passphrase => "the passphrase is missing or wrong",
            Self::TooLong => "the message is too long for an algorithm that must hold it whole",
        })
    }
}

impl core::error::Error for Error {}
