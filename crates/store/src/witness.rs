//! An outside witness: a cell that is not reset when a copy of this machine's disks or memory is
//! restored.
//!
//! Without a witness, a clone of the whole machine (disks, guard and all) cannot be detected, and
//! [`Status`](crate::Status) says so. [`ExecCell`] and [`FileCell`] are two kinds of cells. A
//! [`CellWitness`] turns any [`Cell`] into a witness.

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

/// Content of a witness: 32 bytes are enough (generation, tag, uses).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Generation of the newest commit.
    pub generation: u64,
    /// Tag of that commit, which distinguishes two histories.
    pub tag: Tag,
    /// Number of confirmations since that commit.
    pub uses: u64,
}

/// A cell outside the machine with compare-and-set: etcd, a token, an NV index of a TPM that is not
/// virtual.
pub trait Witness: Send + Sync {
    /// Returns the mark that it holds; `None` before the first `swap`.
    ///
    /// # Errors
    /// [`StoreError::WitnessUnreachable`] if the witness does not answer,
    /// [`StoreError::WitnessForeign`] if it holds something other than a mark.
    fn read(&self) -> Result<Option<Mark>, StoreError>;

    /// Replaces `from` by `to` atomically. Returns false if it does not hold `from`. Of two callers
    /// with the same `from`, exactly one gets true.
    ///
    /// # Errors
    /// [`StoreError::WitnessUnreachable`] if the outcome is unknown. The swap is never tried again.
    fn swap(&self, from: Option<&Mark>, to: &Mark) -> Result<bool, StoreError>;

    /// Returns the time for which a reserved interval may be used before it is confirmed again. A
    /// copy of the running machine (including its memory) that is made within the lease is not
    /// detected before the lease ends. With zero every use is confirmed.
    fn lease(&self) -> Duration;
}

/// Source of the machine's identity. The identity changes when the machine is cloned or restored
/// from a snapshot, and at no other time.
pub trait Machine: Send + Sync {
    /// Returns the present identity, which is not all zero.
    ///
    /// # Errors
    /// [`StoreError::MachineUnreadable`] if it cannot be read.
    fn identity(&self) -> Result<[u8; 16], StoreError>;
}

/// A machine identity read from a file that the hypervisor keeps (a VM generation id): up to 4 KiB.
#[derive(Clone, Debug)]
pub struct IdentityFile(pub std::path::PathBuf);

/// Largest length of an identity, in bytes.
const LONGEST_IDENTITY: u64 = 4096;

impl Machine for IdentityFile {
    fn identity(&self) -> Result<[u8; 16], StoreError> {
        let unreadable = |_| StoreError::MachineUnreadable;
        // Opening a pipe would block.
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
