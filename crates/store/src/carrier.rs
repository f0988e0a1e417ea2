//! A witness cell that carries the state of a key: the next index is in the cell's word and nowhere
//! else.
//!
//! For signers without a disk of their own, such as jobs of a build service that unpack the key
//! anew each time. Every reservation replaces the word by compare-and-set before a permit is
//! created from it. If several signers use one word, exactly one of them gets an index. The word is
//! `2.NEXT.USED.BURNED.FLAGS.NONCE.MAC`:
//!
//! - the version;
//! - three numbers;
//! - the flags: 1 if the exhaustion warning was acknowledged, plus 2 if the key is retired;
//! - a nonce of 16 hexadecimal digits that no other word has. A cell may report a swap as done
//!   because it already holds the new word. The nonce ensures that no index is handed out twice
//!   even then;
//! - a MAC like that of a [`CellWitness`](crate::CellWitness).
//!
//! The cell is the only protection: if it is reset to an earlier word, indices are used twice and
//! nobody notices. It must not be part of a backup or a snapshot.

use crate::env::{Env, random_id};
use crate::error::{Argument, Reason, Refusal, StoreError};
use crate::identity::Identity;
use crate::os::Os;
use crate::permit::lock;
use crate::remote::{Remote, Service, Used};
use crate::state::State;
use crate::status::{self, Status};
use crate::witness::{Cell, MacKey, signed_body, with_mac};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Number of attempts of an operation before it fails because other signers were always faster.
const TRIES: u32 = 400;

/// Access to a key state that is carried in a cell.
pub struct Carrier<C> {
    cell: C,
    key: MacKey,
    identity: Identity,
    capacity: u64,
    threshold: u64,
    env: Arc<dyn Env>,
}

impl<C: Cell + 'static> Carrier<C> {
    /// Creates the access from the cell, the MAC key, the identity of the signing key, its number
    /// of indices (`capacity`) and its exhaustion threshold. If no more than `threshold` indices
    /// are left, a reservation needs an acknowledgement.
    pub fn new(
        cell: C,
        key: MacKey,
        identity: Identity,
        (capacity, threshold): (u64, u64),
    ) -> Carrier<C> {
        Carrier { cell, key, identity, capacity, threshold, env: Arc::new(Os) }
    }

    /// Sets the operating system interface to use.
    pub fn env(mut self, env: Arc<dyn Env>) -> Carrier<C> {
        self.env = env;
        self
    }

    /// Writes the first word into an empty cell. The store with this state must have given away all
    /// indices of its key. A cell that an earlier call for the same key has filled stays unchanged.
    ///
    /// # Errors
    /// [`StoreError::WitnessTaken`] if the cell holds something else, [`StoreError::Argument`] if
    /// the store has not given away all indices, [`StoreError::WitnessUnreachable`].
    pub fn adopt(self, state: &State) -> Result<(), StoreError> {
        if (state.start, state.given) != (0, state.capacity) {
            return Err(StoreError::Argument(Argument::NotGiven));
        }
        let service = self.service();
        let first = Account { nonce: service.nonce()?, ..Account::default() };
        match service.way.cell.read()? {
            Some(word) => service.account(&word).map(drop).ok_or(StoreError::WitnessTaken),
            None if service.way.cell.swap(None, &service.word(&first))? => Ok(()),
            None => Err(StoreError::WitnessTaken),
        }
    }

    /// Opens the key: reads and checks the word.
    ///
    /// # Errors
    /// [`StoreError::WitnessUnreachable`]; [`StoreError::WitnessForeign`] if the word is not one of
    /// this key; [`StoreError::Refused`] if the cell is empty.
    pub fn open(self) -> Result<Remote<CarriedService<C>>, StoreError> {
        let env = Arc::clone(&self.env);
        let service = self.service();
        service.look()?;
        Ok(Remote::new(service, env))
    }

    /// Returns the status that the word describes.
    ///
    /// # Errors
    /// As [`Carrier::open`].
    pub fn peek(self) -> Result<Status, StoreError> {
        let service = self.service();
        service.look()?;
        Ok(Service::status(&service))
    }

    fn service(self) -> CarriedService<C> {
        CarriedService { way: self, seen: Mutex::default() }
    }
}

/// Content of the word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Account {
    next: u64,
    used: u64,
    burned: u64,
    acknowledged: bool,
    retired: bool,
    nonce: u64,
}

