//! The simulated XMSS engine for one key, with the sets, keys and indices of `hasten-hbs`.

use std::fmt;

use hasten_hbs::{Set, params};

use crate::xmss::{Hash, Kind, LENGTH_BITS, Refusal, Scheme, SecretKey, XmssCore};

/// Reason why the engine cannot do an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The engine does not support keys of this set.
    NoSuchSet,
    /// The crate was built without Verilator.
    NotBuilt,
    /// The message is too long, the index was already used, or the key does not fit this engine.
    Refused,
}

impl Error {
    /// Returns the reason as a sentence about the engine.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NoSuchSet => {
                "it has XMSS-SHA2, XMSS-SHAKE and LMS_SHA256 with n = 32 and 24, of LMS w = 4 and 8, up to height 20"
            }
            Self::NotBuilt => "there is no Verilator",
            Self::Refused => "it takes each index once",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(_: Refusal) -> Self {
        Self::Refused
    }
}

/// The simulated engine, for one key.
pub struct Engine {
    core: XmssCore,
    kind: Kind,
}

impl Engine {
    /// Returns an engine for keys of `set`.
    ///
    /// # Errors
    /// [`Error::NoSuchSet`], [`Error::NotBuilt`].
    pub fn new(set: &Set) -> Result<Self, Error> {
        let kind = kind(set).ok_or(Error::NoSuchSet)?;
        let core = XmssCore::of(kind).map_err(|_| Error::NotBuilt)?;
        Ok(Self { core, kind })
    }

    /// Loads a key from its seed and its public key. Indices below `first` cannot sign.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn load_key(&self, seed: &[u8], public: &[u8], first: u64) -> Result<(), Error> {
        let (pub_seed, root) = self.public(public)?;
        let (sk_seed, sk_prf) = match self.kind.scheme {
            Scheme::Xmss => seed.split_at_checked(self.kind.n).unwrap_or_default(),
            _ => (seed.get(16..).unwrap_or_default(), &[][..]),
        };
        let sk_prf = sk_prf.get(..sk_prf.len() / 2).unwrap_or_default();
        let key = SecretKey { sk_seed, sk_prf, pub_seed, root };
        self.core.load_key(&key, number(first)?)?;
        Ok(())
    }

    /// Loads a public key.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn load_public(&self, public: &[u8]) -> Result<(), Error> {
        let (pub_seed, root) = self.public(public)?;
        self.core.load_public(pub_seed, root)?;
        Ok(())
    }

    /// Prepares the signature of an index, or its verification. Returns the cycles.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn prepare(&self, index: u64, verification: bool) -> Result<u32, Error> {
        Ok(self.core.prepare(number(index)?, verification)?.cycles)
    }

    /// Prepares the signature of an index with a table of all chain values. Returns the cycles. The
    /// engine has no table for LMS with w = 8, so there this is the same as
    /// [`prepare`](Self::prepare).
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn prepare_table(&self, index: u64) -> Result<u32, Error> {
        if self.kind.scheme == Scheme::LmsW8 {
            return self.prepare(index, false);
        }
        Ok(self.core.prepare_table(number(index)?)?.cycles)
    }

    /// Returns the randomizer and the chain values of a signature, and the cycles.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn sign(&self, index: u64, message: &[u8]) -> Result<(Vec<u8>, u32), Error> {
        let made = self.core.sign(number(index)?, message)?;
        Ok((made.value, made.cycles))
    }

    /// Returns the cycles if the signature is good, and `None` if it is bad.
    ///
    /// # Errors
    /// [`Error::Refused`] for a message that is too long.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Option<u32>, Error> {
        match self.core.verify(message, self.lowest(signature)) {
            Ok(made) => Ok(Some(made.cycles)),
            Err(Refusal::Refused) if message.len() as u64 >> LENGTH_BITS != 0 => {
                Err(Error::Refused)
            }
            Err(_) => Ok(None),
        }
    }

    /// Returns an LMS signature without the number of signed public keys. HSS writes this number
    /// before the signature, and with one level it is 0.
    fn lowest<'s>(&self, signature: &'s [u8]) -> &'s [u8] {
        let Kind { scheme, n, height, .. } = self.kind;
        let alone = 12 + n * (1 + self.kind.chains() + usize::from(height));
        match signature.strip_prefix(&[0; 4]) {
            Some(rest) if scheme != Scheme::Xmss && rest.len() == alone => rest,
            _ => signature,
        }
    }

    /// Returns PUB_SEED and the root of an XMSS key, or I and `T[1]` of an LMS key. The LMS key may
    /// have the form of HSS with one level.
    fn public<'p>(&self, public: &'p [u8]) -> Result<(&'p [u8], &'p [u8]), Error> {
        let n = self.kind.n;
        let (first, last) = match self.kind.scheme {
            Scheme::Xmss => (n, n),
            _ => (16, n),
        };
        let begins = public.len().checked_sub(first + last).ok_or(Error::Refused)?;
        let (first, last) = public[begins..].split_at(first);
        Ok(if self.kind.scheme == Scheme::Xmss { (last, first) } else { (first, last) })
    }
}

/// Returns the index in the engine's type.
fn number(index: u64) -> Result<u32, Error> {
    u32::try_from(index).map_err(|_| Error::Refused)
}

fn kind(set: &Set) -> Option<Kind> {
    let hash = match set.hash {
        params::Hash::Sha256 => Hash::Sha256,
        params::Hash::Shake128 => Hash::Shake128,
        params::Hash::Shake256 => Hash::Shake256,
        _ => return None,
    };
    let scheme = match (set.scheme, set.w()) {
        (params::Scheme::Xmss, _) => Scheme::Xmss,
        (params::Scheme::Lms { .. }, 16) if hash == Hash::Sha256 => Scheme::LmsW4,
        (params::Scheme::Lms { .. }, 256) if hash == Hash::Sha256 => Scheme::LmsW8,
        _ => return None,
    };
    let height = u8::try_from(set.h).ok().filter(|height| *height <= 20)?;
    [24, 32].contains(&set.n).then_some(Kind { scheme, hash, n: set.n, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_has_these_sets_alone() {
        let has = |name| kind(Set::named(name).expect("a set"));
        for (name, scheme) in [
            ("XMSS-SHA2_20_192", Scheme::Xmss),
            ("XMSS-SHAKE256_10_256", Scheme::Xmss),
            ("LMS_SHA256_M24_H15_W4", Scheme::LmsW4),
            ("LMS_SHA256_M32_H5_W8", Scheme::LmsW8),
        ] {
            assert_eq!(has(name).map(|kind| kind.scheme), Some(scheme), "{name}");
        }
        for name in [
            "XMSS-SHA2_10_512",
            "LMS_SHA256_M32_H25_W4",
            "LMS_SHA256_M32_H5_W2",
            "LMS_SHAKE_M32_H5_W4",
            "XMSSMT-SHA2_20/2_256",
            "SLH-DSA-SHA2-128s",
        ] {
            assert_eq!(has(name), None, "{name}");
        }
    }
}
