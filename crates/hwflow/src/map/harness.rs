//! A module around a unit, so that the unit's ports need no pins. One shift register drives the
//! inputs, and another one captures the outputs, so that paths of the unit begin and end in
//! registers.

use crate::core::cores::{Core, Point, Unit};
use crate::core::tool;
use crate::map::netlist::{Module, Wire};
use hasten_chore::failure::Failure;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A harness.
pub struct Harness {
    /// Path of its file.
    pub file: PathBuf,
    /// Flip-flops of the harness itself.
    pub ff: u64,
}

/// Writes the harness of a point to `NAME_harness.v` in the folder of `stem`.
pub fn write(core: &Core, unit: &Unit, point: &Point, stem: &Path) -> Result<Harness, Failure> {
    let ports = PathBuf::from(format!("{}_ports", stem.display()));
    let names = [
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("OUT", ports.display().to_string()),
    ];
    tool::yosys("ports.ys", &names, &ports.with_extension("log"))?;
    let module = Module::load(&ports.with_extension("json"), &unit.top)?;
    let file = PathBuf::from(format!("{}_harness.v", stem.display()));
    let (text, ff) = around(unit, &module);
    tool::write(&file, &text)?;
    Ok(Harness { file, ff })
}

/// Returns the text of the harness and the number of its flip-flops.
fn around(unit: &Unit, module: &Module) -> (String, u64) {
    let clock = &unit.clock;
    let of = |direction: &'static str| {
        module
            .ports
            .iter()
            .filter(move |(name, wire)| wire.direction == direction && *name != clock)
    };
    let inputs = connected(of("input"), "in_q");
    let outputs = connected(of("output"), "out");
    let ff = inputs.bits + outputs.bits;
    let text = format!(
        "module harness (input clk, input load, input data, output result);
  reg [{last_in}:0] in_q;
  reg [{last_out}:0] out_q;
  wire [{last_out}:0] out;
  assign result = out_q[{last_out}];
  always @(posedge clk) begin
    in_q <= {{in_q[{before_in}:0], data}};
    out_q <= load ? out : {{out_q[{before_out}:0], 1'b0}};
  end
  {top} unit (.{clock}(clk){inputs}{outputs});
endmodule
",
        last_in = inputs.bits - 1,
        last_out = outputs.bits - 1,
        before_in = inputs.bits.saturating_sub(2),
        before_out = outputs.bits.saturating_sub(2),
        top = unit.top,
        inputs = inputs.text,
        outputs = outputs.text,
    );
    (text, ff)
}

/// Connections of ports to a vector, and the number of bits of the vector that they take.
struct Connected {
    text: String,
    bits: u64,
}

fn connected<'p>(ports: impl Iterator<Item = (&'p String, &'p Wire)>, vector: &str) -> Connected {
    let mut all = Connected { text: String::new(), bits: 0 };
    for (name, wire) in ports {
        let width = wire.bits.len() as u64;
        // Writing to a string does not fail.
        let _ = write!(all.text, ",\n    .{name}({vector}[{}:{}])", all.bits + width - 1, all.bits);
        all.bits += width;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_port_but_the_clock_has_bits_of_its_own() {
        let module: Module = serde_json::from_str(
            r#"{"cells":{},"ports":{"clk_i":{"direction":"input","bits":[2]},
            "a_i":{"direction":"input","bits":[3,4]},"rst_ni":{"direction":"input","bits":[5]},
            "r_o":{"direction":"output","bits":[6,7,8]}}}"#,
        )
        .unwrap();
        let unit: Unit = toml::from_str("top = 't'\nfiles = []\n").unwrap();
        let (text, ff) = around(&unit, &module);
        assert_eq!(ff, 6);
        for part in [
            "reg [2:0] in_q;",
            "t unit (.clk_i(clk),\n    .a_i(in_q[1:0]),\n    .rst_ni(in_q[2:2]),\n    .r_o(out[2:0]));",
            "in_q <= {in_q[1:0], data};",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
