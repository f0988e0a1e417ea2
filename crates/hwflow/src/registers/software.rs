//! Constants for software in Rust and C, and the table of the documentation.

use super::WRITTEN;
use super::map::{Map, Register};
use super::words::{comment, filled};

/// Returns a Rust module that contains only constants and fits `no_std`.
pub fn rust(map: &Map) -> String {
    let mut text = comment("//!", &format!("{} {WRITTEN}", map.description)) + "\n";
    text += &format!(
        "/// Bytes of the block.\npub const SIZE: usize = {:#x};\n",
        1 << map.address_bits()
    );
    for register in &map.register {
        let name = register.name.to_uppercase();
        text += &format!("\n{}", comment("///", &register.description));
        text += &rust_address(&name, register);
        for field in register.field.iter() {
            let part = field.name.to_uppercase();
            text += &comment("///", or(&field.description, &field.name));
            text += &format!("pub const {name}_{part}_MASK: u32 = {:#010x};\n", field.mask());
            text += &format!(
                "/// The lowest bit of it.\npub const {name}_{part}_SHIFT: u32 = {};\n",
                field.shift()
            );
            for (word, value) in &field.values {
                text += &format!(
                    "/// Value of the field.\npub const {name}_{part}_{}: u32 = {value};\n",
                    word.to_uppercase()
                );
            }
        }
    }
    text
}

fn or<'t>(text: &'t str, other: &'t str) -> &'t str {
    if text.is_empty() { other } else { text }
}

fn rust_address(name: &str, register: &Register) -> String {
    let Some(count) = register.count else {
        return format!("pub const {name}: usize = 0x{:02x};\n", register.offset);
    };
    let list: Vec<String> = register.words().iter().map(|(_, at)| format!("0x{at:02x}")).collect();
    let line = format!("pub const {name}: [usize; {count}] = [{}];\n", list.join(", "));
    if line.len() <= 101 {
        return line;
    }
    format!(
        "pub const {name}: [usize; {count}] = {{\n    let mut at = [0; {count}];\n    let mut i = 0;\n    while i < {count} {{\n        at[i] = 0x{:02x} + 4 * i;\n        i += 1;\n    }}\n    at\n}};\n",
        register.offset
    )
}

/// Returns a C header.
pub fn c(map: &Map) -> String {
    let block = map.name.to_uppercase();
    let mut text = format!(
        "// SPDX-License-Identifier: Apache-2.0 OR MIT\n{}#pragma once\n\n",
        comment("//", &format!("{} {WRITTEN}", map.description))
    );
    text += &format!("#define {block}_SIZE {:#x}u\n", 1 << map.address_bits());
    for register in &map.register {
        let name = format!("{block}_{}", register.name.to_uppercase());
        text += &format!("\n{}", comment("//", &register.description));
        text += &match register.count {
            None => format!("#define {name} 0x{:02x}u\n", register.offset),
            Some(_) => format!("#define {name}(i) (0x{:02x}u + 4u * (i))\n", register.offset),
        };
        for field in &register.field {
            let part = format!("{name}_{}", field.name.to_uppercase());
            text += &format!(
                "#define {part}_MASK {:#010x}u\n#define {part}_SHIFT {}\n",
                field.mask(),
                field.shift()
            );
            for (word, value) in &field.values {
                text += &format!("#define {part}_{} {value}u\n", word.to_uppercase());
            }
        }
    }
    text
}

/// Explanation of the words in the table.
const LEGEND: &str = "Registers have 32 bits; addresses are in bytes. `rw` is read and written, \
    `wo` reads as zero, `ro` and `const` are read only, `pulse` acts where a one is written and \
    reads as zero, `w1c` is set by the core and cleared where a one is written. Other addresses \
    answer with an error.";

/// Returns a page of Markdown with one table.
pub fn markdown(map: &Map) -> String {
    let mut text = format!(
        "# Registers: {}\n\n{}\n",
        map.description,
        filled("", &format!("{WRITTEN} {LEGEND}"))
    );
    text += "| address | register | access | bits | field | after reset | meaning |\n|---|---|---|---|---|---:|---|\n";
    for register in &map.register {
        let (address, name) = match register.count {
            None => (format!("0x{:02x}", register.offset), format!("`{}`", register.name)),
            Some(count) => (
                format!("0x{:02x} + 4 i", register.offset),
                format!("`{}[{count}]`", register.name),
            ),
        };
        text += &format!(
            "| {address} | {name} | {} | | | | {} |\n",
            register.access.word(),
            register.description
        );
        for field in &register.field {
            let names: Vec<String> =
                field.values.iter().map(|(word, value)| format!("{value} {word}")).collect();
            let names =
                if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
            text += &format!(
                "| | | | {} | `{}` | {:#x} | {}{names} |\n",
                field.bits, field.name, field.reset, field.description
            );
        }
    }
    text
}
