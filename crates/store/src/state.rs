//! The state of a key as a pure value, and the one function that changes it.
//!
//! [`State::apply`] is the transition function of the protocol. The store, the replay of a log and
//! the exhaustive model of the protocol all use it. At all times every index of `start .. top` is
//! exactly one of: available, outstanding (reserved by the running session and not yet recorded),
//! used, lost, burned, given away.

use crate::identity::Identity;
use crate::record::{Kind, Record, TAG, Tag, chain, get_u32, get_u64, link, put_u64};

/// Length of a snapshot, in bytes. Each log file begins with one.
pub const SNAPSHOT: usize = 512;
const MAGIC: &[u8; 8] = b"HASTENLG";
const VERSION: u32 = 2;
/// The format version before the current one.
pub(crate) const OLDER: u64 = 1;
/// Exclusive upper limit for numbers of records, commits and files. A number from here on is
/// damage.
pub(crate) const FARTHEST: u64 = 1 << 56;
const BODY: usize = SNAPSHOT - TAG;

/// Everything the store knows about its key. Indices are leaves, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Id of the key; shared by all its shards.
    pub key_id: [u8; 16],
    /// SHA-256 of the key's public key; all zero until the public key was bound.
    pub public: [u8; 32],
    /// Id of this store; every shard has its own.
    pub store_id: [u8; 16],
    /// Number of sectors of the key (1: not sectorised).
    pub sectors: u32,
    /// Number of indices of the whole key.
    pub capacity: u64,
    /// First index of this store's range.
    pub start: u64,
    /// End of this store's range when the store was created.
    pub top: u64,
    /// End of the range now: `top` less what was given away.
    pub end: u64,
    /// Next index to be reserved. Never decreases.
    pub next: u64,
    /// Indices recorded as used.
    pub used: u64,
    /// Indices reserved by sessions that ended without recording them. Some may have been used.
    /// None will be used again.
    pub lost: u64,
    /// Number of records of signed messages.
    pub signed: u64,
    /// End of the last entry in the file `signed`, in bytes.
    pub signed_end: u64,
    /// Indices given up on purpose (override, retirement).
    pub burned: u64,
    /// Indices given to shards.
    pub given: u64,
    /// Indices reserved by the running session and not recorded.
    pub outstanding: u64,
    /// The last session that wrote.
    pub session: u64,
    /// Number of commits so far; the guard and the witness hold the same number.
    pub generation: u64,
    /// Number of records so far.
    pub seq: u64,
    /// Exhaustion threshold: warn if no more than this many remain (0: never).
    pub threshold: u64,
    /// True if the exhaustion warning was acknowledged.
    pub acknowledged: bool,
    /// True if the key is retired: nothing can be reserved any more.
    pub retired: bool,
    /// Tag that the next record continues: the tag of the last record or, at the beginning of a
    /// file, the link to it.
    pub tag: Tag,
    /// Tag of the last record.
    pub last: Tag,
    /// Tag of the last commit.
    pub commit_tag: Tag,
    /// Generation before the last commit.
    pub previous_generation: u64,
    /// Tag of the commit before the last.
    pub previous_tag: Tag,
}

impl State {
    /// Returns the identity of the key.
    pub fn identity(&self) -> Identity {
        Identity { key_id: self.key_id, public: self.public }
    }

    /// Returns the number of indices that can still be reserved.
    pub fn remaining(&self) -> u64 {
        self.end - self.next
    }

    /// Returns true if every index of the range is accounted for exactly once.
    pub fn conserved(&self) -> bool {
        let gone = [self.used, self.lost, self.burned, self.given, self.outstanding];
        let ordered = self.start <= self.next
            && self.next <= self.end
            && self.end <= self.top
            && self.top <= self.capacity;
        // Evaluated in this order, because a range that is not ordered has no size.
        let all = |sum: u64, part: &u64| sum.checked_add(*part);
        ordered
            && gone
                .iter()
                .try_fold(self.remaining(), all)
                .is_some_and(|n| n == self.top - self.start)
    }

    /// Returns the state after `record`, or `None` if the record does not follow from this state.
    pub fn apply(&self, record: &Record, tag: Tag) -> Option<State> {
        if record.seq != self.seq + 1
            || !(self.generation..FARTHEST).contains(&record.generation)
            || record.seq >= FARTHEST
        {
            return None;
        }
        let mut after = self.clone();
        after.enter(record.session);
        after.change(record)?;
        after.seq = record.seq;
        (after.tag, after.last) = (tag, tag);
        if record.kind.is_commit() {
            after.commit(record.generation, tag);
        }
        after.conserved().then_some(after)
    }

    /// Begins a session. Indices that the session before had reserved and not recorded are lost.
    fn enter(&mut self, session: u64) {
        if session != self.session {
            self.lost += self.outstanding;
            self.outstanding = 0;
            self.session = session;
        }
    }

