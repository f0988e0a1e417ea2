//! `cargo xtask layers`: which crate may use which. The table below is the rule; ARCHITECTURE.md explains it.

mod hazmat;

use crate::failure::{Failure, read, report};
use crate::metadata::{self, Dependency, Metadata, Package};

/// One of our crates and what it may use.
pub struct Layer {
    /// The package's name.
    pub name: &'static str,
    /// Our crates it may use, in `[dependencies]` and `[build-dependencies]`.
    pub may_use: &'static [&'static str],
    /// Those of them that must stay behind a feature.
    pub optional: &'static [&'static str],
    /// Foreign crates it must not ask for.
    pub never: &'static [&'static str],
    /// False if a plain `cargo test` must not build it.
    pub default_member: bool,
    /// True if it may hold `unsafe`, and so has lints of its own.
    pub may_hold_unsafe: bool,
}

const PLAIN: Layer = Layer {
    name: "",
    may_use: &[],
    optional: &[],
    never: &[],
    default_member: true,
    may_hold_unsafe: false,
};

/// Every crate of the workspace.
pub const TABLE: &[Layer] = &[
    Layer { name: "hasten-report", ..PLAIN },
    Layer {
        name: "hasten-kernels",
        never: &["getrandom", "rand", "const-oid", "der"],
        may_hold_unsafe: true,
        ..PLAIN
    },
    Layer {
        name: "hasten-rtlsim",
        may_use: &["hasten-kernels"],
        default_member: false,
        may_hold_unsafe: true,
        ..PLAIN
    },
    Layer {
        name: "hasten-hbs",
        may_use: &["hasten-kernels"],
        never: &["getrandom", "rand", "libc", "rustix", "cpufeatures"],
        ..PLAIN
    },
    Layer { name: "hasten-store", never: &["tokio", "cc", "openssl", "rusqlite"], ..PLAIN },
    Layer { name: "hasten-store-sim", may_use: &["hasten-store"], ..PLAIN },
    Layer { name: "hasten-store-etcd", may_use: &["hasten-store"], ..PLAIN },
    Layer {
        name: "hasten-keys",
        may_use: &["hasten-kernels", "hasten-hbs", "hasten-store"],
        never: &["rustls"],
        ..PLAIN
    },
    Layer {
        name: "rustls-hasten",
        may_use: &["hasten-kernels", "hasten-keys", "hasten-hbs"],
        default_member: false,
        ..PLAIN
    },
    Layer {
        name: "hasten-model",
        may_use: &["hasten-kernels", "hasten-hbs", "hasten-keys"],
        ..PLAIN
    },
    Layer {
        name: "hasten-measure",
        may_use: &[
            "hasten-kernels",
            "hasten-hbs",
            "hasten-store",
            "hasten-keys",
            "rustls-hasten",
            "hasten-model",
            "hasten-report",
        ],
        ..PLAIN
    },
    Layer {
        name: "hasten-cli",
        may_use: &[
            "hasten-kernels",
            "hasten-rtlsim",
            "hasten-hbs",
            "hasten-store",
            "hasten-store-etcd",
            "hasten-keys",
            "rustls-hasten",
            "hasten-model",
            "hasten-measure",
            "hasten-report",
        ],
        optional: &["hasten-measure", "hasten-rtlsim", "hasten-store-etcd"],
        ..PLAIN
    },
    Layer {
        name: "peers",
        may_use: &["hasten-kernels", "hasten-hbs"],
        default_member: false,
        ..PLAIN
    },
    Layer {
        name: "hasten-attacks",
        may_use: &[
            "hasten-kernels",
            "hasten-keys",
            "hasten-store",
            "hasten-store-sim",
            "hasten-report",
        ],
        default_member: false,
        ..PLAIN
    },
    Layer { name: "hasten-hwflow", may_use: &["hasten-report"], never: &["tokio", "cc"], ..PLAIN },
    Layer { name: "hasten-xtask", may_use: &["hasten-hwflow", "hasten-report"], ..PLAIN },
];

/// Checks this workspace.
pub fn run(_args: &[String]) -> Result<(), Failure> {
    let metadata = metadata::load()?;
    let mut found = check(&metadata);
    for package in metadata.members() {
        found.extend(lints(&package.name, &read(&package.manifest_path)?));
    }
    found.extend(hazmat::faults(&metadata::root()?)?);
    report("layers", format!("{} crates, every edge allowed", metadata.members().count()), found)
}

/// One line per unknown crate and per edge that the table does not allow.
pub fn check(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.members() {
        match layer(&package.name) {
            Some(layer) => {
                found.extend(package.dependencies.iter().filter_map(|edge| fault(layer, edge)));
                found.extend(membership(layer, package, metadata));
            }
            None => found.push(format!("{} is not in the table of layers", package.name)),
        }
    }
    found
}

