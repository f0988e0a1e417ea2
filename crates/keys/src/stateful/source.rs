//! Where a key's permits come from: straight from its indices, or reserved ahead by a thread.

use hasten_store::{Ahead, Indices, Keeper, Policy, Status, StoreError, Tap};

/// The indices of an open key: here, or with the thread that reserves ahead.
pub(super) struct Source {
    here: Option<Box<dyn Indices>>,
    ahead: Option<(Keeper<Box<dyn Indices>>, Tap)>,
    /// The account before the thread had them.
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

    /// Hands the indices to a thread.
    pub fn run_ahead(&mut self, policy: Policy) -> Result<(), StoreError> {
        self.before = self.indices()?.status();
        let indices = self.here.take().ok_or(StoreError::Closed)?;
        let keeper = Ahead::new(indices, policy).spawn();
        let tap = keeper.tap();
        self.ahead = Some((keeper, tap));
        Ok(())
    }

    /// Ends the session, after a commit of what was signed, and after `last`.
    pub fn close(mut self, last: impl FnOnce(&dyn Indices)) -> Result<Status, StoreError> {
        let confirmed = self.confirm();
        let indices = self.here.take().ok_or(StoreError::Closed)?;
        last(&*indices);
        let closed = indices.close();
        confirmed?;
        closed
    }

    /// Ends the thread that reserves ahead, if one does, and commits what was signed.
    fn confirm(&mut self) -> Result<(), StoreError> {
        if let Some((keeper, _)) = self.ahead.take() {
            self.here = keeper.stop();
        }
        self.indices()?.confirm()
    }
}

impl Drop for Source {
    // Nobody can be told of a failure: guard and log say what was committed.
    fn drop(&mut self) {
        if self.here.is_some() || self.ahead.is_some() {
            drop(self.confirm());
        }
    }
}