    fn commit(&mut self, generation: u64, tag: Tag) {
        if generation != self.generation {
            (self.previous_generation, self.previous_tag) = (self.generation, self.commit_tag);
        }
        (self.generation, self.commit_tag) = (generation, tag);
    }

    fn change(&mut self, record: &Record) -> Option<()> {
        let (a, b) = (record.a, record.b);
        match record.kind {
            Kind::Reserve => self.reserve(a, b),
            Kind::Used => {
                self.outstanding = self.outstanding.checked_sub(b)?;
                self.used += b;
                Some(())
            }
            Kind::Give => self.give(a, b),
            Kind::Acknowledge => {
                self.acknowledged = true;
                Some(())
            }
            Kind::Threshold => {
                (self.threshold, self.acknowledged) = (a, false);
                Some(())
            }
            Kind::Burn => self.burn(a, b),
            Kind::Retire => self.burn(self.remaining(), self.next).map(|()| self.retired = true),
            Kind::Signed => self.sign(b),
            Kind::Adopt | Kind::Upgrade | Kind::Confirm | Kind::Mend | Kind::Moved => Some(()),
            Kind::Bind => self.bind(record.digest),
        }
    }

    /// Counts one index whose entry in the file `signed` ends at byte `end`.
    fn sign(&mut self, end: u64) -> Option<()> {
        self.outstanding = self.outstanding.checked_sub(1)?;
        (self.used, self.signed) = (self.used + 1, self.signed + 1);
        (end > self.signed_end && end < FARTHEST).then(|| self.signed_end = end)
    }

    /// Binds the public key, once. The digest must not be all zero.
    fn bind(&mut self, public: [u8; 32]) -> Option<()> {
        let free = self.public == [0; 32] && public != [0; 32];
        free.then(|| self.public = public)
    }

    fn reserve(&mut self, first: u64, count: u64) -> Option<()> {
        if self.retired || first != self.next || count == 0 || count > self.remaining() {
            return None;
        }
        self.next += count;
        self.outstanding += count;
        Some(())
    }

    fn give(&mut self, first: u64, count: u64) -> Option<()> {
        if first < self.next || count == 0 || first.checked_add(count)? != self.end {
            return None;
        }
        self.end = first;
        self.given += count;
        Some(())
    }

    /// Advances the next index to `floor`, which loses the indices in between, and burns up to
    /// `count` more.
    fn burn(&mut self, count: u64, floor: u64) -> Option<()> {
        let floor = floor.clamp(self.next, self.end);
        self.lost += floor - self.next;
        self.next = floor;
        let count = count.min(self.remaining());
        self.burned += count;
        self.next += count;
        Some(())
    }
}

/// Encoding of a snapshot: the state, and the number of the file that it begins.
impl State {
    /// Returns the 512 bytes of the snapshot, and the tag that the first record after it continues.
    pub fn encode(&self, epoch: u64) -> ([u8; SNAPSHOT], Tag) {
        let mut out = [0; SNAPSHOT];
        out[..8].copy_from_slice(MAGIC);
        out[8..12].copy_from_slice(&VERSION.to_le_bytes());
        out[12..16].copy_from_slice(&self.sectors.to_le_bytes());
        out[16..32].copy_from_slice(&self.key_id);
        out[32..48].copy_from_slice(&self.store_id);
        for (slot, value) in self.numbers(epoch).iter().enumerate() {
            put_u64(&mut out, 48 + 8 * slot, *value);
        }
        out[256..272].copy_from_slice(&self.last);
        out[272..288].copy_from_slice(&self.commit_tag);
        out[288..304].copy_from_slice(&self.previous_tag);
        out[304..336].copy_from_slice(&self.public);
        let tag = chain(&[0; TAG], &out[..BODY]);
        out[BODY..].copy_from_slice(&tag);
        (out, link(&self.last, epoch))
    }

    fn numbers(&self, epoch: u64) -> [u64; 20] {
        [
            epoch,
            self.capacity,
            self.start,
            self.top,
            self.end,
            self.next,
            self.used,
            self.lost,
            self.burned,
            self.given,
            self.outstanding,
            self.session,
            self.generation,
            self.seq,
            self.threshold,
            u64::from(self.acknowledged),
            u64::from(self.retired),
            self.previous_generation,
            self.signed,
            self.signed_end,
        ]
    }

