//! The state of a simulated machine: its files, the planned fault, and the calls made.

use crate::Dice;
use crate::fault::{Fault, Loss, Mutation, Outcome};
use crate::node::{Change, DirNode, Entry, FileNode, Node};
use hasten_store::Errno;
use std::path::Path;

#[derive(Clone, Debug)]
pub(crate) struct World {
    pub nodes: Vec<Node>,
    pub fault: Option<Fault>,
    pub calls: u64,
    pub struck: Option<Outcome>,
    pub down: bool,
    pub dice: Dice,
    pub mutation: Mutation,
    pub late: Vec<(u64, usize)>,
    pub now_us: u64,
    pub handles: u64,
    /// Calls that change or sync a file, in words, if a listener is set.
    pub trace: Option<Vec<(u64, String)>>,
}

/// What happens at a call.
pub(crate) enum Verdict {
    Go,
    Half,
    HalfThenFail,
    ThenDie,
}

const DEAD: Errno = Errno::IO;
/// Number of calls by which a late sync is late: enough for the operation to return and its index
/// to be used.
const LATE: u64 = 8;

impl World {
    pub fn new(seed: u64, mutation: Mutation) -> World {
        World {
            nodes: vec![Node::Dir(DirNode::default())],
            fault: None,
            calls: 0,
            struck: None,
            down: false,
            dice: Dice(seed),
            mutation,
            late: Vec::new(),
            now_us: 0,
            handles: 0,
            trace: None,
        }
    }

    /// Counts a call and returns what happens at it. If `takes_space` is true, the call may fail
    /// with `ENOSPC`.
    pub fn call(&mut self, takes_space: bool) -> Result<Verdict, Errno> {
        if self.down {
            return Err(DEAD);
        }
        self.late_sync();
        (self.calls, self.now_us) = (self.calls + 1, self.now_us + 1);
        let Some(fault) = &mut self.fault else { return Ok(Verdict::Go) };
        if fault.at > 0 {
            fault.at -= 1;
            return Ok(Verdict::Go);
        }
        let outcome = fault.outcome;
        (self.fault, self.struck) = (None, Some(outcome));
        self.strike(outcome, takes_space)
    }

    fn strike(&mut self, outcome: Outcome, takes_space: bool) -> Result<Verdict, Errno> {
        match outcome {
            Outcome::CrashBefore | Outcome::KillBefore => {
                self.down = true;
                Err(DEAD)
            }
            Outcome::CrashAfter | Outcome::KillAfter => Ok(Verdict::ThenDie),
            Outcome::Fails => Err(Errno::IO),
            Outcome::NoSpace => Err(if takes_space { Errno::NO_SPACE } else { Errno::IO }),
            Outcome::Short => Ok(Verdict::Half),
            Outcome::FailsHalfway => Ok(Verdict::HalfThenFail),
        }
    }

    /// Ends a call whose effect has happened.
    pub fn end<T>(&mut self, verdict: &Verdict, value: T) -> Result<T, Errno> {
        if matches!(verdict, Verdict::ThenDie) {
            self.down = true;
            return Err(DEAD);
        }
        Ok(value)
    }

    /// Adds the call just counted to the trace.
    pub fn note(&mut self, what: &str, file: &str) {
        let call = self.calls;
        if let Some(trace) = &mut self.trace {
            trace.push((call, format!("{what} {file}")));
        }
    }

    /// Performs the delayed syncs that are due.
    fn late_sync(&mut self) {
        let calls = self.calls;
        let due: Vec<usize> =
            self.late.extract_if(.., |(at, _)| *at <= calls).map(|(_, n)| n).collect();
        due.into_iter().for_each(|node| self.file(node).sync());
    }

    pub fn file(&mut self, node: usize) -> &mut FileNode {
        match &mut self.nodes[node] {
            Node::File(file) => file,
            Node::Dir(_) => unreachable!("handles are made for files only"),
        }
    }

    fn dir(&mut self, node: usize) -> Result<&mut DirNode, Errno> {
        match &mut self.nodes[node] {
            Node::Dir(dir) => Ok(dir),
            Node::File(_) => Err(Errno(20)),
        }
    }

