//! One owner at a time: the lock file, and who holds it.

mod session;

use crate::env::{Env, File, read_up_to, write_all};
use crate::error::{Call, Holder, StoreError};
use crate::place;
use session::SessionFile;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// File name of the lock.
pub const NAME: &str = "lock";

/// A held lock and the session file beside it; released when dropped (or when the process ends, in
/// whatever way). The file goes before the lock.
pub struct Lock {
    pub session: SessionFile,
    _file: Box<dyn File>,
}

/// Takes the lock of a store directory, waiting up to `wait`. `forced`: sets aside the file of a
/// session that may not have ended.
pub fn take(
    env: &Arc<dyn Env>,
    dir: &Path,
    wait: Duration,
    forced: bool,
) -> Result<Lock, StoreError> {
    let path = dir.join(NAME);
    let file = env.open(&path).map_err(StoreError::opening(&path))?;
    wait_for(&**env, &*file, wait, || holder(&*file))?;
    let weak = !place::of(&**env, dir)?.locks_hold();
    let session = wait_for_session(env, wait, || session::take(env, dir, weak, forced))?;
    sign(&**env, &*file)?;
    Ok(Lock { session, _file: file })
}

/// Asks again until `wait` is over: where locks do not hold, the session file alone says who comes
/// when.
fn wait_for_session(
    env: &Arc<dyn Env>,
    wait: Duration,
    take: impl Fn() -> Result<SessionFile, StoreError>,
) -> Result<SessionFile, StoreError> {
    let end = env.monotonic() + wait;
    loop {
        let taken = take();
        if env.monotonic() >= end || !matches!(taken, Err(StoreError::OtherSession { .. })) {
            return taken;
        }
        env.sleep(Duration::from_millis(20));
    }
}

/// Polls the lock of `file` until `wait` is over, and for 5 ms at least: somebody who only looks at
/// the store (`peek`) holds the lock for an instant.
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

/// Returns who holds the lock of a store directory, by its own word. `None`: nobody, or not
/// readable.
pub fn who(env: &dyn Env, dir: &Path) -> Option<Holder> {
    let file = env.open_read(&dir.join(NAME)).ok()?;
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
