//! How a side of a channel waits, and the core it runs on.

use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::error::{BadValue, Channel, Error};
use crate::units;

/// The time to wait for a key, if none is named.
const USUAL: Duration = Duration::from_secs(5);

/// How a side waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wait {
    /// Asks again and again; one core is busy.
    Spin,
    /// Sleeps until something comes.
    Block,
}

/// How long to wait for a key that another process holds; where `publish` has a way to wait for
/// messages instead, the time is the usual one.
#[derive(Clone, Copy, Debug)]
pub enum ForKey {
    Time(Duration),
    Messages(Wait),
}

impl ForKey {
    /// Returns the time to wait for the key.
    pub fn time(self) -> Duration {
        match self {
            Self::Time(time) => time,
            Self::Messages(_) => USUAL,
        }
    }

    /// Returns the way to wait for messages, if that was said.
    pub fn messages(self) -> Option<Wait> {
        match self {
            Self::Time(_) => None,
            Self::Messages(wait) => Some(wait),
        }
    }
}

impl Default for ForKey {
    fn default() -> Self {
        Self::Time(Duration::ZERO)
    }
}

/// Reads a time.
pub fn for_key(text: &str) -> Result<ForKey, BadValue> {
    units::time(text).map(ForKey::Time)
}

/// Reads a time, or a way to wait for messages.
pub fn for_key_or_messages(text: &str) -> Result<ForKey, BadValue> {
    let way = Wait::from_str(text, false);
    way.map(ForKey::Messages)
        .or_else(|_| for_key(text))
        .map_err(|_| BadValue::Wait(text.to_owned()))
}

/// The core of the thread that waits.
#[derive(clap::Args)]
pub struct Core {
    /// Core to wait on, by its number; other threads of the process keep off it.
    #[arg(long, value_name = "N")]
    cpu: Option<usize>,
}

impl Core {
    /// Keeps the calling thread, and all that it starts, off the core that was asked for. Where the
    /// process has no other core they share it.
    ///
    /// # Errors
    /// `NoCore` when the process may not use that core.
    pub fn keep_off(&self) -> Result<(), Error> {
        let Some(core) = self.cpu else { return Ok(()) };
        let mut others = cores::allowed().ok_or(Error::Channel(Channel::NoCore(core)))?;
        if !others.contains(&core) {
            return Err(Error::Channel(Channel::NoCore(core)));
        }
        others.retain(|other| *other != core);
        if others.is_empty() { Ok(()) } else { cores::tie(&others) }
    }

    /// Ties the calling thread to the core that was asked for. Threads that it starts afterwards
    /// run there too.
    ///
    /// # Errors
    /// The system's.
    pub fn pin(&self) -> Result<(), Error> {
        self.cpu.map_or(Ok(()), |core| cores::tie(&[core]))
    }
}

#[cfg(target_os = "linux")]
mod cores {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use crate::error::Error;

    /// Returns the cores that the calling thread may use.
    pub fn allowed() -> Option<Vec<usize>> {
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect())
    }

    /// Ties the calling thread to `cores`.
    pub fn tie(cores: &[usize]) -> Result<(), Error> {
        let mut set = CpuSet::new();
        cores.iter().for_each(|core| set.set(*core));
        sched_setaffinity(None, &set)
            .map_err(std::io::Error::from)
            .map_err(Error::system("choosing the core"))
    }
}

#[cfg(not(target_os = "linux"))]
mod cores {
    use crate::error::Error;

    /// Returns nothing: no thread can be tied here.
    pub fn allowed() -> Option<Vec<usize>> {
        None
    }

    pub fn tie(_cores: &[usize]) -> Result<(), Error> {
        Ok(())
    }
}

/// Waits until `due`, or until `came` gives something. Asks again and again.
pub fn spin<T>(due: Instant, mut came: impl FnMut() -> Option<T>) -> Option<T> {
    loop {
        if let Some(something) = came() {
            return Some(something);
        }
        if Instant::now() >= due {
            return None;
        }
        std::hint::spin_loop();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_is_for_the_key_and_a_way_for_messages() {
        let read = |text| for_key_or_messages(text).map(|wait| (wait.time(), wait.messages()));
        assert_eq!(read("9s").unwrap(), (Duration::from_secs(9), None));
        assert_eq!(read("spin").unwrap(), (USUAL, Some(Wait::Spin)));
        assert_eq!(read("block").unwrap(), (USUAL, Some(Wait::Block)));
        assert!(read("soon").is_err() && for_key("spin").is_err());
    }

    #[test]
    fn a_core_that_is_not_there_is_refused() {
        let core = Core { cpu: Some(100_000) };
        assert!(matches!(core.keep_off(), Err(Error::Channel(Channel::NoCore(100_000)))));
    }

    #[test]
    fn a_thread_is_tied_to_its_core_and_the_others_keep_off() {
        let all = cores::allowed().unwrap();
        let core = Core { cpu: Some(all[0]) };
        let run = move || {
            core.keep_off().unwrap();
            let others = cores::allowed().unwrap();
            core.pin().unwrap();
            (others, cores::allowed().unwrap())
        };
        let (others, own) = std::thread::spawn(run).join().unwrap();
        assert_eq!(own, [all[0]]);
        assert_eq!(others.contains(&all[0]), all.len() == 1);
    }

    #[test]
    fn spinning_ends_with_what_came_or_in_time() {
        let now = Instant::now();
        let mut asked = 0;
        let third = || {
            asked += 1;
            (asked == 3).then_some(asked)
        };
        assert_eq!(spin(now + Duration::from_secs(60), third), Some(3));
        assert_eq!(spin(now, || None::<()>), None);
    }
}
