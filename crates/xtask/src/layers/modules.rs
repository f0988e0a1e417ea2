//! Import circles among the folders of one crate.
//!
//! A folder is the first segment of a module's path: `src/key/` and `src/key.rs` are both `key`. An
//! import is a path that begins with `crate::`, or with enough `super::` to reach the root. It may
//! occur in a `use`, an expression or a macro. Test modules are ignored. So is the crate's root,
//! which only declares the folders; an item that the root re-exports counts as an import of its
//! folder.

use hasten_chore::failure::{Failure, read};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folders that each folder imports.
pub type Imports = BTreeMap<String, BTreeSet<String>>;

/// Reads the imports of the crate whose source folder is `src`.
pub fn imports(src: &Path) -> Result<Imports, Failure> {
    let mut files = Vec::new();
    list(src, &mut files)?;
    let mut found = Imports::new();
    let mut exports = BTreeMap::new();
    for path in &files {
        let module = module_path(path.strip_prefix(src).unwrap_or(path));
        let tokens: TokenStream =
            read(path)?.parse().map_err(|e| Failure::Tool(format!("{}: {e}", path.display())))?;
        match module.first() {
            None => exports.extend(re_exports(&tokens)),
            Some(folder) => {
                let used = found.entry(folder.clone()).or_default();
                walk(tokens, &module, used);
            }
        }
    }
    Ok(resolved(found, &exports))
}

/// Replaces each item that the root re-exports with its folder, and drops names that are not
/// folders.
fn resolved(found: Imports, exports: &BTreeMap<String, String>) -> Imports {
    let folders: BTreeSet<String> = found.keys().cloned().collect();
    let home = |name: String| exports.get(&name).cloned().unwrap_or(name);
    let clean = |(folder, used): (String, BTreeSet<String>)| {
        let used = used.into_iter().map(home).filter(|to| folders.contains(to) && *to != folder);
        (folder.clone(), used.collect())
    };
    found.into_iter().map(clean).collect()
}

/// Returns the circles. A circle is a set of folders that all import each other, directly or
/// indirectly.
pub fn circles(imports: &Imports) -> Vec<Vec<String>> {
    let mut circles: Vec<Vec<String>> = Vec::new();
    for start in imports.keys() {
        let beyond = reached(imports, start);
        let back = |to: &&String| reached(imports, to).contains(start);
        let circle: Vec<String> = beyond.iter().filter(back).cloned().collect();
        if circle.len() > 1 && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

fn reached(imports: &Imports, start: &str) -> BTreeSet<String> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(next) = open.pop() {
        for to in imports.get(next).into_iter().flatten() {
            if seen.insert(to.clone()) {
                open.push(to);
            }
        }
    }
    seen
}

/// Returns the module path of a file relative to `src`. The path of the root is empty.
fn module_path(file: &Path) -> Vec<String> {
    let mut path: Vec<String> = file
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if path.last().is_some_and(|last| last == "mod") || matches!(&path[..], [one] if is_root(one)) {
        path.pop();
    }
    path
}

fn is_root(name: &str) -> bool {
    matches!(name, "lib" | "main")
}

/// Adds the folders that `tokens` import to `used`; `module` is the module that contains the
/// tokens.
fn walk(tokens: TokenStream, module: &[String], used: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if is_for_tests(&tokens[at..]) {
            at = behind_item(&tokens, at + 2);
            continue;
        }
        if let (true, [_, TokenTree::Ident(name), TokenTree::Group(body), ..]) =
            (is_ident(&tokens[at], "mod"), &tokens[at..])
        {
            walk(body.stream(), &[module, &[name.to_string()]].concat(), used);
            at += 3;
            continue;
        }
        if let Some(rest) = from_root(&tokens, at, module.len()) {
            used.extend(first_names(&tokens[rest..]));
        }
        if let TokenTree::Group(group) = &tokens[at] {
            walk(group.stream(), module, used);
        }
        at += 1;
    }
}

/// Returns the index after `crate::`, or after the `super::` segments that lead from `depth` to the
/// root.
fn from_root(tokens: &[TokenTree], at: usize, depth: usize) -> Option<usize> {
    let step =
        |at: usize, word| (is_ident(tokens.get(at)?, word)).then(|| separated(tokens, at))?;
    if let Some(rest) = step(at, "crate") {
        return Some(rest);
    }
    let mut place = at;
    for _ in 0..depth {
        place = step(place, "super")?;
    }
    (depth > 0).then_some(place)
}

/// Returns the index after the `::` that follows token `at`.
fn separated(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    (colon(at + 1) && colon(at + 2)).then_some(at + 3)
}

