//! Detection of the signatures in a file of any supported form.

use std::io::Read;

use der::{
    Decode, Encode, Sequence,
    asn1::{AnyRef, BitStringRef},
};
use hasten_hbs::{self as hbs, Set};
use hasten_kernels::Kernels;
use sha2::{Digest, Sha256};
use spki::AlgorithmIdentifierRef;

use super::Use;
use crate::{
    Error,
    boot::Signed,
    cms::{By, SignedData},
    cose::Sign1,
    dual::Dual,
    encoding::{PublicKey, hash_based, key_identifier, pem_blocks},
    form::published,
    found::of_key,
    prehash,
    registry::{Family, Kind},
    scheme, verify,
};

/// Opens the message of a detached signature from the beginning; returns `None` if there is none.
pub type Beside<'b> = &'b mut dyn FnMut() -> Result<Option<Box<dyn Read>>, Error>;

/// An empty signature.
const NONE: &[u8] = &[];

/// Maximum size in bytes of a raw signature: one of eight levels has less than 100,000.
const MOST_ALONE: usize = 1 << 20;

/// The form of a signature in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// The raw signature alone.
    Raw,
    /// In a CMS SignedData.
    Cms,
    /// In a COSE_Sign1.
    Cose,
    /// As a half of a dual signature.
    Dual,
    /// In an image for a boot ROM.
    Boot,
    /// In a certificate, a request or another structure signed according to X.509.
    X509,
}

impl Form {
    /// Returns the name of the form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Cms => "cms",
            Self::Cose => "cose",
            Self::Dual => "dual",
            Self::Boot => "boot",
            Self::X509 => "x509",
        }
    }
}

/// A signature that may be of the key.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The form of the signature.
    pub form: Form,
    /// True if the signature is valid for its message; false if the message is not available.
    pub is_verified: bool,
    /// Number of signatures that the key can make, if it fits into 64 bits.
    pub capacity: Option<u64>,
    /// The one-time signatures that it consists of, the lowest last.
    pub uses: Vec<Use>,
}

/// The reason why a file has no signature of the key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Other {
    /// The file has no recognised signature.
    Nothing,
    /// The file has a signature of another parameter set or algorithm, whose name may be empty.
    Set(String),
    /// The signature is invalid, or of another key.
    Key,
}

/// The signatures of the key in a file, or the reason why there are none.
#[derive(Clone, Debug)]
pub struct Look {
    /// The signatures.
    pub signatures: Vec<Signature>,
    /// The reason for signatures that are not of the key.
    pub other: Other,
    /// The error of reading a detached message, if any; its signature is not verified then.
    pub unread_message: Option<Error>,
}

/// A public key whose signatures are searched for.
#[derive(Debug)]
pub struct Scanner<'k> {
    key: PublicKey,
    /// The key in the encoding of its scheme; `None` for SLH-DSA.
    tree: Option<hbs::PublicKey>,
    capacity: Option<u64>,
    kernels: Kernels<'k>,
}

/// A structure signed according to X.509: the signed bytes, the algorithm, the signature.
#[derive(Sequence)]
struct SignedStructure<'d> {
    message: AnyRef<'d>,
    algorithm: AlgorithmIdentifierRef<'d>,
    signature: BitStringRef<'d>,
}

impl<'k> Scanner<'k> {
    /// Creates a scanner for signatures of `key`.
    ///
    /// # Errors
    /// `NoState` for keys whose signatures have neither an index nor a limit, and the errors of the
    /// key.
    pub fn new(key: &PublicKey, kernels: Kernels<'k>) -> Result<Self, Error> {
        if key.row.kind != Kind::StatefulSignature {
            return Err(Error::NoState);
        }
        let key = published(key)?;
        if key.row.family == Family::SlhDsa {
            let capacity = Set::named(&key.row.name)?.limit;
            return Ok(Self { key, tree: None, capacity, kernels });
        }
        let tree = scheme::public_key(&key)?;
        let several = tree.levels().is_some();
        let capacity = (!several).then(|| tree.set().capacity());
        Ok(Self { key, tree: Some(tree), capacity, kernels })
    }

