//! The session file. It is created with `O_EXCL` next to the lock, so that a second session is
//! refused even on a file system that grants the lock to both, as some shared file systems do.
//!
//! The file is removed when its session ends. A file left by a crash is taken over:
//! - where locks are reliable, by the holder of the lock, if the other session relied on locks too;
//! - elsewhere only if its process has certainly ended ([`Env::has_ended`]), or after an override.
//!
//! Where locks are not reliable, a process that takes over a session first creates a file with the
//! id of that session in its name, also with `O_EXCL`. Of two processes that take over the same
//! session, one is therefore refused.

use crate::env::{Env, random_id, read_up_to, write_all};
use crate::error::{Call, Errno, Holder, StoreError};
use crate::owner::Owner;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// File name of the session file.
pub const NAME: &str = "session";
const LIMIT: usize = 512;

/// The session file of this session; removed when dropped.
pub struct SessionFile {
    env: Arc<dyn Env>,
    path: PathBuf,
    text: Vec<u8>,
    owner: Owner,
    weak: bool,
    /// True if an override set aside the file of another session.
    pub displaced: bool,
}

/// The content of a session file.
struct Found {
    bytes: Vec<u8>,
    holder: Option<Holder>,
    id: Option<String>,
    /// True if its session relied on locks.
    locked: bool,
    mark: String,
}

/// Creates the session file in `dir`, whose lock is held. `weak` is true if locks are not reliable
/// there.
pub fn take(
    env: &Arc<dyn Env>,
    dir: &Path,
    weak: bool,
    forced: bool,
) -> Result<SessionFile, StoreError> {
    let path = dir.join(NAME);
    let text = describe(&**env, weak)?;
    let (mut claim, mut displaced) = (None, false);
    for _ in 0..2 {
        match env.create(&path) {
            Ok(file) => {
                write_all(&*file, &text, 0).map_err(|e| e.at(&path))?;
                claim.as_deref().map_or(Ok(()), |claim| remove(&**env, claim))?;
                let (env, owner) = (Arc::clone(env), Owner::new(&**env));
                return Ok(SessionFile { env, path, text, owner, weak, displaced });
            }
            Err(Errno::EXISTS) => (claim, displaced) = set_aside(&**env, &path, weak, forced)?,
            Err(errno) => return Err(StoreError::io(Call::Open)(errno).at(&path)),
        }
    }
    Err(StoreError::OtherSession { holder: read(&**env, &path)?.holder, file: path })
}

/// Returns the content of a session file: `PID SINCE HOST ID locked|shared MARK`, on one line.
fn describe(env: &dyn Env, weak: bool) -> Result<Vec<u8>, StoreError> {
    let id = random_id(env)?;
    let id: String = id.iter().map(|b| format!("{b:02x}")).collect();
    let host: String = env.host().chars().take(64).filter(|c| !c.is_whitespace()).collect();
    let (kind, host) =
        (if weak { "shared" } else { "locked" }, if host.is_empty() { "?".into() } else { host });
    let text = format!("{} {} {host} {id} {kind} {}\n", env.pid(), env.wall_ms(), env.mark());
    Ok(text.into_bytes())
}

fn read(env: &dyn Env, path: &Path) -> Result<Found, StoreError> {
    let mut bytes = vec![0; LIMIT];
    let n = match env.open_read(path) {
        Ok(file) => read_up_to(&*file, &mut bytes, 0)?,
        Err(Errno::NOT_FOUND) => 0,
        Err(errno) => return Err(StoreError::io(Call::Open)(errno).at(path)),
    };
    bytes.truncate(n);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let whole = text.ends_with('\n') && words.len() == 6;
    let plain = |id: &&str| id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit());
    Ok(Found {
        holder: whole.then(|| holder(&words)).flatten(),
        id: words.get(3).filter(|id| whole && plain(id)).map(|id| (*id).to_owned()),
        // An incomplete or unreadable file counts as one of a session that relied on locks, because
        // a crash cannot be distinguished from a short write.
        locked: !whole || words[4] != "shared",
        mark: words.get(5).map_or_else(String::new, |mark| (*mark).to_owned()),
        bytes,
    })
}

fn holder(words: &[&str]) -> Option<Holder> {
    let (pid, since_ms) = (words[0].parse().ok()?, words[1].parse().ok()?);
    Some(Holder { pid, since_ms, host: words[2].to_owned() })
}

/// Removes the file of a session that has ended, or returns an error. Returns the file that claims
/// the session, and whether only an override allowed this.
fn set_aside(
    env: &dyn Env,
    path: &Path,
    weak: bool,
    forced: bool,
) -> Result<(Option<PathBuf>, bool), StoreError> {
    let found = read(env, path)?;
    let ended = (!weak && found.locked) || env.has_ended(&found.mark);
    if !ended && !forced {
        return Err(StoreError::OtherSession { file: path.to_owned(), holder: found.holder });
    }
    let claim = if weak { claim(env, path, &found, forced)? } else { None };
    remove(env, path)?;
    Ok((claim, !ended))
}

/// Claims the right to remove this session's file. Only one caller gets it.
fn claim(
    env: &dyn Env,
    path: &Path,
    found: &Found,
    forced: bool,
) -> Result<Option<PathBuf>, StoreError> {
    let Some(id) = &found.id else { return Ok(None) };
    let claim = path.with_file_name(format!("{NAME}.{id}"));
    let refused = || StoreError::OtherSession { file: claim.clone(), holder: found.holder.clone() };
    match env.create(&claim) {
        Ok(_) => {}
        Err(Errno::EXISTS) if forced => {}
        Err(Errno::EXISTS) => return Err(refused()),
        Err(errno) => return Err(StoreError::io(Call::Open)(errno).at(&claim)),
    }
    if read(env, path)?.bytes == found.bytes {
        return Ok(Some(claim));
    }
    remove(env, &claim)?;
    Err(refused())
}

fn remove(env: &dyn Env, path: &Path) -> Result<(), StoreError> {
    match env.remove(path) {
        Ok(()) | Err(Errno::NOT_FOUND) => Ok(()),
        Err(errno) => Err(StoreError::io(Call::Remove)(errno).at(path)),
    }
}

impl SessionFile {
    /// Checks that the file still belongs to this session. Does nothing where locks are reliable.
    pub fn check(&self) -> Result<(), StoreError> {
        if !self.weak {
            return Ok(());
        }
        let found = read(&*self.env, &self.path)?;
        if found.bytes == self.text {
            return Ok(());
        }
        Err(StoreError::OtherSession { file: self.path.clone(), holder: found.holder })
    }

    /// Updates the path after the directory was renamed to `dir`.
    pub fn moved_to(&mut self, dir: &Path) {
        self.path = dir.join(NAME);
    }
}

impl Drop for SessionFile {
    // A forked child does not remove its parent's file.
    fn drop(&mut self) {
        let ours = || read(&*self.env, &self.path).is_ok_and(|found| found.bytes == self.text);
        if self.owner.check(&*self.env).is_ok() && ours() {
            let _ = self.env.remove(&self.path);
        }
    }
}
