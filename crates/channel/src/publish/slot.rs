//! One message that was prepared and waits for its payload.

use super::error::Error;
use super::permit::SessionPermit;
use crate::format::{HEADER_BYTES, MOST_BYTES};
use core::fmt;
use hasten_hbs::Prepared;

/// One key of a session tree, prepared for the message that has its place. It is used up by the
/// message; dropped, the key is lost.
#[must_use = "dropped, its one-time key is lost"]
pub struct Slot<'k> {
    prepared: Prepared<'k, SessionPermit>,
    header: [u8; HEADER_BYTES],
    tree: u64,
    signature_bytes: usize,
}

impl<'k> Slot<'k> {
    /// Returns the slot of the message with this header, which is absorbed already.
    pub(super) fn new(
        mut prepared: Prepared<'k, SessionPermit>,
        header: [u8; HEADER_BYTES],
        (tree, signature_bytes): (u64, usize),
    ) -> Self {
        prepared.update(&header);
        Self { prepared, header, tree, signature_bytes }
    }

    /// Returns the number of its tree.
    pub(super) const fn tree(&self) -> u64 {
        self.tree
    }

    /// Checks lengths before a key is used up. Returns the bytes of the datagram.
    pub(super) fn fits(&self, payload: &[u8], out: &[u8]) -> Result<usize, Error> {
        let around = HEADER_BYTES + self.signature_bytes;
        let (most, needs) = (MOST_BYTES - around, around + payload.len());
        match (payload.len() <= most, needs <= out.len()) {
            (false, _) => Err(Error::LongPayload { most }),
            (_, false) => Err(Error::ShortBuffer { needs }),
            _ => Ok(needs),
        }
    }

    /// Writes the datagram of `payload` into `out`. Returns its length.
    ///
    /// # Errors
    /// `LongPayload`, `ShortBuffer`; `Forked` in a child of the publisher's process. The key is
    /// lost, and nothing about it was given away.
    pub fn seal(self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let bytes = self.fits(payload, out)?;
        let signature = self.prepared.finish(payload)?;
        let (signed, own) = out[..bytes].split_at_mut(bytes - self.signature_bytes);
        let (header, body) = signed.split_at_mut(HEADER_BYTES);
        header.copy_from_slice(&self.header);
        body.copy_from_slice(payload);
        own.copy_from_slice(signature.as_bytes());
        Ok(bytes)
    }
}

impl fmt::Debug for Slot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slot({:?})", self.prepared)
    }
}