/// The newest account that this session has seen, and the indices that it has reserved.
#[derive(Default)]
struct Seen {
    account: Account,
    /// Index ranges that this session has reserved.
    reserved: Vec<Range<u64>>,
    /// Number of these indices that the word counts as used.
    settled: u64,
}

/// One session with a key state that is carried in a cell.
pub struct CarriedService<C> {
    way: Carrier<C>,
    seen: Mutex<Seen>,
}

impl<C: Cell> CarriedService<C> {
    fn nonce(&self) -> Result<u64, StoreError> {
        let id = random_id(&*self.way.env)?;
        Ok(u64::from_le_bytes(id[..8].try_into().expect("eight bytes")))
    }

    fn word(&self, account: &Account) -> String {
        with_mac(account.to_string(), &self.way.key)
    }

    /// Returns the content of a word if this key wrote it and its numbers are consistent.
    fn account(&self, word: &str) -> Option<Account> {
        let account = Account::from_body(signed_body(word, &self.way.key)?)?;
        let settled = account.used.checked_add(account.burned)?;
        (account.next <= self.way.capacity && settled <= account.next).then_some(account)
    }

    /// Reads the cell and returns the word and its content. Returns an error if the content is
    /// older than this session has already seen.
    fn look(&self) -> Result<(String, Account), StoreError> {
        let refused = |reason, found: u64, expected: u64| {
            let (next_found, next_expected) = (found, expected);
            StoreError::Refused(Refusal { reason, found, expected, next_found, next_expected })
        };
        let mut seen = lock(&self.seen);
        let known = seen.account;
        let word = self.way.cell.read()?.ok_or(refused(Reason::WitnessEmpty, 0, known.next))?;
        let account = self.account(&word).ok_or(StoreError::WitnessForeign)?;
        let is_older = account.next < known.next
            || account.used < known.used
            || (known.retired && !account.retired);
        if is_older {
            return Err(refused(Reason::Service, account.next, known.next));
        }
        seen.account = account;
        Ok((word, account))
    }

    /// Replaces the content of the cell by the result of `change` and returns the content from
    /// before. If other signers are faster, tries again, up to [`TRIES`] times.
    fn replace(
        &self,
        change: impl Fn(Account) -> Result<Account, StoreError>,
    ) -> Result<Account, StoreError> {
        for round in 0..TRIES {
            let (word, before) = self.look()?;
            let after = Account { nonce: self.nonce()?, ..change(before)? };
            // Without an answer the outcome is unknown: the swap may still take effect. Nothing is
            // handed out.
            let done = self.way.cell.swap(Some(&word), &self.word(&after));
            if done.map_err(|_| StoreError::Unknown)? {
                lock(&self.seen).account = after;
                return Ok(before);
            }
            let most = 500 << round.min(6);
            self.way.env.sleep(Duration::from_micros(after.nonce % most));
        }
        Err(StoreError::Busy { holder: None })
    }

    fn may_reserve(&self, account: &Account, count: u64) -> Result<(), StoreError> {
        let (remaining, threshold) = (self.way.capacity - account.next, self.way.threshold);
        match () {
            () if account.retired => Err(StoreError::Retired),
            () if count > remaining => Err(StoreError::Exhausted { remaining }),
            () if remaining <= threshold && !account.acknowledged => {
                Err(StoreError::NearExhaustion { remaining, threshold })
            }
            () => Ok(()),
        }
    }
}

impl<C: Cell> Service for CarriedService<C> {
    fn identity(&self) -> Identity {
        self.way.identity
    }

    fn reserve(&self, count: u64) -> Result<Range<u64>, StoreError> {
        let before = self.replace(|account| {
            self.may_reserve(&account, count)?;
            Ok(Account { next: account.next + count, ..account })
        })?;
        let range = before.next..before.next + count;
        lock(&self.seen).reserved.push(range.clone());
        Ok(range)
    }

    /// Always succeeds: the word was advanced before the index was handed out, so no other session
    /// can have it.
    fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn settle(&self, used: Used<'_>) -> Result<(), StoreError> {
        let (reserved, settled) = {
            let seen = lock(&self.seen);
            (seen.reserved.clone(), seen.settled)
        };
        let now: u64 = reserved.iter().map(used).sum();
        if now > settled {
            self.replace(|account| {
                Ok(Account { used: account.used + (now - settled), ..account })
            })?;
            lock(&self.seen).settled = now;
        }
        Ok(())
    }

    fn end(&self, used: Used<'_>) -> Result<Status, StoreError> {
        self.settle(used)?;
        lock(&self.seen).reserved.clear();
        Ok(self.status())
    }

