//! The thread that signs: one message each time one is due, or those of a window when it ends.

use std::net::UdpSocket;
use std::time::{Duration, Instant};

use super::ends::Seal;
use super::flood::Overheard;
use super::plan::{Case, Pace, SHORTEST};
use super::windows::Windows;
use crate::{Error, Step, clock};

/// Messages before those that count: the first ones meet cold code.
pub const WARM_UP: usize = 16;

/// Time between two announcements of all trees.
const AGAIN: Duration = Duration::from_secs(1);

/// Time in which the pool of prepared messages fills before the first message.
const FILL: Duration = Duration::from_millis(50);

/// The way to the receiver.
pub struct Line<'l> {
    /// The socket.
    pub socket: &'l UdpSocket,
    /// Notes what is sent, where somebody listens.
    pub overheard: Option<&'l Overheard>,
    /// When the clock of the row began.
    pub epoch: Instant,
}

/// A message that was sent.
#[derive(Clone, Copy)]
pub struct Message {
    /// Microseconds of the call that signed it.
    pub sign_us: f64,
    /// When it was there, in microseconds of the row's clock.
    pub begun_us: f64,
    /// Messages of its batch that are sent before it.
    pub ahead: usize,
}

/// Holds what the sending side has measured.
#[derive(Default)]
pub struct Sent {
    /// Each message, those of the warm-up too.
    pub messages: Vec<Message>,
    /// Bytes of the longest datagram.
    pub bytes: usize,
    /// Messages that count and found nothing prepared.
    pub late: u64,
    /// Time from the first message that counts until one more would be due.
    pub time: Duration,
    /// CPU time of the thread.
    pub used: Duration,
}

/// Tells what is to be sent.
#[derive(Clone, Copy)]
pub struct Load<'c> {
    /// The row.
    pub case: &'c Case,
    /// Which messages are signed at once.
    pub windows: Windows,
    /// Time of the row.
    pub time: Duration,
}

/// Sends what `load` says, with the warm-up before. It ends a tenth later at the latest: who cannot
/// keep the rate sends less.
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
    /// Returns the messages of the row, those of the warm-up too; one counts at least.
    pub fn messages(&self) -> usize {
        let counted = f64::from(self.case.pace.rate()) * self.time.as_secs_f64();
        WARM_UP + (counted as usize).max(1)
    }

    /// Returns how many messages are signed with message `number`. The warm-up has batches of its
    /// own.
    fn together(&self, number: usize) -> usize {
        let all = self.windows.messages(self.case.pace);
        if number < WARM_UP { all.min(WARM_UP - number) } else { all }
    }

    /// Returns when message `number` comes, if the one before it was sent at `before`.
    fn due(&self, (begun, before): (Instant, Instant), number: usize) -> Instant {
        match self.case.pace {
            Pace::Rate(_) => begun + self.case.pace.due(number),
            Pace::Rest(rest) => before + rest,
        }
    }
}

/// Signs, sends and notes.
struct Sender<'s> {
    load: Load<'s>,
    line: &'s Line<'s>,
    /// Payloads of as many messages as are signed at once.
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

    /// Sends so many messages from `number` on; the first was there at `due`.
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

    /// Notes a message that was there at `begun`.
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
