//! Traits of the RustCrypto encoding crates, so that programs based on them accept these keys.

use der::Encode;
use pkcs8::{EncodePrivateKey, PrivateKeyInfoRef, SecretDocument};
use spki::{Document, EncodePublicKey, SubjectPublicKeyInfoRef};

use super::{PrivateKey, PublicKey, decode_spki, encode_pkcs8, encode_spki, pkcs8::from_info};

impl EncodePublicKey for PublicKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let der = encode_spki(self).map_err(|_| spki::Error::KeyMalformed)?;
        Ok(Document::try_from(der.as_slice())?)
    }
}

/// Implies [`spki::DecodePublicKey`].
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for PublicKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        decode_spki(&info.to_der()?).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl EncodePrivateKey for PrivateKey {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        let der = encode_pkcs8(self).map_err(|_| malformed())?;
        Ok(SecretDocument::try_from(der.as_slice())?)
    }
}

/// Implies [`pkcs8::DecodePrivateKey`].
impl TryFrom<PrivateKeyInfoRef<'_>> for PrivateKey {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        from_info(&info).map_err(|_| malformed())
    }
}

fn malformed() -> pkcs8::Error {
    pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid)
}
