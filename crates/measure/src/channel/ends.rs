//! The two ends that every algorithm has.

use crate::Error;

/// Sends a datagram.
pub type Send<'s> = dyn FnMut(&[u8]) -> Result<(), Error> + 's;

/// The sending end.
pub trait Seal: std::marker::Send {
    /// Writes the datagram of `payload` into `out`. Returns its length.
    ///
    /// # Errors
    /// The scheme's.
    fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error>;

    /// Appends the datagrams of `payloads` to `out`: signed at once, where that is possible.
    ///
    /// # Errors
    /// The scheme's.
    fn seal_batch(&mut self, payloads: &[Vec<u8>], out: &mut Vec<Vec<u8>>) -> Result<(), Error> {
        let mut datagram = vec![0; 1 << 16];
        for payload in payloads {
            let bytes = self.seal(payload, &mut datagram)?;
            out.push(datagram[..bytes].to_vec());
        }
        Ok(())
    }

    /// Sends what a receiver has to have before the messages: what is new, or with `again` all.
    ///
    /// # Errors
    /// The scheme's and those of `send`.
    fn announce(&mut self, again: bool, send: &mut Send<'_>) -> Result<(), Error> {
        let _ = (again, send);
        Ok(())
    }

    /// Returns how many messages found nothing prepared.
    fn late(&self) -> u64 {
        0
    }
}

/// The verdict on a datagram.
#[derive(Debug, PartialEq, Eq)]
pub enum Opened<'d> {
    /// A message, whose signature is good.
    Message(&'d [u8]),
    /// Something besides the messages, and it is good.
    Beside,
    /// Nothing good.
    Refused,
}

/// The receiving end.
pub trait Open: std::marker::Send {
    /// Takes a datagram.
    fn open<'d>(&mut self, datagram: &'d [u8]) -> Opened<'d>;
}

/// The two ends of one algorithm.
pub type Ends = (Box<dyn Seal>, Box<dyn Open>);

/// Writes `payload` and its signature into `out`. Returns the length of both.
pub fn join(payload: &[u8], signature: &[u8], out: &mut [u8]) -> usize {
    let (first, rest) = out.split_at_mut(payload.len());
    first.copy_from_slice(payload);
    rest[..signature.len()].copy_from_slice(signature);
    payload.len() + signature.len()
}

/// Returns payload and signature of `datagram`, whose last `bytes` are the signature.
pub fn split(datagram: &[u8], bytes: usize) -> Option<(&[u8], &[u8])> {
    datagram.split_at_checked(datagram.len().checked_sub(bytes)?)
}
