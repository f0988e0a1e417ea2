//! The process that opened a store or a service, which alone uses what it reserved.

use crate::env::Env;
use crate::error::StoreError;
use std::sync::atomic::{AtomicU64, Ordering};

/// How long the start of the process is not asked for again, in milliseconds: reading it costs more
/// than the rest of a check, and no number of a process comes back within so short a time.
const INTERVAL_MS: u64 = 50;

/// A process: its number, the namespace of that number, and when it was started.
pub(crate) struct Owner {
    pub pid: u32,
    namespace: u64,
    started: u64,
    /// When the start was last compared, in milliseconds.
    compared_ms: AtomicU64,
}

impl Owner {
    /// Takes the calling process.
    pub fn new(env: &dyn Env) -> Owner {
        let (pid, namespace, started) = (env.pid(), env.namespace(), env.started());
        Owner { pid, namespace, started, compared_ms: AtomicU64::new(now_ms(env)) }
    }

    /// Refuses another process than the owner, also one that has the owner's memory and number: a
    /// late descendant that got the number anew, or a process restored from a checkpoint.
    pub fn check(&self, env: &dyn Env) -> Result<(), StoreError> {
        let used_by = env.pid();
        let same = used_by == self.pid && env.namespace() == self.namespace;
        if same && self.is_started_as_before(env) {
            return Ok(());
        }
        Err(StoreError::Forked { opened_by: self.pid, used_by })
    }

    fn is_started_as_before(&self, env: &dyn Env) -> bool {
        let (now, before) = (now_ms(env), self.compared_ms.load(Ordering::Relaxed));
        if now.abs_diff(before) < INTERVAL_MS {
            return true;
        }
        let same = env.started() == self.started;
        if same {
            self.compared_ms.store(now, Ordering::Relaxed);
        }
        same
    }
}

fn now_ms(env: &dyn Env) -> u64 {
    u64::try_from(env.monotonic().as_millis()).unwrap_or(u64::MAX)
}
