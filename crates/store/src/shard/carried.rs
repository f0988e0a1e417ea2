//! Export of a shard to a file.
//!
//! The file begins with a header of 120 bytes. It describes the range and has the id of the store
//! that will be created from the file. The layer above writes the rest. The order is that of every
//! give-away. First the header becomes durable under a temporary name. Then the range is given
//! away. Then the new store is named in the state of this store ([`Store::release_to_file`]). Only
//! then the rest is written and the file gets its final name. Therefore this store can never sign
//! with indices of a file that can be imported.
//!
//! The same command finishes an interrupted export. As long as the temporary file exists, no
//! complete file ever existed. If neither the temporary nor the complete file is in its place, the
//! complete file was taken away, and is not written a second time.

use super::{Grant, Offer, Unfinished};
use crate::blob::{erase_from, read_beside};
use crate::env::{Env, absolute, parent, random_id, read_up_to, sync, write_all};
use crate::error::{Call, Errno, StoreError};
use crate::files::remove_if_there;
use crate::identity::Identity;
use crate::options::Options;
use crate::record::{Kind, get_u64, put_u64};
use crate::state::{State, bytes16, bytes32};
use crate::store::{Change, Store};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"HASTENSH";
/// Length of a header, in bytes.
const HEAD: usize = 120;

/// Description of an exported shard: its range, its key, and the one store that it will become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    pub(super) range: Range<u64>,
    pub(super) identity: Identity,
    pub(super) store_id: [u8; 16],
    pub(super) capacity: u64,
    pub(super) sectors: u32,
    pub(super) threshold: u64,
    pub(super) records: u64,
}

impl Carried {
    /// Length of the header of a shard file, in bytes.
    pub const HEAD: usize = HEAD;

    /// Returns the range of indices.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the identity of the key.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Returns the number of indices of the whole key.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Returns the sectors that the range touches.
    pub fn sectors(&self) -> Range<u32> {
        let size = self.capacity / u64::from(self.sectors);
        (self.range.start / size) as u32..self.range.end.div_ceil(size) as u32
    }

    /// Returns the header of the file.
    pub fn encode(&self) -> [u8; HEAD] {
        let mut out = [0; HEAD];
        out[..8].copy_from_slice(MAGIC);
        out[8..24].copy_from_slice(&self.identity.key_id);
        out[24..56].copy_from_slice(&self.identity.public);
        out[56..72].copy_from_slice(&self.store_id);
        let Range { start, end } = self.range;
        let sectors = u64::from(self.sectors);
        let numbers = [start, end, self.capacity, sectors, self.threshold, self.records];
        for (slot, value) in numbers.into_iter().enumerate() {
            put_u64(&mut out, 72 + 8 * slot, value);
        }
        out
    }

    /// Parses the header of a file. Returns `None` if there is no header, or if its values are
    /// invalid.
    pub fn decode(file: &[u8]) -> Option<Carried> {
        let head: &[u8; HEAD] = file.first_chunk()?;
        let number = |slot: usize| get_u64(head, 72 + 8 * slot);
        let carried = Carried {
            range: number(0)..number(1),
            identity: Identity { key_id: bytes16(head, 8), public: bytes32(head, 24) },
            store_id: bytes16(head, 56),
            capacity: number(2),
            sectors: u32::try_from(number(3)).ok()?,
            threshold: number(4),
            records: number(5),
        };
        (head.starts_with(MAGIC) && carried.can_be()).then_some(carried)
    }

    /// Returns true if a file begins like a shard file.
    pub fn is_begun(file: &[u8]) -> bool {
        file.starts_with(MAGIC)
    }

    fn can_be(&self) -> bool {
        let Range { start, end } = self.range;
        start < end
            && end <= self.capacity
            && self.threshold <= end - start
            && self.sectors.is_power_of_two()
            && self.capacity.is_multiple_of(self.sectors.into())
            && (8..=1 << 16).contains(&self.records)
            && self.store_id != super::grant::NOBODY
    }

    /// Returns true if a store with this state is the shard, and nothing in it was reserved, given
    /// away or retired yet.
    pub(super) fn is_untouched(&self, state: &State) -> bool {
        let Range { start, end } = self.range;
        let range = (state.start, state.next, state.end, state.top) == (start, start, end, end);
        range && state.identity() == self.identity && !state.retired
    }
}

/// The file to which a shard is exported, until it has its final name.
pub struct ShardFile {
    env: Arc<dyn Env>,
    path: PathBuf,
    partial: PathBuf,
}

impl ShardFile {
    /// Creates the file under its temporary name, durably, with only the header.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the final name is taken, [`StoreError::Exposed`] if others can
    /// read the file, and every failed call.
    pub fn begin(&self, carried: &Carried) -> Result<(), StoreError> {
        self.must_be_free()?;
        let env = &*self.env;
        remove_if_there(env, &self.partial)?;
        let io = |call: Call| move |e| StoreError::io(call)(e).at(&self.partial);
        let file = env.create(&self.partial).map_err(io(Call::Open))?;
        let mode = env.stat(&self.partial).map_err(io(Call::Stat))?.mode;
        if mode & 0o077 != 0 {
            drop(file);
            remove_if_there(env, &self.partial)?;
            return Err(StoreError::Exposed { path: self.path.clone(), mode, most: 0o700 });
        }
        write_all(&*file, &carried.encode(), 0)?;
        sync(&*file)?;
        env.sync_dir(parent(&self.partial)).map_err(StoreError::io(Call::SyncDir))
    }

