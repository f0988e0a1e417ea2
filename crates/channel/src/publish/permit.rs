//! Permits for the keys of a session tree. They are counted in the only process that has the tree's
//! seed.

use hasten_hbs::Permit;
use std::process;

/// Counter of the used keys of one session tree. Not `Clone`: there is one for each tree, and it
/// only counts up.
#[derive(Debug)]
pub struct Counter {
    next: u64,
    process: u32,
}

impl Counter {
    /// Returns the counter of a new tree.
    pub fn new() -> Self {
        Self { next: 0, process: process::id() }
    }

    /// Returns the number of keys that were given out.
    pub const fn used(&self) -> u64 {
        self.next
    }

    /// Returns a permit for the next key.
    pub const fn permit(&mut self) -> SessionPermit {
        self.next += 1;
        SessionPermit { index: self.next - 1, process: self.process }
    }
}

/// Permit for one key of a session tree. It is valid only in the process that created the tree: a
/// forked child also has the tree's seed, and both would use the same keys.
#[derive(Debug)]
pub struct SessionPermit {
    index: u64,
    process: u32,
}

impl Permit for SessionPermit {
    fn index(&self) -> u64 {
        self.index
    }

    fn check(&self) -> Result<(), hasten_hbs::Error> {
        if self.process == process::id() { Ok(()) } else { Err(hasten_hbs::Error::PermitLost) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_of_another_process_is_lost() {
        let mut counter = Counter { next: 4, process: process::id() ^ 1 };
        let permit = counter.permit();
        assert_eq!((permit.index(), counter.used()), (4, 5));
        assert_eq!(permit.check(), Err(hasten_hbs::Error::PermitLost));
        assert_eq!(Counter::new().permit().check(), Ok(()));
    }
}
