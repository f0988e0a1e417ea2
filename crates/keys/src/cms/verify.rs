//! Verification of a signature in a SignedData against a key, a content and the signed attributes.

use std::{io::Read, iter};

use cms::signed_data::SignerInfo;
use der::{Decode, Encode};
use hasten_kernels::Kernels;
use x509_cert::Certificate;

use super::{
    Digest, SignedData,
    attributes::{self, unwritten},
    signer::{is_named, is_of_certificate, is_of_key},
};
use crate::{
    Error,
    encoding::{PublicKey, key_identifier},
    verify,
    x509::{self, Question, Usage},
};

/// The signer whose signature is verified.
#[derive(Clone, Copy, Debug)]
pub enum By<'b> {
    /// The signer with this public key, however it is named.
    Key(&'b PublicKey),
    /// The signer named by this certificate in DER. The path of the certificate is not verified.
    Certificate(&'b [u8]),
}

/// The contents of a valid signature.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Good {
    /// The key that signed.
    pub key: PublicKey,
    /// The digest in the signed attributes; `None` if the content itself is signed.
    pub digest: Option<Digest>,
    /// The signing time that the signer claims, in seconds since 1970.
    pub signing_time: Option<u64>,
    /// The signature, in the form of the key.
    pub signature: Vec<u8>,
}

/// Contents with more bytes than this are never taken for the attributes of another signature.
const MOST_ATTRIBUTES: u64 = 1 << 16;

impl SignedData {
    /// Verifies the only signature of this key or certificate. `content` is required if the content
    /// is not attached. If it is attached, `content` must equal it.
    ///
    /// # Errors
    /// `BadSignature` for every invalid signature; `Detached`, `NotThisSigner`, `SeveralSigners`,
    /// `NoCms`, `OtherDigest`, `NotACertificate`; `Io` and `TooLong` for the content.
    pub fn verify(
        &self,
        by: By<'_>,
        content: Option<&mut dyn Read>,
        kernels: Kernels<'_>,
    ) -> Result<Good, Error> {
        let (key, info) = self.signer(by)?;
        self.verify_signer(key, info, content, kernels)
    }

    /// Verifies every signature of this key or certificate, since several signers may have the same
    /// name. `open` opens a detached content again for each of them.
    pub fn verify_each(
        &self,
        by: By<'_>,
        open: &mut dyn FnMut() -> Result<Option<Box<dyn Read>>, Error>,
        kernels: Kernels<'_>,
    ) -> Vec<Result<Good, Error>> {
        let Ok((key, signers)) = self.signers_of(by) else { return Vec::new() };
        let verify = |info: &&SignerInfo| {
            let mut content = if self.content().is_none() { open()? } else { None };
            let given = content.as_mut().map(|content| &mut **content as _);
            self.verify_signer(key.clone(), info, given, kernels)
        };
        signers.iter().map(verify).collect()
    }

