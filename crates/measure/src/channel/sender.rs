//! The thread that signs: one message each time one is due.

use std::net::UdpSocket;
use std::time::{Duration, Instant};

use super::ends::Seal;
use super::flood::Overheard;
use super::plan::{Case, SHORTEST};
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

/// Holds what the sending side has measured.
pub struct Sent {
    /// Microseconds of each message, those of the warm-up too.
    pub sign_us: Vec<f64>,
    /// When each was begun, in microseconds of the row's clock.
    pub begun_us: Vec<f64>,
    /// Bytes of the last datagram.
    pub bytes: usize,
    /// Messages that count and found nothing prepared.
    pub late: u64,
    /// Time from the first message that counts until one more would be due.
    pub time: Duration,
    /// CPU time of the thread.
    pub used: Duration,
}

/// Sends what `case` says for `time`, with the warm-up before. It ends a tenth later at the latest:
/// who cannot keep the rate sends less.
pub fn run(
    seal: &mut dyn Seal,
    line: &Line<'_>,
    (case, time): (&Case, Duration),
    step: &Step<'_>,
) -> Result<Sent, Error> {
    let used = clock::thread_time();
    let mut announce = |datagram: &[u8]| line.send(datagram, true);
    seal.announce(true, &mut announce)?;
    std::thread::sleep(FILL);
    let (payload, mut out) = (&mut vec![0x5a; case.size][..], vec![0; 1 << 16]);
    let count = messages(case.rate, time);
    let (mut sign_us, mut late) = (Vec::with_capacity(count), 0);
    let (mut bytes, mut begun_us) = (0, Vec::with_capacity(count));
    let (begun, mut announced) = (Instant::now(), Instant::now());
    let first = begun + due(case.rate, WARM_UP);
    let latest = first + time + time / 10;
    for number in 0..count {
        case.wait.until(begun + due(case.rate, number));
        payload[..SHORTEST].copy_from_slice(&(number as u64).to_be_bytes());
        if number == WARM_UP {
            late = seal.late();
        }
        let began = Instant::now();
        bytes = seal.seal(payload, &mut out)?;
        sign_us.push(hasten_report::micros(began.elapsed()));
        begun_us.push(hasten_report::micros(began.saturating_duration_since(line.epoch)));
        line.send(&out[..bytes], false)?;
        let again = announced.elapsed() >= AGAIN;
        seal.announce(again, &mut announce)?;
        if again {
            announced = Instant::now();
            step.at(number as u64)?;
        }
        if began > latest {
            break;
        }
    }
    let (late, time) = (seal.late() - late, first.elapsed() + due(case.rate, 1));
    let used = clock::thread_time().saturating_sub(used);
    Ok(Sent { sign_us, begun_us, bytes, late, time, used })
}

impl Line<'_> {
    fn send(&self, datagram: &[u8], announcement: bool) -> Result<(), Error> {
        self.socket.send(datagram).map_err(Error::system("sending over loopback"))?;
        self.overheard.iter().for_each(|overheard| overheard.note(datagram, announcement));
        Ok(())
    }
}

/// Returns the messages of a row, those of the warm-up too; one counts at least.
pub fn messages(rate: u32, time: Duration) -> usize {
    WARM_UP + ((f64::from(rate) * time.as_secs_f64()) as usize).max(1)
}

/// Returns when a message is due.
fn due(rate: u32, number: usize) -> Duration {
    Duration::from_secs_f64(number as f64 / f64::from(rate))
}
