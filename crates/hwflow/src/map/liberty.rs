//! Reads a Liberty file into a tree of groups, and reads the cell properties that the flow needs
//! from it.

use crate::core::options::Options;
use crate::core::row::Area;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A group `kind (args) { ... }`.
#[derive(Debug, Default)]
pub struct Group {
    /// Kind of the group, such as `cell` or `pin`.
    pub kind: String,
    /// Text in the parentheses.
    pub args: String,
    /// Simple attributes, `name : value ;`.
    pub attributes: HashMap<String, String>,
    /// Complex attributes, `name (...) ;`.
    pub complex: Vec<(String, String)>,
    /// Groups inside this group.
    pub groups: Vec<Group>,
}

/// A library.
#[derive(Debug)]
pub struct Liberty {
    /// The `library` group.
    pub top: Group,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// Liberty files of macros. Their cells were added to this library.
    pub macros: Vec<PathBuf>,
}

impl Liberty {
    /// Reads a Liberty file.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let fault = || Failure::Form(path.into(), "not a Liberty file".into());
        Self::of_text(&read(path)?).ok_or_else(fault)
    }

    /// Parses the text of a Liberty file.
    pub fn of_text(text: &str) -> Option<Self> {
        let sha256 =
            Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        Some(Self { top: parse(text)?, sha256, macros: Vec::new() })
    }

    /// Adds the cells of another Liberty file.
    fn take(&mut self, file: &Path) -> Result<(), Failure> {
        let other = Self::load(file)?;
        self.top.groups.extend(other.top.groups.into_iter().filter(|group| group.kind == "cell"));
        self.macros.push(file.into());
        Ok(())
    }

    /// Returns the corner, which the name of the library's default operating conditions contains.
    pub fn corner(&self) -> Option<String> {
        let name = self.top.attributes.get("default_operating_conditions")?;
        Some(name.rsplit_once("stdcell_").map_or(name.as_str(), |(_, corner)| corner).into())
    }

    /// Returns the name of the library.
    pub fn name(&self) -> &str {
        &self.top.args
    }

    /// Returns the cells by name.
    pub fn cells(&self) -> HashMap<&str, &Group> {
        self.top.all("cell").map(|cell| (cell.args.as_str(), cell)).collect()
    }

    /// Returns the area of the smallest plain two-input NAND.
    pub fn nand2_area(&self) -> Option<f64> {
        let nand = |name: &str| {
            let name = name.to_lowercase();
            name.contains("nand2") && !name.contains("nand2b")
        };
        let areas = self
            .cells()
            .into_iter()
            .filter(|(name, _)| nand(name))
            .filter_map(|(_, cell)| cell.number("area"));
        areas.min_by(f64::total_cmp)
    }

    /// Returns the total area of cells of these kinds. An unknown kind has no area.
    pub fn area<'k>(&self, kinds: impl Iterator<Item = &'k str>) -> Result<Area, Failure> {
        let none = || Failure::Tool("the library has no NAND2".into());
        let gate = 1000.0 * self.nand2_area().ok_or_else(none)?;
        let cells = self.cells();
        let mut sum = Area::default();
        for cell in kinds.filter_map(|kind| cells.get(kind)) {
            let kge = cell.number("area").unwrap_or(0.0) / gate;
            sum.kge += kge;
            if cell.all("ff").next().is_some() {
                sum.flip_flops += 1;
                sum.flip_flops_kge += kge;
            }
        }
        Ok(sum)
    }
}

impl Group {
    /// Returns a numeric attribute.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.attributes.get(name)?.parse().ok()
    }

    /// Returns the groups of a kind inside this group.
    pub fn all<'g>(&'g self, kind: &'g str) -> impl Iterator<Item = &'g Group> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// Returns the group of a cell's pin. `a[3]` is a pin of the bus `a`.
    pub fn pin(&self, name: &str) -> Option<&Group> {
        let (kind, name) = name.split_once('[').map_or(("pin", name), |(bus, _)| ("bus", bus));
        self.groups.iter().find(|group| group.kind == kind && group.args == name)
    }

    /// Returns true if a pin of the cell has this direction.
    pub fn is(&self, pin: &str, direction: &str) -> bool {
        let way = self.pin(pin).and_then(|pin| pin.attributes.get("direction"));
        way.is_some_and(|way| way == direction)
    }
}

