//! HSS: RFC 8554, section 6 (Hierarchical Signatures). A key has one to eight levels of LMS trees.
//! Each level has a parameter set of its own. A tree signs the public keys of the trees below it.
//!
//! **Secrets.** A key is I ‖ SEED of its highest tree. A tree below one-time key q of an upper tree
//! gets its secrets SEED' and I' from I and SEED of the upper tree, by the hash function of the
//! upper tree:
//!
//! ```text
//! SEED' = H(I ‖ u32str(q) ‖ u16str(0xfffe) ‖ u8str(0xff) ‖ SEED), the n bytes of the lower set
//! I'    = H(I ‖ u32str(q) ‖ u16str(0xffff) ‖ u8str(0xff) ‖ SEED), the first 16 bytes
//! ```
//!
//! The reference code of the RFC's authors does the same: RFC 8554, Appendix A (Pseudorandom Key
//! Generation) with numbers that no chain has.

mod child;

pub(crate) use child::trees;
