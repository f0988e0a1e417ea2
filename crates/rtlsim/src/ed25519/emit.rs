//! The generated SystemVerilog: packages, microcode and tables, each as a path below `rtl/` and a
//! text.

use std::fmt::Write as _;

use num_bigint::BigUint;

use super::constants;
use super::halve::HALF_BITS;
use super::isa::{CONDITIONS, Control, Effect, FIELDS, Mode, SOURCES, WORD_BITS};
use super::operations::{ADDITION_WORDS, COMB_ROWS, COMB_TABLES, COMB_TEETH, Config, NAF_DIGITS};
use super::point::{HALF_ENTRIES, TABLE};

const HEADER: &str = "// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Written by `cargo run -p hasten-rtlsim --bin ed25519-emit` from crates/rtlsim/src/ed25519.
`default_nettype none
";

/// Verdicts of a lane on an operation.
const VERDICTS: [(&str, u8); 5] =
    [("None", 0x00), ("Good", 0x96), ("Bad", 0x69), ("Refused", 0x0f), ("Done", 0x3c)];

const END: &str = "\n`default_nettype wire\n";

const SHORT_ROW: &str = "  // Width of the rows behind the fold, which are signed.
  localparam int unsigned Width = 259;
  // A row whose bits 132 to 250 are the same.
  typedef struct packed {
    logic [7:0] top;
    logic middle;
    logic [131:0] low;
  } short_t;
  function automatic logic [Width-1:0] widen(short_t x);
    return {x.top, {119{x.middle}}, x.low};
  endfunction
  // verilator lint_off UNUSEDSIGNAL
  function automatic short_t shorten(logic [Width-1:0] x);
    return {x[258:251], x[250], x[131:0]};
  endfunction
  // verilator lint_on UNUSEDSIGNAL
";

/// Returns every generated file: path below `rtl/`, and content.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    let files = [
        ("mul25519/gen/mul25519_pkg.sv", field_package()),
        ("ed25519/gen/ed25519_pkg.sv", core_package()),
        ("ed25519/gen/ed25519_ucode_paper.sv", microcode(Config::Paper)),
        ("ed25519/gen/ed25519_ucode_fast.sv", microcode(Config::Fast)),
        ("ed25519/gen/ed25519_ucode_half.sv", microcode(Config::Half)),
        ("ed25519/gen/ed25519_rom_paper.sv", table(Config::Paper)),
        ("ed25519/gen/ed25519_rom_fast.sv", table(Config::Fast)),
    ];
    files.into_iter().map(|(path, text)| (path, text + END)).collect()
}

/// Returns the ROM of a configuration: three words per entry.
pub fn rom(config: Config) -> Vec<[BigUint; 3]> {
    let tables = match config {
        Config::Paper => vec![constants::window_table()],
        Config::Fast | Config::Half => (0..COMB_TABLES).map(constants::comb_table).collect(),
    };
    tables.iter().flatten().map(constants::Affine::halved).collect()
}

fn line(text: &mut String, args: std::fmt::Arguments<'_>) {
    text.write_fmt(args).expect("writing to a string");
    text.push('\n');
}

fn field_package() -> String {
    let mut text = String::from(HEADER);
    let rows = [("P", constants::p()), ("L", constants::l())];
    text += "\n// Modes and moduli of the multiplier and its reduction.\npackage mul25519_pkg;\n";
    enumeration(&mut text, "mode_e", "Mode", Mode::ALL.iter().map(|row| row.0), 2);
    for (name, value) in rows {
        line(&mut text, format_args!("  localparam logic [256:0] {name} = 257'h{value:x};"));
    }
    text += SHORT_ROW;
    text + "endpackage\n"
}

fn enumeration<'a>(
    text: &mut String,
    name: &str,
    prefix: &str,
    values: impl Iterator<Item = &'a str>,
    bits: usize,
) {
    let names: Vec<String> = values
        .enumerate()
        .map(|(code, value)| format!("    {prefix}{value} = {bits}'d{code}"))
        .collect();
    line(
        text,
        format_args!(
            "  typedef enum logic [{}:0] {{\n{}\n  }} {name};",
            bits - 1,
            names.join(",\n")
        ),
    );
}

fn core_package() -> String {
    let mut text = String::from(HEADER);
    text += "\n// A module, and a configuration, uses its share of the constants.\n// verilator lint_off UNUSEDPARAM\n";
    text += "\n// The microinstruction and the programs' entries.\npackage ed25519_pkg;\n  import mul25519_pkg::*;\n\n";
    enumeration(&mut text, "effect_e", "Effect", Effect::ALL.iter().map(|row| row.0), 4);
    enumeration(&mut text, "control_e", "Control", Control::ALL.iter().map(|row| row.0), 4);
    text += "  typedef enum logic [1:0] {\n    OpKeygen = 2'd0,\n    OpSign   = 2'd1,\n    OpVerify = 2'd2,\n    OpClear  = 2'd3\n  } op_e;\n\n";
    text += "  // Answers of a lane, in a distance of four bits.\n";
    for (name, value) in VERDICTS {
        line(&mut text, format_args!("  localparam logic [7:0] Verdict{name} = 8'h{value:02x};"));
    }
    word_struct(&mut text);
    for (name, value) in SOURCES {
        line(&mut text, format_args!("  localparam logic [6:0] {name} = 7'd{value};"));
    }
    for (name, value) in CONDITIONS {
        line(&mut text, format_args!("  localparam logic [9:0] {name} = 10'd{value};"));
    }
    for (name, value) in constants::values() {
        let name = name.replace("Src", "Const");
        line(&mut text, format_args!("  localparam logic [255:0] {name} = 256'h{value:x};"));
    }
    text += "  // y of the points whose order divides eight.\n";
    let orders = constants::small_orders();
    let orders: Vec<String> = orders.iter().rev().map(|y| format!("256'h{y:x}")).collect();
    line(
        &mut text,
        format_args!(
            "  localparam logic [{}:0][255:0] SmallOrders = {{\n    {}\n  }};",
            orders.len() - 1,
            orders.join(",\n    ")
        ),
    );
    sizes(&mut text);
    halved_struct(&mut text);
    for config in Config::ALL {
        entries(&mut text, config);
    }
    text + "endpackage\n"
}

