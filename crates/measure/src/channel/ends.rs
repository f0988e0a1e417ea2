//! The sending and the receiving end of an algorithm.

use crate::Error;

/// A function that sends a datagram.
pub type Send<'s> = dyn FnMut(&[u8]) -> Result<(), Error> + 's;

/// The sending end.
pub trait Seal: std::marker::Send {
    /// Writes the datagram of `payload` to `out` and returns its length.
    ///
    /// # Errors
    /// Errors of the scheme.
    fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error>;

    /// Appends the datagrams of `payloads` to `out`. A scheme that can do so signs them together.
    ///
    /// # Errors
    /// Errors of the scheme.
    fn seal_batch(&mut self, payloads: &[Vec<u8>], out: &mut Vec<Vec<u8>>) -> Result<(), Error> {
        let mut datagram = vec![0; 1 << 16];
        for payload in payloads {
            let bytes = self.seal(payload, &mut datagram)?;
            out.push(datagram[..bytes].to_vec());
        }
        Ok(())
    }

    /// Sends the data that a receiver needs before the messages: new data only, or with `again`
    /// all.
    ///
    /// # Errors
    /// Errors of the scheme and of `send`.
    fn announce(&mut self, again: bool, send: &mut Send<'_>) -> Result<(), Error> {
        let _ = (again, send);
        Ok(())
    }

    /// Returns the number of messages for which nothing was prepared.
    fn late(&self) -> u64 {
        0
    }
}

/// The verdict on a datagram.
#[derive(Debug, PartialEq, Eq)]
pub enum Opened<'d> {
    /// A message with a good signature.
    Message(&'d [u8]),
    /// A valid datagram that carries no message, such as an announcement.
    Beside,
    /// Not a valid datagram.
    Refused,
}

/// The receiving end.
pub trait Open: std::marker::Send {
    /// Verifies a datagram.
    fn open<'d>(&mut self, datagram: &'d [u8]) -> Opened<'d>;
}

/// The two ends of one algorithm.
pub type Ends = (Box<dyn Seal>, Box<dyn Open>);

/// Writes `payload` and its signature to `out` and returns their total length.
pub fn join(payload: &[u8], signature: &[u8], out: &mut [u8]) -> usize {
    let (first, rest) = out.split_at_mut(payload.len());
    first.copy_from_slice(payload);
    rest[..signature.len()].copy_from_slice(signature);
    payload.len() + signature.len()
}

/// Splits `datagram` into payload and signature; the signature is the last `bytes` bytes.
pub fn split(datagram: &[u8], bytes: usize) -> Option<(&[u8], &[u8])> {
    datagram.split_at_checked(datagram.len().checked_sub(bytes)?)
}
