//! Tells what is this file? Every reading of the bytes, the most certain first.
//!
//! Total: any bytes at all give an answer, in memory of the order of the input. Nothing secret is
//! in the answer: of a private key only its algorithm, form and size.
//!
//! ```
//! use hasten_keys::inspect::{What, inspect};
//!
//! let findings = inspect(b"neither a key nor a signature");
//! assert_eq!(findings[0].what, What::Unknown);
//! ```

#[cfg(feature = "x509")]
mod certificate;
mod der;
mod finding;
mod raw;

pub use finding::{Finding, Value, What};

use crate::encoding::pem_blocks;

/// Returns all readings of `bytes`; one finding of [`What::Unknown`] when there is none.
pub fn inspect(bytes: &[u8]) -> Vec<Finding> {
    let mut findings = pem(bytes);
    if findings.is_empty() {
        findings = der::readings(bytes);
    }
    if findings.is_empty() {
        findings = raw::readings(bytes);
    }
    if findings.is_empty() {
        findings.push(Finding::new(What::Unknown, "none known").number("bytes", bytes.len()));
    }
    findings
}

/// Returns one finding for each PEM block, in the order of the file.
fn pem(bytes: &[u8]) -> Vec<Finding> {
    let label = |label: &str| Finding::new(What::of_label(label), "PEM").text("label", label);
    let read = |block: &crate::encoding::PemBlock| {
        let inner = der::readings(&block.der).into_iter().next();
        let inner = inner.or_else(|| raw::labelled(block));
        inner.map_or_else(|| label(&block.label), Finding::in_pem)
    };
    pem_blocks(bytes).iter().map(read).collect()
}
