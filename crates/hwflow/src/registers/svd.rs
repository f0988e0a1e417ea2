//! Description of the block for debuggers and code generators: CMSIS-SVD 1.3, one peripheral at
//! address 0.

use super::WRITTEN;
use super::map::{Access, Field, Map, Register};
use std::collections::BTreeMap;

/// Returns the text of the SVD file.
pub fn svd(map: &Map) -> String {
    let (block, size) = (map.name.to_uppercase(), 1_u32 << map.address_bits());
    let registers: String = map.register.iter().map(register).collect();
    let (about, written) = (escaped(&map.description), escaped(WRITTEN));
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<!-- SPDX-License-Identifier: Apache-2.0 OR MIT -->
<!-- {written} -->
<device schemaVersion="1.3" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance" xs:noNamespaceSchemaLocation="CMSIS-SVD.xsd">
  <name>{block}</name>
  <version>1.0</version>
  <description>{about}</description>
  <addressUnitBits>8</addressUnitBits>
  <width>32</width>
  <size>32</size>
  <resetMask>0xffffffff</resetMask>
  <peripherals>
    <peripheral>
      <name>{block}</name>
      <description>{about}</description>
      <baseAddress>0x0</baseAddress>
      <addressBlock>
        <offset>0x0</offset>
        <size>{size:#x}</size>
        <usage>registers</usage>
      </addressBlock>
      <registers>
{registers}      </registers>
    </peripheral>
  </peripherals>
</device>
"#
    )
}

fn register(register: &Register) -> String {
    let name = register.name.to_uppercase();
    let (dim, name) = match register.count {
        None => (String::new(), name),
        Some(count) => (
            format!("          <dim>{count}</dim>\n          <dimIncrement>4</dimIncrement>\n"),
            format!("{name}[%s]"),
        ),
    };
    let (access, clears) = match register.access {
        Access::Ro | Access::Const => ("read-only", ""),
        Access::Wo | Access::Pulse => ("write-only", ""),
        Access::Rw => ("read-write", ""),
        Access::W1c => {
            ("read-write", "          <modifiedWriteValues>oneToClear</modifiedWriteValues>\n")
        }
    };
    let reset = register.field.iter().fold(0, |all, one| all | one.reset << one.shift());
    let fields: String = register.field.iter().map(field).collect();
    let fields = match fields.is_empty() {
        true => fields,
        false => format!("          <fields>\n{fields}          </fields>\n"),
    };
    format!(
        "        <register>\n{dim}          <name>{name}</name>\n          <description>{}</description>\n          <addressOffset>0x{:02x}</addressOffset>\n          <access>{access}</access>\n          <resetValue>{reset:#010x}</resetValue>\n{clears}{fields}        </register>\n",
        escaped(&register.description),
        register.offset
    )
}

fn field(field: &Field) -> String {
    let high = field.shift() + field.mask().count_ones() - 1;
    // Each value has one entry. If two words stand for the same value, the entry's name contains
    // both.
    let mut words: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (word, value) in &field.values {
        words.entry(*value).or_default().push(word.to_uppercase());
    }
    let entry = |(value, words): (&u32, &Vec<String>)| {
        format!(
            "                <enumeratedValue>\n                  <name>{}</name>\n                  <value>{value}</value>\n                </enumeratedValue>\n",
            words.join("_OR_")
        )
    };
    let values: String = words.iter().map(entry).collect();
    let values = match values.is_empty() {
        true => values,
        false => {
            format!("              <enumeratedValues>\n{values}              </enumeratedValues>\n")
        }
    };
    let about = match field.description.is_empty() {
        true => &field.name,
        false => &field.description,
    };
    format!(
        "            <field>\n              <name>{}</name>\n              <description>{}</description>\n              <bitRange>[{high}:{}]</bitRange>\n{values}            </field>\n",
        field.name.to_uppercase(),
        escaped(about),
        field.shift()
    )
}

/// Escapes a text that is placed between two tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
