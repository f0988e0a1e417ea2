//! Files and directories of the simulated disk: shown content, durable content, pending changes.

use crate::Dice;
use crate::fault::Loss;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(crate) enum Change {
    Write(usize, Vec<u8>),
    Size(usize),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct FileNode {
    pub shown: Vec<u8>,
    pub durable: Vec<u8>,
    pub pending: Vec<Change>,
    pub locked_by: Option<u64>,
    /// Time of creation, and of the last change: as shown, and as stored on the disk.
    pub born_us: u64,
    pub changed_us: u64,
    pub kept_us: u64,
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Change::Size(size) => content.resize(*size, 0),
            Change::Write(at, bytes) => {
                if content.len() < at + bytes.len() {
                    content.resize(at + bytes.len(), 0);
                }
                content[*at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
    }

    /// Returns the part of the change that a power cut left: nothing, all of it, its beginning, its
    /// end, or garbage in its place.
    fn cut(&self, dice: &mut Dice) -> Option<Change> {
        let Change::Write(at, bytes) = self else {
            return (dice.below(2) == 0).then(|| self.clone());
        };
        let middle = dice.below(bytes.len() as u64 + 1) as usize;
        match dice.below(8) {
            0..3 => None,
            3..6 => Some(self.clone()),
            6 => Some(Change::Write(*at, bytes[..middle].to_vec())),
            _ if dice.below(2) == 0 => Some(Change::Write(at + middle, bytes[middle..].to_vec())),
            _ => Some(Change::Write(*at, bytes.iter().map(|_| dice.roll() as u8).collect())),
        }
    }
}

impl FileNode {
    pub fn born(now_us: u64) -> FileNode {
        FileNode { born_us: now_us, changed_us: now_us, kept_us: now_us, ..FileNode::default() }
    }

    pub fn change(&mut self, change: Change) {
        change.apply(&mut self.shown);
        self.pending.push(change);
    }

    pub fn sync(&mut self) {
        for change in self.pending.drain(..) {
            change.apply(&mut self.durable);
        }
    }

    pub fn power_cut(&mut self, loss: Loss, dice: &mut Dice) {
        for change in std::mem::take(&mut self.pending) {
            let left = match loss {
                Loss::All => None,
                Loss::Nothing => Some(change),
                Loss::Random => change.cut(dice),
            };
            if let Some(change) = left {
                change.apply(&mut self.durable);
            }
        }
        // The change time may fall back to that of the last sync, even if the content was kept.
        if loss == Loss::All || (loss == Loss::Random && dice.below(2) == 0) {
            self.changed_us = self.kept_us;
        }
        self.kept_us = self.changed_us;
        self.shown.clone_from(&self.durable);
        self.locked_by = None;
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Link(String, usize),
    Unlink(String),
    Rename(String, String),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct DirNode {
    pub shown: BTreeMap<String, usize>,
    pub durable: BTreeMap<String, usize>,
    pub pending: Vec<Entry>,
}

impl Entry {
    fn apply(&self, entries: &mut BTreeMap<String, usize>) {
        match self {
            Entry::Link(name, node) => drop(entries.insert(name.clone(), *node)),
            Entry::Unlink(name) => drop(entries.remove(name)),
            Entry::Rename(from, to) => {
                if let Some(node) = entries.remove(from) {
                    entries.insert(to.clone(), node);
                }
            }
        }
    }
}

impl DirNode {
    pub fn change(&mut self, entry: Entry) {
        entry.apply(&mut self.shown);
        self.pending.push(entry);
    }

    pub fn sync(&mut self) {
        for entry in self.pending.drain(..) {
            entry.apply(&mut self.durable);
        }
    }

    pub fn power_cut(&mut self, loss: Loss, dice: &mut Dice) {
        let all = self.pending.len() as u64;
        let kept = match loss {
            Loss::All => 0,
            Loss::Nothing => all,
            Loss::Random => dice.below(all + 1),
        };
        for entry in self.pending.drain(..).take(kept as usize) {
            entry.apply(&mut self.durable);
        }
        self.shown.clone_from(&self.durable);
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    File(FileNode),
    Dir(DirNode),
}
