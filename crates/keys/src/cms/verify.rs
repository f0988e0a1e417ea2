//! Verification of a signature in a SignedData: of this key, this content, these attributes.

use std::{io::Read, iter};

use cms::signed_data::SignerInfo;
use der::{Decode, Encode};
use hasten_kernels::Kernels;
use x509_cert::Certificate;

use super::{
    Digest, SignedData,
    attributes::{self, unwritten},
    signer::{is_of_certificate, is_of_key},
};
use crate::{
    Error,
    encoding::{PublicKey, key_identifier},
    verify,
    x509::{self, Question, Usage},
};

/// Whose signature is asked about.
#[derive(Clone, Copy, Debug)]
pub enum By<'b> {
    /// That of a public key, however the signer is named.
    Key(&'b PublicKey),
    /// That of a certificate in DER, as which the signer must be named. Its path is not verified.
    Certificate(&'b [u8]),
}

/// Says what a good signature holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Good {
    /// The key that has signed.
    pub key: PublicKey,
    /// The digest in the signed attributes; `None` where the content itself is signed.
    pub digest: Option<Digest>,
    /// When the signer says that it signed, in seconds since 1970.
    pub signing_time: Option<u64>,
    /// The signature, in the form of the key.
    pub signature: Vec<u8>,
}

/// Contents that are longer, in bytes, are no attributes of another signature.
const MOST_ATTRIBUTES: u64 = 1 << 16;

impl SignedData {
    /// Verifies the one signature that is of this key or certificate. `content` is what was
    /// signed: needed where it is not attached, and the same where it is.
    ///
    /// # Errors
    /// `BadSignature`, whatever is wrong with it; `Detached`, `NotThisSigner`, `SeveralSigners`,
    /// `NoCms`, `NotACertificate`; `Io` and `TooLong` for the content.
    pub fn verify(
        &self,
        by: By<'_>,
        content: Option<&mut dyn Read>,
        kernels: Kernels<'_>,
    ) -> Result<Good, Error> {
        let (key, info) = self.signer(by)?;
        Digest::of(&key)?;
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

    /// Returns the signature that would be verified.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn signature(&self, by: By<'_>) -> Result<Vec<u8>, Error> {
        self.signer(by).map(|(_, info)| info.signature.as_bytes().to_vec())
    }

    /// Returns the certificate in it as which its signer is named.
    ///
    /// # Errors
    /// `NotThisSigner` if it is none of them; `BadSignature`, `SeveralSigners`.
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

    /// Returns the path from one of its certificates to a root, over the others in it, for
    /// signatures of code.
    ///
    /// # Errors
    /// Those of [`verify_path`](x509::verify_path).
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

    /// Returns the signer that is asked about, and its key.
    fn signer(&self, by: By<'_>) -> Result<(PublicKey, &SignerInfo), Error> {
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
        let mut found = self.signers.iter().filter(is_it);
        match (found.next(), found.next()) {
            (None, _) => Err(Error::NotThisSigner),
            (Some(info), None) if info.signature_algorithm == identifier => Ok((key, info)),
            (Some(_), None) => Err(Error::BadSignature),
            _ => Err(Error::SeveralSigners),
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
        let digest = digest.ok_or(Error::BadSignature)?;
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

/// Verifies a signature of the content itself, which must be no attributes of another signature.
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

/// Refuses another content than the attached one.
fn is_same(attached: &[u8], given: &mut dyn Read) -> Result<(), Error> {
    let mut rest = attached;
    let mut same = true;
    verify::each_part(given, &mut |part| match rest.strip_prefix(part) {
        Some(left) => rest = left,
        None => same = false,
    })?;
    if same && rest.is_empty() { Ok(()) } else { Err(Error::BadSignature) }
}
