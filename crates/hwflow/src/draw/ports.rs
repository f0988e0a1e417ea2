//! `hw ports`: the parameters and ports of each unit as a table, from the head of its module, with
//! the comments that stand there, in `rtl/NAME/gen/TOP_ports.md`.

use crate::core::cores::{Core, Unit};
use crate::core::generated;
use crate::core::options::Options;
use hasten_chore::failure::{Failure, read};
use std::path::PathBuf;

/// Writes the tables of the cores, or with `--check` names the stale ones.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut files = Vec::new();
    for core in Core::chosen(&Options { check: false, ..options.clone() })? {
        let folder = core.root.join("rtl").join(&core.name);
        for unit in core.unit.iter().filter(|unit| unit.ports) {
            let source = source(&core, unit)?;
            let form = |fault: &str| Failure::Form(source.clone(), fault.into());
            let head = Head::parse(&read(&source)?, &unit.top).map_err(form)?;
            let file = generated::folder(&folder).join(format!("{}_ports.md", unit.top));
            files.push((file, head.page(&core.name, &unit.top)));
        }
    }
    generated::keep("hw ports", &files, "tables of ports", options)
}

/// Returns the file of the unit's top.
fn source(core: &Core, unit: &Unit) -> Result<PathBuf, Failure> {
    let name = format!("/{}.sv", unit.top);
    let file = unit.files.iter().find(|file| file.ends_with(&name));
    let none = || Failure::Usage(format!("{} is in no file of its own", unit.top));
    file.map(|file| core.root.join(file)).ok_or_else(none)
}

/// A parameter with its default, or a port with its direction.
#[derive(Debug, PartialEq)]
struct Item {
    name: String,
    /// The default, or the direction.
    second: String,
    /// The type without `wire`, `logic`, `int unsigned`.
    kind: String,
    says: String,
}

/// The head of a module.
#[derive(Debug)]
struct Head {
    parameters: Vec<Item>,
    ports: Vec<Item>,
}

impl Head {
    /// Reads the head of module `top`.
    fn parse(text: &str, top: &str) -> Result<Self, &'static str> {
        let at = text.find(&format!("module {top}\n")).or(text.find(&format!("module {top} ")));
        let head = &text[at.ok_or("the module does not begin there")?..];
        let open = head.find('(').ok_or("no ports")?;
        let (first, rest) = enclosed(&head[open..]).ok_or("a parenthesis is open")?;
        if !head[..open].trim_end().ends_with('#') {
            return Ok(Self { parameters: Vec::new(), ports: items(first, port) });
        }
        let open = rest.find('(').ok_or("no ports")?;
        let (ports, _) = enclosed(&rest[open..]).ok_or("a parenthesis is open")?;
        Ok(Self { parameters: items(first, parameter), ports: items(ports, port) })
    }

    /// Returns the file's text.
    fn page(&self, core: &str, top: &str) -> String {
        let from = format!("From `rtl/{core}/{top}.sv` by `cargo xtask hw ports {core}`.\n");
        let mut out = format!("# Ports of {top}\n\n{from}");
        if !self.parameters.is_empty() {
            out += "\n| parameter | default | type | |\n|---|---|---|---|\n";
            out += &lines(&self.parameters);
        }
        out += "\n| port | direction | type | |\n|---|---|---|---|\n";
        out + &lines(&self.ports)
    }
}

fn lines(items: &[Item]) -> String {
    let line = |item: &Item| {
        let Item { name, second, kind, says } = item;
        format!("| `{name}` | {second} | {kind} | {says} |\n")
    };
    items.iter().map(line).collect()
}

/// Returns what stands between the first parenthesis and its partner, and the rest. Comments have
/// no parentheses of their own that count.
fn enclosed(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut comment) = (0, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => comment = false,
            '/' if text[at..].starts_with("//") => comment = true,
            '(' if !comment => depth += 1,
            ')' if !comment => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[1..at], &text[at + 1..]));
        }
    }
    None
}

/// Reads one declaration in each line. A comment is of the declaration before it in its line, or
/// with lines of its own of the one that follows.
fn items(text: &str, read: fn(&str) -> Option<Item>) -> Vec<Item> {
    let (mut all, mut above) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let Some(mut item) = read(code.trim().trim_end_matches(',')) else {
            above.extend((!comment.is_empty()).then(|| comment.trim().to_owned()));
            continue;
        };
        above.extend((!comment.is_empty()).then(|| comment.trim().to_owned()));
        item.says = above.join(" ").replace('|', "\\|");
        above.clear();
        all.push(item);
    }
    all
}

fn parameter(code: &str) -> Option<Item> {
    let rest = code.strip_prefix("parameter ")?;
    let (declared, value) = rest.split_once('=')?;
    let (kind, name) = declared.trim().rsplit_once(' ')?;
    Some(item(name, format!("`{}`", value.trim()), kind))
}

fn port(code: &str) -> Option<Item> {
    let (direction, rest) = code.split_once(' ')?;
    let word = match direction {
        "input" => "in",
        "output" => "out",
        _ => return None,
    };
    let (kind, last) = rest.rsplit_once(' ')?;
    let (name, dimensions) = last.split_at(last.find('[').unwrap_or(last.len()));
    Some(item(name, word.into(), &format!("{kind}{dimensions}")))
}

fn item(name: &str, second: String, kind: &str) -> Item {
    let words = kind.split_whitespace().filter(|word| !["wire", "logic"].contains(word));
    let kind: Vec<&str> = words.collect();
    let kind = if kind.is_empty() { "1 bit".into() } else { format!("`{}`", kind.join(" ")) };
    Item { name: name.into(), second, kind, says: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// module a is (small)\nmodule a\n  import p::*;\n#(\n    // Rounds | cycle,\n    // at least 1.\n    parameter int unsigned UNROLL = 1,\n    localparam int X = 2\n) (\n    input wire clk_i,\n    input wire [UNROLL-1:0][31:0] begin_i,  // the (first) words\n    output state_t [1:0] o\n);\nendmodule\n";

    #[test]
    fn parameters_and_ports_are_read_with_their_comments() {
        let head = Head::parse(TEXT, "a").unwrap();
        let [unroll] = &head.parameters[..] else { panic!("{head:?}") };
        assert_eq!((unroll.name.as_str(), unroll.second.as_str()), ("UNROLL", "`1`"));
        assert_eq!(unroll.says, "Rounds \\| cycle, at least 1.");
        let page = head.page("k", "a");
        for line in [
            "| `UNROLL` | `1` | `int unsigned` | Rounds \\| cycle, at least 1. |",
            "| `clk_i` | in | 1 bit |  |",
            "| `begin_i` | in | `[UNROLL-1:0][31:0]` | the (first) words |",
            "| `o` | out | `state_t [1:0]` |  |",
        ] {
            assert!(page.contains(line), "{page}");
        }
    }

    #[test]
    fn a_module_without_parameters_and_a_missing_one() {
        let text = "module b (\n  input wire c_i,\n  output wire [1:0] d_o[3]\n);\n";
        let head = Head::parse(text, "b").unwrap();
        assert!(head.parameters.is_empty());
        assert_eq!(
            (head.ports[1].name.as_str(), head.ports[1].kind.as_str()),
            ("d_o", "`[1:0][3]`")
        );
        assert!(Head::parse(text, "a").is_err() && Head::parse("module b (", "b").is_err());
    }
}