/// Returns the first name of a path, or the first name of each path inside braces.
fn first_names(tokens: &[TokenTree]) -> Vec<String> {
    match tokens.first() {
        Some(TokenTree::Ident(name)) => vec![name.to_string()],
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let parts =
                inner.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ','));
            parts.flat_map(first_names).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns true for `#[cfg(test)]`, and for an `#[cfg(all(..))]` that names `test` without `not`.
fn is_for_tests(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = tokens else { return false };
    let text = group.stream().to_string().replace(' ', "");
    let names =
        |word: &str| text.contains(&format!("({word}")) || text.contains(&format!(",{word}"));
    hash.as_char() == '#'
        && text.starts_with("cfg(")
        && names("test")
        && !text.contains("not(test")
        && !text.contains("any(")
}

/// Returns the index after the item that begins at `at`, that is, after its braces or its
/// semicolon.
fn behind_item(tokens: &[TokenTree], mut at: usize) -> usize {
    let is_use = tokens.get(at).is_some_and(|token| is_ident(token, "use"));
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Punct(p) if p.as_char() == ';' => break,
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace && !is_use => break,
            _ => {}
        }
    }
    at
}

fn is_ident(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(name) if *name == word)
}

/// Returns the names that `use folder::..` brings into the root, each with its folder.
fn re_exports(tokens: &TokenStream) -> BTreeMap<String, String> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut found = BTreeMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let (true, Some(TokenTree::Ident(folder))) = (is_ident(token, "use"), tokens.get(at + 1))
        else {
            continue;
        };
        let end = behind_item(&tokens, at);
        for name in idents(&tokens[at + 2..end.max(at + 2)]) {
            found.insert(name, folder.to_string());
        }
    }
    found
}

fn idents(tokens: &[TokenTree]) -> Vec<String> {
    let each = |token: &TokenTree| match token {
        TokenTree::Ident(name) => vec![name.to_string()],
        TokenTree::Group(group) => idents(&group.stream().into_iter().collect::<Vec<_>>()),
        _ => Vec::new(),
    };
    tokens.iter().flat_map(each).collect()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for path in super::hazmat::entries(folder)? {
        if path.ends_with("src/bin") {
            continue;
        }
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "rs") && !is_test_file(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_test_file(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let in_tests = path.components().any(|part| part.as_os_str() == "tests");
    in_tests || stem == "tests" || stem.ends_with("_tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(text: &str, module: &[&str]) -> Vec<String> {
        let module: Vec<String> = module.iter().map(ToString::to_string).collect();
        let mut used = BTreeSet::new();
        walk(text.parse().unwrap(), &module, &mut used);
        used.into_iter().collect()
    }

    #[test]
    fn every_form_of_an_import_is_seen() {
        assert_eq!(used("use crate::a::B;", &["x"]), ["a"]);
        assert_eq!(used("use crate::{a::{B, C}, d};", &["x"]), ["a", "d"]);
        assert_eq!(used("fn f() { vec![crate::a::g()] }", &["x"]), ["a"]);
        assert_eq!(used("use super::a::B;", &["x"]), ["a"]);
        assert_eq!(used("use super::a::B; use super::super::c::D;", &["x", "y"]), ["c"]);
        assert_eq!(used("mod inner { use super::super::a::B; }", &["x"]), ["a"]);
        assert_eq!(used("/// crate::a::B\nfn f() {}", &["x"]), Vec::<String>::new());
    }

    #[test]
    fn tests_do_not_count() {
        let text = "#[cfg(test)] mod tests { use crate::a::B; } use crate::c::D;";
        assert_eq!(used(text, &["x"]), ["c"]);
        let text = "#[cfg(all(test, feature = \"std\"))] use crate::{a, b}; use crate::c::D;";
        assert_eq!(used(text, &["x"]), ["c"]);
        assert_eq!(used("#[cfg(not(test))] use crate::a::B;", &["x"]), ["a"]);
    }

    #[test]
    fn a_re_export_is_its_folder() {
        let exports = re_exports(&"pub use key::{A, B}; pub use a::c::D;".parse().unwrap());
        assert_eq!(exports["B"], "key");
        assert_eq!(exports["D"], "a");
        let found = Imports::from([
            ("a".into(), BTreeSet::from(["B".into(), "Gone".into()])),
            ("key".into(), BTreeSet::new()),
        ]);
        assert_eq!(resolved(found, &exports)["a"], BTreeSet::from(["key".into()]));
    }

    #[test]
    fn a_circle_over_three_folders_is_found_once() {
        let edge = |from: &str, to: &[&str]| {
            (from.to_string(), to.iter().map(ToString::to_string).collect())
        };
        let found = Imports::from([
            edge("a", &["b"]),
            edge("b", &["c"]),
            edge("c", &["a", "d"]),
            edge("d", &[]),
        ]);
        assert_eq!(circles(&found), [["a", "b", "c"]]);
    }
}
