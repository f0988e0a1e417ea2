//! A search for signatures of one key in arbitrary files, and for indices that were used twice.
//!
//! [`Scanner`] reads one file: raw signatures, CMS, COSE, dual signatures, images for boot ROMs,
//! and all structures signed according to X.509 (certificates, requests, revocation lists).
//! [`Ledger`] collects the results and computes the [`Account`]. No message is needed, because two
//! different signatures of the same one-time key are sufficient. If the message is available, the
//! signature is verified:
//!
//! - Two verified signatures prove that the index was used twice.
//! - If one of the two is not verified, it only claims the index: anybody can write such bytes.
//! - A signature that does not verify claims nothing. Neither does one whose authentication path
//!   differs from that of a verified signature with the same index.
//!
//! The ledger keeps about 100 bytes for each signature, but not the signature itself.

mod account;
mod forms;
mod ledger;
mod reuse;

pub use account::{Account, Index, Mention, Verdict};
pub use forms::{Beside, Form, Look, Other, Scanner, Signature};
pub use ledger::{Ledger, Use};
pub use reuse::{check_path, reused_among};