    fn status(&self) -> Status {
        let seen = lock(&self.seen);
        let Account { next, used, burned, acknowledged, retired, .. } = seen.account;
        let own: u64 = seen.reserved.iter().map(|range| range.end - range.start).sum();
        let reserved = own.saturating_sub(seen.settled);
        let Identity { key_id, public } = self.way.identity;
        let range = 0..self.way.capacity;
        let blank = crate::create::blank(
            self.way.capacity,
            1,
            self.way.threshold,
            range,
            self.way.identity,
            key_id,
        );
        let state = State {
            public,
            next,
            used,
            burned,
            outstanding: reserved,
            lost: (next - used - burned).saturating_sub(reserved),
            acknowledged,
            retired,
            ..blank
        };
        Status { witness: true, ..status::account(&state, true) }
    }

    fn acknowledge(&self) -> Result<(), StoreError> {
        self.replace(|account| Ok(Account { acknowledged: true, ..account })).map(drop)
    }

    fn retire(&self) -> Result<(), StoreError> {
        let retired = |account: Account| match account.retired {
            true => Err(StoreError::Retired),
            false => Ok(Account {
                burned: account.burned + (self.way.capacity - account.next),
                next: self.way.capacity,
                retired: true,
                ..account
            }),
        };
        self.replace(retired).map(drop)
    }
}

impl fmt::Display for Account {
    /// Writes the word without its MAC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Account { next, used, burned, acknowledged, retired, nonce } = self;
        let flags = u8::from(*acknowledged) + 2 * u8::from(*retired);
        write!(f, "2.{next}.{used}.{burned}.{flags}.{nonce:016x}")
    }
}

