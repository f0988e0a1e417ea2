//! `hw ports`: writes the parameters and ports of each unit as a table to
//! `rtl/NAME/gen/TOP_ports.md`. The table includes the comments from the head of the module.

use crate::core::cores::Core;
use crate::core::generated;
use crate::core::head::{Head, Item};
use crate::core::options::Options;
use hasten_chore::failure::Failure;

/// Writes the tables of the cores, or names the stale ones with `--check`.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut files = Vec::new();
    for core in Core::chosen(&Options { check: false, ..options.clone() })? {
        let folder = core.root.join("rtl").join(&core.name);
        for unit in core.unit.iter().filter(|unit| unit.ports) {
            let head = Head::of(&core, unit)?;
            let file = generated::folder(&folder).join(format!("{}_ports.md", unit.top));
            files.push((file, page(&head, &core.name, &unit.top)));
        }
    }
    generated::keep("hw ports", &files, "tables of ports", options)
}

/// Returns the text of a table's file.
fn page(head: &Head, core: &str, top: &str) -> String {
    let from = format!("From `rtl/{core}/{top}.sv` by `cargo xtask hw ports {core}`.\n");
    let mut out = format!("# Ports of {top}\n\n{from}");
    if !head.parameters.is_empty() {
        out += "\n| parameter | default | type | |\n|---|---|---|---|\n";
        out += &lines(&head.parameters);
    }
    out += "\n| port | direction | type | |\n|---|---|---|---|\n";
    out + &lines(&head.ports)
}

fn lines(items: &[Item]) -> String {
    let line = |item: &Item| {
        let Item { name, second, kind, says } = item;
        format!("| `{name}` | {second} | {kind} | {says} |\n")
    };
    items.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_parameters_and_ports_with_their_comments() {
        let text = "module a #(\n    // Rounds | cycle.\n    parameter int unsigned UNROLL = 1\n) (\n    input wire clk_i,\n    input wire [UNROLL-1:0][31:0] begin_i,  // the (first) words\n    output state_t [1:0] o\n);\nendmodule\n";
        let page = page(&Head::parse(text, "a").unwrap(), "k", "a");
        for line in [
            "| `UNROLL` | `1` | `int unsigned` | Rounds \\| cycle. |",
            "| `clk_i` | in | 1 bit |  |",
            "| `begin_i` | in | `[UNROLL-1:0][31:0]` | the (first) words |",
            "| `o` | out | `state_t [1:0]` |  |",
        ] {
            assert!(page.contains(line), "{page}");
        }
    }
}
