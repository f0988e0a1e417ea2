//! Finds the source files that a piece of a whole is made from: the files that contain its top
//! module and everything that it names, directly or through others. For a module that is mapped
//! separately, the header is enough. The synthesizer gets these texts and no others. So a
//! dependency that is missed here is reported there as an unknown module or package, and never
//! leads to an outdated netlist.

use std::collections::{BTreeMap, BTreeSet};

/// A source file.
pub struct Source {
    text: String,
    /// Names of the modules, packages and interfaces in the file.
    units: Vec<String>,
    /// Whether every piece needs the file, because it has text outside of these units, or
    /// directives or binds that affect other files.
    loose: bool,
    /// Every name in the file, with the position of its end.
    words: Vec<(usize, String)>,
    /// End of the header, if the file has a single module.
    header: Option<usize>,
}

/// A file that a piece needs.
#[derive(Debug, PartialEq)]
pub struct Need {
    /// Index of the file in the list.
    pub file: usize,
    /// Closed header of a box, or `None` if the whole file is needed.
    pub header: Option<String>,
}

/// Returns the files that `top` needs, in their order. `boxes` are mapped separately.
pub fn of(sources: &[Source], top: &str, boxes: &BTreeSet<&str>) -> Vec<Need> {
    let mut found: BTreeMap<usize, bool> = BTreeMap::new();
    let loose = (0..sources.len()).filter(|&file| sources[file].loose);
    let mut open: Vec<(usize, bool)> = loose.map(|file| (file, true)).collect();
    open.extend(holding(sources, top).map(|file| (file, true)));
    while let Some((file, whole)) = open.pop() {
        if found.get(&file).is_some_and(|&known| known || !whole) {
            continue;
        }
        found.insert(file, whole);
        for name in sources[file].names(whole) {
            let boxed = name != top && boxes.contains(name);
            open.extend(
                holding(sources, name).map(|file| (file, !boxed || sources[file].header.is_none())),
            );
        }
    }
    let need = |(file, whole)| Need { file, header: sources[file].closed(whole) };
    found.into_iter().map(need).collect()
}

fn holding<'s>(sources: &'s [Source], name: &str) -> impl Iterator<Item = usize> + use<'s> {
    let name = name.to_string();
    (0..sources.len()).filter(move |&file| sources[file].units.contains(&name))
}

impl Source {
    /// Finds the names in a file.
    pub fn read(text: String) -> Self {
        let tokens = tokens(&text);
        let (units, outside) = units(&tokens);
        let beyond = |word: &str| matches!(word, "bind" | "`define" | "`undef" | "`include");
        let loose = outside || units.is_empty() || tokens.iter().any(|(_, word)| beyond(word));
        let header = (units.len() == 1 && !loose).then(|| header(&tokens)).flatten();
        let is_word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let words = tokens.iter().filter(|token| is_word(token.1));
        let words = words.map(|(end, word)| (*end, word.to_string())).collect();
        Self { units, loose, words, header, text }
    }

    /// Returns the names of the modules, packages and interfaces in the file.
    pub fn units(&self) -> impl Iterator<Item = &str> {
        self.units.iter().map(String::as_str)
    }

    /// Returns all names in the file, or only those in its header.
    fn names(&self, whole: bool) -> impl Iterator<Item = &str> {
        let end = self.header.filter(|_| !whole).unwrap_or(usize::MAX);
        self.words.iter().filter(move |word| word.0 <= end).map(|word| word.1.as_str())
    }

    fn closed(&self, whole: bool) -> Option<String> {
        let end = self.header.filter(|_| !whole)?;
        Some(format!("{}\nendmodule\n", &self.text[..end]))
    }
}

/// Returns words and marks, each with the position of its end. Comments and string literals are
/// skipped.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => quoted(rest),
            _ => word(rest).max(first.len_utf8()),
        };
        let skip = first.is_whitespace()
            || first == '"'
            || rest.starts_with("//")
            || rest.starts_with("/*");
        at += length;
        tokens.extend((!skip).then_some((at, &rest[..length])));
    }
    tokens
}

