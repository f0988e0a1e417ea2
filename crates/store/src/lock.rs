//! One owner at a time: the lock file, and who holds it.

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

/// A held lock and the session file beside it; released when dropped (or when the process ends, in
/// whatever way). The file goes before the lock.
pub struct Lock {
    pub session: SessionFile,
    _file: Locked,
}

/// A file whose lock ends when its owner drops it, though a child of a fork has the file too. That
/// child lets nothing go.
struct Locked {
    env: Arc<dyn Env>,
    owner: Owner,
    file: Box<dyn File>,
}

impl Drop for Locked {
    fn drop(&mut self) {
        if self.owner.check(&*self.env).is_ok() {
            // A lock that cannot be let go goes with the last copy of its file.
            let _ = self.file.unlock();
        }
    }
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
    let file = match env.open(&path) {
        // Whoever holds the lock of a file that was removed holds that of the guard as well.
        Err(Errno::NOT_FOUND) if has_files(&**env, dir) => env.create(&path),
        file => file,
    };
    let file = file.map_err(StoreError::opening(&path))?;
    // Who holds it is told as far as it can be read: it is refused in any case.
    wait_for(&**env, &*file, wait, || holder(&*file).ok().flatten())?;
    let weak = !place::of(&**env, dir)?.locks_hold();
    let session = wait_for_session(env, wait, || session::take(env, dir, weak, forced))?;
    sign(&**env, &*file)?;
    let (env, owner) = (Arc::clone(env), Owner::new(&**env));
    Ok(Lock { session, _file: Locked { env, owner, file } })
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

/// Returns who holds the lock of a store directory, by its own word. `None`: nobody, or its word
/// says nothing.
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

/// Reads the line that [`sign`] writes.
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
