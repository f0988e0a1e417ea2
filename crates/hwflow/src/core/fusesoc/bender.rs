//! `rtl/Bender.yml`: the same files for Bender, the build tool of the PULP platform.

use super::package::{Name, Package};

/// Returns a manifest in which each unit is a target of its own name, selected by `-t xmss_engine`.
/// Files of a package also carry the targets of all units that depend on it.
pub fn manifest(packages: &[Package]) -> String {
    let mut text = String::from(
        "# Written by `cargo xtask hw fusesoc` from the files core.toml.
# One target for each core: bender script verilator -t xmss_engine
package:
  name: hasten
sources:
",
    );
    for package in ordered(packages) {
        text += &format!("  - target: any({})\n    files:\n", users(package, packages).join(", "));
        for file in &package.files {
            text += &format!("      - {}\n", file.strip_prefix("rtl/").unwrap_or(file));
        }
    }
    text
}

/// Returns the packages, each after the packages that it depends on.
fn ordered(packages: &[Package]) -> Vec<&Package> {
    let mut placed: Vec<&Package> = Vec::new();
    while placed.len() < packages.len() {
        let is_placed = |name: &Name| placed.iter().any(|other| other.name == *name);
        let next = packages
            .iter()
            .find(|each| !is_placed(&each.name) && each.depends.iter().all(is_placed))
            .expect("a package needs smaller ones alone");
        placed.push(next);
    }
    placed
}

/// Returns the top modules whose designs need the package.
fn users<'p>(package: &Package, packages: &'p [Package]) -> Vec<&'p str> {
    let has_top = |each: &&Package| each.parameters.is_some();
    let uses = |each: &&Package| needs(each, &package.name, packages);
    packages.iter().filter(has_top).filter(uses).map(|each| each.name.top.as_str()).collect()
}

/// Returns true if `package` is the named package or depends on it, directly or indirectly.
fn needs(package: &Package, name: &Name, packages: &[Package]) -> bool {
    let of = |other: &Name| packages.iter().find(|each| each.name == *other);
    let through = |other| of(other).is_some_and(|each| needs(each, name, packages));
    package.name == *name || package.depends.iter().any(through)
}
