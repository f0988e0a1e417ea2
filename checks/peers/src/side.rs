//! One side of a comparison: a library, its description, and its operations.

use std::fmt;

/// Description of a library.
#[derive(Clone, Debug, Default)]
pub struct Peer {
    /// Its name and version.
    pub name: String,
    /// Compiler and flags.
    pub built: String,
    /// Instructions that its hash functions use, as far as it reports them.
    pub uses: String,
    /// A remark that a reader of its rows must know.
    pub remark: Option<&'static str>,
    /// Whether it rebuilds its trees for each signature.
    pub rebuilds: bool,
}

/// Returns the description of a crate built by this program's compiler with the same profile.
pub fn of_this_build(name: &str) -> Peer {
    let built = concat!(env!("PEERS_RUSTC"), ", release profile, no target-cpu");
    Peer { name: name.to_owned(), built: built.to_owned(), ..Peer::default() }
}

/// An operation.
pub enum Work {
    /// A function that does it once. This program measures the time.
    Call(Box<dyn FnMut()>),
    /// A function that requests a window of it from a program, which reports the microseconds of
    /// one.
    Asked(Box<dyn FnMut() -> Result<f64, String>>),
}

impl Work {
    /// Returns the operation that `call` performs.
    pub fn of(call: impl FnMut() + 'static) -> Self {
        Self::Call(Box::new(call))
    }

    /// Performs the operation once.
    #[cfg(test)]
    pub fn once(&mut self) -> Result<(), String> {
        match self {
            Self::Call(call) => {
                call();
                Ok(())
            }
            Self::Asked(ask) => ask().map(drop),
        }
    }
}

/// Function that signs with all indices of a new key and returns the microseconds of each
/// signature.
pub type Indices = Box<dyn FnMut() -> Result<Vec<f64>, String>>;

/// One side: its description and its operations.
pub struct Side {
    pub peer: Peer,
    /// Its operations, in the order of [`crate::OPERATIONS`].
    pub work: [Work; 3],
    /// Signs with every index of a key, if the key is one tree and this takes only seconds.
    pub indices: Option<Indices>,
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.peer.fmt(f)
    }
}
