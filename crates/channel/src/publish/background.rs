//! A thread that prepares messages, for callers that do not schedule the preparation themselves.
//!
//! Sealing does not wake the thread: a thread that wakes on the core of the message would prepare
//! the next one before it lets the message go. Instead it checks for work a hundred times a second,
//! and is woken only when three quarters of the pool are used. At each check it overwrites the keys
//! that were used since the last one.

use super::error::Error;
use super::preparer::{Made, Preparer};
use super::publisher::Shown;
use super::slot::Slot;
use crate::announced_tree;
use core::fmt;
use hasten_hbs::Spent;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time that the thread rests between two checks for work.
const REST: Duration = Duration::from_millis(10);

/// Starts the preparing thread.
#[derive(Debug)]
pub struct Background;

/// Seals messages that the thread has prepared. Dropping it ends the thread.
pub struct Sealer {
    made: Receiver<Result<Made<'static>, Error>>,
    /// Channel for used keys. The thread overwrites them, so that no message waits for that.
    spent: Sender<Spent<'static>>,
    pool: Arc<Pool>,
    thread: Option<JoinHandle<Result<(), Error>>>,
    front: Option<Slot<'static>>,
    shown: Shown,
    late: u64,
    /// Number of messages that were sealed.
    sealed: u64,
}

/// The prepared slots, counted by both threads.
struct Pool {
    ready: AtomicUsize,
    most: usize,
    ended: AtomicBool,
}

impl Background {
    /// Starts a thread that prepares up to `pool` messages ahead.
    pub fn start(preparer: Preparer<'static>, pool: usize) -> Sealer {
        let ((send, made), (spent, used)) = (channel(), channel());
        let (ready, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let pool = Arc::new(Pool { ready, most: pool.max(1), ended });
        let shared = pool.clone();
        let thread = Some(thread::spawn(move || work(preparer, (&send, &used), &shared)));
        let (front, shown) = (None, Shown::default());
        Sealer { made, spent, pool, thread, front, shown, late: 0, sealed: 0 }
    }
}

/// Channel for results of the thread, and channel for used keys that come back.
type Ways<'w> = (&'w Sender<Result<Made<'static>, Error>>, &'w Receiver<Spent<'static>>);

/// Prepares until nobody receives any more or an error occurs, and then ends the use of the
/// identity.
fn work(mut preparer: Preparer<'static>, (to, spent): Ways<'_>, pool: &Pool) -> Result<(), Error> {
    while pool.wait(|| spent.try_iter().for_each(drop)) {
        let made = preparer.step(true).and_then(|made| match made {
            Made::Nothing => Err(Error::UsedUp),
            made => Ok(made),
        });
        let failed = made.is_err();
        pool.add(matches!(made, Ok(Made::Slot(_))));
        if !matches!(made, Ok(Made::Part)) && (to.send(made).is_err() || failed) {
            break;
        }
    }
    preparer.close()
}

impl Pool {
    /// Rests while the pool is full, and calls `tidy` at each check. Returns false when nobody will
    /// take from the pool any more.
    fn wait(&self, tidy: impl Fn()) -> bool {
        while !self.ended.load(Ordering::Acquire) {
            tidy();
            if self.ready.load(Ordering::Acquire) < self.most {
                return true;
            }
            thread::park_timeout(REST);
        }
        false
    }

    fn add(&self, slot: bool) {
        self.ready.fetch_add(usize::from(slot), Ordering::AcqRel);
    }

    /// Takes a slot. Returns true if the thread is to be woken. The thread rests only on a full
    /// pool, so the count passes this mark before the pool is empty.
    fn take(&self) -> bool {
        self.ready.fetch_sub(1, Ordering::AcqRel) == self.most / 4 + 1
    }
}

impl Sealer {
    /// Writes the datagram of `payload` into `out` and returns its length. If nothing is prepared,
    /// waits for the thread and counts the message as [`late`](Self::late).
    ///
    /// # Errors
    /// `LongPayload` and `ShortBuffer`, which use up no key; `UsedUp`, `Forked`; the error with
    /// which the thread ended, then `Ended`.
    pub fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let slot = self.next(1)?;
        if let Err(error) = slot.fits(payload, out) {
            self.front = Some(slot);
            return Err(error);
        }
        self.shown.use_tree(slot.tree());
        let slot = slot.at(self.sealed);
        self.sealed += 1;
        let (bytes, spent) = slot.seal_apart(payload, out)?;
        // If the thread has ended, the key is overwritten here.
        drop(self.spent.send(spent));
        Ok(bytes)
    }

