//! One signer, one verifier, one parameter set: good signatures must verify, corrupted ones must
//! not.

use super::peer::{Peer, bytes, signatures, write};
use hasten_chore::failure::Failure;
use std::path::{Path, PathBuf};

/// The result of one exchange.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Number of signatures that verified, as they must.
    pub verified: usize,
    /// Number of corrupted signatures and messages that were refused, as they must be.
    pub refused: usize,
    /// Files that were judged wrongly.
    pub wrong: Vec<PathBuf>,
}

/// Lets one peer sign and the other verify. Empties `folder` first.
pub fn exchange(
    signer: &dyn Peer,
    verifier: &dyn Peer,
    alg: &str,
    folder: &Path,
) -> Result<Outcome, Failure> {
    let good = fresh(&folder.join("good"))?;
    write(&good.join("msg"), format!("{} signs with {alg}", signer.name()).as_bytes())?;
    signer.sign(alg, &good)?;
    let spoilt = spoil_signature(&good, &folder.join("spoilt"))?;
    let other = spoil_message(&good, &folder.join("other"))?;
    let folders = [good.clone(), spoilt, other];
    judge(&good, &folders, &verifier.verify(alg, &folders)?)
}

/// Compares the verifier's results with the expected ones.
fn judge(good: &Path, folders: &[PathBuf], called_good: &[PathBuf]) -> Result<Outcome, Failure> {
    let mut outcome = Outcome { verified: 0, refused: 0, wrong: Vec::new() };
    for folder in folders {
        for signature in signatures(folder)? {
            match (folder == good, called_good.contains(&signature)) {
                (true, true) => outcome.verified += 1,
                (false, false) => outcome.refused += 1,
                _ => outcome.wrong.push(signature),
            }
        }
    }
    Ok(outcome)
}

/// Writes copies of the first signature, each with one bit flipped, and one that is a byte short.
fn spoil_signature(good: &Path, place: &Path) -> Result<PathBuf, Failure> {
    let place = fresh(place)?;
    for name in ["msg", "pub"] {
        write(&place.join(name), &bytes(&good.join(name))?)?;
    }
    let signature = bytes(&good.join("sig0"))?;
    let last = signature.len().saturating_sub(1);
    for (number, at) in [3, 20, last / 2, last].into_iter().enumerate() {
        let mut spoilt = signature.clone();
        spoilt[at] ^= 1;
        write(&place.join(format!("sig{number}")), &spoilt)?;
    }
    write(&place.join("sig4"), &signature[..last])?;
    Ok(place)
}

/// Writes the good signature with another message.
fn spoil_message(good: &Path, place: &Path) -> Result<PathBuf, Failure> {
    let place = fresh(place)?;
    let mut message = bytes(&good.join("msg"))?;
    message[0] ^= 1;
    write(&place.join("msg"), &message)?;
    for name in ["pub", "sig0"] {
        write(&place.join(name), &bytes(&good.join(name))?)?;
    }
    Ok(place)
}

/// Returns an empty folder.
fn fresh(place: &Path) -> Result<PathBuf, Failure> {
    let io = |error| Failure::Io(place.to_path_buf(), error);
    if place.exists() {
        std::fs::remove_dir_all(place).map_err(io)?;
    }
    std::fs::create_dir_all(place).map_err(io)?;
    Ok(place.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signs by repeating the message. Verifies by comparing, or returns the given result.
    struct Echo(Option<bool>);

    impl Peer for Echo {
        fn name(&self) -> &'static str {
            "echo"
        }
        fn version(&self) -> Result<String, Failure> {
            Ok("1".into())
        }
        fn has(&self, _alg: &str) -> bool {
            true
        }
        fn count(&self) -> usize {
            1
        }
        fn sign(&self, _alg: &str, folder: &Path) -> Result<(), Failure> {
            write(&folder.join("pub"), b"")?;
            write(&folder.join("sig0"), &bytes(&folder.join("msg"))?)
        }
        fn verify(&self, _alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
            let mut good = Vec::new();
            for folder in folders {
                for signature in signatures(folder)? {
                    let same = bytes(&signature)? == bytes(&folder.join("msg"))?;
                    good.extend(self.0.unwrap_or(same).then_some(signature));
                }
            }
            Ok(good)
        }
    }

    fn with(verifier: Echo, name: &str) -> Outcome {
        let folder =
            std::env::temp_dir().join(format!("hasten-exchange-{}-{name}", std::process::id()));
        let outcome = exchange(&Echo(None), &verifier, "a set with a long name", &folder).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        outcome
    }

    #[test]
    fn an_honest_verifier_passes() {
        assert_eq!(with(Echo(None), "honest"), Outcome { verified: 1, refused: 6, wrong: vec![] });
    }

    #[test]
    fn a_verifier_that_takes_all_or_nothing_fails() {
        assert_eq!(with(Echo(Some(true)), "all").wrong.len(), 6);
        assert_eq!(with(Echo(Some(false)), "nothing").wrong.len(), 1);
    }
}
