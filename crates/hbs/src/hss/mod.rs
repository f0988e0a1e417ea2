//! HSS: RFC 8554, section 6 (Hierarchical Signatures). One to eight levels of LMS trees, each of its
//! own set; a tree signs the public keys of the trees below it.
//!
//! [`Set::hss`](crate::Set::hss) or a name like `HSS(LMS_SHA256_M32_H10_W4,LMS_SHA256_M32_H5_W8)`
//! gives the set, [`generate`] a signer, [`load`] makes one from its cache, and
//! [`PublicKey::from_hss_bytes`](crate::PublicKey::from_hss_bytes) reads a key to verify with. The
//! ladder is the one of every scheme.
//!
//! **Secrets.** A key is I ‖ SEED of its highest tree. The tree under one-time key q of a tree with
//! I and SEED has, with the hash function of the upper tree,
//!
//! ```text
//! SEED' = H(I ‖ u32str(q) ‖ u16str(0xfffe) ‖ u8str(0xff) ‖ SEED), the n bytes of the lower set
//! I'    = H(I ‖ u32str(q) ‖ u16str(0xffff) ‖ u8str(0xff) ‖ SEED), the first 16 bytes
//! ```
//!
//! as in the reference code of the RFC's authors: RFC 8554, Appendix A (Pseudorandom Key Generation)
//! with numbers that no chain has.

#[cfg(feature = "sign")]
mod child;

#[cfg(feature = "sign")]
pub use crate::key::generation::{KeyGeneration, generate, load_grown, load_levels as load};

#[cfg(feature = "sign")]
pub(crate) use child::trees;
