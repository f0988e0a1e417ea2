//! The status of an open store.

use super::Store;
use crate::permit::lock;
use crate::status::{Status, account};

impl Store {
    /// Returns the status, including indices that were recorded and not written yet.
    pub fn status(&self) -> Status {
        let mut status =
            self.described(account(&self.state, self.state.session == self.session.id));
        let unwritten = lock(&self.session.ledger).unwritten();
        status.used += unwritten;
        status.reserved = status.reserved.saturating_sub(unwritten);
        status
    }

    pub(crate) fn final_status(&self) -> Status {
        self.described(account(&self.state, false))
    }

    fn described(&self, mut status: Status) -> Status {
        status.guard = self.guard_path.clone();
        status.witness = self.session.watch.is_some();
        status.repair = self.repair;
        status.binding = self.guard.strength().word();
        status.shared_filesystem_accepted = self.shared;
        // Opening has checked both file systems. One that cannot be determined now is left out.
        let _ = status.lies_on(&*self.env, &self.dir);
        status
    }
}
