//! The answer: what it is, and its facts in the order in which they are shown.

use crate::{
    Error,
    registry::{Meaning, Row},
};

/// The kinds of thing a file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A public key.
    PublicKey,
    /// A private key; nothing of it is shown.
    PrivateKey,
    /// A private key under a passphrase.
    EncryptedPrivateKey,
    /// A signature.
    Signature,
    /// A ciphertext of a key encapsulation.
    Ciphertext,
    /// An X.509 certificate.
    Certificate,
    /// A PKCS#10 request.
    CertificateRequest,
    /// Signatures in a SignedData of CMS.
    Cms,
    /// A signature in a COSE_Sign1.
    Cose,
    /// Two signatures in one file.
    Dual,
    /// An image for a boot ROM with key and signature in front.
    BootImage,
    /// A store of keys and certificates of other programs (RFC 7292), which is not read here.
    Pkcs12,
    /// A recording of a channel.
    Recording,
    /// The mark of a channel's subscriber.
    Mark,
    /// The guard of a stateful key.
    Guard,
    /// The seeds of a stateful key; nothing of them is shown.
    Secret,
    /// Another file of a stateful key: its log, its configuration, what it has signed.
    FileOfKey,
    /// The directory of a stateful key.
    Store,
    /// A shard of a stateful key, on its way to another machine.
    Shard,
    /// Nothing known here.
    Unknown,
}

/// Returns a foreign text without characters that could drive a terminal. A build that cannot sign
/// has no terminal.
#[cfg(feature = "sign")]
fn shown(value: &str) -> String {
    hasten_store::visible(value).into_owned()
}

#[cfg(not(feature = "sign"))]
fn shown(value: &str) -> String {
    value.to_owned()
}

impl What {
    /// Names it in words.
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

    /// Returns what a PEM label promises (RFC 7468), for blocks whose inside is not read.
    pub(super) fn of_label(label: &str) -> Self {
        match label {
            "ENCRYPTED PRIVATE KEY" => Self::EncryptedPrivateKey,
            _ if label.ends_with("PRIVATE KEY") => Self::PrivateKey,
            _ if label.ends_with("PUBLIC KEY") => Self::PublicKey,
            _ => Self::Unknown,
        }
    }
}

/// The note of a reading for which nothing but the number of bytes speaks.
pub(super) const BY_LENGTH: &str = "read by its length alone";

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A count or a size in bytes.
    Number(u64),
    /// Words; control and format characters of the input are escaped.
    Text(String),
}

/// One reading of the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Holds what it is.
    pub what: What,
    /// In which encoding.
    pub encoding: String,
    /// The algorithm or parameter set, where one is known.
    pub algorithm: Option<String>,
    /// Further facts: a key in lower case and its value.
    pub facts: Vec<(&'static str, Value)>,
    /// Holds what a reader should know besides, in sentences.
    pub notes: Vec<String>,
}

impl Finding {
    pub(super) fn new(what: What, encoding: &str) -> Self {
        let encoding = encoding.to_owned();
        Self { what, encoding, algorithm: None, facts: Vec::new(), notes: Vec::new() }
    }

    /// Returns the finding of a key's directory, which the caller has read.
    pub fn of_store(set: Option<String>, facts: Vec<(&'static str, Value)>) -> Self {
        Self { algorithm: set, facts, ..Self::new(What::Store, "store") }
    }

    /// Returns true if more than the number of the bytes speaks for this reading.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.what != What::Unknown && !self.notes.iter().any(|note| note == BY_LENGTH)
    }

    /// Returns the words of a fact, where it has some.
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

    /// Escapes hidden characters, which could otherwise drive the reader's terminal.
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

    /// Returns the algorithm or the reason why none can be named.
    pub(super) fn row(self, row: Result<&Row, Error>) -> Self {
        match row {
            Ok(row) => self.algorithm(&row.name),
            Err(error) => self.note(&error.to_string()),
        }
    }

    /// Returns the meanings of an identifier: one is the algorithm, several are said.
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
