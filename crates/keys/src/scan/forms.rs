//! The signatures in a file, whatever form it has.

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

/// Opens the message beside a signature, from its beginning; nothing where there is none.
pub type Beside<'b> = &'b mut dyn FnMut() -> Result<Option<Box<dyn Read>>, Error>;

/// Bytes that cannot be a signature.
const NONE: &[u8] = &[];

/// No signature alone is longer, in bytes: one of eight levels has less than 100,000.
const MOST_ALONE: usize = 1 << 20;

/// The form in which a signature stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Alone.
    Raw,
    /// In a SignedData of CMS.
    Cms,
    /// In a COSE_Sign1.
    Cose,
    /// As a half of a dual signature.
    Dual,
    /// In an image for a boot ROM.
    Boot,
    /// In a certificate, a request or another structure that X.509 signs.
    X509,
}

impl Form {
    /// Returns its name.
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

/// A signature that can be one of the key.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its form.
    pub form: Form,
    /// True if it is a good signature of its message; false if the message is not at hand.
    pub is_verified: bool,
    /// The number of signatures of the key, where 64 bits hold it.
    pub capacity: Option<u64>,
    /// Its one-time signatures, the lowest last.
    pub uses: Vec<Use>,
}

/// Why a file counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Other {
    /// It has no signature that is known here.
    Nothing,
    /// It has a signature of another parameter set or algorithm, which may be named.
    Set(String),
    /// Its signature does not verify: it is of another key, or bad.
    Key,
}

/// The signatures of the key in a file, or the reason why there is none.
#[derive(Clone, Debug)]
pub struct Look {
    /// The signatures.
    pub signatures: Vec<Signature>,
    /// The reason, for those that are none of the key.
    pub other: Other,
    /// Why a message that lies beside could not be read: its signature is not verified.
    pub unread_message: Option<Error>,
}

/// A public key whose signatures are looked for.
#[derive(Debug)]
pub struct Scanner<'k> {
    key: PublicKey,
    /// The key as its scheme has it; nothing for SLH-DSA.
    tree: Option<hbs::PublicKey>,
    capacity: Option<u64>,
    kernels: Kernels<'k>,
}

/// A structure that X.509 signs: the signed bytes, the algorithm, the signature.
#[derive(Sequence)]
struct SignedStructure<'d> {
    message: AnyRef<'d>,
    algorithm: AlgorithmIdentifierRef<'d>,
    signature: BitStringRef<'d>,
}

impl<'k> Scanner<'k> {
    /// Returns a scanner for signatures of `key`.
    ///
    /// # Errors
    /// `NoState` for keys whose signatures have no number and no limit, and those of the key.
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

    /// Returns whether signatures have an index; those of limited SLH-DSA are only counted.
    pub fn has_indices(&self) -> bool {
        self.tree.is_some()
    }

    /// Returns the number of signatures of the key, where the key says it: of HSS with several
    /// levels a signature does.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// Returns the key.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// Returns the signatures of the key in a file. `beside` opens the message that lies beside
    /// it, and is called where that is asked for, once or several times.
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

    /// Returns a signature that verifies, as one of the ledger; nothing if it is none of the key.
    pub fn verified(&self, signature: &[u8]) -> Option<Signature> {
        let mut look = Look { signatures: Vec::new(), other: Other::Nothing, unread_message: None };
        self.judge(Form::Raw, &of_key(&self.key, signature.to_vec()), Ok(()), &mut look);
        look.signatures.pop()
    }

    /// Reads what stands in DER. Returns whether it was anything.
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

    /// Reads a certificate and whatever else X.509 signs, whose message is always at hand.
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

    /// Reads what is neither PEM nor DER.
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

    /// Takes a signature of `head` and the message that lies beside it.
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

    /// Verifies a signature of `head` and the message, or, without a head, of its SHA-384 digest.
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

    /// Adds a signature, as far as it can be one of the key.
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

    /// Returns the one-time signatures of a signature, and how many signatures its key can make.
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

    /// Returns why a signature is none of the key: it has other levels, or they do not verify.
    fn not_of_key(&self, signature: &[u8]) -> Other {
        let levels = self.tree.as_ref().and_then(hbs::PublicKey::levels);
        let readings = hash_based::signature_readings(signature);
        let has = |levels| readings.iter().any(|reading| reading.level_indices.len() == levels);
        let has_levels = levels.is_some_and(|levels| has(levels as usize));
        if has_levels { Other::Key } else { named(signature) }
    }
}

/// Returns the set of a signature, where its numbers or its length say it.
fn named(signature: &[u8]) -> Other {
    let reading = hash_based::signature_readings(signature).into_iter().next();
    reading.map_or(Other::Nothing, |reading| Other::Set(reading.name))
}

impl Look {
    /// Keeps the reason that says most.
    fn hear(&mut self, other: Other) {
        if other > self.other {
            self.other = other;
        }
    }
}

/// Returns the first bytes of a digest of parts, each behind its length.
pub(super) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
