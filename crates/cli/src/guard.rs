//! Where the guard of a new key lies.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::output::hex;

/// Returns where the guard of a new key lies if nothing is said: outside the key, in the user's
/// state.
pub fn default(dir: &Path) -> Result<PathBuf, Error> {
    let home = |name: &str| std::env::var_os(name).filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let state = home("XDG_STATE_HOME").or_else(|| home("HOME").map(|dir| dir.join(".local/state")));
    let guards = state.ok_or(Error::NoHome)?.join("hasten/guards");
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&guards);
    made.map_err(|cause| Error::File { path: guards.clone(), doing: "making", cause })?;
    let whole = std::path::absolute(dir).map_err(Error::system("finding the key's directory"))?;
    Ok(guards.join(file_name(&whole)))
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