    /// Returns the signatures that [`verify_each`](Self::verify_each) verifies, in its order.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn signatures(&self, by: By<'_>) -> Result<Vec<Vec<u8>>, Error> {
        let (_, signers) = self.signers_of(by)?;
        Ok(signers.iter().map(|info| info.signature.as_bytes().to_vec()).collect())
    }

    fn verify_signer(
        &self,
        key: PublicKey,
        info: &SignerInfo,
        content: Option<&mut dyn Read>,
        kernels: Kernels<'_>,
    ) -> Result<Good, Error> {
        Digest::of(&key)?;
        if key_identifier(key.row).as_ref() != Ok(&info.signature_algorithm) {
            return Err(Error::BadSignature);
        }
        match (self.content(), content) {
            (None, None) => Err(Error::Detached),
            (None, Some(given)) => self.verify_over(key, info, given, kernels),
            (Some(attached), None) => self.verify_over(key, info, &mut &*attached, kernels),
            (Some(attached), Some(given)) => {
                is_same(attached, given)?;
                self.verify_over(key, info, &mut &*attached, kernels)
            }
        }
    }

    /// Returns the signature that [`verify`](Self::verify) checks.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn signature(&self, by: By<'_>) -> Result<Vec<u8>, Error> {
        self.signer(by).map(|(_, info)| info.signature.as_bytes().to_vec())
    }

    /// Returns the signed attributes, which are the bytes under that signature; `None` if the
    /// content itself is signed.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn signed_attributes(&self, by: By<'_>) -> Result<Option<Vec<u8>>, Error> {
        let (_, info) = self.signer(by)?;
        info.signed_attrs.as_ref().map(|said| said.to_der().map_err(unwritten)).transpose()
    }

    /// Returns true if a signer identifier names this key. A signer may use this key under another
    /// identifier too.
    #[must_use]
    pub fn names(&self, key: &PublicKey) -> bool {
        self.signers.iter().any(|info| is_named(info, key, &self.certificates))
    }

    /// Returns true if a signer used the algorithm of this key.
    #[must_use]
    pub fn has_algorithm_of(&self, key: &PublicKey) -> bool {
        let identifier = key_identifier(key.row);
        identifier.is_ok_and(|own| {
            self.signers.iter().any(|info| info.signature_algorithm.oid == own.oid)
        })
    }

    /// Returns the certificate in the SignedData that its signer identifier names.
    ///
    /// # Errors
    /// `NotThisSigner` if none of them matches; `BadSignature`, `SeveralSigners`.
    pub fn signer_certificate(&self) -> Result<Vec<u8>, Error> {
        for certificate in self.certificates() {
            match self.signer(By::Certificate(&certificate)) {
                Ok(_) => return Ok(certificate),
                Err(Error::NotThisSigner | Error::NoCms) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::NotThisSigner)
    }

    /// Returns the path for code signing from `certificate` to a root. The other certificates in
    /// the SignedData may be part of it.
    ///
    /// # Errors
    /// The errors of [`verify_path`](x509::verify_path).
    pub fn path_of(
        &self,
        certificate: &[u8],
        roots: &[Vec<u8>],
        at: u64,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let sent = self.certificates();
        let others = sent.into_iter().filter(|other| *other != certificate);
        let chain: Vec<_> = iter::once(certificate.to_vec()).chain(others).collect();
        let usage = Usage::CodeSigning;
        x509::verify_path(&Question { chain: &chain, roots, name: None, at, usage })
    }

    /// Returns the only matching signer and its key.
    fn signer(&self, by: By<'_>) -> Result<(PublicKey, &SignerInfo), Error> {
        let (key, signers) = self.signers_of(by)?;
        match signers[..] {
            [info] => Ok((key, info)),
            _ => Err(Error::SeveralSigners),
        }
    }

    /// Returns the matching signers, at least one, and their key.
    fn signers_of(&self, by: By<'_>) -> Result<(PublicKey, Vec<&SignerInfo>), Error> {
        let certificate = match by {
            By::Key(_) => None,
            By::Certificate(der) => {
                Some(Certificate::from_der(der).map_err(|_| Error::NotACertificate)?)
            }
        };
        let key = match by {
            By::Key(key) => key.clone(),
            By::Certificate(der) => x509::public_key(der)?,
        };
        let identifier = key_identifier(key.row).map_err(|_| Error::NoCms)?;
        let is_it = |info: &&SignerInfo| match &certificate {
            Some(certificate) => is_of_certificate(info, certificate),
            None => {
                info.signature_algorithm.oid == identifier.oid
                    && is_of_key(info, &key, &self.certificates)
            }
        };
        let found: Vec<_> = self.signers.iter().filter(is_it).collect();
        match &found[..] {
            [] => Err(Error::NotThisSigner),
            [info] if info.signature_algorithm != identifier => Err(Error::BadSignature),
            _ => Ok((key, found)),
        }
    }

    fn verify_over(
        &self,
        key: PublicKey,
        info: &SignerInfo,
        content: &mut dyn Read,
        kernels: Kernels<'_>,
    ) -> Result<Good, Error> {
        let signature = info.signature.as_bytes().to_vec();
        let Some(said) = &info.signed_attrs else {
            if !self.is_data() {
                return Err(Error::BadSignature);
            }
            verify_bare(&key, content, &signature, kernels)?;
            return Ok(Good { key, digest: None, signing_time: None, signature });
        };
        let digest = Digest::named(&info.digest_alg).filter(|digest| digest.is_for(&key));
        let digest = digest.ok_or(Error::OtherDigest)?;
        let (oid, algorithm) = (&self.content_type, &info.signature_algorithm);
        let read = attributes::read(said, oid, &info.digest_alg, algorithm)?;
        if digest.hash(content, &mut |_| ())? != read.message_digest {
            return Err(Error::BadSignature);
        }
        let message = said.to_der().map_err(unwritten)?;
        verify::verify(&key, &mut &message[..], &signature, kernels)?;
        Ok(Good { key, digest: Some(digest), signing_time: read.signing_time, signature })
    }
}

/// Verifies a signature of the content itself, which must not be the attributes of another
/// signature.
fn verify_bare(
    key: &PublicKey,
    content: &mut dyn Read,
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    let mut head = Vec::new();
    (&mut *content).take(MOST_ATTRIBUTES + 1).read_to_end(&mut head)?;
    if head.len() as u64 <= MOST_ATTRIBUTES && attributes::is_one(&head) {
        return Err(Error::BadSignature);
    }
    verify::verify(key, &mut (&head[..]).chain(content), signature, kernels)
}

/// Fails if the given content differs from the attached one.
fn is_same(attached: &[u8], given: &mut dyn Read) -> Result<(), Error> {
    let mut rest = attached;
    let mut same = true;
    verify::each_part(given, &mut |part| match rest.strip_prefix(part) {
        Some(left) => rest = left,
        None => same = false,
    })?;
    if same && rest.is_empty() { Ok(()) } else { Err(Error::BadSignature) }
}
