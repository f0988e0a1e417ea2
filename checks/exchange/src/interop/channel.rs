//! Messages of a channel, taken out of it by the example program `export` of `hasten-channel`.

use super::ours::example;
use super::peer::Peer;
use hasten_chore::failure::Failure;
use hasten_chore::program::run;
use std::path::{Path, PathBuf};

/// A channel whose messages others verify as signatures of HSS.
pub struct Channel {
    program: PathBuf,
}

impl Channel {
    /// Builds the program.
    pub fn prepare() -> Result<Self, Failure> {
        Ok(Self { program: example("hasten-channel", "export")? })
    }
}

impl Peer for Channel {
    fn name(&self) -> &'static str {
        "Hasten's channel"
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(env!("CARGO_PKG_VERSION").into())
    }

    /// Returns true for HSS of several levels: the last one is that of the session trees.
    fn has(&self, alg: &str) -> bool {
        alg.starts_with("HSS(") && alg.contains(',')
    }

    fn count(&self) -> usize {
        1
    }

    /// Replaces `msg` by header and payload, which is what a channel signs.
    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        run(&self.program, &[alg, &folder.display().to_string()]).map(drop)
    }

    fn verify(&self, _alg: &str, _folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        Err(Failure::Tool("a channel verifies datagrams alone".into()))
    }
}
