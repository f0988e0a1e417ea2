//! Checks the pages of the repository: the README is short and names every folder, and the links
//! between pages lead to existing files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the paths of the files that git tracks or would add.
fn files() -> Vec<String> {
    let listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(listed).current_dir(root()).output().unwrap();
    let names = String::from_utf8(output.stdout).unwrap();
    names.lines().filter(|name| root().join(name).is_file()).map(String::from).collect()
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

#[test]
fn readme_names_every_visible_folder() {
    let (readme, files) = (readme(), files());
    let folders = files.iter().filter_map(|file| file.split_once('/')).map(|(top, _)| top);
    for folder in folders.filter(|folder| !folder.starts_with('.')) {
        assert!(readme.contains(&format!("`{folder}`")), "README.md does not name {folder}");
    }
}

#[test]
fn readme_has_few_rows_of_tables() {
    let rows = readme().lines().filter(|line| line.starts_with('|')).count();
    assert!(rows < 12, "{rows} rows");
}

#[test]
fn links_between_pages_lead_somewhere() {
    for page in files().iter().filter(|file| file.ends_with(".md")) {
        let path = root().join(page);
        let text = fs::read_to_string(&path).unwrap();
        for target in targets(&text).filter(|target| !target.contains("://")) {
            let file = target.split('#').next().unwrap_or("");
            let found = file.is_empty() || path.parent().unwrap().join(file).exists();
            assert!(found, "{page} links to {target}");
        }
    }
}

/// Returns the targets of the links in a page.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split("](").skip(1);
    behind.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target).filter(is_path)
}

/// Returns false for code that looks like a link.
fn is_path(target: &&str) -> bool {
    !target.contains(char::is_whitespace) && target.chars().all(|c| c.is_ascii_graphic())
}
