//! The thread that verifies.

use std::net::UdpSocket;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::ends::{Open, Opened};
use super::plan::SHORTEST;
use super::wait::receive;
use crate::{Error, clock};

/// Stands in the count of messages while there may be more.
pub const UNKNOWN: usize = usize::MAX;

/// How long nothing has to come before what is missing counts as lost.
const SILENCE: Duration = Duration::from_millis(300);

/// One message.
pub struct Verdict {
    /// Its number.
    pub number: usize,
    /// Microseconds from the datagram to the verdict.
    pub verify_us: f64,
    /// When the verdict was there, in microseconds of the row's clock.
    pub at_us: f64,
}

/// Holds what the receiving side has measured.
#[derive(Default)]
pub struct Received {
    /// The messages, in the order in which they came.
    pub verdicts: Vec<Verdict>,
    /// Datagrams that were refused.
    pub refused: u64,
    /// CPU time of the thread.
    pub used: Duration,
}

/// Receives until as many messages came as `sent` says at the end, or nothing comes any more.
pub fn run(
    open: &mut dyn Open,
    socket: &UdpSocket,
    (sent, epoch): (&AtomicUsize, Instant),
) -> Result<Received, Error> {
    let used = clock::thread_time();
    let (mut log, mut buffer) = (Received::default(), vec![0; 1 << 16]);
    let mut heard = Instant::now();
    loop {
        // Asked before the socket is: all that was sent by then is in its queue.
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
    /// Notes the verdict on what came at `began`.
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
