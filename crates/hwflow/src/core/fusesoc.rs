//! `hw fusesoc`: a FuseSoC `.core` file (CAPI2) in `gen/` beside each `core.toml`, for every unit.

use crate::core::cores::{Core, Param, Unit};
use crate::core::generated;
use crate::core::options::Options;
use hasten_chore::failure::Failure;
use std::path::PathBuf;

/// Writes the files, or with `--check` names the stale ones.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut files = Vec::new();
    let all = Options {
        core: options.core.clone(),
        core_file: options.core_file.clone(),
        ..Options::default()
    };
    for core in Core::chosen(&all)? {
        for unit in &core.unit {
            let folder = generated::folder(&core.root.join("rtl").join(&core.name));
            let path = folder.join(format!("{}.core", unit.top));
            files.push((path, description(&core, unit)));
        }
    }
    generated::keep("hw fusesoc", &files, "files", options)
}

fn description(core: &Core, unit: &Unit) -> String {
    let Core { name, description, .. } = core;
    let top = &unit.top;
    let files: String = unit
        .files
        .iter()
        .map(|file| format!("      - {}\n", relative(file, name).display()))
        .collect();
    let parameters: String = unit.parameters().map(|(p, value)| parameter(&p, value)).collect();
    let names: Vec<String> = unit.parameters().map(|(p, _)| p).collect();
    let names = names.join(", ");
    format!(
        "CAPI=2:
# Written by `cargo xtask hw fusesoc` from core.toml.
name: hasten:{name}:{top}:0.1.0
description: \"{description}\"
filesets:
  rtl:
    files:
{files}    file_type: systemVerilogSource
targets:
  default: &default
    filesets: [rtl]
    toplevel: {top}
    parameters: [{names}]
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
  sim:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: cc
  synth:
    <<: *default
    default_tool: yosys
    tools:
      yosys:
        arch: xilinx
parameters:{}
{parameters}",
        if parameters.is_empty() { " {}" } else { "" }
    )
}

fn parameter(name: &str, value: i64) -> String {
    format!("  {name}:\n    datatype: int\n    default: {value}\n    paramtype: vlogparam\n")
}

/// Returns the file's path as seen from the folder of the core's generated files.
fn relative(file: &str, name: &str) -> PathBuf {
    let Some(own) = file.strip_prefix(&format!("rtl/{name}/")) else {
        return PathBuf::from("../..").join(file.strip_prefix("rtl/").unwrap_or(file));
    };
    own.strip_prefix("gen/").map_or_else(|| PathBuf::from("..").join(own), PathBuf::from)
}

impl Unit {
    /// Returns upper-case names with the values of the first point.
    fn parameters(&self) -> impl Iterator<Item = (String, i64)> {
        let first = self.points.first().map(|point| point.params.clone()).unwrap_or_default();
        first.into_iter().filter_map(|(name, value)| match value {
            Param::Number(value) => Some((name.to_uppercase(), value)),
            Param::Word(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_folder_of_generated_files() {
        assert_eq!(relative("rtl/keccak/a.sv", "keccak"), PathBuf::from("../a.sv"));
        assert_eq!(relative("rtl/keccak/gen/a.sv", "keccak"), PathBuf::from("a.sv"));
        assert_eq!(relative("rtl/common/b.sv", "keccak"), PathBuf::from("../../common/b.sv"));
    }
}
