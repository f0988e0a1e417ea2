//! Indices that good signatures share, of which each would be good alone.

use std::iter;

use hasten_kernels::Kernels;

use super::{Index, Ledger, Scanner, Verdict};
use crate::{Error, encoding::PublicKey, x509};

/// Returns the indices that different ones of `good` have, which are signatures of `key` that
/// verify, in the form of any. Its files are their numbers. A key without a state has none.
///
/// # Errors
/// `BadSignature` if one cannot be of the key; those of the key.
pub fn reused_among<'s>(
    key: &PublicKey,
    good: impl Iterator<Item = &'s [u8]>,
) -> Result<Vec<Index>, Error> {
    let scanner = match Scanner::new(key, Kernels::best()) {
        Err(Error::NoState) => return Ok(Vec::new()),
        scanner => scanner?,
    };
    let mut ledger = Ledger::new(scanner.capacity());
    for (number, bytes) in (0..).zip(good) {
        ledger.add(number, &scanner.verified(bytes).ok_or(Error::BadSignature)?);
    }
    Ok(reused(ledger).collect())
}

fn reused(ledger: Ledger) -> impl Iterator<Item = Index> {
    let all: Vec<_> = ledger.finish().indices().collect();
    all.into_iter().filter(|index| index.verdict == Verdict::Reused)
}

/// Refuses a path of certificates in which one key has signed two with one index: a root signs
/// itself, too.
///
/// # Errors
/// `Reused`; those of the keys.
pub fn check_path(path: &[Vec<u8>]) -> Result<(), Error> {
    for issuer in path {
        let scanner = match Scanner::new(&x509::public_key(issuer)?, Kernels::best()) {
            Err(Error::NoState) => continue,
            scanner => scanner?,
        };
        let mut ledger = Ledger::new(scanner.capacity());
        for (number, certificate) in iter::zip(0.., path) {
            let look = scanner.look(certificate, &mut || Ok(None));
            look.signatures.iter().for_each(|signature| ledger.add(number, signature));
        }
        if let Some(index) = reused(ledger).next() {
            return Err(index.as_error());
        }
    }
    Ok(())
}
