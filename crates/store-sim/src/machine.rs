//! A machine with a simulated disk, and its processes. A store uses a process as its [`Env`].

use crate::disk::{Verdict, World};
use crate::fault::{Fault, Loss, Mutation, Outcome};
use crate::node::{Change, DirNode, FileNode, Node};
use hasten_store::{Env, Errno, File, FileIdentity, FileSystem, Stat};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A simulated machine. [`Machine::fork_world`] copies it, as cloning a virtual machine does.
pub struct Machine {
    world: Arc<Mutex<World>>,
    pids: AtomicU32,
}

impl Machine {
    /// Makes a machine with an empty disk.
    pub fn new(seed: u64, mutation: Mutation) -> Machine {
        Machine {
            world: Arc::new(Mutex::new(World::new(seed, mutation))),
            pids: AtomicU32::new(100),
        }
    }

    /// Returns an independent copy of the machine's disk in its current state.
    pub fn fork_world(&self, seed: u64) -> Machine {
        let mut world = lock(&self.world).clone();
        world.dice.0 ^= seed;
        Machine {
            world: Arc::new(Mutex::new(world)),
            pids: AtomicU32::new(self.pids.load(Ordering::Relaxed)),
        }
    }

    /// Starts a process.
    pub fn process(&self) -> Arc<Process> {
        let pid = match lock(&self.world).mutation {
            Mutation::SamePid => 100,
            _ => self.pids.fetch_add(1, Ordering::Relaxed),
        };
        Arc::new(Process {
            world: Arc::clone(&self.world),
            pid: AtomicU32::new(pid),
            namespace: AtomicU32::new(1),
            started: AtomicU32::new(1),
        })
    }

    /// Plans a fault, or none.
    pub fn arm(&self, fault: Option<Fault>) {
        lock(&self.world).fault = fault;
    }

    /// Returns the outcome of the fault that has struck since the last restart.
    pub fn struck(&self) -> Option<Outcome> {
        lock(&self.world).struck
    }

    /// Returns the number of calls made so far.
    pub fn calls(&self) -> u64 {
        lock(&self.world).calls
    }

    /// Cuts the power and restores it. Drop every store first, because its process is gone.
    pub fn power_cut(&self, loss: Loss) {
        lock(&self.world).power_cut(loss);
    }

    /// Ends every process, killed or not. The machine continues.
    pub fn restart(&self) {
        lock(&self.world).rise();
    }

    /// Runs `act` and returns its writes and syncs. Each entry is the number of calls made before
    /// it and its description, such as `write log` or `sync guard`.
    pub fn listen(&self, act: impl FnOnce()) -> Vec<(u64, String)> {
        let before = {
            let mut world = lock(&self.world);
            world.trace = Some(Vec::new());
            world.calls
        };
        act();
        let heard = lock(&self.world).trace.take().unwrap_or_default();
        heard.into_iter().map(|(call, what)| (call - before - 1, what)).collect()
    }

    /// Advances the machine's clock.
    pub fn pass(&self, time: Duration) {
        lock(&self.world).now_us += time.as_micros() as u64;
    }

    /// Returns a copy of a directory's files, as `cp` would make it.
    pub fn copy_dir(&self, path: &Path) -> Vec<(String, Vec<u8>)> {
        let mut world = lock(&self.world);
        let Ok(node) = world.find(path) else { return Vec::new() };
        let Node::Dir(dir) = &world.nodes[node] else { return Vec::new() };
        let shown = dir.shown.clone();
        shown.into_iter().map(|(name, file)| (name, world.file(file).shown.clone())).collect()
    }

    /// Overwrites the existing files with a copy, durably. They remain the same files.
    pub fn restore_dir(&self, path: &Path, copy: &[(String, Vec<u8>)]) {
        copy.iter().for_each(|(name, content)| self.overwrite(&path.join(name), content));
    }

    /// Replaces the existing files with new files from a copy, durably.
    pub fn replace_dir(&self, path: &Path, copy: &[(String, Vec<u8>)]) {
        copy.iter().for_each(|(name, content)| self.replace(&path.join(name), content));
    }

    /// Returns the content of a file, if it exists.
    pub fn content(&self, path: &Path) -> Option<Vec<u8>> {
        let mut world = lock(&self.world);
        let node = world.find(path).ok()?;
        Some(world.file(node).shown.clone())
    }

