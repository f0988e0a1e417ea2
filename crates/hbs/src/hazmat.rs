//! Tells what can use a one-time key twice, or weaken a signature, if it is not used with care: for
//! measurements, tests and vectors. It exists with the feature `hazmat` alone, and nothing that
//! signs for others may use it.

use crate::Error;
use crate::params::{Scheme, Set};
use crate::signer::Permits;
use crate::signer::permit::{Account, Permit};
use alloc::boxed::Box;

/// Permits counted in memory only, for keys that die with the process: measurements and tests.
///
/// A key that outlives the process needs a store: after a restart these permits begin again, and
/// a one-time key used twice gives its secrets away. They hold in the process that made them; a
/// child that was forked from it is refused, since both would use the same indices.
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
    /// Permits from index 0 on.
    #[must_use]
    pub fn new() -> Self {
        Self::starting_at(0)
    }

    /// Permits from `next` on: the earlier ones are given up.
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

/// Returns the set with trees of at most 2^`height` leaves, which no standard has: what is measured
/// on it holds for the lowest trees of the other. It is kept for the life of the program.
#[must_use]
pub fn lower(set: &'static Set, height: u32) -> &'static Set {
    if set.tree_height() <= height {
        return set;
    }
    Box::leak(Box::new(Set { h: height * set.d, ..*set }))
}

/// Returns the set of SLH-DSA with FORS trees of at most 2^`height` leaves, as [`lower`] does it
/// with the trees of one-time keys. Other sets are returned as they are.
#[must_use]
pub fn lower_fors(set: &'static Set, height: u32) -> &'static Set {
    match set.scheme {
        Scheme::SlhDsa { a, k } if a > height => {
            Box::leak(Box::new(Set { scheme: Scheme::SlhDsa { a: height, k }, ..*set }))
        }
        _ => set,
    }
}

/// Returns the number of this process; without `std`, and in WebAssembly, there is one.
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

    /// Holds what a forked child holds: permits, and a prepared signature, of another process.
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
