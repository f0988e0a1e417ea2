//! The SystemVerilog package of addresses and types, and the register block on the bus of
//! `axil_front`.

use super::WRITTEN;
use super::map::{Access, Field, Map, Register};
use super::words::comment;

/// Converts `command_done` to `CommandDone`.
fn camel(name: &str) -> String {
    let upper = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    name.split('_').filter(|word| !word.is_empty()).map(upper).collect()
}

fn head(what: &str) -> String {
    let what = comment("//", &format!("{what} {WRITTEN}"));
    format!("// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1\n{what}`default_nettype none\n\n")
}

const TAIL: &str = "\n`default_nettype wire\n";

/// Returns the package: addresses, values, and the types of the signals between block and core.
pub fn package(map: &Map) -> String {
    let bits = map.address_bits();
    let mut text = head(&map.description);
    text += &format!(
        "package {}_regs_pkg;\n// For benches and other modules; not all are used in one design.\n// verilator lint_off UNUSEDPARAM\nlocalparam int unsigned AddressBits = {bits};\n",
        map.name
    );
    for register in &map.register {
        let (name, offset) = (camel(&register.name), register.offset);
        text +=
            &format!("localparam logic [AddressBits-1:0] {name}Address = {bits}'h{offset:02x};\n");
        for field in register.fields() {
            for (word, value) in &field.values {
                let (width, field) = (field.width(), camel(&field.name));
                let range = range(width);
                text += &format!(
                    "localparam logic {range}{name}{field}{} = {width}'d{value};\n",
                    camel(word)
                );
            }
        }
    }
    text += "// verilator lint_on UNUSEDPARAM\n";
    for register in map.register.iter().filter(|register| !register.field.is_empty()) {
        text += &record(&register.fields(), &format!("{}_t", register.name));
    }
    text += &passing(map, "Written by software.", "to_core_t", |access| access.stored());
    text += &passing(map, "Shown or set by the core.", "from_core_t", |access| access.driven());
    text + "endpackage\n" + TAIL
}

fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

fn record(fields: &[Field], name: &str) -> String {
    let members: String = fields
        .iter()
        .rev()
        .map(|field| format!("logic {}{};\n", range(field.width()), field.name))
        .collect();
    format!("typedef struct packed {{\n{members}}} {name};\n")
}

fn passing(map: &Map, what: &str, name: &str, wanted: impl Fn(Access) -> bool) -> String {
    let mut members = String::new();
    for register in map.register.iter().filter(|register| wanted(register.access)) {
        let array = register.count.map_or(String::new(), |count| format!("[{}:0]", count - 1));
        let kind = match register.field.is_empty() {
            true => format!("logic {array}[31:0]"),
            false if array.is_empty() => format!("{}_t", register.name),
            false => format!("{}_t {array}", register.name),
        };
        members += &format!("{kind} {};\n", register.name);
        if register.strobe && name == "to_core_t" {
            members += &format!(
                "logic {}_strobe;  // it was written in the cycle before\n",
                register.name
            );
        }
    }
    if members.is_empty() {
        members = "logic none;\n".into();
    }
    format!("// {what}\ntypedef struct packed {{\n{members}}} {name};\n")
}

/// Returns the register block.
pub fn block(map: &Map) -> String {
    let name = &map.name;
    let mut text = head(&map.description);
    text += &format!(
        "module {name}_regs\n  import {name}_regs_pkg::*;\n(
    input wire clk_i,
    input wire rst_ni,
    // The bus of axil_front: byte addresses; a write and a read are over in one cycle.
    input wire wr_valid_i,
    input wire [AddressBits-1:0] wr_addr_i,
    input wire [31:0] wr_data_i,
    input wire [3:0] wr_strb_i,
    output logic wr_error_o,  // nothing to write there
    input wire [AddressBits-1:0] rd_addr_i,
    output logic [31:0] rd_data_o,
    output logic rd_error_o,  // nothing there
    input wire from_core_t core_i,
    output to_core_t core_o
);\n
  to_core_t stored;
  logic [31:0] mask, ones;
  assign mask = {{{{8{{wr_strb_i[3]}}}}, {{8{{wr_strb_i[2]}}}}, {{8{{wr_strb_i[1]}}}}, {{8{{wr_strb_i[0]}}}}}};
  assign ones = wr_data_i & mask;
  assign core_o = stored;\n\n"
    );
    text += &write(map);
    text += &errors(map);
    text += &read(map);
    text + "endmodule\n" + TAIL
}

