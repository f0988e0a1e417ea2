//! Files that are given as a key but are known to be something else.

use std::path::{Path, PathBuf};

use hasten_keys::Error as KeyError;
use hasten_keys::inspect::{Finding, What, inspect};
use hasten_keys::registry::Kind;
use hasten_keys::stateful::is_store;

use super::Error;

/// Reason why a file is not the required key.
#[derive(Debug, thiserror::Error)]
pub enum WrongKey {
    /// A public key or a certificate instead of a private key.
    #[error("that is a {what}, and a private key is wanted")]
    Public { what: &'static str, path: PathBuf },
    /// A private key instead of a public key.
    #[error("that is a private key, and a public key is wanted")]
    Private { path: PathBuf },
    /// A stateful private key, in a file of another program.
    #[error("that is a private key with a state, of another program")]
    Foreign,
    /// A PKCS#12 key store.
    #[error("that is a PKCS#12 key store, which is not read here")]
    Pkcs12,
    /// A file instead of the directory of a key.
    #[error("that is a file, and a key with a state is a directory")]
    NoDirectory { path: PathBuf },
    /// Something else.
    #[error("that is a {what}, and no key")]
    Other { what: &'static str },
}

impl WrongKey {
    /// Returns the hint.
    pub fn hint(&self) -> String {
        match self {
            Self::Public { path, .. } => match store_of(path) {
                Some(dir) => format!("the private key is its directory: -k {}", dir.display()),
                None => format!(
                    "use the private key that belongs to it: {}, or the directory of a key with a state",
                    path.with_extension("key").display()
                ),
            },
            Self::Private { path } => {
                let public = path.with_extension("pub");
                match public.exists() {
                    true => format!("its public key is {}", public.display()),
                    false => "'hasten keygen' wrote its public key beside it, as PREFIX.pub; 'openssl pkey -pubout' makes it of one of another program".to_owned(),
                }
            }
            Self::NoDirectory { path } => match store_of(path) {
                Some(dir) => format!("the key is its directory: -k {}", dir.display()),
                None => "'hasten inspect FILE' says what a file is".to_owned(),
            },
            Self::Foreign => {
                "'hasten import FILE -p PUB --burned-through N --store DIR' makes a key of it, which no other program may use from then on".to_owned()
            }
            Self::Pkcs12 => {
                "'openssl pkcs12 -in FILE -nodes -nocerts' writes its private key as PEM, '-nokeys' its certificate".to_owned()
            }
            Self::Other { .. } => "'hasten inspect FILE' says what a file is".to_owned(),
        }
    }
}

/// Returns the directory of the key that a file belongs to.
fn store_of(file: &Path) -> Option<&Path> {
    // A folder that cannot be read is not mentioned in the hint.
    file.parent().filter(|dir| is_store(dir).unwrap_or(false))
}

/// Returns true if the error is due to a file in place of a key's directory.
pub fn is_no_directory(path: &Path, error: &KeyError) -> bool {
    use hasten_store::StoreError;
    let of_store = matches!(error, KeyError::State(StoreError::Io { .. } | StoreError::NotAStore));
    of_store && path.is_file()
}

impl Error {
    /// Returns the error for a file that should be a private key. If the file is something else,
    /// the error names it.
    pub fn private_key(path: &Path, bytes: &[u8], error: KeyError) -> Self {
        Self::no_key(path, bytes, error, |what| match what {
            What::PublicKey | What::Certificate | What::CertificateRequest => {
                Some(WrongKey::Public { what: what.name(), path: path.to_owned() })
            }
            What::PrivateKey => is_stateful(bytes).then_some(WrongKey::Foreign),
            _ => None,
        })
    }

    /// As [`private_key`](Self::private_key), for a file that should be a public key.
    pub fn public_key(path: &Path, bytes: &[u8], error: KeyError) -> Self {
        Self::no_key(path, bytes, error, |what| match what {
            What::PrivateKey | What::EncryptedPrivateKey | What::Secret => {
                Some(WrongKey::Private { path: path.to_owned() })
            }
            _ => None,
        })
    }

    fn no_key(
        path: &Path,
        bytes: &[u8],
        error: KeyError,
        known: impl Fn(What) -> Option<WrongKey>,
    ) -> Self {
        let found = inspect(bytes).into_iter().find(Finding::is_certain);
        let why = found.and_then(|found| {
            known(found.what).or(match found.what {
                What::Pkcs12 => Some(WrongKey::Pkcs12),
                What::PublicKey
                | What::PrivateKey
                | What::EncryptedPrivateKey
                | What::Certificate => None,
                what => Some(WrongKey::Other { what: what.name() }),
            })
        });
        match why {
            Some(why) => Self::WrongKey { path: path.to_owned(), why },
            None => Self::key(path)(error),
        }
    }
}

/// Returns true if a private key is of a stateful algorithm.
fn is_stateful(bytes: &[u8]) -> bool {
    let named = |finding: &Finding| {
        let row =
            finding.algorithm.as_deref().and_then(|name| hasten_keys::registry::find(name).ok());
        let of_row = row.is_some_and(|row| row.kind == Kind::StatefulSignature);
        of_row || finding.words("oid").is_some_and(hasten_keys::registry::is_of_stateful)
    };
    inspect(bytes).iter().any(named)
}
