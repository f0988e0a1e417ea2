//! A limit on the number of signatures that a server computes at the same time.
//!
//! A ClientHello costs its sender nothing, but costs the server a signature. With a limit, the rest
//! of the processor remains available for others. Connections wait for their turn in the order of
//! their arrival. The number of waiting connections and their waiting time are limited. A
//! connection beyond these limits is refused before anything is computed.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustls::pki_types::SubjectPublicKeyInfoDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::{Error, OtherError, ServerConfig, SignatureAlgorithm, SignatureScheme};

/// Limits on the signatures that are computed and that wait.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Number of signatures that are computed at the same time; at least one.
    pub at_once: usize,
    /// Number of signatures that wait for their turn.
    pub queue: usize,
    /// Longest time that a signature waits.
    pub patience: Duration,
}

/// Reason why a signature was not computed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refused {
    /// The queue was full.
    Full {
        /// Number of signatures that are computed at the same time.
        at_once: usize,
        /// Number of places in the queue.
        queue: usize,
    },
    /// The turn of the signature did not come in time.
    Late {
        /// Number of signatures that are computed at the same time.
        at_once: usize,
        /// Time that it waited.
        patience: Duration,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { at_once, queue } => write!(
                f,
                "too many signatures: {at_once} at a time are computed, and {queue} wait already"
            ),
            Self::Late { at_once, patience } => write!(
                f,
                "too many signatures: {at_once} at a time are computed, and the turn of this one did not come within {:.1} s",
                patience.as_secs_f64()
            ),
        }
    }
}

impl std::error::Error for Refused {}

/// The number of signatures being computed, and the queue of those that wait.
#[derive(Debug, Default)]
struct State {
    computing: usize,
    waiting: VecDeque<u64>,
    next: u64,
}

/// Admits a limited number of signatures at the same time, in the order of their arrival.
#[derive(Debug)]
struct Gate {
    limit: Limit,
    state: Mutex<State>,
    moved: Condvar,
}

impl Gate {
    fn new(limit: Limit) -> Self {
        Self { limit, state: Mutex::default(), moved: Condvar::new() }
    }

    /// Returns the state. It is consistent even if a thread panicked.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn.
    fn enter(&self) -> Result<Turn<'_>, Refused> {
        let Limit { at_once, queue, patience } = self.limit;
        let mut state = self.state();
        let has_room = state.computing < at_once && state.waiting.is_empty();
        if !has_room && state.waiting.len() >= queue {
            return Err(Refused::Full { at_once, queue });
        }
        let own = state.next;
        state.next += 1;
        state.waiting.push_back(own);
        let until = Instant::now() + patience;
        while state.computing >= at_once || state.waiting.front() != Some(&own) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.waiting.retain(|other| *other != own);
                self.moved.notify_all();
                return Err(Refused::Late { at_once, patience });
            }
            let woken = self.moved.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.waiting.pop_front();
        state.computing += 1;
        self.moved.notify_all();
        Ok(Turn(self))
    }
}

/// The turn of one signature. When it is dropped, the next one gets its turn.
struct Turn<'g>(&'g Gate);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state().computing -= 1;
        self.0.moved.notify_all();
    }
}

/// Limits the signatures that connections with this configuration compute. Copies of the
/// configuration share the limit.
pub fn limit(config: &mut ServerConfig, limit: Limit) {
    let limit = Limit { at_once: limit.at_once.max(1), ..limit };
    let (inner, gate) = (config.cert_resolver.clone(), Arc::new(Gate::new(limit)));
    config.cert_resolver = Arc::new(Resolver { inner, gate });
}

/// Returns the keys of another resolver, with their signatures limited by the gate.
#[derive(Debug)]
struct Resolver {
    inner: Arc<dyn ResolvesServerCert>,
    gate: Arc<Gate>,
}

impl ResolvesServerCert for Resolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let found = self.inner.resolve(hello)?;
        let key = Key { inner: found.key.clone(), gate: self.gate.clone() };
        let mut behind = CertifiedKey::new(found.cert.clone(), Arc::new(key));
        behind.ocsp.clone_from(&found.ocsp);
        Some(Arc::new(behind))
    }

    fn only_raw_public_keys(&self) -> bool {
        self.inner.only_raw_public_keys()
    }
}

#[derive(Debug)]
struct Key {
    inner: Arc<dyn SigningKey>,
    gate: Arc<Gate>,
}

impl SigningKey for Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let inner = self.inner.choose_scheme(offered)?;
        Some(Box::new(Behind { inner, gate: self.gate.clone() }))
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        self.inner.public_key()
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.inner.algorithm()
    }
}

#[derive(Debug)]
struct Behind {
    inner: Box<dyn Signer>,
    gate: Arc<Gate>,
}

impl Signer for Behind {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let refused = |why: Refused| Error::Other(OtherError(Arc::new(why)));
        let _turn = self.gate.enter().map_err(refused)?;
        self.inner.sign(message)
    }

    fn scheme(&self) -> SignatureScheme {
        self.inner.scheme()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn gate(at_once: usize, queue: usize, patience: Duration) -> Gate {
        Gate::new(Limit { at_once, queue, patience })
    }

    const LONG: Duration = Duration::from_secs(60);

    /// Waits until this number of signatures wait.
    fn until_waiting(gate: &Gate, count: usize) {
        while gate.state().waiting.len() != count {
            std::thread::yield_now();
        }
    }

    #[test]
    fn no_more_than_the_limit_compute_at_a_time() {
        let gate = gate(2, 100, LONG);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _turn = gate.enter().expect("the queue is long");
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
        let end = gate.state();
        assert_eq!((end.computing, end.waiting.len()), (0, 0));
    }

    #[test]
    fn a_full_queue_refuses_at_once_and_who_waits_comes_in_order() {
        let gate = gate(1, 2, LONG);
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let first = gate.enter().expect("nobody computes");
            for nth in 0..2 {
                let (gate, order) = (&gate, &order);
                scope.spawn(move || {
                    let _turn = gate.enter().expect("the queue has room");
                    order.lock().expect("held by none").push(nth);
                });
                until_waiting(gate, nth + 1);
            }
            let refused = gate.enter().err();
            assert_eq!(refused, Some(Refused::Full { at_once: 1, queue: 2 }));
            drop(first);
        });
        assert_eq!(order.into_inner().expect("held by none"), [0, 1]);
    }

    #[test]
    fn patience_ends_and_leaves_the_queue() {
        let gate = gate(1, 5, Duration::from_millis(20));
        let first = gate.enter().expect("nobody computes");
        assert!(matches!(gate.enter().err(), Some(Refused::Late { at_once: 1, .. })));
        assert!(gate.state().waiting.is_empty());
        drop(first);
        assert!(gate.enter().is_ok());
    }

    #[test]
    fn without_a_queue_the_first_is_let_through() {
        let gate = gate(1, 0, LONG);
        let turn = gate.enter().expect("nobody computes");
        assert!(gate.enter().is_err());
        drop(turn);
        assert!(gate.enter().is_ok());
    }
}
