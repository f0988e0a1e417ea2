//! The main loop of a subscriber: it receives datagrams and delivers each good message once.

use std::collections::BTreeMap;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use hasten_channel::{Event, MOST_BYTES, Subscriber, Verified};

use crate::Error;
use crate::mark::Mark;
use crate::recording::Recorder;
use crate::socket;

/// Number of announcements of unknown trees that are verified in each period.
const ALLOWED: u32 = 8;
/// Length of a period.
const STRETCH: Duration = Duration::from_millis(10);

/// Conditions under which a subscriber ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until {
    /// Number of messages after which it ends.
    pub count: Option<usize>,
    /// Time without a good datagram after which it ends.
    pub timeout: Option<Duration>,
}

/// Counts of received messages.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Number of messages that were delivered.
    pub delivered: u64,
    /// Number of messages that never arrived.
    pub lost: u64,
    /// Number of refused datagrams, by the reason for the refusal.
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
    /// Returns a receiver that has not received anything yet.
    pub fn new(
        subscriber: Subscriber<'k>,
        socket: UdpSocket,
        (mark, record): (Option<Mark>, Option<Recorder>),
    ) -> Self {
        Self { subscriber, socket, mark, record, refused: BTreeMap::new(), delivered: 0 }
    }

    /// Receives until a condition of `until` is met, or until `asked` returns true. Returns false
    /// if a number of messages was requested and nothing good arrived for too long, otherwise true.
    /// The mark of a message is durable before `deliver` gets the message.
    ///
    /// # Errors
    /// Errors of files and of the system, and errors of `deliver`.
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

    /// Ends the recording, and returns the counts.
    ///
    /// # Errors
    /// Errors of files.
    pub fn finish(self) -> Result<Account, Error> {
        self.record.map_or(Ok(()), Recorder::finish)?;
        let (delivered, lost) = (self.delivered as u64, self.subscriber.lost());
        Ok(Account { delivered, lost, refused: self.refused })
    }

    /// Processes a datagram. Returns false if it was refused.
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
