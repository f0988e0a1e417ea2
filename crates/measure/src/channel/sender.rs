//! The thread that signs: each message when it is due, or all messages of a window when it ends.

use std::net::UdpSocket;
use std::time::{Duration, Instant};

use super::ends::Seal;
use super::flood::Overheard;
use super::plan::{Case, Pace, SHORTEST};
use super::windows::Windows;
use crate::{Error, Step, clock};

/// Number of messages before the counted ones, because the first messages meet cold code.
pub const WARM_UP: usize = 16;

/// Time between two announcements of all trees.
const AGAIN: Duration = Duration::from_secs(1);

/// Time for the pool of prepared messages to fill before the first message.
const FILL: Duration = Duration::from_millis(50);

/// The connection to the receiver.
pub struct Line<'l> {
    /// The socket.
    pub socket: &'l UdpSocket,
    /// Records the datagrams, if there is a flood.
    pub overheard: Option<&'l Overheard>,
    /// Start of the clock of the row.
    pub epoch: Instant,
}

/// A message that was sent.
#[derive(Clone, Copy)]
pub struct Message {
    /// Time of the call that signed the message, in microseconds.
    pub sign_us: f64,
    /// Time at which the message arrived, in microseconds on the clock of the row.
    pub begun_us: f64,
    /// Number of messages of its batch that are sent before it.
    pub ahead: usize,
}

/// Result of the sending side.
#[derive(Default)]
pub struct Sent {
    /// All messages, including those of the warm-up.
    pub messages: Vec<Message>,
    /// Length of the longest datagram in bytes.
    pub bytes: usize,
    /// Number of counted messages for which nothing was prepared.
    pub late: u64,
    /// Time from the first counted message until the message after the last would be due.
    pub time: Duration,
    /// CPU time of the thread.
    pub used: Duration,
}

/// The messages to send.
#[derive(Clone, Copy)]
pub struct Load<'c> {
    /// The case of the row.
    pub case: &'c Case,
    /// The windows whose messages are signed together.
    pub windows: Windows,
    /// Duration of the row.
    pub time: Duration,
}

/// Sends the messages of `load`, preceded by the warm-up. It stops when a tenth more than the
/// planned time has passed, so an algorithm that cannot keep the rate sends fewer messages.
pub fn run(
    seal: &mut dyn Seal,
    line: &Line<'_>,
    load: Load<'_>,
    step: &Step<'_>,
) -> Result<Sent, Error> {
    let used = clock::thread_time();
    let mut announce = |datagram: &[u8]| line.send(datagram, true);
    seal.announce(true, &mut announce)?;
    std::thread::sleep(FILL);
    let (pace, count) = (load.case.pace, load.messages());
    let mut sender = Sender::new(load, line, count);
    let (begun, mut announced, mut late) = (Instant::now(), Instant::now(), 0);
    let first = begun + pace.due(WARM_UP);
    let latest = first + load.time + load.time / 10;
    let (mut number, mut before) = (0, begun);
    while number < count && before <= latest {
        let together = load.together(number).min(count - number);
        let due = load.due((begun, before), number);
        load.case.wait.until(due + load.windows.wait(pace, together));
        if number == WARM_UP {
            late = seal.late();
        }
        sender.send(seal, (number, together), due)?;
        (number, before) = (number + together, Instant::now());
        let again = announced.elapsed() >= AGAIN;
        seal.announce(again, &mut announce)?;
        if again {
            announced = Instant::now();
            step.at(number as u64)?;
        }
    }
    let mut sent = sender.sent;
    (sent.late, sent.time) = (seal.late() - late, first.elapsed() + pace.due(1));
    sent.used = clock::thread_time().saturating_sub(used);
    Ok(sent)
}

impl Load<'_> {
    /// Returns the number of messages of the row, including the warm-up; at least one is counted.
    pub fn messages(&self) -> usize {
        let counted = f64::from(self.case.pace.rate()) * self.time.as_secs_f64();
        WARM_UP + (counted as usize).max(1)
    }

    /// Returns the number of messages that are signed together from message `number` on. The
    /// warm-up has separate batches.
    fn together(&self, number: usize) -> usize {
        let all = self.windows.messages(self.case.pace);
        if number < WARM_UP { all.min(WARM_UP - number) } else { all }
    }

    /// Returns the time at which message `number` is due, if the one before it was sent at
    /// `before`.
    fn due(&self, (begun, before): (Instant, Instant), number: usize) -> Instant {
        match self.case.pace {
            Pace::Rate(_) => begun + self.case.pace.due(number),
            Pace::Rest(rest) => before + rest,
        }
    }
}

/// State of the sending thread.
struct Sender<'s> {
    load: Load<'s>,
    line: &'s Line<'s>,
    /// Payloads of the messages that are signed together.
    payloads: Vec<Vec<u8>>,
    datagram: Vec<u8>,
    datagrams: Vec<Vec<u8>>,
    sent: Sent,
}

impl<'s> Sender<'s> {
    fn new(load: Load<'s>, line: &'s Line<'s>, count: usize) -> Self {
        let payloads = vec![vec![0x5a; load.case.size]; load.windows.messages(load.case.pace)];
        let sent = Sent { messages: Vec::with_capacity(count), ..Sent::default() };
        let (datagram, datagrams) = (vec![0; 1 << 16], Vec::new());
        Self { load, line, payloads, datagram, datagrams, sent }
    }

    /// Signs and sends `together` messages starting at `number`; the first arrived at `due`.
    fn send(
        &mut self,
        seal: &mut dyn Seal,
        (number, together): (usize, usize),
        due: Instant,
    ) -> Result<(), Error> {
        for (place, payload) in self.payloads[..together].iter_mut().enumerate() {
            payload[..SHORTEST].copy_from_slice(&((number + place) as u64).to_be_bytes());
        }
        let began = Instant::now();
        if together == 1 {
            let bytes = seal.seal(&self.payloads[0], &mut self.datagram)?;
            self.note(began.elapsed(), began, 0);
            self.sent.bytes = self.sent.bytes.max(bytes);
            return self.line.send(&self.datagram[..bytes], false);
        }
        seal.seal_batch(&self.payloads[..together], &mut self.datagrams)?;
        let took = began.elapsed();
        for (place, datagram) in std::mem::take(&mut self.datagrams).iter().enumerate() {
            self.note(took, due + self.load.case.pace.due(place), place);
            self.sent.bytes = self.sent.bytes.max(datagram.len());
            self.line.send(datagram, false)?;
        }
        Ok(())
    }

    /// Records a message that arrived at `begun`.
    fn note(&mut self, took: Duration, begun: Instant, ahead: usize) {
        let begun = begun.saturating_duration_since(self.line.epoch);
        let (sign_us, begun_us) = (hasten_report::micros(took), hasten_report::micros(begun));
        self.sent.messages.push(Message { sign_us, begun_us, ahead });
    }
}

impl Line<'_> {
    fn send(&self, datagram: &[u8], announcement: bool) -> Result<(), Error> {
        self.socket.send(datagram).map_err(Error::system("sending over loopback"))?;
        self.overheard.iter().for_each(|overheard| overheard.note(datagram, announcement));
        Ok(())
    }
}
