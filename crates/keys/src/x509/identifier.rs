//! The algorithm identifier of a signature.

use der::Decode;
use rustls_pki_types::{AlgorithmIdentifier, alg_id};
use spki::AlgorithmIdentifierOwned;

use crate::{
    Error,
    encoding::key_identifier,
    registry::{Family, Row},
};

/// Returns the algorithm identifier of a certificate's signature by a key of this algorithm. It is
/// that of the key, except for ECDSA and RSA.
///
/// # Errors
/// `NotBuiltIn` for algorithms that do not sign certificates.
pub fn signature_identifier(row: &Row) -> Result<AlgorithmIdentifierOwned, Error> {
    match (row.family, row.name.as_str()) {
        (Family::Ecdsa, "ECDSA-P-256") => parsed(&alg_id::ECDSA_SHA256),
        (Family::Ecdsa, "ECDSA-P-384") => parsed(&alg_id::ECDSA_SHA384),
        (Family::Ecdsa, _) => parsed(&alg_id::ECDSA_SHA512),
        (Family::Rsa, _) => parsed(&alg_id::RSA_PSS_SHA256),
        _ => key_identifier(row),
    }
}

/// Parses an identifier of webpki, which is the contents of a SEQUENCE of less than 128 bytes.
fn parsed(contents: &AlgorithmIdentifier) -> Result<AlgorithmIdentifierOwned, Error> {
    let der = [&[0x30, contents.len() as u8], contents.as_ref()].concat();
    AlgorithmIdentifierOwned::from_der(&der).map_err(|_| Error::NotBuiltIn)
}
