//! The main loop of a publisher: it reads messages and sends datagrams.

use std::net::UdpSocket;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use hasten_channel::{MOST_BYTES, Sealer, announced_tree};

use crate::Error;
use crate::input::{self, Message};
use crate::socket;
use crate::wait::{LOOK, Wait};
use crate::window::Window;

/// Settings of a publisher.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Time between two announcements of the tree in use.
    pub announce: Duration,
    /// Time within which messages share a signature.
    pub batch: Option<Duration>,
    /// Way of waiting for messages.
    pub wait: Wait,
}

/// Counts of sent messages and announcements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sent {
    /// Number of messages.
    pub messages: u64,
    /// Number of bytes of messages and announcements.
    pub bytes: u64,
    /// Number of announcements.
    pub announcements: u64,
    /// Number of messages for which no key was prepared in time.
    pub late: u64,
    /// Number of messages that shared a signature.
    pub batched: u64,
}

/// A publisher with its socket.
pub struct Sender {
    sealer: Sealer,
    socket: UdpSocket,
    settings: Settings,
    buffer: Vec<u8>,
    /// The datagrams of a batch.
    sealed: Vec<Vec<u8>>,
    sent: Sent,
    /// The newest tree that was announced.
    newest: Option<u64>,
    /// Time of the last announcement.
    announced: Instant,
}

impl Sender {
    /// Returns a sender after it has announced the first tree.
    ///
    /// # Errors
    /// Errors of the publisher and of the system.
    pub fn begin(sealer: Sealer, socket: UdpSocket, settings: Settings) -> Result<Self, Error> {
        let (buffer, sealed, sent) = (vec![0; MOST_BYTES], Vec::new(), Sent::default());
        let announced = Instant::now();
        let mut sender =
            Self { sealer, socket, settings, buffer, sealed, sent, newest: None, announced };
        sender.announce()?;
        Ok(sender)
    }

    /// Sends until the input ends, or until `asked` returns true.
    ///
    /// # Errors
    /// Errors of the publisher, of the input and of the system.
    pub fn run(
        &mut self,
        input: &Receiver<Message>,
        asked: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let Settings { announce, batch, wait } = self.settings;
        let mut window = Window::new(batch);
        loop {
            let left = announce.saturating_sub(self.announced.elapsed());
            let left = window.left(Instant::now(), left.min(LOOK));
            match input::next(input, wait, left) {
                Ok(message) => self.messages(&window.take(message?, Instant::now()))?,
                Err(RecvTimeoutError::Disconnected) => return self.messages(&window.rest()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.messages(&window.due(Instant::now()))?;
            if asked() {
                return self.messages(&window.rest());
            }
            if self.announced.elapsed() >= announce {
                self.announce()?;
            }
        }
    }

    /// Ends the preparing thread and the use of the identity.
    ///
    /// # Errors
    /// As [`Sealer::close`].
    pub fn close(self) -> Result<(), Error> {
        Ok(self.sealer.close()?)
    }

    /// Returns the counts so far.
    pub fn sent(&self) -> Sent {
        Sent { late: self.sealer.late(), ..self.sent }
    }

    /// Seals and sends messages; several of them as a batch. If a new tree is ready, announces it
    /// at once, before its messages are sent.
    fn messages(&mut self, payloads: &[Vec<u8>]) -> Result<(), Error> {
        match payloads {
            [] => return Ok(()),
            [payload] => self.message(payload)?,
            _ => self.batch(payloads)?,
        }
        if self.sealer.newest_tree() != self.newest { self.announce() } else { Ok(()) }
    }

    fn batch(&mut self, payloads: &[Vec<u8>]) -> Result<(), Error> {
        let sealed = self.sealer.seal_batch(payloads, &mut self.sealed);
        for datagram in self.sealed.drain(..) {
            socket::send(&self.socket, &datagram)?;
            self.sent.messages += 1;
            self.sent.batched += 1;
            self.sent.bytes += datagram.len() as u64;
        }
        Ok(sealed?)
    }

    fn message(&mut self, payload: &[u8]) -> Result<(), Error> {
        let bytes = self.sealer.seal(payload, &mut self.buffer)?;
        socket::send(&self.socket, &self.buffer[..bytes])?;
        self.sent.messages += 1;
        self.sent.bytes += bytes as u64;
        Ok(self.sealer.look_ahead()?)
    }

    /// Sends the announcements.
    fn announce(&mut self) -> Result<(), Error> {
        for announcement in self.sealer.announcements()? {
            socket::send(&self.socket, announcement)?;
            self.newest = self.newest.max(announced_tree(announcement));
            self.sent.announcements += 1;
            self.sent.bytes += announcement.len() as u64;
        }
        self.announced = Instant::now();
        Ok(())
    }
}
