//! Signatures of one key in files that anyone wrote: which index each of them has, and whether two
//! of them have the same one.
//!
//! [`Scanner`] reads one file: raw signatures, CMS, COSE, dual files, images for boot ROMs, and
//! whatever X.509 signs (certificates, requests, revocation lists). [`Ledger`] takes what it found
//! and gives the [`Account`]. No message is needed, since two different signatures by one one-time
//! key are enough; where a message is at hand, the signature is verified:
//!
//! - two that verify prove that the index was used twice;
//! - two of which one was not verified only claim it: its bytes can be anybody's;
//! - one that does not verify claims nothing, nor does one whose authentication path is not that of
//!   a signature with its index that verifies.
//!
//! The ledger keeps about 100 bytes for each signature, and no signature.

mod account;
mod forms;
mod ledger;
mod reuse;

pub use account::{Account, Index, Mention, Verdict};
pub use forms::{Beside, Form, Look, Other, Scanner, Signature};
pub use ledger::{Ledger, Use};
pub use reuse::{check_path, reused_among};
