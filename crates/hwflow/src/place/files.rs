//! Writes the netlist as Verilog and its wires as SPEF, and gets the longest path from OpenSTA.

use super::circuit::{Cell, Circuit, Pin};
use super::tree::Wire;
use crate::core::cores::Unit;
use crate::core::tool;
use crate::energy::gates::Net;
use crate::map::asic;
use crate::map::liberty::Liberty;
use hasten_chore::failure::Failure;
use std::collections::BTreeMap;
use std::path::Path;

/// Resistance in ohms and capacitance in femtofarads of a micrometre of wire, as fitted to routed
/// designs in SG13G2: OpenROAD-flow-scripts, `flow/platforms/ihp-sg13g2/setRC.tcl` (signal), commit
/// 6c7e24a.
const OHMS: f64 = 2.07;
pub const FEMTOFARADS: f64 = 0.173;

/// Returns the longest path in nanoseconds. If `trees` is empty, wires are ideal.
pub fn longest(
    circuit: &Circuit,
    trees: &[Vec<Wire>],
    (unit, library, file): (&Unit, &Liberty, &Path),
    out: &Path,
) -> Result<f64, Failure> {
    tool::write(&out.with_extension("v"), &verilog(circuit, &unit.top))?;
    let mut wires = String::new();
    if !trees.is_empty() {
        let file = out.with_extension("spef");
        tool::write(&file, &spef(circuit, trees, &unit.top))?;
        wires = format!("read_spef {}", file.display());
    }
    let names = [
        ("LIBERTY", asic::whole_path(file)),
        ("MACROS", asic::read_macros(library)),
        ("NETLIST", out.with_extension("v").display().to_string()),
        ("TOP", unit.top.clone()),
        ("CLOCK", name(circuit.clock)),
        ("WIRES", wires),
        ("ENDPOINTS", String::new()),
    ];
    asic::sta(out, &names)
}

fn name(net: Net) -> String {
    match net {
        0 => "1'b0".into(),
        1 => "1'b1".into(),
        _ => format!("n{net}"),
    }
}

fn verilog(circuit: &Circuit, top: &str) -> String {
    let ports: Vec<String> =
        circuit.inputs.iter().chain(&circuit.outputs).map(|net| name(*net)).collect();
    let mut text = format!("module {top} ({});\n", ports.join(", "));
    circuit.inputs.iter().for_each(|net| text += &format!("input {};\n", name(*net)));
    circuit.outputs.iter().for_each(|net| text += &format!("output {};\n", name(*net)));
    for (at, cell) in circuit.cells.iter().enumerate() {
        text += &format!("{} u{at} ({});\n", cell.kind, connections(cell));
    }
    text + "endmodule\n"
}

/// Returns the pins of a cell and their nets. The bits of a bus form one word, the highest bit
/// first.
fn connections(cell: &Cell) -> String {
    let mut words: Vec<(&str, Vec<String>)> = Vec::new();
    for (pin, net) in &cell.pins {
        let of = pin.split_once('[').map_or(pin.as_str(), |(bus, _)| bus);
        match words.last_mut() {
            Some((last, bits)) if *last == of => bits.insert(0, name(*net)),
            _ => words.push((of, vec![name(*net)])),
        }
    }
    let text = |(pin, bits): &(&str, Vec<String>)| match bits.as_slice() {
        [one] => format!(".{pin}({one})"),
        bits => format!(".{pin}({{{}}})", bits.join(", ")),
    };
    words.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Returns the wires of all nets. A port is at the first pin of its net.
fn spef(circuit: &Circuit, trees: &[Vec<Wire>], top: &str) -> String {
    let mut text = format!(
        "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"{top}\"\n*DATE \"\"\n*VENDOR \"\"\n*PROGRAM \"\"\n\
         *VERSION \"\"\n*DESIGN_FLOW \"\"\n*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER [ ]\n\
         *T_UNIT 1 NS\n*C_UNIT 1 FF\n*R_UNIT 1 OHM\n*L_UNIT 1 HENRY\n"
    );
    let inputs = circuit.inputs.iter().map(|net| (*net, "I"));
    let ports: BTreeMap<Net, &str> =
        inputs.chain(circuit.outputs.iter().map(|net| (*net, "O"))).collect();
    let nets = circuit.nets.iter().zip(trees).filter(|(_, wires)| !wires.is_empty());
    nets.for_each(|((net, pins), wires)| {
        text += &of_net(circuit, (*net, ports.get(net).copied()), pins, wires);
    });
    text
}

/// Returns the wires of a net. `port` is the direction of the net's port, if it has one: `I` for an
/// input, `O` for an output.
fn of_net(
    circuit: &Circuit,
    (net, port): (Net, Option<&str>),
    pins: &[Pin],
    wires: &[Wire],
) -> String {
    let pin = |pin: &Pin| format!("u{}:{}", pin.cell, circuit.cells[pin.cell].pins[pin.pin].0);
    let all: f64 = wires.iter().map(|wire| wire.length).sum();
    let mut text = format!("*D_NET {} {:.4}\n*CONN\n", name(net), FEMTOFARADS * all);
    if let Some(direction) = port {
        text += &format!("*P {} {direction}\n", name(net));
    }
    for one in pins {
        text += &format!("*I {} {}\n", pin(one), if one.drives { "O" } else { "I" });
    }
    let mut farads = vec![0.0; pins.len()];
    for wire in wires {
        farads[wire.from] += FEMTOFARADS * wire.length / 2.0;
        farads[wire.to] += FEMTOFARADS * wire.length / 2.0;
    }
    text += "*CAP\n";
    for (at, one) in pins.iter().enumerate() {
        text += &format!("{} {} {:.4}\n", at + 1, pin(one), farads[at]);
    }
    text += "*RES\n";
    if port.is_some() {
        text += &format!("0 {} {} 0.001\n", name(net), pin(&pins[0]));
    }
    for (at, wire) in wires.iter().enumerate() {
        let (from, to) = (pin(&pins[wire.from]), pin(&pins[wire.to]));
        text += &format!("{} {from} {to} {:.4}\n", at + 1, OHMS * wire.length.max(1e-3));
    }
    text + "*END\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_of_a_bus_are_one_word() {
        let pins = [("A[0]", 5), ("A[1]", 1), ("E", 7)].map(|(pin, net)| (pin.to_owned(), net));
        let cell = Cell { kind: "ram".into(), area: 1.0, pins: pins.to_vec() };
        assert_eq!(connections(&cell), ".A({1'b1, n5}), .E(n7)");
    }
}
