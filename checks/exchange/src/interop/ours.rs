//! Our side: the example program `files` of `hasten-hbs`, which signs and verifies raw files.

use super::peer::{Peer, good_ones};
use hasten_chore::failure::Failure;
use hasten_chore::program::run;
use std::path::{Path, PathBuf};

/// Hasten.
pub struct Ours {
    program: PathBuf,
}

impl Ours {
    /// Builds the program.
    pub fn prepare() -> Result<Self, Failure> {
        Ok(Self { program: example("files")? })
    }
}

/// Builds an example program of the workspace and returns its path. The packages are those that
/// `./test` selects: a single package would enable fewer features and rebuild its libraries.
pub fn example(name: &str) -> Result<PathBuf, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let packages = ["--workspace", "--exclude", "peers", "--exclude", "rustls-hasten"];
    let built = [&["build", "-q"], &packages[..], &["--example", name]].concat();
    let printed = run(cargo, &[&built[..], &["--message-format", "json"]].concat())?;
    let program = String::from_utf8_lossy(&printed)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    program.ok_or_else(|| Failure::Tool("cargo built no program".into()))
}

impl Peer for Ours {
    fn name(&self) -> &'static str {
        "Hasten"
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(env!("CARGO_PKG_VERSION").into())
    }

    fn has(&self, _alg: &str) -> bool {
        true
    }

    fn count(&self) -> usize {
        3
    }

    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        let (folder, count) = (folder.display().to_string(), self.count().to_string());
        run(&self.program, &["sign", alg, &folder, &count]).map(drop)
    }

    fn verify(&self, alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let mut args = vec!["verify".to_string(), alg.to_string()];
        args.extend(folders.iter().map(|folder| folder.display().to_string()));
        Ok(good_ones(&run(&self.program, &args)?))
    }
}
