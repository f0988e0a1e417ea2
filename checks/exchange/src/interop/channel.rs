//! Messages taken from a channel by the example program `export` of `hasten-channel`, and the
//! signed session tree of a channel under an identity of XMSS or XMSS^MT.

use super::ours::example;
use super::peer::Peer;
use hasten_chore::failure::Failure;
use hasten_chore::program::run;
use std::path::{Path, PathBuf};

/// Data of a channel that others verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A message with its own signature.
    Message,
    /// The root of a batch, which is signed for all its messages.
    Batch,
    /// A message of a tree announced with its leaves, from which the path is computed.
    Leaves,
    /// A message under an identity of XMSS. Only its session tree signs it.
    UnderXmss,
    /// The session tree, signed by an identity of XMSS or XMSS^MT.
    Tree,
}

/// A channel whose signatures others verify.
pub struct Channel {
    program: PathBuf,
    what: What,
}

impl Channel {
    /// Builds the program. Returns a channel for each kind of data.
    pub fn prepare() -> Result<Vec<Self>, Failure> {
        let program = example("export")?;
        let all = [What::Message, What::Batch, What::Leaves, What::UnderXmss, What::Tree];
        Ok(all.map(|what| Self { program: program.clone(), what }).into())
    }
}

impl What {
    /// Returns its name in the report and its name in the program.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Message => ("Hasten's channel", "message"),
            Self::Batch => ("Hasten's channel, batch", "batch"),
            Self::Leaves => ("Hasten's channel, leaves", "leaves"),
            Self::UnderXmss => ("Hasten's channel, under XMSS", "under-xmss"),
            Self::Tree => ("Hasten's channel, tree", "tree"),
        }
    }
}

impl Peer for Channel {
    fn name(&self) -> &'static str {
        self.what.names().0
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(env!("CARGO_PKG_VERSION").into())
    }

    /// Messages need HSS of several levels, the last of which is the level of the session trees.
    /// Under XMSS the set is HSS of one level. The tree itself has the identity's set.
    fn has(&self, alg: &str) -> bool {
        let hss = alg.starts_with("HSS(");
        match self.what {
            What::Message | What::Batch | What::Leaves => hss && alg.contains(','),
            What::UnderXmss => hss && !alg.contains(','),
            What::Tree => alg.starts_with("XMSS"),
        }
    }

    fn count(&self) -> usize {
        1
    }

    /// Replaces `msg` by the data that a channel signs: header and payload, header and root, or the
    /// framed key of a tree.
    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        let folder = folder.display().to_string();
        run(&self.program, &[self.what.names().1, alg, &folder]).map(drop)
    }

    fn verify(&self, _alg: &str, _folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        Err(Failure::Tool("a channel verifies datagrams alone".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interop::SETS;

    #[test]
    fn each_has_sets_and_names_of_its_own() {
        let all = [What::Message, What::Batch, What::Leaves, What::UnderXmss, What::Tree];
        for (number, what) in all.into_iter().enumerate() {
            let channel = Channel { program: PathBuf::new(), what };
            let sets = SETS.iter().filter(|(alg, _)| channel.has(alg)).count();
            assert!(sets > 0 && sets < SETS.len(), "{what:?}: {sets}");
            let names = all[..number].iter().map(|other| other.names());
            assert!(names.clone().all(|other| other.0 != what.names().0));
            assert!(names.clone().all(|other| other.1 != what.names().1));
        }
    }
}
