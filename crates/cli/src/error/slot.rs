//! Keys that cannot have a slot in the PKCS#11 module.

use std::path::PathBuf;

/// Reason why the module cannot sign with a key.
#[derive(Debug, thiserror::Error)]
pub enum NoSlot {
    /// The key takes its indices from a fleet, or from the word of a witness.
    #[error("the state of this key is not in its directory, and the PKCS#11 module reads no other")]
    Elsewhere,
    /// The key has a witness, which the module does not ask.
    #[error("this key has an outside witness, which the PKCS#11 module does not ask")]
    Witness,
    /// The key signs session trees.
    #[error("this is the identity of a channel: it signs session trees, and no messages")]
    Sessions,
    /// PKCS#11 has no mechanism for the algorithm, or the module does not offer it.
    #[error("the PKCS#11 module has no mechanism for {0}")]
    Algorithm(String),
    /// One file of a pair is absent.
    #[error("no key is here: {file} is absent", file = .file.display())]
    Absent { file: PathBuf },
    /// The path or label is not UTF-8, or has hidden characters.
    #[error("this name is not UTF-8, or has characters that no terminal shows")]
    Name,
    /// The label is empty, too long for PKCS#11, or has hidden characters.
    #[error("{label:?} is no label: a label has 1 to {most} bytes, and no hidden characters")]
    Label { label: String, most: usize },
}

impl NoSlot {
    /// Returns the hint.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Elsewhere | Self::Witness => {
                "'hasten sign' signs with it; a key for the module is made without --fleet, --carry and --witness"
            }
            Self::Sessions => "'hasten publish' signs with it",
            Self::Algorithm(_) => {
                "it has LMS, HSS, XMSS, XMSS^MT, SLH-DSA and ML-DSA: 'hasten list' shows the sets"
            }
            Self::Absent { .. } => {
                "KEY is the directory of a key with a state, or PREFIX of PREFIX.key and PREFIX.pub"
            }
            Self::Name => "move the key, or reach it through a link",
            Self::Label { .. } => "--label NAME names the slot",
        })
    }
}