    /// Takes the next slot, if there is one, and reads it once, so that the next message finds warm
    /// caches. For a caller that has time after it has sent a message.
    ///
    /// # Errors
    /// As [`seal`](Self::seal).
    pub fn look_ahead(&mut self) -> Result<(), Error> {
        if self.front.is_none() && self.pool.ready.load(Ordering::Acquire) > 0 {
            self.front = Some(self.slot(0)?);
        }
        self.front.iter().for_each(Slot::touch);
        Ok(())
    }

    /// Appends the datagrams of `payloads` to `out`, as
    /// [`Publisher::seal_batch`](super::Publisher::seal_batch) does.
    ///
    /// # Errors
    /// As [`seal`](Self::seal); `Randomness`. The datagrams from before the error are in `out`.
    pub fn seal_batch<P>(&mut self, payloads: &[P], out: &mut Vec<Vec<u8>>) -> Result<(), Error>
    where
        P: AsRef<[u8]>,
    {
        let mut rest = payloads;
        while !rest.is_empty() {
            let slot = self.next(rest.len() as u64)?;
            let taken = match slot.takes(rest) {
                Ok(taken) => taken,
                Err(error) => {
                    self.front = Some(slot);
                    return Err(error);
                }
            };
            let (now, later) = rest.split_at(taken);
            self.shown.use_tree(slot.tree());
            slot.seal_some(self.sealed, now, out)?;
            self.sealed += now.len() as u64;
            rest = later;
        }
        Ok(())
    }

    /// Returns the next slot, for this number of messages.
    fn next(&mut self, messages: u64) -> Result<Slot<'static>, Error> {
        self.front.take().map_or_else(|| self.slot(messages), Ok)
    }

    /// Returns the announcements to be sent now, as
    /// [`Publisher::announcements`](super::Publisher::announcements) does. Waits for the first one.
    ///
    /// # Errors
    /// As [`seal`](Self::seal).
    pub fn announcements(&mut self) -> Result<impl Iterator<Item = &[u8]>, Error> {
        if self.front.is_none() {
            self.front = Some(self.slot(0)?);
        }
        Ok(self.shown.all())
    }

    /// Returns the number of the newest tree that was announced here.
    pub fn newest_tree(&self) -> Option<u64> {
        self.shown.all().last().and_then(announced_tree)
    }

    /// Ends the thread and the use of the identity.
    ///
    /// # Errors
    /// The error with which the preparation stopped, if no message has returned it yet and it is
    /// not that the identity is used up; `Identity` if the status of the key could not be written.
    pub fn close(mut self) -> Result<(), Error> {
        let closed = self.end();
        let met = self.made.try_iter().find_map(Result::err);
        met.filter(|error| *error != Error::UsedUp).map_or(closed, Err)
    }

    /// Ends the thread, if it has not ended yet.
    fn end(&mut self) -> Result<(), Error> {
        self.pool.ended.store(true, Ordering::Release);
        let Some(thread) = self.thread.take() else { return Ok(()) };
        thread.thread().unpark();
        // The message of its panic was already printed.
        thread.join().unwrap_or(Err(Error::Ended))
    }

    /// Returns the number of messages that had to wait for the thread.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// Returns the next slot, and takes the announcements before it. If it has to wait, counts this
    /// number of messages as late.
    fn slot(&mut self, messages: u64) -> Result<Slot<'static>, Error> {
        let mut late = messages;
        loop {
            let next = match self.made.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.late += late;
                    late = 0;
                    self.made.recv().map_err(|_| Error::Ended)?
                }
                next => next.map_err(|_| Error::Ended)?,
            };
            match next? {
                Made::Slot(slot) => {
                    self.taken();
                    return Ok(slot);
                }
                Made::Announcement(announcement) => self.shown.add(announcement),
                Made::Part | Made::Nothing => {}
            }
        }
    }

    /// Counts a slot that was taken, and wakes the thread if necessary.
    fn taken(&self) {
        if let Some(thread) = self.thread.as_ref().filter(|_| self.pool.take()) {
            thread.thread().unpark();
        }
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        // An error cannot be returned here. `close` returns it.
        drop(self.end());
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer({} late)", self.late)
    }
}
