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

/// Holds what the receiving side has measured.
#[derive(Default)]
pub struct Received {
    /// Number of each message, and microseconds from the datagram to the verdict.
    pub verify_us: Vec<(usize, f64)>,
    /// Datagrams that were refused.
    pub refused: u64,
    /// CPU time of the thread.
    pub used: Duration,
}

/// Receives until as many messages came as `sent` says at the end, or nothing comes any more.
pub fn run(open: &mut dyn Open, socket: &UdpSocket, sent: &AtomicUsize) -> Result<Received, Error> {
    let used = clock::thread_time();
    let (mut log, mut buffer) = (Received::default(), vec![0; 1 << 16]);
    let mut heard = Instant::now();
    loop {
        if let Some(bytes) = receive(socket, &mut buffer)? {
            heard = Instant::now();
            log.take(open.open(&buffer[..bytes]), heard);
            continue;
        }
        let all = sent.load(Ordering::Acquire);
        if all != UNKNOWN && (log.verify_us.len() >= all || heard.elapsed() > SILENCE) {
            log.used = clock::thread_time().saturating_sub(used);
            return Ok(log);
        }
        std::hint::spin_loop();
    }
}

impl Received {
    /// Notes the verdict on what came at `began`.
    fn take(&mut self, opened: Opened<'_>, began: Instant) {
        let us = hasten_report::micros(began.elapsed());
        match opened {
            Opened::Message(payload) => {
                let number =
                    payload.first_chunk::<SHORTEST>().map_or(0, |n| u64::from_be_bytes(*n));
                self.verify_us.push((number as usize, us));
            }
            Opened::Beside => {}
            Opened::Refused => self.refused += 1,
        }
    }
}
