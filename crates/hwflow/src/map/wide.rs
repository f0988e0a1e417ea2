//! Registers of which a netlist must have every bit: their codes are wide, so that a bit that flips
//! makes none of another, and a synthesizer would make one flip-flop of bits that are always alike.

use crate::core::cores::Unit;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns the bits of `wide` that have no flip-flop of their own in the netlist.
pub fn missing(unit: &Unit, module: &Module, library: &Liberty) -> Vec<String> {
    let mut held = flip_flops(module, library);
    let mut missing = Vec::new();
    for (name, bits) in &unit.wide {
        for bit in (0..*bits).map(|bit| format!("{name}[{bit}]")) {
            let net = module.netnames.get(&bit).and_then(|wire| wire.bits.first()?.as_u64());
            if !net.is_some_and(|net| held.remove(&net)) {
                missing.push(bit);
            }
        }
    }
    missing
}

/// Returns the nets that show what flip-flops hold.
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
    use crate::core::cores::Core;
    use crate::map::netlist::{Cell, Wire};
    use std::collections::BTreeMap;

    #[test]
    fn a_bit_without_a_flip_flop_of_its_own_is_missing() {
        let text = "library (l) { cell (dff) { ff (IQ, IQN) { next_state : \"D\"; }
            pin(D) { } pin(Q) { function : \"IQ\"; } } cell (inv) { pin(Y) { function : \"!A\"; } } }";
        let library = Liberty::of_text(text).unwrap();
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
}