/// Returns the length of a word: a name, a directive or a system task.
fn word(rest: &str) -> usize {
    let sign = usize::from(rest.starts_with(['`', '$']));
    let end = rest[sign..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$');
    sign + end.unwrap_or(rest.len() - sign)
}

/// Returns the length of a string literal.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|&(_, c)| {
        let end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        end
    });
    end.map_or(rest.len(), |(at, _)| at + 1)
}

/// Returns the names of modules, packages and interfaces, and whether there is anything outside of
/// them except `default_nettype`.
fn units(tokens: &[(usize, &str)]) -> (Vec<String>, bool) {
    let (mut names, mut outside, mut end) = (Vec::new(), false, None);
    let mut words = tokens.iter().map(|token| token.1);
    while let Some(word) = words.next() {
        match (&end, word) {
            (Some(last), word) if last == word => end = None,
            (Some(_), _) => {}
            (None, "module" | "package" | "interface") => {
                end = Some(format!("end{word}"));
                let name = words.find(|word| !matches!(*word, "automatic" | "static"));
                names.extend(name.map(str::to_string));
            }
            (None, "`default_nettype") => _ = words.next(),
            (None, _) => outside = true,
        }
    }
    (names, outside)
}

/// Returns the end of a module's header: the semicolon after its name or its ports.
fn header(tokens: &[(usize, &str)]) -> Option<usize> {
    let start = tokens.iter().position(|token| token.1 == "module")? + 1;
    let (mut depth, mut last) = (0, "");
    for (number, (end, word)) in tokens[start..].iter().enumerate() {
        match *word {
            "(" => depth += 1,
            ")" => depth -= 1,
            ";" if depth == 0 && (last == ")" || number == 1) => return Some(*end),
            _ => {}
        }
        last = word;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 8] = [
        "package p; localparam int W = 3; endpackage",
        "package q; import p::*; endpackage",
        "module leaf; // top\n endmodule",
        "module box import q::*; #(parameter int N = 1) (input wire [N-1:0] a_i);\n leaf u_leaf (); endmodule",
        "`default_nettype none\nmodule top (input wire a_i); /* other */ box u_box (.a_i); initial $display(\"other\"); endmodule",
        "module other; leaf u (); endmodule",
        "`define X 1",
        "module far; bind top other u (); endmodule",
    ];

    /// Returns the files that `top` needs, out of the first `count` files.
    fn needed(count: usize, top: &str) -> Vec<usize> {
        let sources: Vec<Source> =
            FILES[..count].iter().map(|text| Source::read((*text).into())).collect();
        of(&sources, top, &BTreeSet::new()).into_iter().map(|need| need.file).collect()
    }

    #[test]
    fn what_is_named_directly_or_through_others_is_needed_and_what_stands_in_comments_is_not() {
        assert_eq!(needed(6, "box"), [0, 1, 2, 3]);
        assert_eq!(needed(6, "leaf"), [2]);
        assert_eq!(needed(6, "top"), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_box_is_its_header_and_what_that_names() {
        let sources: Vec<Source> =
            FILES[..6].iter().map(|text| Source::read((*text).into())).collect();
        let needs = of(&sources, "top", &BTreeSet::from(["box", "top"]));
        let files: Vec<usize> = needs.iter().map(|need| need.file).collect();
        assert_eq!(files, [0, 1, 3, 4]);
        let header = needs[2].header.as_ref().unwrap();
        assert!(header.ends_with("a_i);\nendmodule\n") && !header.contains("leaf"), "{header}");
        assert_eq!(of(&sources, "box", &BTreeSet::from(["box"])).len(), 4);
    }

    #[test]
    fn directives_and_binds_are_needed_by_all_with_what_they_name() {
        assert_eq!(needed(7, "leaf"), [2, 6]);
        assert_eq!(needed(8, "leaf"), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
