//! The lock file, which ensures that a store has one owner at a time.

mod session;

use crate::env::{Env, File, read_up_to, write_all};
use crate::error::{Call, Errno, Holder, StoreError};
use crate::files::has_files;
use crate::owner::Owner;
use crate::place;
use session::SessionFile;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// File name of the lock.
pub const NAME: &str = "lock";

/// A held lock and its session file. Both are released on drop, first the session file and then the
/// lock. The lock also ends with the process.
pub struct Lock {
    pub session: SessionFile,
    _file: Locked,
}

/// A file whose lock ends when its owner drops it, even if a forked child also has the file. The
/// child does not release the lock.
struct Locked {
    env: Arc<dyn Env>,
    owner: Owner,
    file: Box<dyn File>,
}

impl Drop for Locked {
    fn drop(&mut self) {
        if self.owner.check(&*self.env).is_ok() {
            // If this fails, the lock ends with the last copy of its file.
            let _ = self.file.unlock();
        }
    }
}

/// Takes the lock of a store directory, waiting up to `wait`. With `forced`, sets aside the file of
/// a session that may not have ended.
pub fn take(
    env: &Arc<dyn Env>,
    dir: &Path,
    wait: Duration,
    forced: bool,
) -> Result<Lock, StoreError> {
    let path = dir.join(NAME);
    let file = match env.open(&path) {
        // A process that holds the lock of a removed lock file also holds the lock of the guard.
        Err(Errno::NOT_FOUND) if has_files(&**env, dir) => env.create(&path),
        file => file,
    };
    let file = file.map_err(StoreError::opening(&path))?;
    // The holder is named if it can be read. The lock is refused in any case.
    wait_for(&**env, &*file, wait, || holder(&*file).ok().flatten())?;
    let weak = !place::of(&**env, dir)?.locks_hold();
    let session = wait_for_session(env, wait, || session::take(env, dir, weak, forced))?;
    sign(&**env, &*file)?;
    let (env, owner) = (Arc::clone(env), Owner::new(&**env));
    Ok(Lock { session, _file: Locked { env, owner, file } })
}

/// Retries until `wait` is over. Where locks are not reliable, only the session file excludes
/// another session.
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

/// Polls the lock of `file` until `wait` is over, and for at least 5 ms, because a process that
/// only looks at the store (`peek`) holds the lock for an instant.
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

/// Returns the holder of a store's lock, as it described itself. Returns `None` if the lock is free
/// or the description is unreadable.
pub fn who(env: &dyn Env, dir: &Path) -> Result<Option<Holder>, StoreError> {
    let path = dir.join(NAME);
    let file = match env.open_read(&path) {
        Err(Errno::NOT_FOUND) => return Ok(None),
        opened => opened.map_err(|e| StoreError::io(Call::Open)(e).at(&path))?,
    };
    let free = file.try_lock().map_err(|e| StoreError::io(Call::Lock)(e).at(&path))?;
    if free { Ok(None) } else { holder(&*file).map_err(|e| e.at(&path)) }
}

fn holder(file: &dyn File) -> Result<Option<Holder>, StoreError> {
    let mut bytes = [0; 128];
    let n = read_up_to(file, &mut bytes, 0)?;
    Ok(described(&bytes[..n]))
}

/// Parses the line that [`sign`] writes.
fn described(bytes: &[u8]) -> Option<Holder> {
    let text = std::str::from_utf8(bytes.split(|b| *b == 0).next()?).ok()?;
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
