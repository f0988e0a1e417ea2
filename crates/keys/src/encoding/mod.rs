//! Keys in the encodings of other programs.
//!
//! Public keys are read from PEM, DER (SubjectPublicKeyInfo) and the raw bytes of their standard,
//! private keys from PKCS#8, also encrypted. Keys are written as SPKI and PKCS#8 in PEM. Stateful
//! private keys have no PKCS#8 encoding, because their state must be kept in a store.
//!
#![cfg_attr(feature = "sign", doc = "```")]
#![cfg_attr(not(feature = "sign"), doc = "```ignore")]
//! use hasten_kernels::Kernels;
//! use hasten_keys::{encoding, registry, stateless};
//!
//! let key = stateless::generate(registry::find("Ed25519")?, Kernels::best())?;
//! let pem = encoding::to_pem("PRIVATE KEY", &encoding::encode_pkcs8(&key)?)?;
//! let block = &encoding::pem_blocks(pem.as_bytes())[0];
//! let again = encoding::decode_pkcs8(&block.der)?;
//!
//! let public = stateless::public(&again, Kernels::best())?;
//! let spki = encoding::encode_spki(&public)?;
//! assert_eq!(encoding::read_public(&spki, None)?.raw, public.raw);
//! # Ok::<(), hasten_keys::Error>(())
//! ```

mod encrypted;
pub mod hash_based;
mod pem;
mod pkcs8;
mod public;
mod published;
mod spki;
mod told;
mod traits;

pub use self::encrypted::{
    ENCRYPTED, decode_encrypted_pkcs8, encode_encrypted_pkcs8, is_encrypted_pkcs8,
};
pub use self::pem::{PemBlock, pem_blocks, to_pem};
pub use self::pkcs8::{PrivateKey, decode_pkcs8, encode_pkcs8};
pub(crate) use self::public::labelled;
pub use self::public::{
    PublicKey, numbered_public, public_to_pem, raw_fits, read_public, read_publics,
};
pub(crate) use self::published::NO_SIGNED_KEYS;
pub use self::published::published_sizes;
pub(crate) use self::spki::rsa_row;
pub use self::spki::{decode_spki, encode_spki, key_identifier};
