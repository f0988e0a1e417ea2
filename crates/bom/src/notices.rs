//! The licence texts shipped with the crates, each text once.

use crate::crates::Crate;
use crate::tree::Id;
use hasten_chore::failure::{Failure, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Beginnings of the names of licence files, in lower case.
const BEGINNINGS: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Licences of crates that ship no text, each with the file of this repository that has the text.
/// It is `None` if the licence requires no notice.
const OURS: [(&str, Option<&str>); 2] =
    [("Apache-2.0", Some("LICENSE-APACHE")), ("Unlicense", None)];

const RULE: &str =
    "-------------------------------------------------------------------------------------";

/// Returns a list of the crates and their licences, followed by all texts.
pub fn text(of: &Id, crates: &BTreeMap<Id, Crate>, root: &Path) -> Result<String, Failure> {
    let others = || crates.iter().filter(|(_, one)| !one.is_ours());
    let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for (id, one) in others() {
        for text in carried(one, root)? {
            // Texts that differ only in their line breaks count as one.
            let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let entry = texts.entry(key).or_insert_with(|| (text, Vec::new()));
            entry.1.push(format!("{} {}", id.name, id.version));
        }
    }
    let mut page = format!("Crates by others that {} is built from:\n\n", of.name);
    for (id, one) in others() {
        let expression = one.expression().unwrap_or_default();
        page += &format!("{} {}: {expression}\n", id.name, id.version);
    }
    for (text, names) in texts.values() {
        page += &format!("\n{RULE}\n{}:\n\n{}\n", names.join(", "), text.trim_end());
    }
    Ok(page)
}

/// Returns the licence texts in the folder of a crate, or the text of this repository if it has
/// none.
fn carried(one: &Crate, root: &Path) -> Result<Vec<String>, Failure> {
    let folder = one.manifest_path.parent().unwrap_or(Path::new("/"));
    let io = |error| Failure::Io(folder.to_path_buf(), error);
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        files.extend(ours(one)?.map(|file| root.join(file)));
    }
    files.iter().map(|file| read(file)).collect()
}

/// Returns the file of this repository with the text of a licence that the crate offers.
fn ours(one: &Crate) -> Result<Option<&'static str>, Failure> {
    let expression = one.expression().unwrap_or_default();
    let offered = |name: &str| expression.split(" OR ").any(|offer| offer == name);
    match OURS.iter().find(|(name, _)| offered(name)) {
        Some((_, file)) => Ok(*file),
        None => {
            let place = one.manifest_path.display();
            Err(Failure::Found("bom", vec![format!("{place}: no text of {expression}")]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crates::sample;

    /// Creates a root folder with LICENSE-APACHE and the folders of the crates `a` and `b`.
    fn place(name: &str) -> PathBuf {
        let place = std::env::temp_dir().join(format!("hasten-bom-{name}-{}", std::process::id()));
        for folder in ["a", "b"] {
            std::fs::create_dir_all(place.join(folder)).unwrap();
        }
        std::fs::write(place.join("LICENSE-APACHE"), "the text of Apache").unwrap();
        place
    }

    #[test]
    fn a_text_that_two_crates_carry_stands_there_once() {
        let place = place("once");
        std::fs::write(place.join("a/LICENSE"), "copyright\nby many\n").unwrap();
        std::fs::write(place.join("b/license.md"), "copyright by\nmany").unwrap();
        std::fs::write(place.join("b/README"), "no licence").unwrap();
        let (tree, crates) = sample::crates(&place);
        let page = text(&tree.root, &crates, &place).unwrap();
        std::fs::remove_dir_all(&place).unwrap();
        assert_eq!(page.matches("copyright").count(), 1);
        assert!(
            page.contains("a 1.0.0, b 2.0.0+c:") && page.contains("a 1.0.0: MIT OR Apache-2.0")
        );
        assert!(!page.contains("no licence") && !page.contains("tool 0.1.0"));
        assert!(page.starts_with("Crates by others that tool is built from:"));
    }

    #[test]
    fn a_crate_without_a_text_has_ours_or_is_refused() {
        let place = place("ours");
        let (tree, mut crates) = sample::crates(&place);
        let text = |crates: &BTreeMap<Id, Crate>| super::text(&tree.root, crates, &place);
        let page = text(&crates);
        crates.values_mut().for_each(|one| one.license = Some("MIT".into()));
        let refused = text(&crates);
        crates.values_mut().for_each(|one| one.license = Some("Unlicense".into()));
        let asks_nothing = text(&crates).unwrap();
        std::fs::remove_dir_all(&place).unwrap();
        assert_eq!(page.unwrap().matches("the text of Apache").count(), 1);
        assert_eq!(refused.unwrap_err().status(), 1);
        assert!(!asks_nothing.contains("the text"));
    }
}