/// Returns the code of the registers themselves: the changes of every cycle, then writes, then
/// reset.
fn write(map: &Map) -> String {
    let bits = map.address_bits();
    let mut text = String::from("always_ff @(posedge clk_i) begin\n");
    for register in map.register.iter().filter(|register| register.access.stored()) {
        let name = &register.name;
        match register.access {
            Access::Pulse => text += &format!("stored.{name} <= '0;\n"),
            Access::W1c => text += &format!("stored.{name} <= stored.{name} | core_i.{name};\n"),
            _ => {}
        }
        if register.strobe {
            text += &format!("stored.{name}_strobe <= 1'b0;\n");
        }
    }
    text += "if (wr_valid_i) begin\nunique case (wr_addr_i)\n";
    for register in map.register.iter().filter(|register| register.access.writable()) {
        for (index, address) in register.words() {
            text += &format!("{bits}'h{address:02x}: {}\n", assignment(register, index));
        }
    }
    text += "default: ;\nendcase\nend\nif (!rst_ni) begin\n";
    text += &resets(map);
    text + "end\nend\n\n"
}

fn assignment(register: &Register, index: Option<u32>) -> String {
    let mut lines = Vec::new();
    for field in register.fields() {
        let place = place(register, index, &field);
        let bits = slice(&field);
        lines.push(match register.access {
            Access::Pulse => format!("stored.{place} <= ones{bits};"),
            Access::W1c => {
                format!("stored.{place} <= (stored.{place} & ~ones{bits}) | core_i.{place};")
            }
            _ => format!("stored.{place} <= (stored.{place} & ~mask{bits}) | ones{bits};"),
        });
    }
    if register.strobe {
        lines.push(format!("stored.{}_strobe <= 1'b1;", register.name));
    }
    if lines.len() == 1 { lines.remove(0) } else { format!("begin\n{}\nend", lines.join("\n")) }
}

fn place(register: &Register, index: Option<u32>, field: &Field) -> String {
    let index = index.map_or(String::new(), |index| format!("[{index}]"));
    let member = if register.field.is_empty() { String::new() } else { format!(".{}", field.name) };
    format!("{}{index}{member}", register.name)
}

fn slice(field: &Field) -> String {
    match field.range() {
        Some((high, low)) if high != low => format!("[{high}:{low}]"),
        _ => format!("[{}]", field.shift()),
    }
}

fn resets(map: &Map) -> String {
    let mut text = String::from("stored <= '0;\n");
    for register in map.register.iter().filter(|register| register.access.stored()) {
        for (index, _) in register.words() {
            for field in register.fields().iter().filter(|field| field.reset != 0) {
                let (place, width) = (place(register, index, field), field.width());
                text += &format!("stored.{place} <= {width}'d{};\n", field.reset);
            }
        }
    }
    text
}

fn errors(map: &Map) -> String {
    let bits = map.address_bits();
    let list = |wanted: &dyn Fn(&Register) -> bool| {
        let words =
            map.register.iter().filter(|register| wanted(register)).flat_map(Register::words);
        words.map(|(_, at)| format!("{bits}'h{at:02x}")).collect::<Vec<_>>().join(", ")
    };
    let one = |port: &str, address: &str, list: String| match list.is_empty() {
        true => format!("{port} = 1'b1;\n"),
        false => format!(
            "unique case ({address})\n{list}: {port} = 1'b0;\ndefault: {port} = 1'b1;\nendcase\n"
        ),
    };
    format!(
        "always_comb begin\n{}end\n\nalways_comb begin\n{}end\n\n",
        one("wr_error_o", "wr_addr_i", list(&|register| register.access.writable())),
        one("rd_error_o", "rd_addr_i", list(&|_| true))
    )
}

fn read(map: &Map) -> String {
    let bits = map.address_bits();
    let mut text = String::from("always_comb begin\nrd_data_o = '0;\nunique case (rd_addr_i)\n");
    for register in &map.register {
        if matches!(register.access, Access::Wo | Access::Pulse) {
            continue;
        }
        for (index, address) in register.words() {
            let lines: Vec<String> =
                register.fields().iter().map(|field| shown(register, index, field)).collect();
            text += &format!("{bits}'h{address:02x}: begin\n{}\nend\n", lines.join("\n"));
        }
    }
    text + "default: ;\nendcase\nend\n\n"
}

fn shown(register: &Register, index: Option<u32>, field: &Field) -> String {
    let (bits, place, width) = (slice(field), place(register, index, field), field.width());
    match register.access {
        Access::Const => format!("rd_data_o{bits} = {width}'h{:x};", field.reset),
        Access::Ro => format!("rd_data_o{bits} = core_i.{place};"),
        _ => format!("rd_data_o{bits} = stored.{place};"),
    }
}
