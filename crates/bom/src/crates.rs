//! Facts about each crate from `cargo metadata` and Cargo.lock.

use crate::tree::{Id, Tree};
use hasten_chore::failure::{Failure, read};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Facts about a crate.
#[derive(Clone, Debug, Deserialize)]
pub struct Crate {
    name: String,
    version: String,
    /// SPDX expression.
    pub license: Option<String>,
    /// One sentence.
    pub description: Option<String>,
    /// Address of its source repository.
    pub repository: Option<String>,
    /// Its Cargo.toml.
    pub manifest_path: PathBuf,
    /// Registry or repository that it comes from; absent for a crate of this repository.
    source: Option<String>,
    /// SHA-256 of the package, from Cargo.lock.
    #[serde(skip)]
    pub checksum: Option<String>,
}

impl Crate {
    /// Returns true if the crate belongs to this repository.
    pub fn is_ours(&self) -> bool {
        self.source.is_none()
    }

    /// Returns the licence as a valid SPDX expression: some crates write `/` instead of `OR`.
    pub fn expression(&self) -> Option<String> {
        self.license.as_ref().map(|text| text.replace(" / ", "/").replace('/', " OR "))
    }

    fn id(&self) -> Id {
        Id { name: self.name.clone(), version: self.version.clone() }
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Crate>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// Returns the facts about each crate of the tree.
pub fn of(tree: &Tree, metadata: &str, root: &Path) -> Result<BTreeMap<Id, Crate>, Failure> {
    let metadata: Metadata = serde_json::from_str(metadata)
        .map_err(|error| Failure::Tool(format!("cargo metadata: {error}")))?;
    let path = root.join("Cargo.lock");
    let lock: Lock = toml::from_str(&read(&path)?)
        .map_err(|error| Failure::Form(path, error.message().to_owned()))?;
    join(tree, metadata.packages, lock.package)
}

fn join(
    tree: &Tree,
    packages: Vec<Crate>,
    locked: Vec<Locked>,
) -> Result<BTreeMap<Id, Crate>, Failure> {
    let known: BTreeMap<Id, Crate> = packages.into_iter().map(|one| (one.id(), one)).collect();
    let sums: BTreeMap<Id, Option<String>> = locked
        .into_iter()
        .map(|one| (Id { name: one.name, version: one.version }, one.checksum))
        .collect();
    let mut crates = BTreeMap::new();
    for id in tree.uses.keys() {
        let none = || Failure::Tool(format!("{} {}: cargo does not know it", id.name, id.version));
        let mut one = known.get(id).ok_or_else(none)?.clone();
        one.checksum = sums.get(id).ok_or_else(none)?.clone();
        if !one.is_ours() && (one.checksum.is_none() || one.license.is_none()) {
            let text = format!("{} {}: no checksum or no licence", id.name, id.version);
            return Err(Failure::Found("bom", vec![text]));
        }
        crates.insert(id.clone(), one);
    }
    Ok(crates)
}

#[cfg(test)]
pub mod sample {
    //! A tool and two crates, for tests.
    use super::*;

    /// Returns a tree of `tool`, which uses the crates `a` and `b`, and the facts about all three.
    pub fn crates(folder: &Path) -> (Tree, BTreeMap<Id, Crate>) {
        let tree = Tree::parse("0tool v0.1.0\n1a v1.0.0\n1b v2.0.0+c\n").unwrap();
        let packages = ["tool 0.1.0", "a 1.0.0", "b 2.0.0+c"].map(|text| {
            let (name, version) = text.split_once(' ').unwrap();
            Crate {
                name: name.into(),
                version: version.into(),
                license: Some("MIT/Apache-2.0".into()),
                description: None,
                repository: Some("https://example.org/a".into()),
                manifest_path: folder.join(name).join("Cargo.toml"),
                source: (name != "tool").then(|| "registry".into()),
                checksum: None,
            }
        });
        let sum = |one: &Crate| Locked {
            name: one.name.clone(),
            version: one.version.clone(),
            checksum: one.source.as_ref().map(|_| "00".repeat(32)),
        };
        let locked = packages.iter().map(sum).collect();
        let crates = join(&tree, packages.to_vec(), locked).unwrap();
        (tree, crates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_without_licence_or_checksum_is_refused() {
        let (tree, crates) = sample::crates(Path::new("/"));
        let all: Vec<Crate> = crates.into_values().collect();
        let locked = |sum: Option<&str>| {
            let lock = |one: &Crate| Locked {
                name: one.name.clone(),
                version: one.version.clone(),
                checksum: sum.map(String::from),
            };
            all.iter().map(lock).collect::<Vec<_>>()
        };
        assert!(join(&tree, all.clone(), locked(Some("00"))).is_ok());
        assert!(join(&tree, all.clone(), locked(None)).is_err());
        assert!(join(&tree, all.clone(), Vec::new()).is_err(), "not in Cargo.lock");
        let mut without = all.clone();
        without.iter_mut().for_each(|one| one.license = None);
        assert!(join(&tree, without, locked(Some("00"))).is_err());
    }
}
