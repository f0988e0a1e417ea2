//! The head of a unit's module: its parameters with their defaults, and its ports.

use super::cores::{Core, Unit};
use hasten_chore::failure::{Failure, read};
use std::path::PathBuf;

/// Returns the path of the file that contains the unit's top module.
pub fn source(core: &Core, unit: &Unit) -> Result<PathBuf, Failure> {
    let name = format!("/{}.sv", unit.top);
    let file = unit.files.iter().find(|file| file.ends_with(&name));
    let none = || Failure::Usage(format!("{} is in no file of its own", unit.top));
    file.map(|file| core.root.join(file)).ok_or_else(none)
}

/// A parameter with its default, or a port with its direction.
#[derive(Debug, PartialEq)]
pub struct Item {
    /// Name of the parameter or port.
    pub name: String,
    /// Default value or direction.
    pub second: String,
    /// Type without `wire`, `logic`, `int unsigned`.
    pub kind: String,
    /// Comment of the parameter or port.
    pub says: String,
}

/// The head of a module.
#[derive(Debug)]
pub struct Head {
    /// The parameters.
    pub parameters: Vec<Item>,
    /// The ports.
    pub ports: Vec<Item>,
}

impl Head {
    /// Reads the head of a unit's top module.
    pub fn of(core: &Core, unit: &Unit) -> Result<Self, Failure> {
        let source = source(core, unit)?;
        let form = |fault: &str| Failure::Form(source.clone(), fault.into());
        Self::parse(&read(&source)?, &unit.top).map_err(form)
    }

    /// Returns the numeric parameters with their defaults.
    pub fn numbers(&self) -> Vec<(String, i64)> {
        let number =
            |item: &Item| Some((item.name.clone(), number(item.second.trim_matches('`'))?));
        self.parameters.iter().filter_map(number).collect()
    }

    /// Parses the head of module `top`.
    pub fn parse(text: &str, top: &str) -> Result<Self, &'static str> {
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
}

/// Returns the text between the first parenthesis and its partner, and the text after it.
/// Parentheses in comments are ignored.
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

/// Reads one declaration per line. A comment at the end of a line belongs to its declaration; a
/// comment on its own lines belongs to the next declaration.
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

/// Returns the value of a literal such as `4` or `1'b0`.
fn number(literal: &str) -> Option<i64> {
    let Some((_, based)) = literal.split_once('\'') else { return literal.parse().ok() };
    let (base, digits) = based.split_at_checked(1)?;
    let radix = match base {
        "b" => 2,
        "d" => 10,
        "h" => 16,
        _ => return None,
    };
    i64::from_str_radix(digits, radix).ok()
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
        let ports: Vec<_> = head.ports.iter().map(|port| (&*port.name, &*port.kind)).collect();
        assert_eq!(
            ports,
            [("clk_i", "1 bit"), ("begin_i", "`[UNROLL-1:0][31:0]`"), ("o", "`state_t [1:0]`")]
        );
        assert_eq!(head.ports[1].says, "the (first) words");
    }

    #[test]
    fn defaults_are_numbers() {
        let head = Head::parse(TEXT, "a").unwrap();
        assert_eq!(head.numbers(), [("UNROLL".to_owned(), 1)]);
        let of = |literal| number(literal);
        assert_eq!((of("4"), of("1'b0"), of("8'h1f")), (Some(4), Some(0), Some(31)));
        assert_eq!((of("'0"), of("X + 1")), (None, None));
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
