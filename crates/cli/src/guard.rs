//! Location of the guard of a new key.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hasten_store::{Options, UserFolder};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::output::hex;

/// Returns the default path of a new key's guard: outside the key, in the user's state directory.
pub fn default(dir: &Path) -> Result<PathBuf, Error> {
    let guards = Options::new().state_folder("guards", &|name| std::env::var_os(name));
    let guards = guards.map_err(|why| Error::NoStateFolder { holds: "guard", why })?;
    let whole = std::path::absolute(dir).map_err(Error::system("finding the key's directory"))?;
    Ok(guards.join(file_name(&whole)))
}

/// Returns the path of the guard for a new key in `dir`: `named`, whose missing folders are made,
/// or the default.
pub fn of_new(named: Option<&Path>, dir: &Path) -> Result<PathBuf, Error> {
    let Some(named) = named else { return default(dir) };
    crate::files::make_folders_above(named)?;
    Ok(named.to_owned())
}

/// Makes the folder of guards in the user's state directory again if `guard` belongs there. It may
/// have been lost with the home directory.
pub fn make_folder_again(guard: &Path) -> Result<(), Error> {
    let variable = |name: &str| std::env::var_os(name);
    let guards = UserFolder::State.path(&variable).map(|state| state.join("hasten/guards"));
    if guards.is_none() || guard.parent() != guards.as_deref() {
        return Ok(());
    }
    let made = Options::new().state_folder("guards", &variable);
    made.map(drop).map_err(|why| Error::NoStateFolder { holds: "guard", why })
}

/// Returns the file name of a guard: the key's own name and a hash of its whole path. So no two
/// keys share a name, and no name is too long.
fn file_name(whole: &Path) -> String {
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = name.chars().take(32).map(plain).collect();
    let digest = Sha256::digest(whole.as_os_str().as_bytes());
    format!("{name}-{}.guard", hex(&digest[..16]))
}
