//! The result of an inspection: the type of a file and its facts, in order of display.

use crate::{
    Error,
    registry::{Meaning, Row},
};

/// The type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A public key.
    PublicKey,
    /// A private key; its value is never shown.
    PrivateKey,
    /// An encrypted private key.
    EncryptedPrivateKey,
    /// A signature.
    Signature,
    /// A ciphertext of a key encapsulation mechanism.
    Ciphertext,
    /// An X.509 certificate.
    Certificate,
    /// A PKCS#10 request.
    CertificateRequest,
    /// A CMS SignedData.
    Cms,
    /// A COSE_Sign1.
    Cose,
    /// A dual signature.
    Dual,
    /// An image for a boot ROM, preceded by key and signature.
    BootImage,
    /// A PKCS#12 key store (RFC 7292), which is not supported.
    Pkcs12,
    /// A recording of a channel.
    Recording,
    /// The mark of a subscriber of a channel.
    Mark,
    /// The guard of a stateful key.
    Guard,
    /// The seeds of a stateful key; their values are never shown.
    Secret,
    /// Another file of a stateful key: log, configuration or signing record.
    FileOfKey,
    /// The directory of a stateful key.
    Store,
    /// A shard of a stateful key in a file for another machine.
    Shard,
    /// Not recognised.
    Unknown,
}

/// Escapes characters of untrusted text that could control a terminal. A build that cannot sign has
/// no terminal output.
#[cfg(feature = "sign")]
fn shown(value: &str) -> String {
    hasten_store::visible(value).into_owned()
}

#[cfg(not(feature = "sign"))]
fn shown(value: &str) -> String {
    value.to_owned()
}

impl What {
    /// Returns the name for display.
    pub fn name(self) -> &'static str {
        match self {
            Self::PublicKey => "public key",
            Self::PrivateKey => "private key",
            Self::EncryptedPrivateKey => "encrypted private key",
            Self::Signature => "signature",
            Self::Ciphertext => "ciphertext",
            Self::Certificate => "certificate",
            Self::CertificateRequest => "certificate request",
            Self::Cms => "signature in CMS",
            Self::Cose => "signature in COSE",
            Self::Dual => "dual signature",
            Self::BootImage => "signed image for a boot ROM",
            Self::Pkcs12 => "PKCS#12 key store",
            Self::Recording => "recording of a channel",
            Self::Mark => "mark of a channel's subscriber",
            Self::Guard => "guard of a stateful key",
            Self::Secret => "secret seeds of a stateful key",
            Self::FileOfKey => "file of a stateful key",
            Self::Store => "stateful key in a store",
            Self::Shard => "shard of a stateful key",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the type that a PEM label indicates (RFC 7468), for blocks whose content is not
    /// parsed.
    pub(super) fn of_label(label: &str) -> Self {
        match label {
            "ENCRYPTED PRIVATE KEY" => Self::EncryptedPrivateKey,
            _ if label.ends_with("PRIVATE KEY") => Self::PrivateKey,
            _ if label.ends_with("PUBLIC KEY") => Self::PublicKey,
            _ => Self::Unknown,
        }
    }
}

/// The note on a reading that follows only from the number of bytes.
pub(super) const BY_LENGTH: &str = "read by its length alone";

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A count or a size in bytes.
    Number(u64),
    /// Text; control and format characters of the input are escaped.
    Text(String),
}

/// One interpretation of the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The type of the file.
    pub what: What,
    /// The encoding.
    pub encoding: String,
    /// The algorithm or parameter set, if known.
    pub algorithm: Option<String>,
    /// Further facts: a key in lower case and its value.
    pub facts: Vec<(&'static str, Value)>,
    /// Further remarks for the reader, as sentences.
    pub notes: Vec<String>,
}

impl Finding {
    pub(super) fn new(what: What, encoding: &str) -> Self {
        let encoding = encoding.to_owned();
        Self { what, encoding, algorithm: None, facts: Vec::new(), notes: Vec::new() }
    }

    /// Returns the finding for a key directory that the caller has read.
    pub fn of_store(set: Option<String>, facts: Vec<(&'static str, Value)>) -> Self {
        Self { algorithm: set, facts, ..Self::new(What::Store, "store") }
    }

    /// Returns true if this reading does not follow from the number of bytes alone.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.what != What::Unknown && !self.notes.iter().any(|note| note == BY_LENGTH)
    }

    /// Returns the text of a fact, if it has this key and its value is text.
    pub fn words(&self, key: &str) -> Option<&str> {
        self.facts.iter().find_map(|(known, value)| match value {
            Value::Text(text) if *known == key => Some(text.as_str()),
            _ => None,
        })
    }

    pub(super) fn algorithm(mut self, name: impl Into<String>) -> Self {
        self.algorithm = Some(name.into());
        self
    }

    pub(super) fn number(mut self, key: &'static str, value: usize) -> Self {
        self.facts.push((key, Value::Number(value as u64)));
        self
    }

    /// Adds a text fact. Hidden characters are escaped, as they could control the reader's
    /// terminal.
    pub(super) fn text(mut self, key: &'static str, value: &str) -> Self {
        self.facts.push((key, Value::Text(shown(value))));
        self
    }

    pub(super) fn note(mut self, sentence: &str) -> Self {
        if !sentence.is_empty() {
            self.notes.push(sentence.to_owned());
        }
        self
    }

    pub(super) fn in_pem(mut self) -> Self {
        self.encoding = format!("PEM, {}", self.encoding);
        self
    }

    /// Adds the algorithm, or the reason why there is none.
    pub(super) fn row(self, row: Result<&Row, Error>) -> Self {
        match row {
            Ok(row) => self.algorithm(&row.name),
            Err(error) => self.note(&error.to_string()),
        }
    }

    /// Adds the meanings of an identifier as the algorithm.
    pub(super) fn meanings(self, meanings: &[Meaning]) -> Self {
        let note = meanings.first().map_or("", |m| m.note);
        match meanings {
            [] => self,
            [only] => self.algorithm(&only.row.name).note(note),
            several => {
                let names: Vec<_> = several.iter().map(|m| m.row.name.as_str()).collect();
                self.algorithm(names.join(" or ")).note(note)
            }
        }
    }
}
