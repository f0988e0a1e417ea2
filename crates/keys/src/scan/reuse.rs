//! Detection of indices that are shared by several valid signatures.

use std::iter;

use hasten_kernels::Kernels;

use super::{Index, Ledger, Scanner, Verdict};
use crate::{Error, encoding::PublicKey, x509};

/// Returns the indices that different signatures in `good` share. All of them must be valid
/// signatures of `key`, in any form. The files in the result are their numbers. The result is empty
/// for a key without a state.
///
/// # Errors
/// `BadSignature` if one of them cannot be of the key; the errors of the key.
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

/// Rejects a certificate path in which a key has signed two certificates with the same index. The
/// signature of a root by itself counts too.
///
/// # Errors
/// `Reused`; the errors of the keys.
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
