//! Bogus datagrams sent along with the genuine ones. The attacker receives all datagrams and knows
//! their format, but has no key.

use std::net::UdpSocket;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::receiver::UNKNOWN;
use crate::{Error, clock, keygen};

/// Time between two bursts.
const BURST: Duration = Duration::from_micros(250);

/// The latest genuine message datagram, and the latest announcement.
#[derive(Default)]
pub struct Overheard(Mutex<[Vec<u8>; 2]>);

impl Overheard {
    /// Records a genuine datagram.
    pub fn note(&self, datagram: &[u8], announcement: bool) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept[usize::from(announcement)] = datagram.to_vec();
    }

    fn newest(&self) -> [Vec<u8>; 2] {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Makes bogus datagram `number` from the overheard message, the overheard announcement (if there
/// is any), and 64 random bytes.
pub type Forge = fn(number: usize, overheard: &[Vec<u8>; 2], random: &[u8; 64]) -> Vec<u8>;

/// Result of the flooding side.
pub struct Flooded {
    /// Number of datagrams sent.
    pub bogus: u64,
    /// CPU time of the thread.
    pub used: Duration,
}

/// Sends `rate` bogus datagrams per second until all messages are sent.
pub fn run(
    forge: Forge,
    rate: u32,
    socket: &UdpSocket,
    (overheard, sent): (&Overheard, &AtomicUsize),
) -> Result<Flooded, Error> {
    let used = clock::thread_time();
    let (begun, mut count, mut random) = (Instant::now(), 0, [0; 64]);
    while sent.load(Ordering::Acquire) == UNKNOWN {
        let due = (begun.elapsed().as_secs_f64() * f64::from(rate)) as usize;
        let newest = overheard.newest();
        keygen::random(&mut random)?;
        while count < due && !newest[0].is_empty() {
            let bogus = forge(count, &newest, &random);
            socket.send(&bogus).map_err(Error::system("sending over loopback"))?;
            random[0] = random[0].wrapping_add(1);
            count += 1;
        }
        std::thread::sleep(BURST);
    }
    Ok(Flooded { bogus: count as u64, used: clock::thread_time().saturating_sub(used) })
}

/// The kind of forgery of a channel that makes the receiver verify a signature.
const VERIFIED: usize = 3;

/// Forges datagrams of a channel, cycling through all kinds.
pub fn channel(
    number: usize,
    [message, announcement]: &[Vec<u8>; 2],
    random: &[u8; 64],
) -> Vec<u8> {
    let (place, bit) = (usize::from(random[1]), 1 << (random[2] % 8));
    let mut bogus = if number % 8 < 6 { message.clone() } else { announcement.clone() };
    match number % 8 {
        // A replay.
        0 => return bogus,
        // Of another session, and of another tree.
        1 => bogus[9] ^= 1,
        2 => bogus[6] ^= 1,
        // The next message with the signature of this one, which makes the receiver verify it.
        VERIFIED => add(&mut bogus[16..24], 1 + u64::from(random[0] % 64)),
        4 => bogus.truncate(place.min(message.len() - 1)),
        // Noise after the first bytes of the format.
        5 => bogus[4..68].copy_from_slice(random),
        // An announcement with a changed bit, and one of a future tree.
        6 => bogus[100 + place] ^= bit,
        _ => {
            add(&mut bogus[8..16], 1 + u64::from(random[0]));
            // The signature has the same number, so the receiver must verify it.
            bogus.copy_within(12..16, 20);
        }
    }
    bogus
}

/// Forges only messages of a channel that each make the receiver verify a signature.
pub fn forgeries(number: usize, overheard: &[Vec<u8>; 2], random: &[u8; 64]) -> Vec<u8> {
    channel(8 * number + VERIFIED, overheard, random)
}

/// Forges datagrams of the other algorithms, each with one changed bit.
pub fn other(number: usize, [message, _]: &[Vec<u8>; 2], random: &[u8; 64]) -> Vec<u8> {
    let mut bogus = message.clone();
    let place = (number + usize::from(random[1])) % bogus.len();
    bogus[place] ^= 1 << (random[2] % 8);
    bogus
}

/// Adds `more` to a big-endian number of eight bytes.
fn add(number: &mut [u8], more: u64) {
    let now = number.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
    number.copy_from_slice(&now.wrapping_add(more).to_be_bytes());
}
