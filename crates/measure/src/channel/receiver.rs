//! The thread that verifies.

use std::net::UdpSocket;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::ends::{Open, Opened};
use super::plan::SHORTEST;
use super::wait::receive;
use crate::{Error, clock};

/// Value of the message count while more messages may follow.
pub const UNKNOWN: usize = usize::MAX;

/// Time without datagrams after which missing messages count as lost.
const SILENCE: Duration = Duration::from_millis(300);

/// The verdict on one message.
pub struct Verdict {
    /// Number of the message.
    pub number: usize,
    /// Microseconds from the datagram to the verdict.
    pub verify_us: f64,
    /// Time of the verdict, in microseconds on the clock of the row.
    pub at_us: f64,
}

/// Result of the receiving side.
#[derive(Default)]
pub struct Received {
    /// The verdicts, in the order in which the messages arrived.
    pub verdicts: Vec<Verdict>,
    /// Number of datagrams that were refused.
    pub refused: u64,
    /// CPU time of the thread.
    pub used: Duration,
}

/// Receives until all messages counted by `sent` have arrived, or no more arrive.
pub fn run(
    open: &mut dyn Open,
    socket: &UdpSocket,
    (sent, epoch): (&AtomicUsize, Instant),
) -> Result<Received, Error> {
    let used = clock::thread_time();
    let (mut log, mut buffer) = (Received::default(), vec![0; 1 << 16]);
    let mut heard = Instant::now();
    loop {
        // The count is read before the socket: everything sent by then is in the socket's queue.
        let all = sent.load(Ordering::Acquire);
        if let Some(bytes) = receive(socket, &mut buffer)? {
            heard = Instant::now();
            log.take(open.open(&buffer[..bytes]), (heard, epoch));
            continue;
        }
        if all != UNKNOWN && (log.verdicts.len() >= all || heard.elapsed() > SILENCE) {
            log.used = clock::thread_time().saturating_sub(used);
            return Ok(log);
        }
        std::hint::spin_loop();
    }
}

impl Received {
    /// Records the verdict on a datagram that arrived at `began`.
    fn take(&mut self, opened: Opened<'_>, (began, epoch): (Instant, Instant)) {
        let now = Instant::now();
        let after = |earlier| hasten_report::micros(now.saturating_duration_since(earlier));
        let (verify_us, at_us) = (after(began), after(epoch));
        match opened {
            Opened::Message(payload) => {
                let number =
                    payload.first_chunk::<SHORTEST>().map_or(0, |n| u64::from_be_bytes(*n));
                self.verdicts.push(Verdict { number: number as usize, verify_us, at_us });
            }
            Opened::Beside => {}
            Opened::Refused => self.refused += 1,
        }
    }
}