fn parse(text: &str) -> Option<Group> {
    let text = without_comments(text);
    let mut rest = text.as_str();
    let (kind, args) = head(&mut rest)?;
    rest = rest.trim_start().strip_prefix('{')?;
    body(kind, args, &mut rest)
}

/// Returns the text without comments and line continuations.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out += before;
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    (out + rest).replace("\\\r\n", " ").replace("\\\n", " ")
}

/// Reads `name (args)`. The arguments end at the first `)` outside quotes.
fn head(rest: &mut &str) -> Option<(String, String)> {
    let (name, after) = rest.split_once('(')?;
    let mut quoted = false;
    let end = after.find(|c| {
        quoted ^= c == '"';
        c == ')' && !quoted
    })?;
    *rest = &after[end + 1..];
    Some((name.trim().into(), after[..end].trim().trim_matches('"').into()))
}

fn body(kind: String, args: String, rest: &mut &str) -> Option<Group> {
    let mut group = Group { kind, args, ..Group::default() };
    loop {
        *rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if let Some(after) = rest.strip_prefix('}') {
            *rest = after;
            return Some(group);
        }
        let stop = rest.find([':', '(', '}'])?;
        match rest.as_bytes()[stop] {
            b':' => {
                let end = stop + rest[stop..].find([';', '\n', '}'])?;
                let value = rest[stop + 1..end].trim().trim_matches('"').to_string();
                group.attributes.insert(rest[..stop].trim().into(), value);
                *rest = &rest[end..];
            }
            b'(' => member(&mut group, rest)?,
            _ => return None,
        }
    }
}

fn member(group: &mut Group, rest: &mut &str) -> Option<()> {
    let (name, args) = head(rest)?;
    match rest.trim_start().strip_prefix('{') {
        Some(after) => {
            *rest = after;
            group.groups.push(body(name, args, rest)?);
        }
        None => group.complex.push((name, args)),
    }
    Some(())
}

/// Loads the libraries that the options name, or osu018 if they name none. The macros are added to
/// each.
pub fn libraries(options: &Options) -> Result<Vec<(Liberty, PathBuf)>, Failure> {
    let mut files = options.liberty.clone();
    if files.is_empty() {
        files.push(checkout::root()?.join(OSU018));
    }
    let load = |file: PathBuf| {
        let mut library = Liberty::load(&file)?;
        options.macros.iter().try_for_each(|file| library.take(file))?;
        Ok((library, file))
    };
    files.into_iter().map(load).collect()
}

/// Path of osu018 in the checkout, where `flow/install.sh` puts it.
const OSU018: &str = ".tools/osu018_stdcells.lib";

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "library (small) { /* x */ nom_voltage : 1.2;\n capacitive_load_unit (1,pf);
        cell (nand2b_1) { area : 5 }\n cell (\"NAND2X1\") { area : 24;\n pin(Y) { direction : output;
        internal_power() { rise_power(t) { values (\"1, 2\", \\\n \"3, 4\"); } } } }\n}";

    #[test]
    fn groups_attributes_and_values_are_read() {
        let top = parse(SMALL).unwrap();
        let library = Liberty { top, sha256: String::new(), macros: Vec::new() };
        assert_eq!((library.name(), library.nand2_area()), ("small", Some(24.0)));
        assert_eq!(library.top.number("nom_voltage"), Some(1.2));
        let pin = library.cells()["NAND2X1"].all("pin").next().unwrap();
        let power = pin.all("internal_power").next().unwrap().all("rise_power").next().unwrap();
        assert!(power.complex[0].1.contains("3, 4"));
        assert!(library.cells()["NAND2X1"].is("Y", "output"));
        assert!(!library.cells()["NAND2X1"].is("A", "input"));
        let memory = "cell (m) { bus(D) { direction : input; } pin(D) { direction : output; } }";
        let memory = parse(memory).unwrap();
        assert!(memory.is("D[31]", "input") && memory.is("D", "output"));
        assert!(parse("library (x) { cell (y) {").is_none());
    }

    #[test]
    fn flip_flops_are_counted_apart() {
        let flip_flop = "cell (DFF) { area : 156; ff (IQ,IQN) {} } cell (nand2b_1)";
        let library = Liberty::of_text(&SMALL.replace("cell (nand2b_1)", flip_flop)).unwrap();
        let area = library.area(["NAND2X1", "DFF", "absent", "DFF"].into_iter()).unwrap();
        assert_eq!((area.flip_flops, area.flip_flops_kge), (2, 0.013));
        assert!((area.kge - 0.014).abs() < 1e-9);
    }
}
