//! The counters that Verilator adds to a model, as the models of a bench wrote them.

use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Kind of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A block of statements.
    Line,
    /// One side of a branch, or one item of a case statement.
    Branch,
    /// A bit that rose, or one that fell.
    Toggle,
}

impl Kind {
    /// The kinds in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Line, Self::Branch, Self::Toggle];

    /// Returns the name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Branch => "branch",
            Self::Toggle => "toggle",
        }
    }

    fn of_page(page: &str) -> Option<Self> {
        let named = |kind: &Self| page.starts_with(&format!("v_{}", kind.name()));
        Self::ALL.into_iter().find(named)
    }
}

/// A place in the RTL: file, line, column, and what is counted there. All instances of a module
/// have the same places.
type Place = (String, usize, usize, String);

/// How often each place was reached, in all models of a bench.
#[derive(Debug, Default)]
pub struct Counts(BTreeMap<(Kind, Place), u64>);

impl Counts {
    /// Reads the files that the models of a bench wrote into a folder. Assertions and files outside
    /// of `root` are ignored.
    pub fn of_folder(folder: &Path, root: &Path) -> Result<Self, Failure> {
        let io = |error| Failure::Io(folder.into(), error);
        let mut counts = Self::default();
        for entry in std::fs::read_dir(folder).map_err(io)? {
            counts.add(&read(&entry.map_err(io)?.path())?, root);
        }
        if counts.0.is_empty() {
            return Err(Failure::Form(folder.into(), "the bench wrote no counters".into()));
        }
        Ok(counts)
    }

    /// Adds the counters of one model, which are one per line.
    fn add(&mut self, text: &str, root: &Path) {
        for (at, count) in text.lines().filter_map(|line| counter(line, root)) {
            *self.0.entry(at).or_default() += count;
        }
    }

    /// Returns the number of reached places of a kind, the number of all its places, and the places
    /// that were not reached. For toggles the list of places is empty.
    pub fn of(&self, kind: Kind) -> (usize, usize, Vec<String>) {
        let all: Vec<_> = self.0.iter().filter(|((of, _), _)| *of == kind).collect();
        let missed = all.iter().filter(|(_, count)| **count == 0);
        let mut places: Vec<_> =
            missed.clone().map(|((_, (file, line, ..)), _)| format!("{file}:{line}")).collect();
        places.dedup();
        let reached = all.len() - missed.count();
        (reached, all.len(), if kind == Kind::Toggle { Vec::new() } else { places })
    }
}

/// Parses a counter as Verilator writes it: `C '\x01KEY\x02VALUE...' COUNT`.
fn counter(line: &str, root: &Path) -> Option<((Kind, Place), u64)> {
    let (words, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let fields: BTreeMap<&str, &str> =
        words.split('\u{1}').filter_map(|field| field.split_once('\u{2}')).collect();
    let kind = Kind::of_page(fields.get("page")?)?;
    let path = Path::new(fields.get("f")?);
    // With `--dir .` the names are already relative to the root.
    let file = path.strip_prefix(root).ok().or(path.is_relative().then_some(path))?;
    let file = file.display().to_string();
    if file.contains("/bench/") || file.contains("/formal/") {
        return None;
    }
    let number = |key| fields.get(key).and_then(|text| text.parse().ok()).unwrap_or(0);
    let what = fields.get("o").copied().unwrap_or_default().to_owned();
    Some(((kind, (file, number("l"), number("n"), what)), count.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(page: &str, file: &str, line: usize, instance: &str, count: u64) -> String {
        let fields = [
            ("f", file.to_owned()),
            ("l", line.to_string()),
            ("n", "5".into()),
            ("page", page.into()),
            ("o", "if".into()),
            ("h", instance.into()),
        ];
        let words: String =
            fields.iter().map(|(key, value)| format!("\u{1}{key}\u{2}{value}")).collect();
        format!("C '{words}' {count}\n")
    }

    #[test]
    fn instances_and_models_are_one_place_and_other_files_none() {
        let mut counts = Counts::default();
        let root = Path::new("/r");
        counts.add(&line("v_line/m", "/r/rtl/a.sv", 3, "TOP.x", 0), root);
        counts.add(&line("v_line/m", "/r/rtl/a.sv", 3, "TOP.y", 2), root);
        counts.add(&line("v_branch/m", "/r/rtl/a.sv", 4, "TOP.x", 0), root);
        counts.add(&line("v_toggle/m", "/r/rtl/a.sv", 5, "TOP.x", 0), root);
        counts.add(&line("v_line/m", "/r/rtl/a/bench/b.sv", 1, "TOP", 0), root);
        counts.add(&line("v_line/m", "/elsewhere/c.sv", 1, "TOP", 0), root);
        counts.add("# SystemC::Coverage-3\n", root);
        assert_eq!(counts.of(Kind::Line), (1, 1, vec![]));
        let mut relative = Counts::default();
        relative.add(&line("v_line/m", "rtl/a.sv", 3, "TOP", 0), Path::new("."));
        assert_eq!(relative.of(Kind::Line), (0, 1, vec!["rtl/a.sv:3".to_owned()]));
        assert_eq!(counts.of(Kind::Branch), (0, 1, vec!["rtl/a.sv:4".to_owned()]));
        assert_eq!(counts.of(Kind::Toggle), (0, 1, vec![]));
    }
}