fn layer(name: &str) -> Option<&'static Layer> {
    TABLE.iter().find(|layer| layer.name == name)
}

fn fault(layer: &Layer, edge: &Dependency) -> Option<String> {
    let (user, used) = (layer.name, edge.name.as_str());
    match self::layer(used) {
        None if layer.never.contains(&used) && !edge.is_dev() => {
            Some(format!("{user} must never use {used}"))
        }
        None => None,
        Some(below) if edge.is_dev() => reaches(below, user)
            .then(|| format!("{user} must not use {used}, even in tests: it lies above")),
        Some(_) if !layer.may_use.contains(&used) => Some(format!("{user} may not use {used}")),
        Some(_) => (layer.optional.contains(&used) && !edge.optional)
            .then(|| format!("{user} may use {used} only behind a feature")),
    }
}

/// True if the table lets `from` use `to`, directly or through others.
fn reaches(from: &Layer, to: &str) -> bool {
    from.may_use
        .iter()
        .any(|used| *used == to || layer(used).is_some_and(|below| reaches(below, to)))
}

fn membership(layer: &Layer, package: &Package, metadata: &Metadata) -> Option<String> {
    let is_default = metadata.workspace_default_members.contains(&package.id);
    (is_default && !layer.default_member)
        .then(|| format!("{} must not be a default member of the workspace", layer.name))
}

/// A crate that may not hold `unsafe` takes the workspace's lints, which forbid it.
fn lints(name: &str, manifest: &str) -> Option<String> {
    let inherits = manifest
        .parse::<toml::Table>()
        .ok()
        .and_then(|table| table.get("lints")?.get("workspace")?.as_bool())
        .unwrap_or(false);
    let may_differ = layer(name).is_some_and(|layer| layer.may_hold_unsafe);
    (!inherits && !may_differ).then(|| format!("{name} does not take the workspace's lints"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::sample::workspace;

    fn one(name: &str, edge: (&str, &str, bool)) -> Vec<String> {
        check(&workspace(&[(name, &[edge])]))
    }

    #[test]
    fn allowed_edges_pass() {
        let good = workspace(&[
            ("hasten-kernels", &[("zeroize", "", false), ("sha2", "dev", false)]),
            ("hasten-hbs", &[("hasten-kernels", "", false), ("getrandom", "dev", false)]),
            ("hasten-cli", &[("hasten-hbs", "", false), ("hasten-store-etcd", "", true)]),
        ]);
        assert_eq!(check(&good), Vec::<String>::new());
    }

    #[test]
    fn an_unknown_crate_fails() {
        assert_eq!(check(&workspace(&[("hasten-new", &[])])).len(), 1);
    }

    #[test]
    fn an_edge_upwards_fails_in_every_kind() {
        for kind in ["", "build", "dev"] {
            assert_eq!(one("hasten-kernels", ("hasten-hbs", kind, false)).len(), 1, "{kind}");
        }
        assert_eq!(one("hasten-kernels", ("hasten-keys", "dev", false)).len(), 1);
    }

    #[test]
    fn a_test_may_use_a_neighbour() {
        assert_eq!(one("hasten-store", ("hasten-kernels", "dev", false)).len(), 0);
        assert_eq!(one("hasten-store", ("hasten-kernels", "", false)).len(), 1);
    }

    #[test]
    fn a_banned_foreign_crate_fails() {
        assert_eq!(one("hasten-store", ("tokio", "", false)).len(), 1);
        assert_eq!(one("hasten-hbs", ("getrandom", "build", false)).len(), 1);
    }

    #[test]
    fn what_must_be_optional_fails_when_it_is_not() {
        assert_eq!(one("hasten-cli", ("hasten-rtlsim", "", false)).len(), 1);
        assert_eq!(one("hasten-cli", ("hasten-rtlsim", "", true)).len(), 0);
    }

    #[test]
    fn what_must_not_be_a_default_member_fails_when_it_is() {
        assert_eq!(check(&workspace(&[("hasten-rtlsim", &[])])).len(), 1);
    }

    #[test]
    fn a_crate_with_lints_of_its_own_fails_unless_it_may_hold_unsafe() {
        let own = "[lints.rust]\nmissing_docs = 'warn'\n";
        assert!(lints("hasten-hbs", own).is_some());
        assert!(lints("hasten-hbs", "[lints]\nworkspace = true\n").is_none());
        assert!(lints("hasten-kernels", own).is_none());
    }

    #[test]
    fn the_table_has_no_circle() {
        for layer in TABLE {
            assert!(!reaches(layer, layer.name), "{}", layer.name);
        }
    }
}
