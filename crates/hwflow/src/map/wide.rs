//! Registers whose bits must all exist in a netlist. Their codes are wide, so that a flipped bit
//! never turns one code into another. A synthesizer would use one flip-flop for bits that are
//! always equal.

use crate::core::cores::Unit;
use crate::map::flatten::Pieces;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use hasten_chore::failure::Failure;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the bits of `wide` that have no flip-flop of their own in the netlist.
pub fn missing(unit: &Unit, module: &Module, library: &Liberty) -> Vec<String> {
    let mut held = flip_flops(module, library);
    let missing =
        unit.wide.iter().map(|(name, bits)| (name, without(name, *bits, module, &mut held)));
    missing.flat_map(|(name, bits)| named(name, bits)).collect()
}

/// Like [`missing`], for a unit that is mapped module by module. Each register is in one of the
/// pieces.
pub fn missing_in(unit: &Unit, pieces: &Pieces, library: &Liberty) -> Vec<String> {
    let mut held = BTreeMap::new();
    let mut missing = Vec::new();
    for (name, bits) in &unit.wide {
        let (piece, module, inside) = pieces.holder(name);
        let held = held.entry(piece).or_insert_with(|| flip_flops(module, library));
        missing.extend(named(name, without(inside, *bits, module, held)));
    }
    missing
}

/// Returns an error if bits are missing.
pub fn refuse(missing: Vec<String>) -> Result<(), Failure> {
    let fault = || format!("no flip-flop of its own: {}", missing.join(" "));
    if missing.is_empty() { Ok(()) } else { Err(Failure::Tool(fault())) }
}

/// Returns the names of bits of a register.
fn named(name: &str, bits: Vec<usize>) -> impl Iterator<Item = String> {
    bits.into_iter().map(move |bit| format!("{name}[{bit}]"))
}

/// Returns the bits of a register that have no flip-flop in `held`, and removes the flip-flops of
/// the other bits from `held`.
fn without(name: &str, bits: usize, module: &Module, held: &mut BTreeSet<u64>) -> Vec<usize> {
    let shown = |bit: usize| match module.netnames.get(&format!("{name}[{bit}]")) {
        Some(wire) => wire.bits.first()?.as_u64(),
        None => {
            let wire = module.netnames.get(name)?;
            wire.bits.get(bit.checked_sub(wire.offset)?)?.as_u64()
        }
    };
    (0..bits).filter(|&bit| !shown(bit).is_some_and(|net| held.remove(&net))).collect()
}

/// Returns the nets that show the content of flip-flops.
fn flip_flops(module: &Module, library: &Liberty) -> BTreeSet<u64> {
    let kinds = library.cells();
    let mut nets = BTreeSet::new();
    for cell in module.cells.values() {
        let Some(kind) = kinds.get(cell.kind.as_str()) else { continue };
        if kind.all("ff").next().is_none() {
            continue;
        }
        let shows = kind.all("pin").filter(|pin| pin.attributes.contains_key("function"));
        let pins = shows.filter_map(|pin| cell.connections.get(&pin.args));
        nets.extend(pins.flatten().filter_map(Value::as_u64));
    }
    nets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::cores::{Core, Point};
    use crate::map::netlist::{Cell, Wire};

    const LIBRARY: &str = "library (l) { cell (dff) { ff (IQ, IQN) { next_state : \"D\"; }
        pin(D) { } pin(Q) { function : \"IQ\"; } } cell (inv) { pin(Y) { function : \"!A\"; } } }";

    #[test]
    fn a_bit_without_a_flip_flop_of_its_own_is_missing() {
        let library = Liberty::of_text(LIBRARY).unwrap();
        let cell = |kind: &str, pins: [(&str, u64); 2]| {
            Cell::new(kind, pins.map(|(pin, net)| (pin.into(), vec![net.into()])).into())
        };
        let cells = [
            ("a".into(), cell("dff", [("D", 2), ("Q", 3)])),
            ("b".into(), cell("inv", [("A", 3), ("Y", 4)])),
            ("c".into(), cell("dff", [("D", 3), ("Q", 5)])),
        ];
        let net = |(name, net): (&str, u64)| {
            (name.to_owned(), Wire { bits: vec![net.into()], ..Wire::default() })
        };
        let named = [("v[0]", 3), ("v[1]", 5), ("w[0]", 3), ("x[0]", 4)].map(net);
        let module = Module { cells: cells.into(), ports: BTreeMap::new(), netnames: named.into() };
        let missing = |wide: &str| {
            let text = format!("name='t'\n[[unit]]\ntop='t'\nfiles=[]\nwide = {wide}");
            super::missing(&toml::from_str::<Core>(&text).unwrap().unit[0], &module, &library)
        };
        assert!(missing("{ v = 2 }").is_empty());
        assert_eq!(missing("{ v = 2, w = 1 }"), ["w[0]"]);
        assert_eq!(missing("{ x = 1, y = 1 }"), ["x[0]", "y[0]"]);
    }

    /// A top with a register and a box. The box has a register of three bits, but only two
    /// flip-flops.
    const TOP: &str = r#"{"modules":{"t":{"cells":{"u":{"type":"b","connections":{}},
        "$1":{"type":"dff","connections":{"D":[3],"Q":[4]}}},
        "netnames":{"v_q":{"bits":[4]}}}}}"#;
    const BOX: &str = r#"{"modules":{"b":{"cells":{"$1":{"type":"dff","connections":{"D":[3],"Q":[4]}},
        "$2":{"type":"dff","connections":{"D":[4],"Q":[3]}}},
        "netnames":{"u_in.v_q":{"bits":[4,3,4]}}}}}"#;

    #[test]
    fn a_register_in_a_box_is_looked_for_there() {
        let library = Liberty::of_text(LIBRARY).unwrap();
        let folder = std::env::temp_dir().join(format!("hasten-wide-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let unit = |wide: &str| {
            let text = format!("top='t'\nfiles=[]\nboxes = {{ b = 'x.abc' }}\nwide = {wide}");
            toml::from_str::<Unit>(&text).unwrap()
        };
        let pieces = Pieces::map(&unit("{}"), &Point::default(), |unit, _| {
            let file = folder.join(&unit.top);
            std::fs::write(&file, if unit.top == "t" { TOP } else { BOX }).unwrap();
            Ok(file)
        })
        .unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        let missing = |wide: &str| missing_in(&unit(wide), &pieces, &library);
        assert!(missing("{ 'u.u_in.v_q' = 2, v_q = 1 }").is_empty());
        assert_eq!(missing("{ 'u.u_in.v_q' = 3 }"), ["u.u_in.v_q[2]"]);
        assert_eq!(missing("{ 'u_in.v_q' = 1, v_q = 2 }"), ["u_in.v_q[0]", "v_q[1]"]);
    }
}
