//! Permits for the keys of a session tree: counted in the one process that has the tree's seed.

use hasten_hbs::Permit;
use std::process;

/// The keys of one session tree that were not given out yet. Not `Clone`: there is one for each
/// tree, and it counts up only.
#[derive(Debug)]
pub struct Counter {
    next: u64,
    process: u32,
}

impl Counter {
    /// Returns the counter of a tree that was made just now.
    pub fn new() -> Self {
        Self { next: 0, process: process::id() }
    }

    /// Returns how many keys were given out.
    pub const fn used(&self) -> u64 {
        self.next
    }

    /// Returns the next key's permit.
    pub const fn permit(&mut self) -> SessionPermit {
        self.next += 1;
        SessionPermit { index: self.next - 1, process: self.process }
    }
}

/// One key of a session tree. It holds in the process that made the tree: a forked child has the
/// tree's seed too, and both would use the same keys.
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
