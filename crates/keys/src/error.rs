//! The error type of this crate.

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
    /// The secret seeds.
    Secret,
    /// The progress of an unfinished key generation.
    Progress,
    /// The nodes from which signing starts.
    Cache,
    /// The leaves next to the next index.
    Leaves,
    /// The trees that will be used next.
    Growth,
    /// The public key.
    Public,
    /// The name of the fleet that issues the indices.
    Fleet,
    /// The MAC key for the values at a witness or in the state of a fleet.
    Service,
}

impl KeyFile {
    /// Returns the name of the file in the directory.
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

/// Errors of names, keys and encodings. They never contain key material.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No algorithm of the registry has this name.
    UnknownAlgorithm,
    /// The algorithm is in the registry and its keys are recognised, but this build cannot compute
    /// with it.
    NotBuiltIn,
    /// The key cannot do this: its algorithm is for the kind of operation given here.
    OtherPurpose(Kind),
    /// The number stands for round 3 of SPHINCS+, which differs from SLH-DSA. Its secret-key
    /// operations also differ from round 3.1.
    EarlierRound,
    /// The bytes are not a key in any supported encoding.
    NotAKey,
    /// The algorithm identifier has parameters although its standard requires them to be absent.
    Parameters,
    /// The key is not a single LMS tree, so its signatures have only one form.
    NoForms,
    /// HSS with this many levels has no plain LMS encoding.
    SeveralLevels(u32),
    /// The encoding is valid, but the key does not have the size that its algorithm requires.
    KeySize,
    /// The ciphertext does not have the size that the key's algorithm requires.
    CiphertextSize,
    /// The bytes fit more than one algorithm; the caller must name one.
    Ambiguous,
    /// The key belongs to another algorithm than the named one.
    WrongAlgorithm,
    /// The signature does not verify.
    BadSignature,
    /// Keys of this algorithm have no state, so no index can be used twice.
    NoState,
    /// Different valid signatures have the same index.
    Reused {
        /// The index, if it fits into 64 bits.
        index: Option<u64>,
        /// The level of the index; 0 is the lowest.
        level: u32,
    },
    /// A SHA-384 digest was expected, but the input has another length.
    NotADigest,
    /// The operating system provided no random bytes.
    Randomness,
    /// A file of the key is damaged.
    Damaged,
    /// This file of the key is damaged.
    DamagedFile(KeyFile),
    /// This file of the key is absent.
    AbsentFile(KeyFile),
    /// This file belongs to another key than the state in the same directory.
    ForeignFile(KeyFile),
    /// This file is absent or damaged and cannot be rebuilt, because the seeds of some sectors were
    /// given away.
    NotRebuilt(KeyFile),
    /// The directory contains no secret seed: the key was destroyed, or there never was one.
    NoSecret,
    /// The key generation is unfinished. Running it again continues it.
    Unfinished,
    /// The import of this key or shard is unfinished. Running the same import again continues it.
    UnfinishedImport,
    /// The unfinished key generation was started with another number of sectors.
    OtherSectors,
    /// The unfinished key generation was started for another fleet, for none, or for one although
    /// none is named now.
    OtherFleet,
    /// The key takes its indices from a fleet, but was opened without it.
    OfFleet,
    /// The key signs only session trees of a channel.
    OfSessions,
    /// The key was not made for signing session trees.
    NotOfSessions,
    /// The encryption scheme of the key is not supported.
    Encryption,
    /// The passphrase is missing or wrong.
    Passphrase,
    /// The message is too long for an algorithm that must hold all of it in memory.
    TooLong,
    /// The bytes are not a certificate or a request.
    NotACertificate,
    /// The certificate is not that of an authority.
    NotAnAuthority,
    /// The private key does not belong to the certificate.
    NotThisKey,
    /// The signature was prepared by another open key.
    NotPreparedHere,
    /// The text is not a valid name for a certificate.
    BadName,
    /// The text is not a valid time.
    BadTime,
    /// No standard defines CMS signatures of this algorithm.
    NoCms,
    /// The bytes are not a supported CMS SignedData.
    NotCms,
    /// The content was hashed with a digest that is not accepted for this algorithm.
    OtherDigest,
    /// COSE has no registered number for this signature algorithm.
    NoCose,
    /// The bytes are not a COSE_Sign1, or it has critical headers that are not supported.
    NotCose,
    /// Boot ROMs do not verify signatures of this algorithm.
    NoBoot,
    /// The bytes are not an image for a boot ROM, or its addresses are invalid.
    NotAnImage,
    /// The bytes are not an image preceded by a header, a public key and a signature.
    NotBoot,
    /// The signature file does not contain the content, which must be given separately.
    Detached,
    /// The content is too long to be attached.
    TooLongToAttach,
    /// None of the signers matches the requested key or certificate.
    NotThisSigner,
    /// More than one signer matches the requested key or certificate.
    SeveralSigners,
    /// A dual signature was refused.
    #[cfg(feature = "sign")]
    Dual(DualError),
    /// A private key of another program was not imported.
    #[cfg(feature = "sign")]
    Foreign(ForeignError),
    /// The bytes are not a shard file.
    NotAShard,
    /// The shard file is truncated or was modified.
    BrokenShard,
    /// No path leads from the certificate to a trusted authority.
    #[cfg(feature = "x509")]
    Path(PathError),
    /// Reading failed.
    Io(std::io::ErrorKind),
    /// The key's state store refused the operation or failed.
    #[cfg(feature = "sign")]
    State(hasten_store::StoreError),
    /// The directory or file of a shard could not be made.
    #[cfg(feature = "sign")]
    ShardPlace(hasten_store::StoreError),
    /// An error of the signature scheme.
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

/// Describes the purpose of a kind of key.
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
