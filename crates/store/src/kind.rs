//! Detection of a file's kind by its first bytes, for errors about a file in the wrong place.

use crate::env::{File, read_up_to};
use crate::error::{FileKind, StoreError};
use crate::record::{FORM, Record, get_u64};
use std::path::Path;

/// Number of bytes from which the kind of a file is determined.
const FRONT: usize = 512;

/// First bytes of a slot of a store's guard that names its files.
pub(crate) const BOUND: &[u8; 8] = b"HASTENG3";
/// First bytes of a slot of a store's guard that does not name its files.
pub(crate) const STORE: &[u8; 8] = b"HASTENG2";
/// First bytes of a slot of the guard of a fleet's signer. Older versions wrote [`STORE`].
pub(crate) const SIGNER: &[u8; 8] = b"HASTENS1";

/// First bytes of files, each with the kind that they indicate.
const FRONTS: [(&[u8], FileKind); 20] = [
    (BOUND, FileKind::Guard),
    (STORE, FileKind::Guard),
    (b"HASTENGD", FileKind::Guard),
    (SIGNER, FileKind::SignerGuard),
    (b"HASTENLG", FileKind::Log),
    (b"HASTENST", FileKind::Stamp),
    (b"HASTENGR", FileKind::Grant),
    (b"HASTENSH", FileKind::Shard),
    (b"HASTENIM", FileKind::Import),
    (b"hasten-config ", FileKind::Config),
    (b"{\"index\":", FileKind::Signed),
    (b"hstnkey", FileKind::Secret),
    (b"hstncch", FileKind::Cache),
    (b"hstnlvs", FileKind::Leaves),
    (b"hstngrw", FileKind::Growth),
    (b"hstnprg", FileKind::Progress),
    (b"hstnsvc", FileKind::Service),
    (b"-----BEGIN PUBLIC KEY", FileKind::Public),
    (b"-----BEGIN ", FileKind::Pem),
    (b"HASTEN", FileKind::Unknown),
];

impl FileKind {
    /// Returns the kind of a file that begins with these bytes.
    pub fn of(front: &[u8]) -> FileKind {
        if front.is_empty() {
            return FileKind::Empty;
        }
        let known = FRONTS.iter().find(|(first, _)| front.starts_with(first));
        known.map_or_else(|| unmarked(front), |(_, kind)| *kind)
    }

    /// Returns the kind of an open file.
    ///
    /// # Errors
    /// A failed read.
    pub(crate) fn of_file(file: &dyn File) -> Result<FileKind, StoreError> {
        for at in [0, 4096] {
            let mut slot = [0; FRONT];
            if read_up_to(file, &mut slot, at)? > 0 && is_of_signer(&slot) {
                return Ok(FileKind::SignerGuard);
            }
        }
        let mut front = [0; FRONT];
        let n = read_up_to(file, &mut front, 0)?;
        Ok(FileKind::of(&front[..n]))
    }
}

/// Returns true if these are the first bytes of a slot of the guard of a fleet's signer. In a slot
/// of an older version the tag decides: the tag of a signer is a cluster id of 8 bytes, followed by
/// zeros; the tag of a store is a hash.
pub(crate) fn is_of_signer(slot: &[u8]) -> bool {
    let cluster_alone = slot[64..72] == [0; 8] && get_u64(slot, 24) > 0;
    slot.starts_with(SIGNER) || (slot.starts_with(STORE) && cluster_alone)
}

/// Returns true if a text has the form of a word in a witness cell.
fn is_word(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let hex = |part: &str| part.len() == 32 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = |part: &str| part.parse::<u64>().is_ok();
    match parts[..] {
        ["1", generation, tag, uses] => number(generation) && hex(tag) && number(uses),
        ["1", generation, tag, uses, mac] => {
            number(generation) && hex(tag) && number(uses) && hex(mac)
        }
        _ => false,
    }
}

/// Returns the kind of a file without a magic word.
fn unmarked(front: &[u8]) -> FileKind {
    let text = std::str::from_utf8(front).ok().map(str::trim_end);
    let begins = |bytes: &[u8; crate::record::RECORD]| {
        (1..=FORM).contains(&bytes[1]) && Record::decode_body(bytes).is_some_and(|r| r.seq == 1)
    };
    match text {
        Some(text) if is_word(text) => FileKind::Cell,
        _ if front.first_chunk().is_some_and(begins) => FileKind::Archive,
        _ => FileKind::Unknown,
    }
}

/// Returns the error for a file of the wrong kind.
pub(crate) fn stands_for(path: &Path, found: FileKind, expected: FileKind) -> StoreError {
    StoreError::OtherKind { file: path.to_owned(), found, expected }
}

/// Returns an error if the first bytes of a file are those of a kind other than `expected`. A file
/// of an unknown kind may be a damaged one, so its reader judges it.
pub(crate) fn must_not_be_other(
    file: &dyn File,
    path: &Path,
    expected: FileKind,
) -> Result<(), StoreError> {
    match FileKind::of_file(file)? {
        FileKind::Empty | FileKind::Unknown => Ok(()),
        found if found == expected => Ok(()),
        found => Err(stands_for(path, found, expected)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_name_the_kind() {
        for (front, kind) in FRONTS {
            assert_eq!(FileKind::of(front), kind);
        }
        assert_eq!(FileKind::of(b""), FileKind::Empty);
        assert_eq!(FileKind::of(b"hello"), FileKind::Unknown);
        let word = b"1.7.00000000000000000000000000000001.3\n";
        assert_eq!(FileKind::of(word), FileKind::Cell);
    }
}