    pub fn find(&mut self, path: &Path) -> Result<usize, Errno> {
        let mut node = 0;
        for part in path.components().filter(|c| matches!(c, std::path::Component::Normal(_))) {
            let name = part.as_os_str().to_string_lossy();
            node = *self.dir(node)?.shown.get(&*name).ok_or(Errno::NOT_FOUND)?;
        }
        Ok(node)
    }

    fn place(&mut self, path: &Path) -> Result<(usize, String), Errno> {
        let parent = self.find(path.parent().unwrap_or(Path::new("/")))?;
        Ok((parent, path.file_name().ok_or(Errno(22))?.to_string_lossy().into_owned()))
    }

    pub fn link(&mut self, path: &Path, node: Node) -> Result<usize, Errno> {
        let (parent, name) = self.place(path)?;
        let number = self.nodes.len();
        let dir = self.dir(parent)?;
        if dir.shown.contains_key(&name) {
            return Err(Errno::EXISTS);
        }
        dir.change(Entry::Link(name, number));
        self.nodes.push(node);
        Ok(number)
    }

    pub fn unlink(&mut self, path: &Path) -> Result<(), Errno> {
        let (parent, name) = self.place(path)?;
        let dir = self.dir(parent)?;
        if !dir.shown.contains_key(&name) {
            return Err(Errno::NOT_FOUND);
        }
        dir.change(Entry::Unlink(name));
        Ok(())
    }

    pub fn rename(&mut self, from: &Path, to: &Path) -> Result<(), Errno> {
        let (parent, old) = self.place(from)?;
        let (_, new) = self.place(to)?;
        self.find(from)?;
        if let Ok(target) = self.find(to)
            && matches!(&self.nodes[target], Node::Dir(d) if !d.shown.is_empty())
        {
            return Err(Errno(39));
        }
        self.dir(parent)?.change(Entry::Rename(old, new));
        Ok(())
    }

    pub fn sync_dir(&mut self, path: &Path) -> Result<(), Errno> {
        let node = self.find(path)?;
        if self.mutation != Mutation::NoDirSync {
            self.dir(node)?.sync();
        }
        Ok(())
    }

    pub fn write(&mut self, node: usize, bytes: &[u8], at: u64) {
        self.change(node, Change::Write(at as usize, bytes.to_vec()));
    }

    pub fn change(&mut self, node: usize, change: Change) {
        let now_us = self.now_us;
        let file = self.file(node);
        file.changed_us = now_us;
        file.change(change);
    }

    /// Overwrites a file from outside, durably, as `cp` does. It remains the same file.
    pub fn overwrite(&mut self, node: usize, content: &[u8]) {
        self.now_us += 1;
        let now_us = self.now_us;
        let file = self.file(node);
        (file.shown, file.durable) = (content.to_vec(), content.to_vec());
        file.pending.clear();
        (file.changed_us, file.kept_us) = (now_us, now_us);
    }

    /// Replaces a file with a new one, durably, as unpacking an archive does.
    pub fn replace(&mut self, path: &Path, content: &[u8]) -> Result<(), Errno> {
        self.now_us += 1;
        let file = Node::File(FileNode::born(self.now_us));
        match self.unlink(path) {
            Ok(()) | Err(Errno::NOT_FOUND) => {}
            Err(e) => return Err(e),
        }
        let node = self.link(path, file)?;
        self.overwrite(node, content);
        let (parent, _) = self.place(path)?;
        self.dir(parent)?.sync();
        Ok(())
    }

    pub fn sync(&mut self, node: usize, is_guard: bool) {
        match self.mutation {
            Mutation::NoSync => {}
            Mutation::NoLogSync if !is_guard => {}
            Mutation::NoGuardSync if is_guard => {}
            Mutation::LateSync => self.late.push((self.calls + LATE, node)),
            _ => self.file(node).sync(),
        }
    }

    /// Cuts the power and restores it. Changes that were not durable are left to chance, and every
    /// lock is free.
    pub fn power_cut(&mut self, loss: Loss) {
        self.late.clear();
        let World { nodes, dice, .. } = self;
        for node in nodes {
            match node {
                Node::File(file) => file.power_cut(loss, dice),
                Node::Dir(dir) => dir.power_cut(loss, dice),
            }
        }
        self.rise();
    }

    /// Ends every process. The machine continues.
    pub fn rise(&mut self) {
        (self.down, self.fault, self.struck) = (false, None, None);
    }
}
