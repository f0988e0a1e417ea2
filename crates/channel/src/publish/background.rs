//! A thread that prepares, for those who do not schedule it themselves.
//!
//! Whoever seals does not wake the thread: a thread that wakes on the core of the message would
//! prepare the next one before it lets the message go. It looks by itself, a hundred times a
//! second, and is woken only when three quarters of the pool are gone. Each time it looks it
//! overwrites the keys that were used since.

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

/// How long the thread rests before it looks whether there is work.
const REST: Duration = Duration::from_millis(10);

/// Starts the thread that prepares.
#[derive(Debug)]
pub struct Background;

/// Seals with what the thread has prepared. When it is dropped the thread ends.
pub struct Sealer {
    made: Receiver<Result<Made<'static>, Error>>,
    /// Takes keys that are used up: the thread overwrites them, on no message's way.
    spent: Sender<Spent<'static>>,
    pool: Arc<Pool>,
    thread: Option<JoinHandle<Result<(), Error>>>,
    front: Option<Slot<'static>>,
    shown: Shown,
    late: u64,
    /// Messages that were sealed.
    sealed: u64,
}

/// The slots that wait, counted by both threads.
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

/// The way of what the thread sends, and that of the used keys that come back.
type Ways<'w> = (&'w Sender<Result<Made<'static>, Error>>, &'w Receiver<Spent<'static>>);

/// Prepares until nobody listens, or it fails; then ends the use of the identity.
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
    /// Rests while the pool is full, and calls `tidy` each time it looks. Returns false once nobody
    /// will take from it.
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

    /// Takes a slot. Returns whether the thread is to be woken: it rests on a full pool only, so
    /// the count passes this mark before the pool is empty.
    fn take(&self) -> bool {
        self.ready.fetch_sub(1, Ordering::AcqRel) == self.most / 4 + 1
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

    /// Takes the next slot to hand, if there is one, and reads it once: the next message then meets
    /// warm caches. For a caller that has time, after a message was sent.
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
    /// [`Publisher::seal_batch`](super::Publisher::seal_batch).
    ///
    /// # Errors
    /// As [`seal`](Self::seal); `Randomness`. Those before the error are in `out`.
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

    /// Returns the next slot for so many messages.
    fn next(&mut self, messages: u64) -> Result<Slot<'static>, Error> {
        self.front.take().map_or_else(|| self.slot(messages), Ok)
    }

    /// Returns the announcements to be sent now, as
    /// [`Publisher::announcements`](super::Publisher::announcements). Waits for the first.
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

    /// Ends the thread, and the use of the identity.
    ///
    /// # Errors
    /// That with which preparing stopped and which no message has met yet, unless the identity is
    /// used up; `Identity` when its account could not be written.
    pub fn close(mut self) -> Result<(), Error> {
        let closed = self.end();
        let met = self.made.try_iter().find_map(Result::err);
        met.filter(|error| *error != Error::UsedUp).map_or(closed, Err)
    }

    /// Ends the thread, once.
    fn end(&mut self) -> Result<(), Error> {
        self.pool.ended.store(true, Ordering::Release);
        let Some(thread) = self.thread.take() else { return Ok(()) };
        thread.thread().unpark();
        // Its panic was shown already.
        thread.join().unwrap_or(Err(Error::Ended))
    }

    /// Returns how many messages had to wait for the thread.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// Returns the next slot, and takes the announcements before it. If it has to wait, that many
    /// messages are late.
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

    /// Counts a slot that was taken.
    fn taken(&self) {
        if let Some(thread) = self.thread.as_ref().filter(|_| self.pool.take()) {
            thread.thread().unpark();
        }
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        // Nobody can be told: `close` tells.
        drop(self.end());
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer({} late)", self.late)
    }
}
