//! Waiting: blocked, or with one dummy vector step every 200 us that keeps the vector unit awake.

use std::net::TcpStream;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use hasten_hbs::params::Hash;
use hasten_kernels::{Kernels, State256, State512, State1600};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::{Error, clock};

/// Time between two dummy steps.
pub const PERIOD: Duration = Duration::from_micros(200);

/// The way in which one thread waits, and the cost so far.
pub struct Waiter {
    step: Option<Step>,
    cost: Cost,
}

/// Time spent waiting, and the CPU time used while waiting.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    waited: Duration,
    used: Duration,
}

impl Cost {
    /// Returns the sum of both costs.
    pub fn and(self, other: Self) -> Self {
        Self { waited: self.waited + other.waited, used: self.used + other.used }
    }

    /// Returns the CPU time used per time waited, as a percentage of one core.
    pub fn percent(self) -> f64 {
        let waited = self.waited.as_secs_f64();
        if waited > 0.0 { 100.0 * self.used.as_secs_f64() / waited } else { 0.0 }
    }
}

/// One step of the kernel for the hash function of the set, in all its lanes.
enum Step {
    Sha256(Kernels<'static>, Vec<State256>, Vec<[u8; 64]>),
    Sha512(Kernels<'static>, Vec<State512>, Vec<[u8; 128]>),
    Keccak(Kernels<'static>, Vec<State1600>),
}

impl Step {
    fn new(kernels: Kernels<'static>, hash: Hash) -> Self {
        let (narrow, wide) = (kernels.sha256.lanes(), kernels.sha512.lanes());
        match hash {
            Hash::Sha256 => Self::Sha256(kernels, vec![[0; 8]; narrow], vec![[0; 64]; narrow]),
            Hash::Sha512 => Self::Sha512(kernels, vec![[0; 8]; wide], vec![[0; 128]; wide]),
            _ => Self::Keccak(kernels, vec![[0; 25]; kernels.keccak.lanes()]),
        }
    }

    fn run(&mut self) {
        match self {
            Self::Sha256(kernels, states, blocks) => kernels.sha256.compress(states, blocks),
            Self::Sha512(kernels, states, blocks) => kernels.sha512.compress(states, blocks),
            Self::Keccak(kernels, states) => kernels.keccak.permute(states),
        }
    }
}

impl Waiter {
    /// Returns a waiter that blocks.
    pub fn blocked() -> Self {
        Self { step: None, cost: Cost::default() }
    }

    /// Returns a waiter that runs one dummy step of the kernel for `hash` every [`PERIOD`].
    pub fn warm(kernels: Kernels<'static>, hash: Hash) -> Self {
        Self { step: Some(Step::new(kernels, hash)), cost: Cost::default() }
    }

    /// Returns the cost of waiting so far.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Waits until `stream` has data to read or is closed by the other end.
    pub fn wait_for(&mut self, stream: &TcpStream) -> Result<(), Error> {
        let Some(step) = &mut self.step else { return Ok(()) };
        let (began, used) = (Instant::now(), clock::thread_time());
        while !readable(stream)? {
            step.run();
        }
        self.cost = self.cost.and(since(began, used));
        Ok(())
    }

    /// Rests for `time`.
    pub fn rest(&mut self, time: Duration) {
        let Some(step) = &mut self.step else {
            if !time.is_zero() {
                std::thread::sleep(time);
            }
            return;
        };
        let (began, used) = (Instant::now(), clock::thread_time());
        while let Some(left) = time.checked_sub(began.elapsed()).filter(|left| !left.is_zero()) {
            std::thread::sleep(left.min(PERIOD));
            step.run();
        }
        self.cost = self.cost.and(since(began, used));
    }
}

fn since(began: Instant, used: Duration) -> Cost {
    Cost { waited: began.elapsed(), used: clock::thread_time().saturating_sub(used) }
}

/// Returns true if there is data to read within one period.
fn readable(stream: &TcpStream) -> Result<bool, Error> {
    let period = Timespec { tv_sec: 0, tv_nsec: i64::from(PERIOD.subsec_nanos()) };
    let mut waiting = [PollFd::from_borrowed_fd(stream.as_fd(), PollFlags::IN)];
    match poll(&mut waiting, Some(&period)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(errno) => Err(Error::system("waiting for the socket")(errno.into())),
    }
}