fn word_struct(text: &mut String) {
    *text += "  typedef struct packed {\n";
    for (name, bits) in FIELDS {
        let kind = match *name {
            "mode" => "mode_e".to_owned(),
            "effect" | "control" => format!("{name}_e"),
            _ if *bits == 1 => "logic".to_owned(),
            _ => format!("logic [{}:0]", bits - 1),
        };
        line(text, format_args!("    {kind} {name};"));
    }
    *text += "  } word_t;\n\n";
}

/// Writes the type of the pair that `ed25519_halve` makes. u is shifted up to where its digits
/// begin.
fn halved_struct(text: &mut String) {
    let fields = [("[NafDigits-2:0]", "u"), ("[HalfBits-1:0]", "v"), ("[7:0]", "more")];
    *text += "  // u with its first digit at the top, v without its sign, the bits of u beyond those of v.\n";
    *text += "  typedef struct packed {\n";
    for (range, name) in fields {
        line(text, format_args!("    logic {range} {name};"));
    }
    *text += "    logic negative;\n  } halved_t;\n";
}

fn sizes(text: &mut String) {
    let rows = [
        ("WordBits", WORD_BITS),
        ("TableBase", usize::from(TABLE)),
        ("PaperRegs", usize::from(TABLE + 4 * Config::Paper.entries())),
        ("FastRegs", usize::from(TABLE + 4 * Config::Fast.entries())),
        ("HalfRegs", usize::from(TABLE + 4 * Config::Half.entries())),
        ("CombTeeth", COMB_TEETH),
        ("CombTables", COMB_TABLES),
        ("CombRows", COMB_ROWS),
        ("NafDigits", usize::from(NAF_DIGITS)),
        ("HalfBits", usize::from(HALF_BITS)),
        ("HalfEntries", usize::from(HALF_ENTRIES)),
        ("AdditionWords", usize::from(ADDITION_WORDS)),
    ];
    for (name, value) in rows {
        line(text, format_args!("  localparam int unsigned {name} = {value};"));
    }
}

fn entries(text: &mut String, config: Config) {
    let prefix = match config {
        Config::Paper => "Paper",
        Config::Fast => "Fast",
        Config::Half => "Half",
    };
    let program = config.program();
    for (name, address) in &program.entries {
        line(text, format_args!("  localparam logic [9:0] {prefix}{name} = 10'd{address};"));
    }
    for (name, _) in &program.entries {
        let (checks, marks) = program.counts(name);
        line(
            text,
            format_args!(
                "  localparam logic [7:0] {prefix}{name}Done = {{4'd{checks}, 4'd{marks}}};"
            ),
        );
    }
}

fn microcode(config: Config) -> String {
    let mut text = String::from(HEADER);
    let name = config.name();
    line(&mut text, format_args!("\n// Microprogram of the {name} configuration."));
    line(
        &mut text,
        format_args!("module ed25519_ucode_{name} (\n    input  wire  [ 9:0] address_i,"),
    );
    line(
        &mut text,
        format_args!(
            "    output logic [{}:0] word_o\n);\n  always_comb begin\n    unique case (address_i)",
            WORD_BITS - 1
        ),
    );
    for (address, instr) in config.program().code.iter().enumerate() {
        line(
            &mut text,
            format_args!("      10'h{address:03x}: word_o = {WORD_BITS}'h{:016x};", instr.encode()),
        );
    }
    text + "      default: word_o = '0;\n    endcase\n  end\nendmodule\n"
}

fn table(config: Config) -> String {
    let mut text = String::from(HEADER);
    let name = config.name();
    line(
        &mut text,
        format_args!(
            "\n// Fixed-base table of the {name} configuration: (y - x) / 2, (y + x) / 2 and d x y of each entry."
        ),
    );
    line(
        &mut text,
        format_args!(
            "module ed25519_rom_{name} (\n    input  wire  [  7:0] entry_i,\n    input  wire  [  1:0] part_i,"
        ),
    );
    text += "    output logic [254:0] value_o\n);\n  logic [9:0] index;\n  assign index = {part_i, entry_i};\n  always_comb begin\n    unique case (index)\n";
    for (entry, parts) in rom(config).iter().enumerate() {
        for (part, value) in parts.iter().enumerate() {
            line(
                &mut text,
                format_args!("      10'h{:03x}: value_o = 255'h{value:064x};", part << 8 | entry),
            );
        }
    }
    text + "      default: value_o = '0;\n    endcase\n  end\nendmodule\n"
}
