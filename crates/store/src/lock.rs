//! One owner at a time: the lock file, and who holds it.

use crate::env::{Env, File, read_up_to, write_all};
use crate::error::{Call, Errno, Holder, StoreError};
use std::path::Path;
use std::time::Duration;

/// File name of the lock.
pub const NAME: &str = "lock";

/// A held lock; released when dropped (or when the process ends, in whatever way).
pub struct Lock {
    _file: Box<dyn File>,
}

/// Takes the lock of a store directory, waiting up to `wait`.
pub fn take(env: &dyn Env, dir: &Path, wait: Duration) -> Result<Lock, StoreError> {
    let path = dir.join(NAME);
    let file = env.open(&path).map_err(|e| match e {
        Errno::NOT_FOUND => StoreError::NotAStore,
        e => StoreError::io(Call::Open)(e),
    })?;
    wait_for(env, &*file, wait, || holder(&*file))?;
    sign(env, &*file)?;
    Ok(Lock { _file: file })
}

/// Polls the lock of `file` until `wait` is over, and for 5 ms at least: somebody who only looks at the store (`peek`) holds the lock for an
/// instant.
pub fn wait_for(
    env: &dyn Env,
    file: &dyn File,
    wait: Duration,
    holder: impl Fn() -> Option<Holder>,
) -> Result<(), StoreError> {
    let end = env.monotonic() + wait.max(Duration::from_millis(5));
    let mut pause = Duration::from_micros(200);
    while !file.try_lock().map_err(StoreError::io(Call::Lock))? {
        let now = env.monotonic();
        if now >= end {
            return Err(StoreError::Busy { holder: holder() });
        }
        env.sleep(pause.min(end - now));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    Ok(())
}

/// Who holds the lock of a store directory, by its own word. `None`: nobody, or not readable.
pub fn who(env: &dyn Env, dir: &Path) -> Option<Holder> {
    let file = env.open(&dir.join(NAME)).ok()?;
    if file.try_lock().ok()? { None } else { holder(&*file) }
}

fn holder(file: &dyn File) -> Option<Holder> {
    let mut bytes = [0; 128];
    let n = read_up_to(file, &mut bytes, 0).ok()?;
    let text = std::str::from_utf8(bytes[..n].split(|b| *b == 0).next()?).ok()?;
    let mut words = text.split_whitespace();
    Some(Holder {
        pid: words.next()?.parse().ok()?,
        since_ms: words.next()?.parse().ok()?,
        host: words.next()?.into(),
    })
}

fn sign(env: &dyn Env, file: &dyn File) -> Result<(), StoreError> {
    let text = format!("{} {} {}\n", env.pid(), env.wall_ms(), env.host());
    let mut bytes = [0; 128];
    let n = text.len().min(127);
    bytes[..n].copy_from_slice(&text.as_bytes()[..n]);
    write_all(file, &bytes, 0)
}