    /// Overwrites an existing file, durably, as `cp` does. It remains the same file.
    pub fn overwrite(&self, path: &Path, content: &[u8]) {
        let mut world = lock(&self.world);
        if let Ok(node) = world.find(path) {
            world.overwrite(node, content);
        }
    }

    /// Replaces a file with a new one, durably, as unpacking an archive does.
    pub fn replace(&self, path: &Path, content: &[u8]) {
        let replaced = lock(&self.world).replace(path, content);
        debug_assert!(replaced.is_ok(), "{}: no such place", path.display());
    }
}

/// A process on a [`Machine`]: the [`Env`] of a store.
pub struct Process {
    world: Arc<Mutex<World>>,
    pid: AtomicU32,
    namespace: AtomicU32,
    started: AtomicU32,
}

impl Process {
    /// Turns this process into a forked child in a process-id namespace of its own, where it has
    /// the same process id as its parent. See also [`Process::fork`].
    pub fn fork_alike(&self) {
        self.namespace.fetch_add(1, Ordering::Relaxed);
    }

    /// Turns this process into a later one with the same process id: a late descendant to which the
    /// system gave the id again, or the process restored from a checkpoint. Memory and open files
    /// stay.
    pub fn start_again(&self) {
        self.started.fetch_add(1, Ordering::Relaxed);
    }

    /// Turns this process into the child of a fork: memory and open files are the same, the process
    /// id is another.
    pub fn fork(&self) {
        let same = lock(&self.world).mutation == Mutation::SamePid;
        if !same {
            self.pid.fetch_add(50_000, Ordering::Relaxed);
        }
    }

    fn handle(&self, node: usize, path: &Path) -> Box<dyn File> {
        let mut world = lock(&self.world);
        world.handles += 1;
        Box::new(Handle {
            world: Arc::clone(&self.world),
            node,
            id: world.handles,
            name: short_name(path),
        })
    }

    fn make(&self, path: &Path, node: Node) -> Result<usize, Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(true)?;
        let number = world.link(path, node)?;
        world.end(&verdict, number)
    }

    fn change(&self, act: impl FnOnce(&mut World) -> Result<(), Errno>) -> Result<(), Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(true)?;
        if matches!(verdict, Verdict::HalfThenFail) {
            return Err(Errno::IO);
        }
        act(&mut world)?;
        world.end(&verdict, ())
    }
}

impl Env for Process {
    fn open(&self, path: &Path) -> Result<Box<dyn File>, Errno> {
        let node = {
            let mut world = lock(&self.world);
            let verdict = world.call(false)?;
            let node = world.find(path)?;
            world.end(&verdict, node)?
        };
        Ok(self.handle(node, path))
    }

    fn open_read(&self, path: &Path) -> Result<Box<dyn File>, Errno> {
        self.open(path)
    }

    fn create(&self, path: &Path) -> Result<Box<dyn File>, Errno> {
        let born = FileNode::born(lock(&self.world).now_us + 1);
        let node = self.make(path, Node::File(born))?;
        Ok(self.handle(node, path))
    }

    fn make_dir(&self, path: &Path) -> Result<(), Errno> {
        self.make(path, Node::Dir(DirNode::default())).map(drop)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), Errno> {
        self.change(|w| w.rename(from, to))
    }

    fn remove(&self, path: &Path) -> Result<(), Errno> {
        self.change(|w| w.unlink(path))
    }

    // The simulated disk has no links, and every path is absolute.
    fn resolve(&self, path: &Path) -> Result<PathBuf, Errno> {
        Ok(path.to_owned())
    }

    fn is_empty(&self, dir: &Path) -> Result<bool, Errno> {
        let mut world = lock(&self.world);
        let node = world.find(dir)?;
        Ok(matches!(&world.nodes[node], Node::Dir(d) if d.shown.is_empty()))
    }

    fn stat(&self, path: &Path) -> Result<Stat, Errno> {
        let mut world = lock(&self.world);
        let node = world.find(path)?;
        let is_dir = matches!(world.nodes[node], Node::Dir(_));
        Ok(Stat { is_dir, ours: true, mode: if is_dir { 0o700 } else { 0o600 } })
    }

    fn filesystem(&self, _path: &Path) -> Result<FileSystem, Errno> {
        let weak = lock(&self.world).mutation == Mutation::WeakLock;
        Ok(if weak { FileSystem::Shared("simulated") } else { FileSystem::Local })
    }

    fn mark(&self) -> String {
        format!("simulated:{}", self.pid())
    }

