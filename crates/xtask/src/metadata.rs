//! The parts of `cargo metadata` that the chores need.

pub use hasten_chore::checkout::root;
use hasten_chore::failure::Failure;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace and everything it depends on.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// Packages of the workspace and foreign packages.
    pub packages: Vec<Package>,
    /// Ids of the workspace's packages.
    pub workspace_members: Vec<String>,
    /// Ids of the packages that a plain `cargo test` builds.
    pub workspace_default_members: Vec<String>,
}

/// A package.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// cargo's id for the package.
    pub id: String,
    /// Name of the package.
    pub name: String,
    /// Version of the package.
    pub version: String,
    /// SPDX licence expression.
    pub license: Option<String>,
    /// Path of the package's Cargo.toml.
    pub manifest_path: PathBuf,
    /// Dependencies listed in the package's Cargo.toml.
    pub dependencies: Vec<Dependency>,
    /// Features of the package, each with the features and dependencies that it enables.
    #[serde(default)]
    pub features: BTreeMap<String, Vec<String>>,
    /// Registries that the package may be published to; absent means any registry.
    pub publish: Option<Vec<String>>,
    /// Programs, examples and tests.
    #[serde(default)]
    pub targets: Vec<Target>,
}

/// A program, an example or a test of a package.
#[derive(Debug, Deserialize)]
pub struct Target {
    /// Name of the target.
    pub name: String,
    /// Kinds of the target, such as `bin`, `example` or `test`.
    pub kind: Vec<String>,
}

/// One line under `[dependencies]`, `[build-dependencies]` or `[dev-dependencies]`.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// Name of the package depended on.
    pub name: String,
    /// Absent, `build` or `dev`.
    pub kind: Option<String>,
    /// Whether the dependency is optional, that is, enabled by a feature.
    pub optional: bool,
}

impl Package {
    /// Returns true if the package may be published.
    pub fn is_published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }
}

impl Dependency {
    /// Returns true for `[dev-dependencies]`.
    pub fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

impl Metadata {
    /// Returns the names of the workspace's packages, and each of their targets as
    /// `PACKAGE KIND NAME`.
    pub fn targets(&self) -> std::collections::BTreeSet<String> {
        let named = |package: &Package| {
            let target = |target: &Target| {
                let kind = target.kind.first().map_or("", String::as_str);
                format!("{} {kind} {}", package.name, target.name)
            };
            let each: Vec<String> = package.targets.iter().map(target).collect();
            [vec![package.name.clone()], each].concat()
        };
        self.members().flat_map(named).collect()
    }

    /// Returns the workspace's packages.
    pub fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }
}

/// Runs `cargo metadata` on this workspace.
pub fn load() -> Result<Metadata, Failure> {
    load_of(&root()?.join("Cargo.toml"))
}

/// Runs `cargo metadata` on the workspace of the given Cargo.toml.
pub fn load_of(manifest: &Path) -> Result<Metadata, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(manifest)
        .output()
        .map_err(|error| Failure::Tool(format!("cargo metadata: {error}")))?;
    if !output.status.success() {
        return Err(Failure::Tool(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure::Tool(format!("cargo metadata: {error}")))
}

/// Returns the Cargo.toml next to every Cargo.lock of the repository: the one of this workspace and
/// those of the workspaces outside it.
pub fn manifests() -> Result<Vec<PathBuf>, Failure> {
    let root = root()?;
    let listed = Command::new("git")
        .args(["ls-files", "-z", "Cargo.lock", "**/Cargo.lock"])
        .current_dir(&root)
        .output()
        .map_err(|error| Failure::Tool(format!("git ls-files: {error}")))?;
    if listed.stdout.is_empty() {
        return Err(Failure::Tool("git ls-files names no Cargo.lock: run it in a clone".into()));
    }
    let paths = String::from_utf8_lossy(&listed.stdout).into_owned();
    Ok(paths
        .split_terminator('\0')
        .map(|lock| root.join(lock).with_file_name("Cargo.toml"))
        .collect())
}

#[cfg(test)]
pub mod sample {
    //! A small workspace for the tests of the checks.
    use super::*;

    /// A dependency: its name, its kind (empty for an ordinary one), and whether it is optional.
    type Edge<'a> = (&'a str, &'a str, bool);

    /// Returns the metadata of a workspace with these members.
    pub fn workspace(members: &[(&str, &[Edge])]) -> Metadata {
        let packages: Vec<Package> =
            members.iter().map(|(name, edges)| member(name, edges)).collect();
        let ids: Vec<String> = packages.iter().map(|package| package.id.clone()).collect();
        Metadata { packages, workspace_members: ids.clone(), workspace_default_members: ids }
    }

    fn member(name: &str, edges: &[Edge]) -> Package {
        let dependencies = edges
            .iter()
            .map(|(name, kind, optional)| Dependency {
                name: name.to_string(),
                kind: Some(kind.to_string()).filter(|kind| !kind.is_empty()),
                optional: *optional,
            })
            .collect();
        Package {
            id: name.to_string(),
            name: name.to_string(),
            version: "0.1.0".into(),
            license: Some("Apache-2.0 OR MIT".into()),
            manifest_path: "Cargo.toml".into(),
            dependencies,
            features: BTreeMap::new(),
            publish: None,
            targets: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspaces_beside_ours_are_found() {
        let found = manifests().unwrap();
        assert!(found.contains(&root().unwrap().join("Cargo.toml")));
        assert!(found.contains(&root().unwrap().join("checks/riscv/Cargo.toml")));
    }
}
