//! Libraries that are built separately and run as programs, each named by an environment variable.
//! docs/peers.md describes how each is built.

use std::ffi::OsString;
use std::process::Command;

use hasten_hbs::Set;

use crate::program::{self, Known};
use crate::side::Side;
use crate::wolfssl::Benchmark;

/// A program that answers the words listed in `programs/peer.hpp`.
struct Named {
    variable: &'static str,
    command: fn(OsString) -> Command,
    known: fn(&Set) -> Known,
    has: fn(&str) -> bool,
}

const NAMED: [Named; 4] = [
    Named {
        variable: "HASTEN_PARALLEL_SPHINCSPLUS",
        command: |program| Command::new(program),
        known: parallel,
        has: |set| set.starts_with("SLH-DSA-"),
    },
    Named {
        variable: "HASTEN_PARALLEL_DWARF",
        command: |program| Command::new(program),
        known: parallel,
        has: |set| set.starts_with("SLH-DSA-"),
    },
    Named {
        variable: "HASTEN_BOTAN",
        command: |program| Command::new(program),
        known: botan,
        has: |set| !set.starts_with("XMSSMT-") && !set.ends_with("_192"),
    },
    Named {
        variable: "HASTEN_BOUNCYCASTLE",
        command: |class_path| {
            let mut java = Command::new("java");
            java.arg("-XX:+UseSerialGC").arg("-cp").arg(class_path).arg("Windows");
            java
        },
        known: |_| Known {
            flags: "",
            remark: Some("for information: after 1.5 s of each operation"),
            rebuilds: false,
        },
        has: |set| INFORMATION.contains(&set),
    },
];

/// The sets measured with Bouncy Castle, which takes seconds to warm up.
const INFORMATION: [&str; 3] =
    ["SLH-DSA-SHA2-128f", "XMSS-SHA2_10_256", "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4"];

fn parallel(_: &Set) -> Known {
    Known { flags: "-O3 -march=native -flto, one thread", remark: None, rebuilds: false }
}

fn botan(set: &Set) -> Known {
    let rebuilds = !set.name.starts_with("SLH-DSA-");
    let remark = rebuilds.then_some("makes its trees anew for each signature");
    Known { flags: "-O3 -march=native, minimal modules", remark, rebuilds }
}

/// The programs that environment variables name.
pub struct Programs {
    named: Vec<(&'static Named, OsString)>,
    pub wolfssl: Option<Benchmark>,
}

impl Programs {
    /// Finds the programs. If `all` is true, every program must be there.
    ///
    /// # Errors
    /// A message, if a required program is missing, or wolfSSL's does not run.
    pub fn find(all: bool) -> Result<Self, String> {
        let named = |variable| match std::env::var_os(variable) {
            None if all => Err(format!("{variable} names no program; docs/peers.md tells of it")),
            value => Ok(value),
        };
        let wolfssl = named("HASTEN_WOLFSSL")?.map(Benchmark::find).transpose()?;
        let mut programs = Self { named: Vec::new(), wolfssl };
        for row in &NAMED {
            programs.named.extend(named(row.variable)?.map(|value| (row, value)));
        }
        Ok(programs)
    }

    /// Returns the peers that support `set`. They are started one after another, so that only one
    /// runs.
    pub fn sides(&self, set: &'static Set) -> impl Iterator<Item = Result<Side, String>> {
        let having = self.named.iter().filter(|(row, _)| (row.has)(set.name));
        having.filter_map(move |(row, value)| {
            let mut command = (row.command)(value.clone());
            command.arg(set.name);
            let side = program::side(command, set, (row.known)(set));
            side.map_err(|fault| format!("{}: {fault}", row.variable)).transpose()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_made_anew_are_remarked() {
        let known = |name| botan(Set::named(name).unwrap());
        assert!(known("XMSS-SHA2_10_256").rebuilds && known("L2_H10_W4").rebuilds);
        assert!(!known("SLH-DSA-SHA2-128f").rebuilds);
    }

    #[test]
    fn information_is_of_known_sets() {
        for name in INFORMATION {
            assert!(Set::named(name).is_ok(), "{name}");
        }
    }
}