    /// Decodes a snapshot to the state and the file number. Returns `None` if it is damaged, or not
    /// a snapshot. A snapshot of version 1 is decoded too: it has no public key, and the records
    /// after it continue its own tag.
    pub fn decode(bytes: &[u8; SNAPSHOT]) -> Option<(State, u64)> {
        let tag = chain(&[0; TAG], &bytes[..BODY]);
        let version = get_u32(bytes, 8);
        if bytes[..8] != MAGIC[..] || !(1..=VERSION).contains(&version) || tag[..] != bytes[BODY..]
        {
            return None;
        }
        let last = bytes16(bytes, 256);
        let number = |slot: usize| get_u64(bytes, 48 + 8 * slot);
        let state = State {
            sectors: get_u32(bytes, 12),
            key_id: bytes16(bytes, 16),
            public: bytes32(bytes, 304),
            store_id: bytes16(bytes, 32),
            capacity: number(1),
            start: number(2),
            top: number(3),
            end: number(4),
            next: number(5),
            used: number(6),
            lost: number(7),
            burned: number(8),
            given: number(9),
            outstanding: number(10),
            session: number(11),
            generation: number(12),
            seq: number(13),
            threshold: number(14),
            acknowledged: number(15) != 0,
            retired: number(16) != 0,
            previous_generation: number(17),
            signed: number(18),
            signed_end: number(19),
            tag: if version == 1 { tag } else { link(&last, number(0)) },
            last,
            commit_tag: bytes16(bytes, 272),
            previous_tag: bytes16(bytes, 288),
        };
        let far = [state.seq, state.generation, state.signed, state.signed_end, number(0)];
        let near = far.iter().all(|n| *n < FARTHEST);
        (near && state.conserved()).then_some((state, number(0)))
    }
}

/// Returns true if this is an undamaged snapshot of a newer version.
pub(crate) fn is_newer(bytes: &[u8; SNAPSHOT]) -> bool {
    let whole = chain(&[0; TAG], &bytes[..BODY])[..] == bytes[BODY..];
    whole && bytes[..8] == MAGIC[..] && get_u32(bytes, 8) > VERSION
}

/// Returns true if a snapshot is of an older version. A new record must not follow it.
pub(crate) fn is_older(bytes: &[u8; SNAPSHOT]) -> bool {
    get_u32(bytes, 8) < VERSION
}

pub(crate) fn bytes32(bytes: &[u8], at: usize) -> [u8; 32] {
    let mut out = [0; 32];
    out.copy_from_slice(&bytes[at..at + 32]);
    out
}

pub(crate) fn bytes16(bytes: &[u8], at: usize) -> [u8; 16] {
    let mut out = [0; 16];
    out.copy_from_slice(&bytes[at..at + 16]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a snapshot of a key of 64 indices, with one of its numbers changed and a matching
    /// tag.
    fn crafted(slot: usize, value: u64) -> [u8; SNAPSHOT] {
        let identity = Identity { key_id: [1; 16], public: [2; 32] };
        let state = crate::create::blank(64, 1, 4, 0..64, identity, [3; 16]);
        let (mut bytes, _) = state.encode(1);
        put_u64(&mut bytes, 48 + 8 * slot, value);
        let tag = chain(&[0; TAG], &bytes[..BODY]);
        bytes[BODY..].copy_from_slice(&tag);
        bytes
    }

    /// Sums of crafted numbers neither overflow nor wrap. Test builds check every addition.
    #[test]
    fn crafted_numbers_are_damage_or_harmless() {
        let far = [u64::MAX, u64::MAX - 1, 1 << 63, FARTHEST, FARTHEST - 1];
        for (slot, value) in (0..20).flat_map(|slot| far.map(|value| (slot, value))) {
            let Some((state, epoch)) = State::decode(&crafted(slot, value)) else { continue };
            assert!(state.conserved() && epoch < FARTHEST);
            for kind in [Kind::Reserve, Kind::Used, Kind::Give, Kind::Burn, Kind::Signed] {
                for (a, b) in far.iter().flat_map(|a| far.map(|b| (*a, b))).chain([(0, 1), (63, 1)])
                {
                    let record = Record {
                        kind,
                        seq: state.seq + 1,
                        generation: state.generation + 1,
                        a,
                        b,
                        session: value,
                        pid: 1,
                        uid: 1,
                        time_ms: value,
                        epoch: 1,
                        digest: [0; 32],
                        host: String::new(),
                    };
                    let after = state.apply(&record, [9; TAG]);
                    assert!(after.is_none_or(|after| after.conserved()));
                }
            }
        }
    }

    #[test]
    fn a_newer_form_is_told_from_damage() {
        let mut bytes = crafted(0, 1);
        assert!(State::decode(&bytes).is_some() && !is_newer(&bytes));
        bytes[8..12].copy_from_slice(&(VERSION + 1).to_le_bytes());
        assert!(State::decode(&bytes).is_none() && !is_newer(&bytes), "its tag does not fit");
        let tag = chain(&[0; TAG], &bytes[..BODY]);
        bytes[BODY..].copy_from_slice(&tag);
        assert!(State::decode(&bytes).is_none() && is_newer(&bytes));
    }
}
