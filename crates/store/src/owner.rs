//! The process that opened a store or a service. Only this process may use the indices that it
//! reserved.

use crate::env::Env;
use crate::error::StoreError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Interval in milliseconds during which the start time of the process is not read again. Reading
/// it costs more than the rest of a check, and no process id is reused within so short a time.
const INTERVAL_MS: u64 = 50;

/// A process: its id, the namespace of that id, and its start time.
pub(crate) struct Owner {
    pub pid: u32,
    namespace: u64,
    started: u64,
    /// Time at which the start time was last compared, in milliseconds.
    compared_ms: AtomicU64,
}

impl Owner {
    /// Returns the calling process as the owner.
    pub fn new(env: &dyn Env) -> Owner {
        let (pid, namespace, started) = (env.pid(), env.namespace(), env.started());
        Owner { pid, namespace, started, compared_ms: AtomicU64::new(now_ms(env)) }
    }

    /// Returns an error in any process other than the owner. This includes a process with the
    /// owner's memory and id: a late descendant that got the same id, or a process restored from a
    /// checkpoint.
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
