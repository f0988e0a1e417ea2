//! Signatures in CBOR: COSE_Sign1 (RFC 9052), with HSS/LMS (RFC 8778) and ML-DSA.
//!
//! The protected header contains only the algorithm, the unprotected header is empty, and there are
//! no externally supplied data. ML-DSA has the algorithm numbers that IANA registered: -48, -49 and
//! -50.
//!
#![cfg_attr(all(feature = "sign", feature = "aws-lc"), doc = "```")]
#![cfg_attr(not(all(feature = "sign", feature = "aws-lc")), doc = "```ignore")]
//! use hasten_kernels::Kernels;
//! use hasten_keys::{cose, registry, stateless};
//!
//! let kernels = Kernels::best();
//! let key = stateless::generate(registry::find("ML-DSA-65")?, kernels)?;
//! let signer = stateless::Signer::new(&key, kernels)?;
//! let public = signer.public_key();
//!
//! let unsigned = cose::Unsigned::new(public, b"firmware".to_vec(), true)?;
//! let file = unsigned.finish(&signer.sign(unsigned.message())?)?;
//!
//! let signed = cose::Sign1::read(&file)?;
//! signed.verify(public, None, kernels)?;
//! assert_eq!(signed.payload(), Some(&b"firmware"[..]));
//! # Ok::<(), hasten_keys::Error>(())
//! ```

use std::io::Read;

use coset::{
    Algorithm, CborSerializable, CoseSign1, CoseSign1Builder, Header, HeaderBuilder,
    TaggedCborSerializable, iana,
};
use hasten_kernels::Kernels;

use crate::{Error, encoding::PublicKey, registry::Family, verify};

/// Maximum size of a payload in bytes. The signed bytes contain the whole payload.
pub const MOST_PAYLOAD: usize = 32 << 20;

/// Returns the number of the key's algorithm.
///
/// # Errors
/// `NoCose` if none is registered.
pub fn algorithm(key: &PublicKey) -> Result<i64, Error> {
    named(key).map(|algorithm| algorithm as i64)
}

fn named(key: &PublicKey) -> Result<iana::Algorithm, Error> {
    match (key.row.family, key.row.name.as_str()) {
        (Family::Hss, _) => Ok(iana::Algorithm::HSS_LMS),
        (Family::MlDsa, "ML-DSA-44") => Ok(iana::Algorithm::ML_DSA_44),
        (Family::MlDsa, "ML-DSA-65") => Ok(iana::Algorithm::ML_DSA_65),
        (Family::MlDsa, "ML-DSA-87") => Ok(iana::Algorithm::ML_DSA_87),
        _ => Err(Error::NoCose),
    }
}

/// Reads a payload into memory.
///
/// # Errors
/// `Io`, and `TooLongToAttach` above [`MOST_PAYLOAD`].
pub fn payload(from: &mut dyn Read) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    from.take(MOST_PAYLOAD as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_PAYLOAD { Err(Error::TooLongToAttach) } else { Ok(bytes) }
}

/// A COSE_Sign1 without its signature.
pub struct Unsigned {
    sign1: CoseSign1,
    message: Vec<u8>,
}

impl Unsigned {
    /// Prepares a COSE_Sign1 for signing by `key`. It contains the payload if `attached` is true.
    ///
    /// # Errors
    /// `NoCose`.
    pub fn new(key: &PublicKey, payload: Vec<u8>, attached: bool) -> Result<Self, Error> {
        let protected = HeaderBuilder::new().algorithm(named(key)?).build();
        let mut sign1 = CoseSign1Builder::new().protected(protected).build();
        let message = sign1.tbs_detached_data(&payload, &[]);
        sign1.payload = attached.then_some(payload);
        Ok(Self { sign1, message })
    }

    /// Returns the bytes that the key signs: the Sig_structure.
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// Returns the maximum size in bytes of the structure without the signature.
    pub fn beside(&self) -> usize {
        FRAME + self.sign1.payload.as_ref().map_or(0, Vec::len)
    }