    /// Returns true if signatures have an index; those of SLH-DSA with a limit are only counted.
    pub fn has_indices(&self) -> bool {
        self.tree.is_some()
    }

    /// Returns the number of signatures that the key can make, if the public key determines it. For
    /// HSS with several levels a signature does.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// Returns the key.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// Returns the signatures of the key in a file. `beside` opens the message of a detached
    /// signature. It is called only when the message is needed, possibly several times.
    pub fn look(&self, file: &[u8], beside: Beside<'_>) -> Look {
        let (signatures, other) = (Vec::new(), Other::Nothing);
        let mut look = Look { signatures, other, unread_message: None };
        let blocks = pem_blocks(file);
        for block in &blocks {
            self.structures(&block.der, beside, &mut look);
        }
        if blocks.is_empty() && !self.structures(file, beside, &mut look) {
            self.alone(file, beside, &mut look);
        }
        look
    }

    /// Converts a valid signature for use in a [`Ledger`](super::Ledger); `None` if it is not of
    /// the key.
    pub fn verified(&self, signature: &[u8]) -> Option<Signature> {
        let mut look = Look { signatures: Vec::new(), other: Other::Nothing, unread_message: None };
        self.judge(Form::Raw, &of_key(&self.key, signature.to_vec()), Ok(()), &mut look);
        look.signatures.pop()
    }

    /// Processes the structures in `der`. Returns true if there was any.
    fn structures(&self, der: &[u8], beside: Beside<'_>, look: &mut Look) -> bool {
        if let Ok(signed) = SignedData::read(der) {
            self.cms(&signed, beside, look);
            for certificate in signed.certificates() {
                self.x509(&certificate, look);
            }
            return true;
        }
        self.x509(der, look)
    }

    fn cms(&self, signed: &SignedData, beside: Beside<'_>, look: &mut Look) {
        let by = By::Key(&self.key);
        let Ok(signatures) = signed.signatures(by) else { return look.hear(Other::Key) };
        let verdicts = signed.verify_each(by, beside, self.kernels);
        for (signature, verdict) in signatures.iter().zip(verdicts) {
            self.judge(Form::Cms, signature, verdict.map(drop), look);
        }
    }

    /// Processes a certificate or another X.509 structure, which contains its message.
    fn x509(&self, der: &[u8], look: &mut Look) -> bool {
        let Ok(signed) = SignedStructure::from_der(der) else { return false };
        let own = key_identifier(self.key.row).map(|identifier| identifier.oid);
        if own.as_ref() != Ok(&signed.algorithm.oid) {
            look.hear(Other::Set(String::new()));
            return true;
        }
        let signature = signed.signature.as_bytes().unwrap_or(NONE);
        let message = signed.message.to_der().map_err(|_| Error::NotACertificate);
        let verdict = message.and_then(|message| self.verify(&mut &message[..], signature));
        self.judge(Form::X509, signature, verdict, look);
        true
    }

    /// Processes a file that is neither PEM nor DER.
    fn alone(&self, file: &[u8], beside: Beside<'_>, look: &mut Look) {
        if let Ok(signed) = Sign1::read(file) {
            let message = if signed.payload().is_none() { beside() } else { Ok(None) };
            let verdict = message.and_then(|mut message| {
                let given = message.as_mut().map(|message| &mut **message as _);
                signed.verify(&self.key, given, self.kernels)
            });
            return self.judge(Form::Cose, signed.signature(), verdict, look);
        }
        if let Ok(dual) = Dual::read(file) {
            for half in dual.halves {
                self.beside(Form::Dual, half, &dual.head, beside, look);
            }
            return;
        }
        if let Ok(image) = Signed::read(file) {
            let verdict = image.verify(&self.key, None, self.kernels);
            let signature = image.signature(&self.key).unwrap_or_default();
            return self.judge(Form::Boot, &signature, verdict, look);
        }
        if file.len() <= MOST_ALONE {
            self.beside(Form::Raw, &of_key(&self.key, file.to_vec()), NONE, beside, look);
        }
    }

