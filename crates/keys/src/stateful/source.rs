//! The source of a key's permits: its indices directly, or a thread that reserves ahead.

use hasten_store::{Ahead, Indices, Keeper, Policy, Status, StoreError, Tap};

/// The indices of an open key, held here or by the thread that reserves ahead.
pub(super) struct Source {
    here: Option<Box<dyn Indices>>,
    ahead: Option<(Keeper<Box<dyn Indices>>, Tap)>,
    /// The status before the thread took the indices.
    before: Status,
}

impl Source {
    pub fn new(indices: Box<dyn Indices>) -> Self {
        Self { before: indices.status(), here: Some(indices), ahead: None }
    }

    pub fn indices(&mut self) -> Result<&mut Box<dyn Indices>, StoreError> {
        self.here.as_mut().ok_or(StoreError::Closed)
    }

    pub fn status(&self) -> Status {
        self.here.as_ref().map_or_else(|| self.before.clone(), |indices| indices.status())
    }

    pub fn tap(&self) -> Result<&Tap, StoreError> {
        self.ahead.as_ref().map(|(_, tap)| tap).ok_or(StoreError::Empty)
    }

    /// Hands the indices over to a thread.
    pub fn run_ahead(&mut self, policy: Policy) -> Result<(), StoreError> {
        self.before = self.indices()?.status();
        let indices = self.here.take().ok_or(StoreError::Closed)?;
        let keeper = Ahead::new(indices, policy).spawn();
        let tap = keeper.tap();
        self.ahead = Some((keeper, tap));
        Ok(())
    }

    /// Ends the session: commits the record of signatures, calls `last` and closes the indices.
    pub fn close(mut self, last: impl FnOnce(&dyn Indices)) -> Result<Status, StoreError> {
        let confirmed = self.confirm();
        let indices = self.here.take().ok_or(StoreError::Closed)?;
        last(&*indices);
        let closed = indices.close();
        confirmed?;
        closed
    }

    /// Stops the thread that reserves ahead, if there is one, and commits the record of signatures.
    fn confirm(&mut self) -> Result<(), StoreError> {
        if let Some((keeper, _)) = self.ahead.take() {
            self.here = keeper.stop();
        }
        self.indices()?.confirm()
    }
}

impl Drop for Source {
    // No error can be reported here: guard and log show what was committed.
    fn drop(&mut self) {
        if self.here.is_some() || self.ahead.is_some() {
            drop(self.confirm());
        }
    }
}
