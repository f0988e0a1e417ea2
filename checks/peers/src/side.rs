//! One side of a comparison: a library, what is known of it, and what it does.

use std::fmt;

/// Tells what a library is.
#[derive(Clone, Debug, Default)]
pub struct Peer {
    /// Its name, with its version.
    pub name: String,
    /// Compiler and flags.
    pub built: String,
    /// Instructions that its hash functions use, as far as it says.
    pub uses: String,
    /// Anything that a reader of its rows must know.
    pub remark: Option<&'static str>,
    /// Tells whether it makes its trees anew for each signature.
    pub rebuilds: bool,
}

/// Returns a crate that the compiler of this program built with the same profile.
pub fn of_this_build(name: &str) -> Peer {
    let built = concat!(env!("PEERS_RUSTC"), ", release profile, no target-cpu");
    Peer { name: name.to_owned(), built: built.to_owned(), ..Peer::default() }
}

/// An operation.
pub enum Work {
    /// Does it once; it is timed here.
    Call(Box<dyn FnMut()>),
    /// Asks a program for a window of it, which tells the microseconds of one.
    Asked(Box<dyn FnMut() -> Result<f64, String>>),
}

impl Work {
    /// Returns the operation that this does in one call.
    pub fn of(call: impl FnMut() + 'static) -> Self {
        Self::Call(Box::new(call))
    }

    /// Does it once.
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

/// Returns the microseconds of each signature of a new key, over all its indices.
pub type Indices = Box<dyn FnMut() -> Result<Vec<f64>, String>>;

/// Holds what one side does, and what it is.
pub struct Side {
    pub peer: Peer,
    /// Its operations, in the order of [`crate::OPERATIONS`].
    pub work: [Work; 3],
    /// Signs by every index of a key, if the key is of one tree and that takes seconds.
    pub indices: Option<Indices>,
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.peer.fmt(f)
    }
}
