//! Frames sent over the socket: each has a kind, a length and a body.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::warm::Waiter;
use crate::Error;

/// The meaning of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Signer to verifier, once: the public key.
    Key = 1,
    /// Signer to verifier: index, path and one-time public key of the next signature.
    Announce = 2,
    /// Signer to verifier: prepare for the next message. Verifier to signer: done.
    Prepare = 3,
    /// Signer to verifier: length of the message, message, signature.
    Signed = 4,
    /// Verifier to signer: 1 if the signature is good, 0 if it is bad.
    Verdict = 5,
    /// Signer to verifier: no more messages.
    End = 6,
}

const KINDS: [Kind; 6] =
    [Kind::Key, Kind::Announce, Kind::Prepare, Kind::Signed, Kind::Verdict, Kind::End];

/// Length of the header in bytes: kind (1) and length (4).
const HEADER: usize = 5;

/// Maximum length of a body: the longest message, and enough room for the longest signature.
const LONGEST: usize = super::LONGEST_MESSAGE + (1 << 20);

/// One end of the connection.
pub struct Wire {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Wire {
    /// Returns an end that sends every frame immediately.
    pub fn new(stream: TcpStream) -> Result<Self, Error> {
        stream.set_nodelay(true).map_err(Error::system("setting TCP_NODELAY"))?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    /// Sends a frame with one write; its body is the concatenation of `parts`.
    pub fn send(&mut self, kind: Kind, parts: &[&[u8]]) -> Result<(), Error> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.buffer.clear();
        self.buffer.push(kind as u8);
        self.buffer.extend_from_slice(&(length as u32).to_be_bytes());
        parts.iter().for_each(|part| self.buffer.extend_from_slice(part));
        self.stream.write_all(&self.buffer).map_err(Error::system("sending over loopback"))
    }

    /// Waits for the next frame, blocked or with dummy steps, and reads it.
    pub fn receive(&mut self, waiter: &mut Waiter) -> Result<(Kind, &[u8]), Error> {
        waiter.wait_for(&self.stream)?;
        let mut header = [0; HEADER];
        self.read(&mut header)?;
        let length = u32::from_be_bytes([header[1], header[2], header[3], header[4]]) as usize;
        let kind = KINDS.into_iter().find(|kind| *kind as u8 == header[0]);
        let kind = kind.filter(|_| length <= LONGEST).ok_or_else(malformed)?;
        let mut body = std::mem::take(&mut self.buffer);
        body.resize(length, 0);
        self.read(&mut body)?;
        self.buffer = body;
        Ok((kind, &self.buffer))
    }

    /// Receives a frame that must be of this kind.
    pub fn expect(&mut self, kind: Kind, waiter: &mut Waiter) -> Result<&[u8], Error> {
        let (found, body) = self.receive(waiter)?;
        if found == kind { Ok(body) } else { Err(malformed()) }
    }

    fn read(&mut self, into: &mut [u8]) -> Result<(), Error> {
        self.stream.read_exact(into).map_err(Error::system("receiving over loopback"))
    }
}

/// Splits the body of a [`Kind::Signed`] frame into message and signature.
pub fn message_and_signature(body: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    let (length, rest) = body.split_first_chunk().ok_or_else(malformed)?;
    rest.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(malformed)
}

fn malformed() -> Error {
    let cause = std::io::Error::from(std::io::ErrorKind::InvalidData);
    Error::System { doing: "reading a frame", cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Wire, Wire) {
        let (one, other) = super::super::session::loopback().expect("loopback connects");
        (Wire::new(one).expect("an end"), Wire::new(other).expect("an end"))
    }

    #[test]
    fn a_frame_arrives_as_sent() {
        let (mut one, mut other) = pair();
        one.send(Kind::Signed, &[&3u32.to_be_bytes(), b"abc", b"signature"]).expect("sent");
        let (kind, body) = other.receive(&mut Waiter::blocked()).expect("received");
        assert_eq!(kind, Kind::Signed);
        assert_eq!(message_and_signature(body).expect("cut"), (&b"abc"[..], &b"signature"[..]));
    }

    #[test]
    fn malformed_frames_are_errors() {
        assert!(message_and_signature(&[0, 0]).is_err());
        assert!(message_and_signature(&[0, 0, 0, 9, 1]).is_err());
        for bytes in [[0, 0, 0, 0, 0], [9, 0, 0, 0, 0], [1, 0xff, 0xff, 0xff, 0xff]] {
            let (mut one, mut other) = pair();
            one.stream.write_all(&bytes).expect("sent");
            assert!(other.receive(&mut Waiter::blocked()).is_err());
        }
        let (one, mut other) = pair();
        drop(one);
        assert!(other.receive(&mut Waiter::blocked()).is_err());
    }

    #[test]
    fn the_wrong_kind_is_an_error() {
        let (mut one, mut other) = pair();
        one.send(Kind::End, &[]).expect("sent");
        assert!(other.expect(Kind::Key, &mut Waiter::blocked()).is_err());
    }
}
