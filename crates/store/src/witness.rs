//! An outside witness: a cell that no copy of this machine's disks or memory takes back in time.
//!
//! Without one a clone of the whole machine (disks, guard and all) cannot be detected, and
//! [`Status`](crate::Status) says so. [`ExecCell`] and [`FileCell`] keep one; any other [`Cell`]
//! becomes a witness as a [`CellWitness`].

mod cell;
#[cfg(unix)]
mod exec;
#[cfg(unix)]
mod file;

#[cfg(test)]
pub(crate) use cell::LONGEST;
pub use cell::{Cell, CellWitness, MacKey, is_word};
pub(crate) use cell::{signed_body, with_mac};
#[cfg(unix)]
pub use exec::{ExecCell, Trouble};
#[cfg(unix)]
pub use file::FileCell;

use crate::error::StoreError;
use crate::record::Tag;
use std::io::Read;
use std::time::Duration;

/// The content of a witness: 32 bytes are enough (generation, tag, uses).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Generation of the newest commit.
    pub generation: u64,
    /// Tag of that commit, which tells two histories apart.
    pub tag: Tag,
    /// Confirmations since that commit.
    pub uses: u64,
}

/// A cell outside the machine with compare-and-set: etcd, a token, an NV index of a TPM that is not
/// virtual.
pub trait Witness: Send + Sync {
    /// Returns what it holds; `None` before the first `swap`.
    ///
    /// # Errors
    /// [`StoreError::WitnessUnreachable`] when it does not answer, [`StoreError::WitnessForeign`]
    /// when it holds what is no mark.
    fn read(&self) -> Result<Option<Mark>, StoreError>;

    /// Replaces `from` by `to` in one step; `false` if it does not hold `from`. Two callers with
    /// the same `from`: exactly one gets `true`.
    ///
    /// # Errors
    /// [`StoreError::WitnessUnreachable`] when the outcome is not known; it is never tried again.
    fn swap(&self, from: Option<&Mark>, to: &Mark) -> Result<bool, StoreError>;

    /// Returns how long a reserved interval may be used before it is confirmed again. A copy of the
    /// running machine (memory and all) made within the lease is not detected before it ends; zero
    /// confirms before every use.
    fn lease(&self) -> Duration;
}

/// The machine's identity: changes when the machine is cloned or put back to a snapshot, and at no
/// other time.
pub trait Machine: Send + Sync {
    /// Returns the identity now, not all zero.
    ///
    /// # Errors
    /// [`StoreError::MachineUnreadable`] when it cannot be read.
    fn identity(&self) -> Result<[u8; 16], StoreError>;
}

/// A machine identity read from a file that the hypervisor keeps (a VM generation id): up to 4 KiB.
#[derive(Clone, Debug)]
pub struct IdentityFile(pub std::path::PathBuf);

/// An identity is no longer than this, in bytes.
const LONGEST_IDENTITY: u64 = 4096;

impl Machine for IdentityFile {
    fn identity(&self) -> Result<[u8; 16], StoreError> {
        let unreadable = |_| StoreError::MachineUnreadable;
        // A pipe would be waited for.
        if !std::fs::metadata(&self.0).map_err(unreadable)?.is_file() {
            return Err(StoreError::MachineUnreadable);
        }
        let mut text = Vec::new();
        let file = std::fs::File::open(&self.0).map_err(unreadable)?;
        file.take(LONGEST_IDENTITY + 1).read_to_end(&mut text).map_err(unreadable)?;
        match text.len() as u64 {
            1..=LONGEST_IDENTITY => Ok(crate::record::chain(&[1; 16], &text)),
            _ => Err(StoreError::MachineUnreadable),
        }
    }
}
