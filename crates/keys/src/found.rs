//! Signatures in files whose form nobody named.

use std::io::Read;

use hasten_kernels::Kernels;

#[cfg(feature = "sign")]
use crate::dual::{Dual, HEAD};
use crate::{
    Error,
    cms::{By, SignedData},
    cose::Sign1,
    encoding::PublicKey,
    prehash,
    registry::Family,
    verify::{self, Form},
};

/// A signature that was found in the bytes of a file.
pub struct Found {
    /// The signature, in the form of its key.
    pub signature: Vec<u8>,
    within: Option<Within>,
}

/// A structure that a signature stands in.
enum Within {
    Cms(SignedData),
    Cose(Box<Sign1>),
    /// The head of a dual signature, which stands in front of the message.
    #[cfg(feature = "sign")]
    Dual([u8; HEAD]),
}

impl Found {
    /// Returns the signature in these bytes that can be one of the key: in CMS, in COSE, a half of
    /// a dual signature, or alone in either form of LMS.
    pub fn of(key: &PublicKey, bytes: Vec<u8>) -> Self {
        if let Ok(signed) = SignedData::read(&bytes)
            && let Ok(signature) = signed.signature(By::Key(key))
        {
            return Self { signature, within: Some(Within::Cms(signed)) };
        }
        if let Ok(signed) = Sign1::read(&bytes) {
            let signature = signed.signature().to_vec();
            return Self { signature, within: Some(Within::Cose(Box::new(signed))) };
        }
        #[cfg(feature = "sign")]
        if let Ok(dual) = Dual::read(&bytes) {
            let has_index = |half: &&&[u8]| key.index_in(half).is_some();
            let half = dual.halves.iter().find(has_index).unwrap_or(&dual.halves[0]);
            return Self { signature: half.to_vec(), within: Some(Within::Dual(dual.head)) };
        }
        Self { signature: of_key(key, bytes), within: None }
    }

    /// Returns whether it is a good signature of the message.
    ///
    /// # Errors
    /// `Io` alone.
    pub fn is_good(
        &self,
        key: &PublicKey,
        message: &mut dyn Read,
        kernels: Kernels<'_>,
    ) -> Result<bool, Error> {
        said(match &self.within {
            None => verify::verify(key, message, &self.signature, kernels),
            Some(Within::Cms(signed)) => {
                signed.verify(By::Key(key), Some(message), kernels).map(drop)
            }
            Some(Within::Cose(signed)) => signed.verify(key, Some(message), kernels),
            #[cfg(feature = "sign")]
            Some(Within::Dual(head)) => {
                verify::verify(key, &mut (&head[..]).chain(message), &self.signature, kernels)
            }
        })
    }

    /// Returns whether it stands alone and is a good signature of the message's SHA-384 digest.
    ///
    /// # Errors
    /// `Io` alone.
    pub fn is_good_of_digest(
        &self,
        key: &PublicKey,
        message: &mut dyn Read,
        kernels: Kernels<'_>,
    ) -> Result<bool, Error> {
        if self.within.is_some() {
            return Ok(false);
        }
        let digest = prehash::sha384(message, &mut |_| ())?;
        said(verify::verify(key, &mut &digest[..], &self.signature, kernels))
    }
}

/// Returns a verdict; an error of reading is none.
fn said(verdict: Result<(), Error>) -> Result<bool, Error> {
    match verdict {
        Err(error @ Error::Io(_)) => Err(error),
        verdict => Ok(verdict.is_ok()),
    }
}

/// Returns the signature in the form of its key, whichever of the forms of LMS it has.
fn of_key(key: &PublicKey, signature: Vec<u8>) -> Vec<u8> {
    let may_be_bare = key.row.family == Family::Hss && key.index_in(&signature).is_none();
    let wrapped = || verify::in_form(key, &signature, Form::Lms).ok().map(|w| w.into_owned());
    let wrapped = may_be_bare.then(wrapped).flatten();
    wrapped.filter(|wrapped| key.index_in(wrapped).is_some()).unwrap_or(signature)
}
