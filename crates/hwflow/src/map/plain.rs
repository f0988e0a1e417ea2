//! `hw verilog`: writes each unit as one module of plain Verilog to `target/verilog`, for tools
//! that do not read SystemVerilog. With `--check`, Icarus Verilog runs the module from a reset, and
//! Debian's yosys reads it.

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::tool;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes the chosen units, each at its first point.
pub fn run(options: &Options) -> Result<(), Failure> {
    let folder = checkout::root()?.join("target/verilog");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::Io(folder.clone(), error))?;
    let mut files = 0;
    for core in Core::chosen(&Options { check: false, ..options.clone() })? {
        for unit in core.unit.iter().filter(|unit| unit.ports) {
            let Some(point) = unit.points.first() else { continue };
            let file = write(&core, unit, point, &folder)?;
            println!("hw verilog: {} ({})", file.display(), point.slug());
            if options.check {
                check(unit, &file)?;
            }
            files += 1;
        }
    }
    match files {
        0 => Err(Failure::Usage("no unit with a table of ports is chosen".into())),
        _ => Ok(()),
    }
}

fn write(core: &Core, unit: &Unit, point: &Point, folder: &Path) -> Result<PathBuf, Failure> {
    let file = folder.join(format!("{}.v", unit.top));
    let names = [
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("OUT", file.display().to_string()),
    ];
    tool::yosys("plain.ys", &names, &folder.join(format!("{}.log", unit.top)))?;
    Ok(file)
}

/// Checks that Icarus Verilog runs the file with a bench and that yosys reads it.
fn check(unit: &Unit, file: &Path) -> Result<(), Failure> {
    let (bench, program) = (file.with_extension("bench.v"), file.with_extension("vvp"));
    tool::write(&bench, &text(&unit.top, &ports(&read(file)?)))?;
    tool::output(Command::new("iverilog").arg("-o").arg(&program).args([&bench, file]))?;
    let said = tool::output(Command::new("vvp").arg("-n").arg(&program))?;
    if !passed(&said) {
        return Err(Failure::Tool(format!("{} in Icarus Verilog: {said}", unit.top)));
    }
    let read = format!("read_verilog {}; hierarchy -check -top {}", file.display(), unit.top);
    tool::output(Command::new("yosys").args(["-q", "-p", &read])).map(drop)
}

/// Returns true if the bench printed `passed`, and every `id` line has four capital letters or
/// digits.
fn passed(said: &str) -> bool {
    let letters = |line: &str| match line.strip_prefix("id ") {
        Some(id) => {
            id.len() == 4 && id.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        }
        None => true,
    };
    said.lines().all(letters) && said.lines().any(|line| line == "passed")
}

/// A port of a module of plain Verilog.
#[derive(Debug, PartialEq)]
struct Port {
    name: String,
    output: bool,
    /// Range as written, or empty.
    range: String,
}

/// Returns the ports. The inputs of functions are ignored, because they are indented further.
fn ports(verilog: &str) -> Vec<Port> {
    let port = |line: &str| {
        let words = line.strip_prefix("  ")?.strip_suffix(';')?;
        let (kind, rest) = words.split_once(' ')?;
        let output = match kind {
            "output" => true,
            "input" => false,
            _ => return None,
        };
        let (range, name) = rest.rsplit_once(' ').unwrap_or(("", rest));
        Some(Port { name: name.into(), output, range: range.into() })
    };
    verilog.lines().filter_map(port).collect()
}

/// Returns a bench. After a reset of some cycles it checks that no handshake is undefined. If the
/// unit has a bus, it also prints the letters in the register at address 0.
fn text(top: &str, ports: &[Port]) -> String {
    let has = |name: &str| ports.iter().any(|port| port.name == name);
    let driven = |name: &str| matches!(name, "clk_i" | "rst_ni" | "s_axil_arvalid");
    let lines = |of: &dyn Fn(&Port) -> String| ports.iter().map(of).collect::<Vec<_>>();
    let declared = lines(&|port| match (port.output, driven(&port.name)) {
        (true, _) => format!("  wire {} {};\n", port.range, port.name),
        (_, true) => format!("  reg {} = 0;\n", port.name),
        _ => format!("  wire {} {} = 0;\n", port.range, port.name),
    });
    let connected = lines(&|port| format!(".{0}({0})", port.name));
    let shake = |name: &str| {
        let name = name.trim_end_matches("_o");
        name.ends_with("valid") || name.ends_with("ready") || name.ends_with("irq")
    };
    let shown = ports.iter().filter(|port| port.output && shake(&port.name));
    let shown: Vec<&str> = shown.map(|port| port.name.as_str()).collect();
    let letters = match has("s_axil_rdata") {
        true => {
            "    s_axil_arvalid = 1;
    while (s_axil_arready !== 1) @(negedge clk_i);
    @(negedge clk_i) s_axil_arvalid = 0;
    while (s_axil_rvalid !== 1) @(negedge clk_i);
    $display(\"id %s\", s_axil_rdata);\n"
        }
        false => "",
    };
    format!(
        "module bench;\n{}  {top} dut ({});
  always #5 clk_i = !clk_i;
  initial begin
    repeat (200) @(negedge clk_i);
    rst_ni = 1;
    repeat (100) @(negedge clk_i);
{letters}    if (^{{{}}} === 1'bx) $display(\"undefined\");
    else $display(\"passed\");
    $finish;
  end
  initial #1000000 $finish;
endmodule\n",
        declared.concat(),
        connected.join(", "),
        shown.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_connects_every_port_and_reads_the_letters() {
        let file = "module a(clk_i, b, irq_o);\n  input clk_i;\n  wire clk_i;\n  input [5:0] b;\n  output irq_o;\n  output [31:0] s_axil_rdata;\n    input [3:0] s;\nendmodule\n";
        let ports = ports(file);
        assert_eq!(ports.len(), 4);
        let bench = text("a", &ports);
        for part in ["wire [5:0] b = 0;", ".irq_o(irq_o)", "^{irq_o} ===", "s_axil_arvalid = 1;"] {
            assert!(bench.contains(part), "{part}: {bench}");
        }
    }

    #[test]
    fn what_a_bench_says_is_looked_at() {
        assert!(passed("id SHA3\npassed\n") && passed("passed\n"));
        for said in ["", "undefined\n", "id \u{0}\u{0}\u{0}\u{0}\npassed\n", "id SHA3\n"] {
            assert!(!passed(said), "{said}");
        }
    }
}
