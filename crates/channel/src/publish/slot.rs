//! A prepared message, or a batch of messages, that waits for its payload.

use super::error::Error;
use super::permit::SessionPermit;
use crate::batch::{Batch, FRONT_BYTES, MOST_BATCH, SALT_BYTES, path_nodes};
use crate::format::{HEADER_BYTES, Header, Kind, MOST_BYTES};
use crate::trees::signature_bytes;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use hasten_hbs::{Prepared, Set, Spent};

/// One prepared key of a session tree, for the next message or batch. Sealing uses the key up. If
/// the slot is dropped, the key is lost.
#[must_use = "dropped, its one-time key is lost"]
pub struct Slot<'k> {
    prepared: Prepared<'k, SessionPermit>,
    header: Header,
    set: &'static Set,
    /// True after the header was hashed.
    placed: bool,
}

impl<'k> Slot<'k> {
    /// Returns the slot of the message with this header; `None` if the header cannot be encoded.
    pub(super) fn new(
        prepared: Prepared<'k, SessionPermit>,
        header: Header,
        set: &'static Set,
    ) -> Option<Self> {
        header.bytes()?;
        Some(Self { prepared, header, set, placed: false })
    }

    /// Assigns the sequence number `sequence`, unless the slot has one already.
    pub(super) fn at(mut self, sequence: u64) -> Self {
        if !self.placed {
            self.header.sequence = sequence;
            self.prepared.update(&self.header());
            self.placed = true;
        }
        self
    }

    /// Returns the length of its signature in the datagram, in bytes.
    const fn signature_bytes(&self) -> usize {
        signature_bytes(self.set, self.header.kind)
    }

    fn header(&self) -> [u8; HEADER_BYTES] {
        self.header.bytes().expect("it had bytes when the slot was made")
    }

    /// Returns the number of its tree.
    pub(super) const fn tree(&self) -> u64 {
        self.header.tree
    }

    /// Checks the lengths before a key is used up. Returns the length of the datagram.
    pub(super) fn fits(&self, payload: &[u8], out: &[u8]) -> Result<usize, Error> {
        let around = HEADER_BYTES + self.signature_bytes();
        let (most, needs) = (MOST_BYTES - around, around + payload.len());
        match (payload.len() <= most, needs <= out.len()) {
            (false, _) => Err(Error::LongPayload { most }),
            (_, false) => Err(Error::ShortBuffer { needs }),
            _ => Ok(needs),
        }
    }

    /// Writes the datagram of `payload` into `out` and returns its length.
    ///
    /// # Errors
    /// `LongPayload`, `ShortBuffer`; `Forked` in a child of the publisher's process. The key is
    /// then lost, but nothing about it was revealed.
    pub fn seal(self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.seal_apart(payload, out).map(|(bytes, _)| bytes)
    }

    /// Seals as [`seal`](Self::seal) does, and also returns the used key, which must still be
    /// overwritten.
    pub(super) fn seal_apart(
        self,
        payload: &[u8],
        out: &mut [u8],
    ) -> Result<(usize, Spent<'k>), Error> {
        let bytes = self.fits(payload, out)?;
        let sequence = self.header.sequence;
        let slot = self.at(sequence);
        let (head, own_bytes) = (slot.header(), slot.signature_bytes());
        let (signature, spent) = slot.prepared.finish_apart(payload)?;
        let (signed, own) = out[..bytes].split_at_mut(bytes - own_bytes);
        let (header, body) = signed.split_at_mut(HEADER_BYTES);
        header.copy_from_slice(&head);
        body.copy_from_slice(payload);
        own.copy_from_slice(&signature.as_bytes()[..own_bytes]);
        Ok((bytes, spent))
    }

    /// Reads the slot, so that it is in the caches of the core that will seal.
    pub(super) fn touch(&self) {
        self.prepared.touch();
    }

    /// Checks the lengths of the payloads and returns how many of them the slot accepts: only one
    /// if it already has a sequence number.
    pub(super) fn takes<P: AsRef<[u8]>>(&self, payloads: &[P]) -> Result<usize, Error> {
        let count = if self.placed { 1 } else { payloads.len().min(MOST_BATCH) };
        let around = match count {
            1 => HEADER_BYTES,
            // The first leaf has the longest path.
            _ => FRONT_BYTES + self.set.n * path_nodes(0, count as u16),
        };
        let most = MOST_BYTES - around - self.signature_bytes();
        let fit = payloads[..count].iter().all(|payload| payload.as_ref().len() <= most);
        if fit { Ok(count) } else { Err(Error::LongPayload { most }) }
    }

    /// Appends the datagrams of as many payloads as the slot accepts. The first has the sequence
    /// number `sequence`.
    pub(super) fn seal_some<P: AsRef<[u8]>>(
        self,
        sequence: u64,
        payloads: &[P],
        out: &mut Vec<Vec<u8>>,
    ) -> Result<(), Error> {
        let [payload] = payloads else { return self.seal_batch(sequence, payloads, out) };
        let payload = payload.as_ref();
        let mut datagram = vec![0; HEADER_BYTES + self.signature_bytes() + payload.len()];
        self.at(sequence).seal(payload, &mut datagram)?;
        out.push(datagram);
        Ok(())
    }

    fn seal_batch<P: AsRef<[u8]>>(
        mut self,
        first: u64,
        payloads: &[P],
        out: &mut Vec<Vec<u8>>,
    ) -> Result<(), Error> {
        let kind = Kind::of(self.header.kind.is_short(), true);
        (self.header.kind, self.header.sequence) = (kind, first);
        let mut salt = [0; SALT_BYTES];
        getrandom::fill(&mut salt).map_err(|_| Error::Randomness)?;
        let (messages, n) = (payloads.len() as u16, self.set.n);
        let batch = Batch { first: self.header, messages, salt, n };
        let mut datagrams = fronts(&batch, payloads).ok_or(Error::Ended)?;
        let leaf = |(place, datagram): (u16, &Vec<u8>)| {
            batch.leaf(place, &datagram[..HEADER_BYTES], &datagram[FRONT_BYTES..])
        };
        let leaves: Vec<_> = (0..).zip(&datagrams).map(leaf).collect();
        let root = batch.root(&leaves, &mut datagrams);
        let statement = batch.statement(&root).ok_or(Error::Ended)?;
        let bytes = self.signature_bytes();
        let signature = self.prepared.finish(&statement)?;
        let signature = &signature.as_bytes()[..bytes];
        datagrams.iter_mut().for_each(|datagram| datagram.extend(signature));
        out.append(&mut datagrams);
        Ok(())
    }
}

/// Returns the datagrams of a batch up to their paths; `None` if a sequence number is too large.
fn fronts<P: AsRef<[u8]>>(batch: &Batch, payloads: &[P]) -> Option<Vec<Vec<u8>>> {
    let front =
        |(place, payload): (u16, &P)| Some([&batch.front(place)?[..], payload.as_ref()].concat());
    (0..).zip(payloads).map(front).collect()
}

impl fmt::Debug for Slot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slot({:?})", self.prepared)
    }
}
