//! A thread that prepares, for those who do not schedule it themselves.

use super::error::Error;
use super::preparer::{Made, Preparer};
use super::publisher::Shown;
use super::slot::Slot;
use crate::announced_tree;
use core::fmt;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};

/// Starts the thread that prepares.
#[derive(Debug)]
pub struct Background;

/// Seals with what the thread has prepared. When it is dropped the thread ends.
pub struct Sealer {
    made: Option<Receiver<Result<Made<'static>, Error>>>,
    thread: Option<JoinHandle<()>>,
    front: Option<Slot<'static>>,
    shown: Shown,
    late: u64,
}

impl Background {
    /// Starts a thread that prepares up to `pool` messages ahead.
    pub fn start(preparer: Preparer<'static>, pool: usize) -> Sealer {
        let (send, made) = sync_channel(pool);
        let thread = thread::spawn(move || work(preparer, &send));
        let (made, thread) = (Some(made), Some(thread));
        Sealer { made, thread, front: None, shown: Shown::default(), late: 0 }
    }
}

/// Prepares until nobody listens, or it fails.
fn work(mut preparer: Preparer<'static>, to: &SyncSender<Result<Made<'static>, Error>>) {
    loop {
        let made = preparer.step(true).and_then(|made| match made {
            Made::Nothing => Err(Error::UsedUp),
            made => Ok(made),
        });
        let failed = made.is_err();
        if !matches!(made, Ok(Made::Part)) && (to.send(made).is_err() || failed) {
            return;
        }
    }
}

impl Sealer {
    /// Writes the datagram of `payload` into `out`. Returns its length. Where nothing is prepared
    /// it waits for the thread, and counts the message as [`late`](Self::late).
    ///
    /// # Errors
    /// `LongPayload` and `ShortBuffer`, which use no key up; `UsedUp`, `Forked`; the error with
    /// which the thread ended, then `Ended`.
    pub fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let slot = match self.front.take() {
            Some(slot) => slot,
            None => self.slot(true)?,
        };
        if let Err(error) = slot.fits(payload, out) {
            self.front = Some(slot);
            return Err(error);
        }
        self.shown.use_tree(slot.tree());
        slot.seal(payload, out)
    }

    /// Returns the announcements to be sent now, as
    /// [`Publisher::announcements`](super::Publisher::announcements). Waits for the first.
    ///
    /// # Errors
    /// As [`seal`](Self::seal).
    pub fn announcements(&mut self) -> Result<impl Iterator<Item = &[u8]>, Error> {
        if self.front.is_none() {
            self.front = Some(self.slot(false)?);
        }
        Ok(self.shown.all())
    }

    /// Returns the number of the newest tree that was announced here.
    pub fn newest_tree(&self) -> Option<u64> {
        self.shown.all().last().and_then(announced_tree)
    }

    /// Returns how many messages had to wait for the thread.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// Returns the next slot, and takes the announcements before it. A message that has to wait is
    /// late.
    fn slot(&mut self, message: bool) -> Result<Slot<'static>, Error> {
        let made = self.made.as_ref().ok_or(Error::Ended)?;
        loop {
            let next = match made.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.late += u64::from(message);
                    made.recv().map_err(|_| Error::Ended)?
                }
                next => next.map_err(|_| Error::Ended)?,
            };
            match next? {
                Made::Slot(slot) => return Ok(slot),
                Made::Announcement(announcement) => self.shown.add(announcement),
                Made::Part | Made::Nothing => {}
            }
        }
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        // The thread ends when it finds nobody to send to.
        drop(self.made.take());
        if let Some(thread) = self.thread.take() {
            // Its panic was shown already, and there is nothing left to end.
            drop(thread.join());
        }
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer({} late)", self.late)
    }
}