impl Account {
    /// Parses a word without its MAC. Accepts only the canonical form of an account.
    fn from_body(body: &str) -> Option<Account> {
        let mut parts = body.split('.');
        parts.next().filter(|version| *version == "2")?;
        let mut number = || parts.next()?.parse::<u64>().ok();
        let (next, used, burned, flags) = (number()?, number()?, number()?, number()?);
        let nonce = u64::from_str_radix(parts.next()?, 16).ok()?;
        let (acknowledged, retired) = (flags & 1 != 0, flags & 2 != 0);
        let account = Account { next, used, burned, acknowledged, retired, nonce };
        (account.to_string() == body).then_some(account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::LONGEST;
    use std::sync::PoisonError;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A cell shared by several signers. It reports a swap to the word that it already holds as
    /// done. With `is_silent`, it performs a swap but does not report the outcome.
    #[derive(Clone, Default)]
    struct Shared {
        word: Arc<Mutex<Option<String>>>,
        is_silent: Arc<AtomicBool>,
    }

    impl Shared {
        fn word(&self) -> Option<String> {
            self.word.lock().unwrap_or_else(PoisonError::into_inner).clone()
        }

        fn put(&self, word: Option<String>) {
            *self.word.lock().unwrap_or_else(PoisonError::into_inner) = word;
        }
    }

    impl Cell for Shared {
        fn read(&self) -> Result<Option<String>, StoreError> {
            Ok(self.word())
        }

        fn swap(&self, from: Option<&str>, to: &str) -> Result<bool, StoreError> {
            let mut word = self.word.lock().unwrap_or_else(PoisonError::into_inner);
            let is_there = word.as_deref() == from;
            if is_there {
                *word = Some(to.to_owned());
            }
            match self.is_silent.load(Ordering::Relaxed) {
                true => Err(StoreError::WitnessUnreachable),
                false => Ok(is_there || word.as_deref() == Some(to)),
            }
        }
    }

    const IDENTITY: Identity = Identity { key_id: [1; 16], public: [2; 32] };

    fn carrier(cell: &Shared) -> Carrier<Shared> {
        Carrier::new(cell.clone(), MacKey::new(&[7; 32]), IDENTITY, (8, 2))
    }

    fn given() -> State {
        let blank = crate::create::blank(8, 1, 2, 0..8, IDENTITY, [3; 16]);
        State { given: 8, end: 0, ..blank }
    }

    fn begun() -> Shared {
        let cell = Shared::default();
        carrier(&cell).adopt(&given()).expect("adopted");
        cell
    }

    #[test]
    fn each_session_goes_on_behind_the_one_before() {
        let cell = begun();
        for index in 0..3 {
            let mut signer = carrier(&cell).open().expect("open");
            let mut interval = signer.reserve(1).expect("reserved");
            assert_eq!(interval.range(), index..index + 1);
            signer.record(interval.next().expect("a permit").index()).expect("recorded");
            let status = signer.close().expect("closed");
            assert_eq!((status.used, status.lost, status.remaining), (index + 1, 0, 7 - index));
        }
        let word = cell.word().expect("a word");
        assert!(word.len() <= LONGEST && word.starts_with("2.3.3.0.0."), "{word}");
        let adopted = carrier(&cell).adopt(&given());
        assert_eq!((adopted, cell.word()), (Ok(()), Some(word)), "it is not begun again");
    }

    #[test]
    fn signers_side_by_side_share_no_index() {
        let cell = begun();
        let signers = 8;
        let take = || {
            let mut signer = carrier(&cell).open().expect("open");
            signer.acknowledge().expect("acknowledged");
            signer.reserve(1).expect("reserved").range().start
        };
        let mut all: Vec<u64> = std::thread::scope(|threads| {
            let running: Vec<_> = (0..signers).map(|_| threads.spawn(take)).collect();
            running.into_iter().map(|one| one.join().expect("no panic")).collect()
        });
        all.sort_unstable();
        assert_eq!(all, Vec::from_iter(0..signers));
        let status = carrier(&cell).peek().expect("read");
        assert_eq!((status.used, status.lost, status.remaining), (0, 8, 0));
        let exhausted = carrier(&cell).open().expect("open").reserve(1).map(|_| ());
        assert_eq!(exhausted, Err(StoreError::Exhausted { remaining: 0 }));
    }

    #[test]
    fn silence_hands_nothing_out_and_its_index_is_lost() {
        let cell = begun();
        let mut signer = carrier(&cell).open().expect("open");
        cell.is_silent.store(true, Ordering::Relaxed);
        assert_eq!(signer.reserve(1).map(|_| ()), Err(StoreError::Unknown));
        cell.is_silent.store(false, Ordering::Relaxed);
        assert_eq!(signer.reserve(1).expect("reserved").range(), 1..2);
    }

    #[test]
    fn words_that_are_not_the_newest_of_this_key_are_refused() {
        let cell = begun();
        let first = cell.word();
        let mut signer = carrier(&cell).open().expect("open");
        drop(signer.reserve(2).expect("reserved"));
        let newest = cell.word();
        cell.put(first);
        let old = signer.reserve(1).map(|_| ());
        assert!(matches!(old, Err(StoreError::Refused(Refusal { reason: Reason::Service, .. }))));
        cell.put(None);
        let empty = carrier(&cell).open().map(drop);
        assert!(matches!(empty, Err(StoreError::Refused(r)) if r.reason == Reason::WitnessEmpty));
        let word = newest.expect("a word");
        for at in 0..word.len() {
            let mut forged = word.clone().into_bytes();
            forged[at] = if forged[at] == b'0' { b'1' } else { b'0' };
            cell.put(String::from_utf8(forged).ok());
            assert_eq!(carrier(&cell).open().map(drop), Err(StoreError::WitnessForeign), "{at}");
            assert_eq!(carrier(&cell).adopt(&given()), Err(StoreError::WitnessTaken), "{at}");
        }
        let other = Carrier::new(begun(), MacKey::new(&[8; 32]), IDENTITY, (8, 2));
        assert_eq!(other.open().map(drop), Err(StoreError::WitnessForeign));
    }

    #[test]
    fn a_retired_key_reserves_nothing_and_a_warning_is_acknowledged_once() {
        let cell = begun();
        let mut signer = carrier(&cell).open().expect("open");
        drop(signer.reserve(6).expect("reserved"));
        let near = StoreError::NearExhaustion { remaining: 2, threshold: 2 };
        assert_eq!(signer.reserve(1).map(|_| ()), Err(near));
        signer.acknowledge().expect("acknowledged");
        drop(signer.reserve(1).expect("reserved"));
        signer.retire().expect("retired");
        let mut other = carrier(&cell).open().expect("open");
        assert_eq!(other.reserve(1).map(|_| ()), Err(StoreError::Retired));
        assert_eq!(other.retire(), Err(StoreError::Retired));
        let status = carrier(&cell).peek().expect("read");
        assert_eq!((status.burned, status.remaining, status.retired), (1, 0, true));
    }

    #[test]
    fn a_store_that_has_indices_left_is_not_adopted() {
        let blank = crate::create::blank(8, 1, 2, 0..8, IDENTITY, [3; 16]);
        let adopted = carrier(&Shared::default()).adopt(&blank);
        assert_eq!(adopted, Err(StoreError::Argument(Argument::NotGiven)));
    }
}
