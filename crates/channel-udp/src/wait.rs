//! The way in which a side of a channel waits, and the core on which it runs.

use std::time::{Duration, Instant};

use crate::Error;

/// Interval at which a side that sleeps checks whether it is to stop.
pub const LOOK: Duration = Duration::from_millis(50);

/// The way in which a side waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Polls continuously, which keeps one core busy.
    Spin,
    /// Sleeps until something arrives.
    Block,
}

/// Keeps the calling thread, and all threads that it starts, off `core`. If the process has no
/// other core, they share it.
///
/// # Errors
/// [`Error::NoCore`] if the process may not use that core.
pub fn keep_off(core: Option<usize>) -> Result<(), Error> {
    let Some(core) = core else { return Ok(()) };
    let mut others = cores::allowed().ok_or(Error::NoCore(core))?;
    if !others.contains(&core) {
        return Err(Error::NoCore(core));
    }
    others.retain(|other| *other != core);
    if others.is_empty() { Ok(()) } else { cores::tie(&others) }
}

/// Binds the calling thread to `core`. Threads that it starts afterwards run there too.
///
/// # Errors
/// The system's error.
pub fn pin(core: Option<usize>) -> Result<(), Error> {
    core.map_or(Ok(()), |core| cores::tie(&[core]))
}

#[cfg(target_os = "linux")]
mod cores {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use crate::Error;

    /// Returns the cores that the calling thread may use.
    pub fn allowed() -> Option<Vec<usize>> {
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect())
    }

    /// Binds the calling thread to `cores`.
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
    use crate::Error;

    /// Returns `None`, because threads cannot be bound to cores on this system.
    pub fn allowed() -> Option<Vec<usize>> {
        None
    }

    pub fn tie(_cores: &[usize]) -> Result<(), Error> {
        Ok(())
    }
}

/// Polls `came` until it returns a value, or until `due`.
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
    use super::*;

    #[test]
    fn a_core_that_is_not_there_is_refused() {
        assert!(matches!(keep_off(Some(100_000)), Err(Error::NoCore(100_000))));
    }

    #[test]
    fn a_thread_is_tied_to_its_core_and_the_others_keep_off() {
        let all = cores::allowed().unwrap();
        let core = Some(all[0]);
        let run = move || {
            keep_off(core).unwrap();
            let others = cores::allowed().unwrap();
            pin(core).unwrap();
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