    // The simulation does not know whether another process has ended.
    fn has_ended(&self, _mark: &str) -> bool {
        false
    }

    fn sync_dir(&self, path: &Path) -> Result<(), Errno> {
        self.change(|w| w.sync_dir(path))
    }

    fn pid(&self) -> u32 {
        self.pid.load(Ordering::Relaxed)
    }

    fn namespace(&self) -> u64 {
        self.namespace.load(Ordering::Relaxed).into()
    }

    fn started(&self) -> u64 {
        self.started.load(Ordering::Relaxed).into()
    }

    fn uid(&self) -> u32 {
        1000
    }

    fn host(&self) -> String {
        "simulated".into()
    }

    fn wall_ms(&self) -> u64 {
        lock(&self.world).now_us / 1000
    }

    fn monotonic(&self) -> Duration {
        Duration::from_micros(lock(&self.world).now_us)
    }

    fn random(&self, out: &mut [u8]) -> Result<(), Errno> {
        let mut world = lock(&self.world);
        out.iter_mut().for_each(|b| *b = world.dice.roll() as u8);
        Ok(())
    }

    fn sleep(&self, time: Duration) {
        lock(&self.world).now_us += time.as_micros() as u64;
    }
}

/// Returns the file's name in a trace: `guard`, `log` or `file`.
fn short_name(path: &Path) -> &'static str {
    let is_log = path.file_stem().is_some_and(|s| s == "log");
    match path.extension() {
        Some(e) if e == "guard" => "guard",
        _ if is_log => "log",
        _ => "file",
    }
}

struct Handle {
    world: Arc<Mutex<World>>,
    node: usize,
    id: u64,
    name: &'static str,
}

impl File for Handle {
    fn read_at(&self, buf: &mut [u8], at: u64) -> Result<usize, Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(false)?;
        let content = &world.file(self.node).shown;
        let from = (at as usize).min(content.len());
        let n = buf.len().min(content.len() - from);
        buf[..n].copy_from_slice(&content[from..from + n]);
        world.end(&verdict, n)
    }

    fn write_at(&self, buf: &[u8], at: u64) -> Result<usize, Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(true)?;
        let n = match verdict {
            Verdict::Half | Verdict::HalfThenFail => buf.len().div_ceil(2),
            _ => buf.len(),
        };
        world.write(self.node, &buf[..n], at);
        world.note("write", self.name);
        if matches!(verdict, Verdict::HalfThenFail) {
            Err(Errno::NO_SPACE)
        } else {
            world.end(&verdict, n)
        }
    }

    fn size(&self) -> Result<u64, Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(false)?;
        let size = world.file(self.node).shown.len() as u64;
        world.end(&verdict, size)
    }

    fn identity(&self) -> Result<FileIdentity, Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(false)?;
        let birth_ns = world.file(self.node).born_us * 1000 + 1;
        let identity = FileIdentity { inode: self.node as u64 + 1, birth_ns, volume: 1 };
        world.end(&verdict, identity)
    }

    fn changed_ns(&self) -> Result<Option<u64>, Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(false)?;
        let changed_us = world.file(self.node).changed_us;
        world.end(&verdict, Some(changed_us * 1000))
    }

    fn set_size(&self, size: u64) -> Result<(), Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(true)?;
        world.change(self.node, Change::Size(size as usize));
        world.end(&verdict, ())
    }

    fn sync(&self) -> Result<(), Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(true)?;
        if matches!(verdict, Verdict::HalfThenFail) {
            world.file(self.node).pending.clear();
            return Err(Errno::IO);
        }
        world.sync(self.node, self.name == "guard");
        world.note("sync", self.name);
        world.end(&verdict, ())
    }

    fn try_lock(&self) -> Result<bool, Errno> {
        let mut world = lock(&self.world);
        let verdict = world.call(false)?;
        let free = matches!(world.mutation, Mutation::NoLock | Mutation::WeakLock);
        let id = self.id;
        let holder = &mut world.file(self.node).locked_by;
        let granted = free || holder.is_none_or(|h| h == id);
        if granted {
            *holder = Some(id);
        }
        world.end(&verdict, granted)
    }

    fn unlock(&self) -> Result<(), Errno> {
        let mut world = lock(&self.world);
        let file = world.file(self.node);
        if file.locked_by == Some(self.id) {
            file.locked_by = None;
        }
        Ok(())
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // Unlocking never fails here.
        let _ = self.unlock();
    }
}
