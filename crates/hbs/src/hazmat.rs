//! Functions that can use a one-time key twice, or weaken a signature, if they are used without
//! care. They are for measurements, tests and test vectors. The module exists only with the feature
//! `hazmat`. A program that makes signatures for others must not use it.

use crate::Error;
use crate::params::{Scheme, Set};
use crate::signer::Permits;
use crate::signer::permit::{Account, Permit};
use alloc::boxed::Box;

/// Permits counted only in memory, for keys that exist only in this process: measurements and
/// tests.
///
/// A key that outlives the process needs a store: after a restart, these permits start again, and a
/// one-time key that signs twice reveals its secrets. The permits are valid only in the process
/// that made them. A forked child process is refused, because it would use the same indices.
#[derive(Debug)]
pub struct Throwaway {
    next: u64,
    process: u32,
}

/// A permit of [`Throwaway`].
#[derive(Debug)]
#[must_use = "dropped without `prepare`, its index is lost"]
pub struct ThrowawayPermit {
    index: u64,
    process: u32,
}

impl Throwaway {
    /// Returns permits from index 0 on.
    #[must_use]
    pub fn new() -> Self {
        Self::starting_at(0)
    }

    /// Returns permits from index `next` on. Earlier indices are given up.
    #[must_use]
    pub fn starting_at(next: u64) -> Self {
        Self { next, process: process() }
    }

    /// Returns the next permit.
    pub const fn permit(&mut self) -> ThrowawayPermit {
        self.next += 1;
        ThrowawayPermit { index: self.next - 1, process: self.process }
    }
}

impl Default for Throwaway {
    fn default() -> Self {
        Self::new()
    }
}

impl Account for Throwaway {
    fn next_index(&self) -> u64 {
        self.next
    }
}

impl Permits for Throwaway {
    type Permit = ThrowawayPermit;

    fn permit(&mut self) -> Result<ThrowawayPermit, Error> {
        Ok(Self::permit(self))
    }
}

impl Permit for ThrowawayPermit {
    fn index(&self) -> u64 {
        self.index
    }

    fn check(&self) -> Result<(), Error> {
        if self.process == process() { Ok(()) } else { Err(Error::PermitLost) }
    }
}

/// Returns the set with trees of at most 2^`height` leaves. No standard has such a set, but
/// measurements on it hold for the lowest trees of the original set. The set stays in memory until
/// the program ends.
#[must_use]
pub fn lower(set: &'static Set, height: u32) -> &'static Set {
    if set.tree_height() <= height {
        return set;
    }
    Box::leak(Box::new(Set { h: height * set.d, ..*set }))
}

/// Returns the set of SLH-DSA with FORS trees of at most 2^`height` leaves, as [`lower`] does for
/// trees of one-time keys. Other sets are returned unchanged.
#[must_use]
pub fn lower_fors(set: &'static Set, height: u32) -> &'static Set {
    match set.scheme {
        Scheme::SlhDsa { a, k } if a > height => {
            Box::leak(Box::new(Set { scheme: Scheme::SlhDsa { a: height, k }, ..*set }))
        }
        _ => set,
    }
}

/// Returns the id of this process, or 0 without `std` and in WebAssembly, where there is only one.
fn process() -> u32 {
    #[cfg(all(feature = "std", not(target_family = "wasm")))]
    return std::process::id();
    #[cfg(not(all(feature = "std", not(target_family = "wasm"))))]
    0
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::{SignerLevel, generate};
    use hasten_kernels::Kernels;

    /// The permits are those of another process, as a forked child process has them.
    #[test]
    fn a_forked_child_is_refused() {
        let mut permits = Throwaway { next: 3, process: process() ^ 1 };
        assert_eq!(permits.permit().check(), Err(Error::PermitLost));
        let set = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
        let mut signer = generate(set, &[7; 40], Kernels::best()).unwrap();
        let forked = signer.prepare(permits.permit(), SignerLevel::Secrets);
        assert_eq!(forked.err(), Some(Error::PermitLost));
        let own = signer.prepare(Throwaway::new().permit(), SignerLevel::Secrets);
        assert!(own.unwrap().finish(b"").is_ok());
    }
}
