//! Identification of a file: all interpretations of its bytes, the most certain first.
//!
//! Every input gives an answer, with memory in proportion to the input. The answer contains no
//! secrets: of a private key it shows only the algorithm, form and size.
//!
//! ```
//! use hasten_keys::inspect::{What, inspect};
//!
//! let findings = inspect(b"neither a key nor a signature");
//! assert_eq!(findings[0].what, What::Unknown);
//! ```

#[cfg(feature = "x509")]
mod certificate;
mod container;
mod der;
mod finding;
mod raw;
#[cfg(feature = "sign")]
mod store;

pub use finding::{Finding, Value, What};
#[cfg(feature = "sign")]
pub use store::inspect_store;

use crate::encoding::pem_blocks;

/// Returns all readings of `bytes`, or one finding of [`What::Unknown`] if there are none.
pub fn inspect(bytes: &[u8]) -> Vec<Finding> {
    let mut findings: Vec<_> = container::readings(bytes).into_iter().collect();
    if findings.is_empty() {
        findings = pem(bytes);
    }
    if findings.is_empty() {
        findings = der::readings(bytes);
    }
    #[cfg(feature = "sign")]
    if findings.is_empty() {
        findings.extend(shard(bytes));
    }
    if findings.is_empty() {
        findings = raw::readings(bytes);
    }
    if findings.is_empty() {
        findings.push(Finding::new(What::Unknown, "none known").number("bytes", bytes.len()));
    }
    findings
}

/// Returns the finding for a shard file, from its head and its flags.
#[cfg(feature = "sign")]
fn shard(bytes: &[u8]) -> Option<Finding> {
    let carried = hasten_store::Carried::decode(bytes)?;
    let flags = bytes.get(hasten_store::Carried::HEAD + 32)?;
    let (range, encrypted) = (carried.range(), *flags != 0);
    let facts = vec![
        ("first_index", Value::Number(range.start)),
        ("count", Value::Number(range.end - range.start)),
        ("capacity", Value::Number(carried.capacity())),
        ("encrypted", Value::Text(if encrypted { "yes" } else { "no" }.to_owned())),
    ];
    let finding = Finding { facts, ..Finding::new(What::Shard, "file of export-shard") };
    Some(finding.number("bytes", bytes.len()))
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
