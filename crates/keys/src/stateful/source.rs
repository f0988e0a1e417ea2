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

    /// Ends the thread that reserves ahead, if one does.
    pub fn come_back(&mut self) {
        if let Some((keeper, _)) = self.ahead.take() {
            self.here = keeper.stop();
        }
    }

    /// Ends the session, after `last`.
    pub fn close(mut self, last: impl FnOnce(&dyn Indices)) -> Result<Status, StoreError> {
        self.come_back();
        let indices = self.here.ok_or(StoreError::Closed)?;
        last(&*indices);
        indices.close()
    }
}