    /// Returns the shard of an unfinished give-away, if its file exists here, complete or not.
    ///
    /// # Errors
    /// A failed read.
    pub fn find(&self, unfinished: &Unfinished) -> Result<Option<Carried>, StoreError> {
        let Unfinished::Released { range, store_id } = unfinished else { return Ok(None) };
        let ours = |found: &Carried| found.range == *range && found.store_id == *store_id;
        for path in [&self.path, &self.partial] {
            let mut head = [0; HEAD];
            match self.env.open_read(path) {
                Ok(file) => read_up_to(&*file, &mut head, 0)?,
                Err(Errno::NOT_FOUND) => continue,
                Err(e) => return Err(StoreError::io(Call::Open)(e).at(path)),
            };
            if let Some(carried) = Carried::decode(&head).filter(ours) {
                return Ok(Some(carried));
            }
        }
        Ok(None)
    }

    /// Returns true if the file has its final name and is therefore complete.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if another file has that name; a failed read.
    pub fn is_named(&self, carried: &Carried) -> Result<bool, StoreError> {
        match read_beside(&*self.env, &self.path)? {
            None => Ok(false),
            Some(file) if file.starts_with(&carried.encode()) => Ok(true),
            Some(_) => Err(StoreError::Exists),
        }
    }

    /// Writes the complete file, which begins with the header, and gives it its final name,
    /// durably.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the final name is taken, and every failed call.
    pub fn finish(self, whole: &[u8]) -> Result<(), StoreError> {
        let env = &*self.env;
        let io = |call: Call| move |e| StoreError::io(call)(e);
        let file = env.open(&self.partial).map_err(|e| io(Call::Open)(e).at(&self.partial))?;
        write_all(&*file, whole, 0)?;
        file.set_size(whole.len() as u64).map_err(io(Call::Write))?;
        sync(&*file)?;
        self.must_be_free()?;
        env.rename(&self.partial, &self.path).map_err(|e| io(Call::Rename)(e).at(&self.path))?;
        env.sync_dir(parent(&self.path)).map_err(io(Call::SyncDir))
    }

    fn must_be_free(&self) -> Result<(), StoreError> {
        match self.env.stat(&self.path) {
            Err(Errno::NOT_FOUND) => Ok(()),
            Err(e) => Err(StoreError::io(Call::Stat)(e).at(&self.path)),
            Ok(_) => Err(StoreError::Exists),
        }
    }
}

impl Store {
    /// Returns the shard file for an export of this store to the path `to`. Nothing is created yet.
    ///
    /// # Errors
    /// A failed call.
    pub fn shard_file(&self, to: &Path) -> Result<ShardFile, StoreError> {
        let path = absolute(&*self.env, to)?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        let id = self.state.store_id[..4].iter().map(|byte| format!("{byte:02x}"));
        name.push(format!(".{}.partial", id.collect::<String>()));
        Ok(ShardFile { env: Arc::clone(&self.env), partial: path.with_file_name(name), path })
    }

    /// Describes an offered range as a shard for export to a file, and chooses the id of its store.
    ///
    /// # Errors
    /// The system provided no random bytes.
    pub fn carry(&self, Offer(grant): &Offer) -> Result<Carried, StoreError> {
        self.carry_granted(grant)
    }

    /// Describes a range that was already given away, as [`Store::carry`] describes an offered one.
    ///
    /// # Errors
    /// As [`Store::carry`].
    pub fn carry_granted(&self, grant: &Grant) -> Result<Carried, StoreError> {
        let (store_id, identity) = (random_id(&*self.env)?, *grant.identity);
        let Grant { capacity, sectors, threshold, records, .. } = *grant;
        Ok(Carried {
            range: grant.range(),
            identity,
            store_id,
            capacity,
            sectors,
            threshold,
            records,
        })
    }

    /// Names, durably, the store that gets the secret of the granted range: the store that will be
    /// created from the file. From then on no other store gets it.
    ///
    /// # Errors
    /// [`StoreError::OtherGrant`] if `carried` does not describe the grant, and a failed write.
    pub fn release_to_file(&mut self, grant: Grant, carried: &Carried) -> Result<(), StoreError> {
        let range = grant.range();
        if carried.range != range || carried.identity != *grant.identity {
            return Err(StoreError::OtherGrant);
        }
        self.write_grant(&range, carried.store_id)?;
        self.commit(&[Change::new(Kind::Adopt, range.start, range.end - range.start)])
    }
}

impl Options {
    /// Overwrites the file of an imported shard with zeros, except for its header, and removes it,
    /// durably. If the file cannot be opened for writing, does nothing and returns false.
    ///
    /// # Errors
    /// A failed call.
    pub fn erase_carried(&self, path: &Path) -> Result<bool, StoreError> {
        let Ok(file) = self.env.open(path) else { return Ok(false) };
        let io = |call: Call| move |e| StoreError::io(call)(e).at(path);
        erase_from(&*file, HEAD as u64)?;
        self.env.remove(path).map_err(io(Call::Remove))?;
        self.env.sync_dir(parent(path)).map_err(io(Call::SyncDir))?;
        Ok(true)
    }
}
