//! `cargo xtask licences`: checks that every dependency may be used under one of the licences
//! listed below. It covers the workspace and the small workspaces outside it.

use crate::metadata::{self, Package};
use hasten_chore::failure::{Failure, report};
use spdx::{Expression, ParseMode};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Accepted licences for dependencies.
const ALLOWED: &[&str] = &[
    "Apache-2.0",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages under other licences that only tests run. Nothing of them is linked or copied into a
/// released artifact.
const TOOLS: &[(&str, &str)] = &[("cbindgen", "MPL-2.0")];

/// Checks every package that `cargo metadata` reports for any Cargo.lock of the repository.
pub fn run(_args: &[String]) -> Result<(), Failure> {
    let manifests = metadata::manifests()?;
    let packages = packages_of(&manifests)?;
    let found = packages.values().filter_map(fault).collect();
    let good =
        format!("{} packages of {} lock files, every one allowed", packages.len(), manifests.len());
    report("licences", good, found)
}

/// Returns the packages of all `manifests` by id.
fn packages_of(manifests: &[PathBuf]) -> Result<BTreeMap<String, Package>, Failure> {
    let mut packages = BTreeMap::new();
    for manifest in manifests {
        let named = metadata::load_of(manifest)?.packages;
        packages.extend(named.into_iter().map(|package| (package.id.clone(), package)));
    }
    Ok(packages)
}

fn fault(package: &Package) -> Option<String> {
    let Some(text) = package.license.as_deref() else {
        return Some(format!("{} {}: names no licence", package.name, package.version));
    };
    let is_tool = TOOLS.contains(&(package.name.as_str(), text));
    (!is_allowed(text) && !is_tool).then(|| format!("{} {}: {text}", package.name, package.version))
}

/// Returns true if licences of the list are enough to satisfy the SPDX expression. An exception to
/// a listed licence is accepted, because exceptions only add permissions.
fn is_allowed(expression: &str) -> bool {
    Expression::parse_mode(expression, ParseMode::LAX).is_ok_and(|parsed| {
        parsed.evaluate(|requirement| {
            requirement.license.id().is_some_and(|id| ALLOWED.contains(&id.name))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::sample::workspace;

    #[test]
    fn permissive_expressions_pass() {
        for text in ["MIT", "MIT/Apache-2.0", "Apache-2.0 WITH LLVM-exception", "GPL-3.0 OR MIT"] {
            assert!(is_allowed(text), "{text}");
        }
    }

    #[test]
    fn others_fail() {
        for text in ["GPL-3.0-only", "MIT AND GPL-2.0-only", "LicenseRef-own", "nonsense ("] {
            assert!(!is_allowed(text), "{text}");
        }
    }

    #[test]
    fn a_tool_has_the_licence_that_it_is_let_in_with() {
        let package = |name: &str, licence: &str| {
            let mut package = workspace(&[(name, &[])]).packages.remove(0);
            package.license = Some(licence.into());
            fault(&package).is_none()
        };
        assert!(package("cbindgen", "MPL-2.0"));
        assert!(!package("cbindgen", "GPL-3.0-only") && !package("another", "MPL-2.0"));
    }

    #[test]
    fn a_package_without_a_licence_fails() {
        let mut metadata = workspace(&[("hasten-hbs", &[])]);
        assert!(fault(&metadata.packages[0]).is_none());
        metadata.packages[0].license = None;
        assert!(fault(&metadata.packages[0]).is_some());
    }
}
