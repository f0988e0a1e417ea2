//! The information in a signing record besides the digest of the message.

use hasten_store::Signed;

/// What is signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// A message, or its digest instead of it.
    #[default]
    Message,
    /// Half of a dual signature.
    Dual,
    /// The signed attributes or the content of a SignedData.
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
    /// Returns the name used in the record.
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

/// The caller's information about one signature, for the record. The digest of the message is not
/// part of it: it is computed when the message is signed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// What is signed.
    pub purpose: Purpose,
    /// Name of the signed file as given; for a certificate its subject.
    pub file: Option<String>,
    /// Identifier of this request in the caller's own records.
    pub request: Option<String>,
    /// Name of the user.
    pub user: Option<String>,
    /// SHA-256 of the content, if the signed bytes are a structure around it or a different digest
    /// of it.
    pub content: Option<[u8; 32]>,
}

impl Note {
    /// Returns a note for a message without a name.
    pub fn message() -> Self {
        Self::default()
    }

    /// Returns a note for an item of this kind, without a name.
    pub fn of(purpose: Purpose) -> Self {
        Self { purpose, ..Self::default() }
    }

    /// Adds the name of the signed item to the note.
    #[must_use = "it is a new note"]
    pub fn named(self, file: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..self }
    }

    /// Returns the log entry for an index that signed bytes with this digest.
    pub(super) fn entry(self, index: u64, signed: [u8; 32]) -> Signed {
        let Self { purpose, file, request, user, content } = self;
        let mut entry = Signed::new(index, content.unwrap_or(signed));
        entry.signed = content.and(Some(signed));
        entry.purpose = Some(purpose.name().to_owned());
        (entry.file, entry.request, entry.user) = (file, request, user);
        entry
    }
}
