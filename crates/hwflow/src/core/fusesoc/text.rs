//! The text of a `.core` file.

use super::package::{Name, Package};
use super::{LICENCE, VERSION};

/// Returns the description in CAPI2. The target `default` is used by designs that depend on the
/// core. It names no top module and no parameters; only the other targets of the core do.
pub fn description(package: &Package) -> String {
    let Package { name, description, .. } = package;
    format!(
        "CAPI=2:
# Written by `cargo xtask hw fusesoc` from core.toml.
name: {}
description: \"{description}\"
license: {LICENCE}
filesets:
  rtl:
{}{}targets:
  default: &default
    filesets: [rtl]
{}",
        vlnv(name),
        depends(&package.depends),
        files(package),
        alone(package),
    )
}

/// Returns the FuseSoC name of a package.
fn vlnv(name: &Name) -> String {
    format!("hasten:{}:{}:{VERSION}", name.folder, name.top)
}

fn depends(names: &[Name]) -> String {
    let line = |name| format!("      - {}\n", vlnv(name));
    let lines: String = names.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("    depend:\n{lines}") }
}

fn files(package: &Package) -> String {
    let line = |file: &String| format!("      - {}\n", relative(file, &package.name.folder));
    let lines: String = package.files.iter().map(line).collect();
    format!("    files:\n{lines}    file_type: systemVerilogSource\n")
}

/// Returns the targets that need a top module, and the module's parameters.
fn alone(package: &Package) -> String {
    let Some(parameters) = &package.parameters else { return String::new() };
    let names: Vec<_> = parameters.iter().map(|(name, _)| name.as_str()).collect();
    let target = |name, tool, options: &str| target(name, tool, options, package, &names);
    [
        target("lint", "verilator", "      verilator_options: [-Wall]\n"),
        target("sim", "verilator", "      mode: cc\n"),
        target("synth", "yosys", "      arch: xilinx\n"),
        format!("parameters:{}\n", if parameters.is_empty() { " {}" } else { "" }),
        parameters.iter().map(parameter).collect(),
    ]
    .concat()
}

fn target(flow: &str, tool: &str, options: &str, package: &Package, names: &[&str]) -> String {
    let kind = if flow == "synth" { "generic" } else { flow };
    format!(
        "  {flow}:
    <<: *default
    toplevel: {}
    parameters: [{}]
    flow: {kind}
    flow_options:
      tool: {tool}
{options}",
        package.name.top,
        names.join(", ")
    )
}

fn parameter((name, value): &(String, i64)) -> String {
    format!("  {name}:\n    datatype: int\n    default: {value}\n    paramtype: vlogparam\n")
}

/// Returns the path of a file relative to the folder of its core.
fn relative<'f>(file: &'f str, folder: &str) -> &'f str {
    let inside = file.strip_prefix("rtl/").and_then(|rest| rest.strip_prefix(folder));
    inside.map_or(file, |rest| rest.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_folder_of_their_core() {
        assert_eq!(relative("rtl/keccak/a.sv", "keccak"), "a.sv");
        assert_eq!(relative("rtl/keccak/gen/a.sv", "keccak"), "gen/a.sv");
    }

    #[test]
    fn what_a_design_depends_on_has_no_top_module_and_no_parameters() {
        let name = |top: &str| Name { folder: "a".into(), top: top.into() };
        let package = Package {
            name: name("top"),
            description: "A core".into(),
            files: vec!["rtl/a/top.sv".into()],
            depends: vec![name("part")],
            parameters: Some(vec![("WIDTH".into(), 4)]),
        };
        let text = description(&package);
        let (default, alone) = text.split_once("  lint:").unwrap();
        assert!(default.contains(&format!("depend:\n      - hasten:a:part:{VERSION}\n")));
        assert!(!default.contains("toplevel") && !default.contains("WIDTH"));
        assert!(alone.contains("toplevel: top\n    parameters: [WIDTH]"));
    }
}
