//! The life of a subscriber: datagrams come in, each good message is handed on once.

use std::collections::BTreeMap;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use hasten_channel::{Event, MOST_BYTES, Subscriber, Verified};

use crate::Error;
use crate::mark::Mark;
use crate::recording::Recorder;
use crate::socket;

/// Announcements of unknown trees that are verified in each stretch of time.
const ALLOWED: u32 = 8;
const STRETCH: Duration = Duration::from_millis(10);

/// When a subscriber ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until {
    /// After so many messages.
    pub count: Option<usize>,
    /// When nothing good came for so long.
    pub timeout: Option<Duration>,
}

/// Holds what came.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Messages that were handed on.
    pub delivered: u64,
    /// Messages that never came.
    pub lost: u64,
    /// Each reason for which datagrams were refused, and how many.
    pub refused: BTreeMap<String, u64>,
}

/// A subscriber with its socket, its mark and its recording.
pub struct Receiver<'k> {
    subscriber: Subscriber<'k>,
    socket: UdpSocket,
    mark: Option<Mark>,
    record: Option<Recorder>,
    refused: BTreeMap<String, u64>,
    delivered: usize,
}

impl<'k> Receiver<'k> {
    /// Returns one that has received nothing.
    pub fn new(
        subscriber: Subscriber<'k>,
        socket: UdpSocket,
        (mark, record): (Option<Mark>, Option<Recorder>),
    ) -> Self {
        Self { subscriber, socket, mark, record, refused: BTreeMap::new(), delivered: 0 }
    }

    /// Receives until the end that was asked for, or until `asked` says that it is to end: true.
    /// False when nothing came for too long. The mark of a message is durable before `deliver` has
    /// it.
    ///
    /// # Errors
    /// Those of files and of the system, and those of `deliver`.
    pub fn run<E: From<Error>>(
        &mut self,
        until: Until,
        asked: &dyn Fn() -> bool,
        deliver: &mut dyn FnMut(&Verified<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut buffer = vec![0; MOST_BYTES];
        let (mut heard, mut stretch) = (Instant::now(), Instant::now());
        while until.count.is_none_or(|count| self.delivered < count) {
            if asked() {
                return Ok(true);
            }
            if stretch.elapsed() >= STRETCH {
                self.subscriber.allow(ALLOWED);
                stretch = Instant::now();
            }
            let got = socket::receive(&self.socket, &mut buffer)?;
            let good = match got {
                Some(bytes) => self.take(&buffer[..bytes], deliver)?,
                None => false,
            };
            if good {
                heard = Instant::now();
            } else if until.timeout.is_some_and(|most| heard.elapsed() >= most) {
                return Ok(until.count.is_none());
            }
        }
        Ok(true)
    }

    /// Ends the recording, and returns what came.
    ///
    /// # Errors
    /// Those of files.
    pub fn finish(self) -> Result<Account, Error> {
        self.record.map_or(Ok(()), Recorder::finish)?;
        let (delivered, lost) = (self.delivered as u64, self.subscriber.lost());
        Ok(Account { delivered, lost, refused: self.refused })
    }

    /// Takes a datagram; false if it was refused.
    fn take<E: From<Error>>(
        &mut self,
        datagram: &[u8],
        deliver: &mut dyn FnMut(&Verified<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        match self.subscriber.open(datagram) {
            Ok(Event::Message(message)) => {
                self.mark.as_mut().map_or(Ok(()), |mark| mark.raise(message.tree))?;
                self.delivered += 1;
                deliver(&message)?;
            }
            Ok(Event::NewTree(_)) => {}
            Ok(_) => return Ok(true),
            Err(refusal) => {
                *self.refused.entry(refusal.to_string()).or_default() += 1;
                return Ok(false);
            }
        }
        self.record.as_mut().map_or(Ok(()), |record| record.add(datagram))?;
        Ok(true)
    }
}