    /// Processes a signature of `head` followed by the detached message.
    fn beside(
        &self,
        form: Form,
        signature: &[u8],
        head: &[u8],
        beside: Beside<'_>,
        look: &mut Look,
    ) {
        let verdict = match self.uses(signature) {
            Err(_) => Err(Error::Detached),
            Ok(_) => self.verify_beside(signature, head, beside),
        };
        self.judge(form, signature, verdict, look);
    }

    /// Verifies a signature of `head` and the message or, if `head` is empty, of the message's
    /// SHA-384 digest.
    fn verify_beside(
        &self,
        signature: &[u8],
        head: &[u8],
        beside: Beside<'_>,
    ) -> Result<(), Error> {
        let message = beside()?.ok_or(Error::Detached)?;
        match self.verify(&mut head.chain(message), signature) {
            Err(Error::BadSignature) if head.is_empty() => {
                let mut message = beside()?.ok_or(Error::Detached)?;
                let digest = prehash::sha384(&mut *message, &mut |_| ())?;
                self.verify(&mut &digest[..], signature)
            }
            verdict => verdict,
        }
    }

    fn verify(&self, message: &mut dyn Read, signature: &[u8]) -> Result<(), Error> {
        verify::verify(&self.key, message, signature, self.kernels)
    }

    /// Adds a signature to `look`, unless it cannot be of the key.
    fn judge(&self, form: Form, signature: &[u8], verdict: Result<(), Error>, look: &mut Look) {
        let is_verified = match verdict {
            Ok(()) => true,
            Err(Error::Detached) => false,
            Err(error @ (Error::Io(_) | Error::TooLong | Error::TooLongToAttach)) => {
                look.unread_message = Some(error);
                false
            }
            Err(_) => return look.hear(Other::Key),
        };
        match self.uses(signature) {
            Ok((mut uses, capacity)) => {
                uses.iter_mut().for_each(|one| one.is_verified |= is_verified);
                look.signatures.push(Signature { form, is_verified, capacity, uses });
            }
            Err(other) => look.hear(other),
        }
    }

    /// Returns the one-time signatures in a signature, and the number of signatures its key can
    /// make.
    fn uses(&self, signature: &[u8]) -> Result<(Vec<Use>, Option<u64>), Other> {
        let Some(tree) = &self.tree else {
            let fits = signature.len() == self.key.row.sizes.output;
            let counted = || (vec![Use::counted(signature)], self.capacity);
            return fits.then(counted).ok_or_else(|| named(signature));
        };
        let own = scheme::signature(&self.key, signature).map_err(|_| named(signature))?;
        let found = hbs::one_time_signatures(tree, own, self.kernels);
        let found = found.map_err(|_| self.not_of_key(signature))?;
        let capacity = match tree.levels() {
            None => self.capacity,
            Some(_) => found
                .iter()
                .try_fold(1_u64, |product, level| product.checked_mul(level.tree.set().capacity())),
        };
        Ok((found.iter().map(Use::of).collect(), capacity))
    }

    /// Returns the reason why a signature is not of the key: a different number of levels, or
    /// invalid signatures of its levels.
    fn not_of_key(&self, signature: &[u8]) -> Other {
        let levels = self.tree.as_ref().and_then(hbs::PublicKey::levels);
        let readings = hash_based::signature_readings(signature);
        let has = |levels| readings.iter().any(|reading| reading.level_indices.len() == levels);
        let has_levels = levels.is_some_and(|levels| has(levels as usize));
        if has_levels { Other::Key } else { named(signature) }
    }
}

/// Returns the set of a signature, if its numbers or its length show it.
fn named(signature: &[u8]) -> Other {
    let reading = hash_based::signature_readings(signature).into_iter().next();
    reading.map_or(Other::Nothing, |reading| Other::Set(reading.name))
}

impl Look {
    /// Keeps the more specific reason.
    fn hear(&mut self, other: Other) {
        if other > self.other {
            self.other = other;
        }
    }
}

/// Returns the digest of all parts, each preceded by its length.
pub(super) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
