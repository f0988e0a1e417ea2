//! The words that the record of what was signed keeps beside the digest of a message.

use hasten_store::Signed;

/// The kind of what a key signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// A message, or its digest in its place.
    #[default]
    Message,
    /// The half of a dual signature.
    Dual,
    /// The attributes or the content of a SignedData.
    Cms,
    /// The structure of a COSE_Sign1.
    Cose,
    /// An image for a boot ROM, with its header.
    Boot,
    /// A certificate.
    Certificate,
    /// A request for a certificate.
    CertificateRequest,
    /// The public key of a session tree.
    SessionTree,
}

impl Purpose {
    /// Returns its name, as the record has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Dual => "dual",
            Self::Cms => "cms",
            Self::Cose => "cose",
            Self::Boot => "boot",
            Self::Certificate => "certificate",
            Self::CertificateRequest => "certificate request",
            Self::SessionTree => "session tree",
        }
    }
}

/// A caller's words on one signature, for the record. The digest of the message is not among them:
/// it is taken where the message is signed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The kind of what is signed.
    pub purpose: Purpose,
    /// Name of the signed file, as it was given; of a certificate its subject.
    pub file: Option<String>,
    /// The name of this request in the caller's own books.
    pub request: Option<String>,
    /// Name of the user.
    pub user: Option<String>,
    /// SHA-256 of the content, where the bytes under the signature are a structure around it, or
    /// another digest of it.
    pub content: Option<[u8; 32]>,
}

impl Note {
    /// Returns the note of a message without a name.
    pub fn message() -> Self {
        Self::default()
    }

    /// Returns the note of something of this kind, without a name.
    pub fn of(purpose: Purpose) -> Self {
        Self { purpose, ..Self::default() }
    }

    /// Returns the note with the name of what is signed.
    #[must_use = "it is a new note"]
    pub fn named(self, file: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..self }
    }

    /// Returns the entry of an index that signed bytes with this digest.
    pub(super) fn entry(self, index: u64, signed: [u8; 32]) -> Signed {
        let Self { purpose, file, request, user, content } = self;
        let mut entry = Signed::new(index, content.unwrap_or(signed));
        entry.signed = content.and(Some(signed));
        entry.purpose = Some(purpose.name().to_owned());
        (entry.file, entry.request, entry.user) = (file, request, user);
        entry
    }
}