    /// Returns the COSE_Sign1 with this signature and the tag 18.
    ///
    /// # Errors
    /// None: every signature can be encoded in CBOR.
    pub fn finish(&self, signature: &[u8]) -> Result<Vec<u8>, Error> {
        let signed = CoseSign1 { signature: signature.to_vec(), ..self.sign1.clone() };
        signed.to_tagged_vec().map_err(|_| Error::NotCose)
    }
}

/// Maximum size in bytes of the tag, the headers and the lengths.
const FRAME: usize = 64;

/// A parsed COSE_Sign1, not verified yet.
#[derive(Debug)]
pub struct Sign1(CoseSign1);

impl Sign1 {
    /// Parses a COSE_Sign1, with or without its tag.
    ///
    /// # Errors
    /// `NotCose`, also if a label occurs in both headers, or if the unprotected header lists
    /// critical labels.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let tagged = CoseSign1::from_tagged_slice(bytes);
        let read = tagged.or_else(|_| CoseSign1::from_slice(bytes));
        let read = read.map_err(|_| Error::NotCose)?;
        match repeats(&read.protected.header, &read.unprotected) {
            true => Err(Error::NotCose),
            false => Ok(Self(read)),
        }
    }

    /// Returns the payload if it is attached.
    pub fn payload(&self) -> Option<&[u8]> {
        self.0.payload.as_deref()
    }

    /// Returns the signature.
    pub fn signature(&self) -> &[u8] {
        &self.0.signature
    }

    /// Returns true if the protected header names the algorithm of this key.
    #[must_use]
    pub fn is_of(&self, key: &PublicKey) -> bool {
        let named = named(key).ok().map(Algorithm::Assigned);
        named.is_some() && self.0.protected.header.alg == named
    }

    /// Returns the signed bytes: the Sig_structure of the attached payload, or else of `payload`.
    ///
    /// # Errors
    /// `Detached` if there is neither.
    pub fn signed_bytes(&self, payload: Option<&[u8]>) -> Result<Vec<u8>, Error> {
        match (self.payload(), payload) {
            (Some(_), _) => Ok(self.0.tbs_data(&[])),
            (None, Some(given)) => Ok(self.0.tbs_detached_data(given, &[])),
            (None, None) => Err(Error::Detached),
        }
    }

    /// Verifies the signature. `payload` is required if the payload is not attached. If it is
    /// attached, `payload` must equal it.
    ///
    /// # Errors
    /// `BadSignature` for every invalid signature; `Detached`, `NoCose`; `NotCose` if there are
    /// critical headers; `Io` and `TooLongToAttach` for the payload.
    pub fn verify(
        &self,
        key: &PublicKey,
        payload: Option<&mut dyn Read>,
        kernels: Kernels<'_>,
    ) -> Result<(), Error> {
        let header = &self.0.protected.header;
        if !header.crit.is_empty() {
            return Err(Error::NotCose);
        }
        if header.alg != Some(Algorithm::Assigned(named(key)?)) {
            return Err(Error::BadSignature);
        }
        let given = payload.map(self::payload).transpose()?;
        if self.payload().zip(given.as_deref()).is_some_and(|(attached, given)| attached != given) {
            return Err(Error::BadSignature);
        }
        let message = self.signed_bytes(given.as_deref())?;
        verify::verify(key, &mut &message[..], &self.0.signature, kernels)
    }
}

/// Returns true if a label occurs in both headers. RFC 9052, section 3 (Header Parameters) requires
/// such a message to be rejected, because one reader may use one value and another reader the
/// other. Also returns true if the unprotected header lists critical labels, which only the
/// protected header may do.
fn repeats(protected: &Header, unprotected: &Header) -> bool {
    let named = |header: &Header| {
        [
            header.alg.is_some(),
            !header.crit.is_empty(),
            header.content_type.is_some(),
            !header.key_id.is_empty(),
            !header.iv.is_empty(),
            !header.partial_iv.is_empty(),
            !header.counter_signatures.is_empty(),
        ]
    };
    let both = named(protected).into_iter().zip(named(unprotected)).any(|(one, two)| one && two);
    let rest = |label| protected.rest.iter().any(|(known, _)| known == label);
    both || !unprotected.crit.is_empty() || unprotected.rest.iter().any(|(label, _)| rest(label))
}
