//! Keys as other programs write them.
//!
//! Public keys are read from PEM, DER (SubjectPublicKeyInfo) and the raw bytes of their standard;
//! private keys from PKCS#8, also under a passphrase. Written are SPKI and PKCS#8, as PEM. Stateful
//! private keys have no PKCS#8 form: they live in a store.

mod encrypted;
pub mod hash_based;
mod pem;
mod pkcs8;
mod public;
mod spki;
mod traits;

pub use self::encrypted::{
    ENCRYPTED, decode_encrypted_pkcs8, encode_encrypted_pkcs8, is_encrypted_pkcs8,
};
pub use self::pem::{PemBlock, pem_blocks, to_pem};
pub use self::pkcs8::{PrivateKey, decode_pkcs8, encode_pkcs8};
pub use self::public::{PublicKey, numbered_public, raw_fits, read_public};
pub(crate) use self::spki::rsa_row;
pub use self::spki::{decode_spki, encode_spki, key_identifier};
pub use crate::scheme::published_sizes;
