//! Writes the toggles as a SAIF file for other tools.

use super::events::Events;
use super::gates::net;
use crate::map::netlist::Module;

/// Returns the text of the file. A clock cycle is one unit of time; T0 and T1 are left out.
pub fn text(top: &str, module: &Module, gates: &Events, cycles: u64) -> String {
    let mut text = format!(
        "(SAIFILE\n (SAIFVERSION \"2.0\")\n (DIRECTION \"backward\")\n (TIMESCALE 1 ns)\n (DURATION {cycles})\n (INSTANCE {top}\n  (NET\n"
    );
    for (name, wire) in &module.netnames {
        let [bit] = wire.bits.as_slice() else { continue };
        let toggles = gates.rises(net(bit)) + gates.falls(net(bit));
        let name = name.replace('[', "\\[").replace(']', "\\]");
        text += &format!("   ({name} (TC {toggles}) (IG 0))\n");
    }
    text + "  )\n )\n)\n"
}
