//! The claim `timing` of a unit, which `hw prove` checks together with the proofs. Each bit of a
//! shown output is traced back through all logic and registers (`flow/timing.ys`), and no secret
//! input may be found on the way. So nothing that is shown depends on a secret, in any cycle and
//! for any content of the registers.

use crate::core::cores::{Core, Point, Timing, Unit};
use crate::core::tool;
use crate::map::netlist::{Cell, Module, Wire};
use hasten_chore::failure::Failure;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Maximum number of nets that are named on a path to a secret.
const NAMED: usize = 8;

/// Returns the name of the timing claim of a unit.
pub fn name(unit: &Unit) -> String {
    format!("{}_timing", unit.top)
}

/// Returns how a shown output depends on a secret, or `None` if no shown output does.
pub fn leak(
    core: &Core,
    unit: &Unit,
    timing: &Timing,
    point: &Point,
    folder: &str,
) -> Result<Option<String>, Failure> {
    let stem = tool::work(folder)?.join(format!("{}_{}", name(unit), point.slug()));
    let names = [
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("OUT", stem.display().to_string()),
    ];
    tool::yosys("timing.ys", &names, &stem.with_extension("log"))?;
    let module = Module::load(&stem.with_extension("json"), &unit.top)?;
    found(&module, timing).map_err(|words| Failure::Usage(format!("{}: {words}", name(unit))))
}

/// Returns a path from a shown output back to a secret.
fn found(module: &Module, timing: &Timing) -> Result<Option<String>, String> {
    let secret = bits(&module.ports, "input", &timing.secret)?;
    let shown = bits(&module.ports, "output", &timing.shows)?;
    let public = bits(&module.netnames, "", &timing.public)?;
    if !secret.is_disjoint(&public) {
        return Err("what is called public is a secret itself".into());
    }
    let walk = Walk::of(module);
    let outputs = module.ports.values().filter(|port| port.direction == "output");
    if walk.back(&outputs.flat_map(nets).collect(), &secret, &HashSet::new()).is_none() {
        return Err("no output depends on what is called secret".into());
    }
    let path = walk.back(&shown, &secret, &public);
    Ok(path.map(|path| said(module, &path)))
}

/// Returns the bits of the named ports or nets. Fails if a name does not exist.
fn bits<'w>(
    wires: impl IntoIterator<Item = (&'w String, &'w Wire)> + Copy,
    direction: &str,
    names: &[String],
) -> Result<HashSet<u64>, String> {
    let mut all = HashSet::new();
    for wanted in names {
        let is_it = |(name, wire): &(&String, &Wire)| {
            *name == wanted && (direction.is_empty() || wire.direction == direction)
        };
        let wire = wires.into_iter().find(is_it).ok_or(format!("no {direction} {wanted}"))?;
        all.extend(nets(wire.1));
    }
    Ok(all)
}

fn nets(wire: &Wire) -> impl Iterator<Item = u64> + '_ {
    wire.bits.iter().filter_map(Value::as_u64)
}

/// The cell that drives each bit.
struct Walk<'m>(HashMap<u64, &'m Cell>);

impl<'m> Walk<'m> {
    fn of(module: &'m Module) -> Self {
        let of_cell = |cell: &'m Cell| cell.nets("output").into_iter().map(move |net| (net, cell));
        Self(module.cells.values().flat_map(of_cell).collect())
    }

    /// Searches backwards from the bits `from` for the nearest bit of `wanted`, without going
    /// beyond the bits of `ends`. Returns the bits on the way.
    fn back(
        &self,
        from: &HashSet<u64>,
        wanted: &HashSet<u64>,
        ends: &HashSet<u64>,
    ) -> Option<Vec<u64>> {
        let mut before: HashMap<u64, Option<u64>> = from.iter().map(|&bit| (bit, None)).collect();
        let mut queue: Vec<u64> = from.iter().copied().collect();
        queue.sort_unstable();
        let mut at = 0;
        while let Some(&bit) = queue.get(at) {
            at += 1;
            if ends.contains(&bit) {
                continue;
            }
            if wanted.contains(&bit) {
                let next = |bit: &u64| before.get(bit).copied().flatten();
                return Some(std::iter::successors(Some(bit), next).collect());
            }
            for read in self.0.get(&bit).map_or(Vec::new(), |cell| cell.nets("input")) {
                before.entry(read).or_insert_with(|| {
                    queue.push(read);
                    Some(bit)
                });
            }
        }
        None
    }
}

/// Names the nets of a path, from the secret to the shown output.
fn said(module: &Module, path: &[u64]) -> String {
    let mut names: HashMap<u64, &str> = HashMap::new();
    let is_given = |name: &&String| !name.starts_with('$');
    for name in module.netnames.keys().filter(is_given) {
        for net in nets(&module.netnames[name]) {
            let kept = names.entry(net).or_insert(name);
            if name.len() < kept.len() {
                *kept = name;
            }
        }
    }
    let mut steps: Vec<&str> = path.iter().filter_map(|net| names.get(net).copied()).collect();
    steps.dedup();
    if steps.len() > NAMED {
        steps.splice(NAMED / 2..steps.len() - NAMED / 2, ["..."]);
    }
    steps.join(" > ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a module in which `data` leads to `shown`, and both inputs lead to `both`.
    fn module() -> Module {
        let cell = |read: &[u64], gives: u64| {
            serde_json::json!({"type": "$_AND_", "port_directions": {"A": "input", "Y": "output"},
                "connections": {"A": read, "Y": [gives]}})
        };
        let wire =
            |direction: &str, bit: u64| serde_json::json!({"direction": direction, "bits": [bit]});
        serde_json::from_value(serde_json::json!({
            "cells": {"a": cell(&[2], 4), "b": cell(&[3], 5), "c": cell(&[4, 5], 6)},
            "ports": {"data": wire("input", 2), "key": wire("input", 3), "shown": wire("output", 4), "both": wire("output", 6)},
            "netnames": {"kept": {"bits": [5]}, "key": {"bits": [3]}, "both": {"bits": [6]}},
        }))
        .unwrap()
    }

    fn timing(shows: &str, public: &[&str]) -> Timing {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        Timing {
            secret: list(&["key"]),
            shows: list(&[shows]),
            public: list(public),
            points: Vec::new(),
        }
    }

    #[test]
    fn a_secret_is_found_behind_registers_and_named() {
        assert_eq!(found(&module(), &timing("shown", &[])), Ok(None));
        let path = found(&module(), &timing("both", &[])).unwrap();
        assert_eq!(path.as_deref(), Some("key > kept > both"));
        assert_eq!(found(&module(), &timing("both", &["kept"])), Ok(None));
    }

    #[test]
    fn a_secret_is_not_public() {
        assert!(found(&module(), &timing("both", &["key"])).unwrap_err().contains("itself"));
    }

    #[test]
    fn a_name_that_is_not_there_is_no_proof() {
        assert_eq!(found(&module(), &timing("data", &[])), Err("no output data".into()));
        assert_eq!(found(&module(), &timing("both", &["other"])), Err("no  other".into()));
        let unread = Timing { secret: vec!["data".into()], ..timing("shown", &[]) };
        let mut module = module();
        module.cells.clear();
        assert!(found(&module, &unread).is_err());
    }
}
