//! Where the guard of a new key lies.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hasten_store::{Options, UserFolder};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::output::hex;

/// Returns where the guard of a new key lies if nothing is said: outside the key, in the user's
/// state.
pub fn default(dir: &Path) -> Result<PathBuf, Error> {
    let guards = Options::new().state_folder("guards", &|name| std::env::var_os(name));
    let guards = guards.map_err(|why| Error::NoStateFolder { holds: "guard", why })?;
    let whole = std::path::absolute(dir).map_err(Error::system("finding the key's directory"))?;
    Ok(guards.join(file_name(&whole)))
}

/// Returns where the guard of a new key in `dir` lies: as named, with the folders above it made, or
/// else the default.
pub fn of_new(named: Option<&Path>, dir: &Path) -> Result<PathBuf, Error> {
    let Some(named) = named else { return default(dir) };
    crate::files::make_folders_above(named)?;
    Ok(named.to_owned())
}

/// Makes the folder of the guard at `guard` again where it is the one in the user's state: it was
/// lost with the home.
pub fn make_folder_again(guard: &Path) -> Result<(), Error> {
    let variable = |name: &str| std::env::var_os(name);
    let guards = UserFolder::State.path(&variable).map(|state| state.join("hasten/guards"));
    if guards.is_none() || guard.parent() != guards.as_deref() {
        return Ok(());
    }
    let made = Options::new().state_folder("guards", &variable);
    made.map(drop).map_err(|why| Error::NoStateFolder { holds: "guard", why })
}

/// Returns the key's own name and a hash of its whole path: two keys share none, and no path is too
/// long.
fn file_name(whole: &Path) -> String {
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = name.chars().take(32).map(plain).collect();
    let digest = Sha256::digest(whole.as_os_str().as_bytes());
    format!("{name}-{}.guard", hex(&digest[..16]))
}
