//! Keys that this crate signs with in CertificateVerify: SLH-DSA and, for `legacy_provider`, Falcon
//! and Dilithium. All other keys are handled by aws-lc-rs.

use std::sync::Arc;

use hasten_kernels::Kernels;
use hasten_keys::encoding::{decode_pkcs8, encode_spki};
use hasten_keys::stateless;
use rustls::crypto::{KeyProvider, aws_lc_rs};
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::{Signer, SigningKey};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};

use crate::verify::Known;

/// Returns a key provider that loads these keys from PKCS#8, and all keys that aws-lc-rs loads.
pub(crate) fn key_provider(known: Known) -> &'static dyn KeyProvider {
    match known {
        Known::Standards => &Known::Standards,
        #[cfg(feature = "legacy")]
        Known::Legacy => &Known::Legacy,
    }
}

impl KeyProvider for Known {
    fn load_private_key(&self, der: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        if let PrivateKeyDer::Pkcs8(pkcs8) = &der
            && let Ok(key) = decode_pkcs8(pkcs8.secret_pkcs8_der())
            && let Some(scheme) = self.scheme(key.row)
        {
            let unusable = |_| Error::General("the private key is unusable".to_owned());
            let key = stateless::Signer::new(&key, Kernels::best()).map_err(unusable)?;
            return Ok(Arc::new(Own { key: Arc::new(key), scheme }));
        }
        aws_lc_rs::sign::any_supported_type(&der)
    }
}

#[derive(Clone, Debug)]
struct Own {
    key: Arc<stateless::Signer<'static>>,
    scheme: SignatureScheme,
}

impl SigningKey for Own {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&self.scheme).then(|| Box::new(self.clone()) as Box<dyn Signer>)
    }

    /// Returns the public key, so that rustls can detect a key that does not match the certificate.
    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some(SubjectPublicKeyInfoDer::from(encode_spki(self.key.public_key()).ok()?))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::from(u16::from(self.scheme) as u8)
    }
}

impl Signer for Own {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.key.sign(message).map_err(|_| Error::General("signing failed".to_owned()))
    }

    fn scheme(&self) -> SignatureScheme {
        self.scheme
    }
}
