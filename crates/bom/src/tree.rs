//! Parser for the output of `cargo tree`: the dependencies of each crate.

use std::collections::{BTreeMap, BTreeSet};

/// A crate, identified by name and version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The tool and all crates that it is built from.
#[derive(Debug)]
pub struct Tree {
    /// The package at the root of the tree.
    pub root: Id,
    /// The direct dependencies of each crate.
    pub uses: BTreeMap<Id, BTreeSet<Id>>,
}

impl Tree {
    /// Reads lines such as `2clap v4.6.7`, where 2 is the depth. Text after the version, a folder
    /// or a mark, is ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let mut uses: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
        let mut way: Vec<Id> = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let (depth, id) = read(line)?;
            way.truncate(depth);
            uses.entry(id.clone()).or_default();
            match way.last() {
                Some(above) if way.len() == depth => drop(uses.get_mut(above)?.insert(id.clone())),
                None if uses.len() == 1 => {}
                _ => return None,
            }
            way.push(id);
        }
        Some(Self { root: way.into_iter().next()?, uses })
    }
}

fn read(line: &str) -> Option<(usize, Id)> {
    let name = line.find(|c: char| !c.is_ascii_digit())?;
    let mut words = line[name..].split_whitespace();
    let id =
        Id { name: words.next()?.to_owned(), version: words.next()?.strip_prefix('v')?.to_owned() };
    Some((line[..name].parse().ok()?, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0tool v0.1.0 (/there/tool)\n1a v1.0.0\n2b v2.0.0+x (proc-macro)\n1c v3.0.0\n2b v2.0.0+x (proc-macro) (*)\n";

    fn id(text: &str) -> Id {
        let (name, version) = text.split_once(' ').unwrap();
        Id { name: name.into(), version: version.into() }
    }

    #[test]
    fn depths_say_who_uses_whom() {
        let tree = Tree::parse(TEXT).unwrap();
        assert_eq!(tree.root, id("tool 0.1.0"));
        assert_eq!(tree.uses[&tree.root], [id("a 1.0.0"), id("c 3.0.0")].into());
        for above in ["a 1.0.0", "c 3.0.0"] {
            assert_eq!(tree.uses[&id(above)], [id("b 2.0.0+x")].into());
        }
        assert_eq!(tree.uses.len(), 4);
    }

    #[test]
    fn another_form_is_refused() {
        for text in ["", "tool v1", "0tool 1", "0tool v1\n2deep v1", "0tool v1\n0other v1"] {
            assert!(Tree::parse(text).is_none(), "{text}");
        }
    }
}
