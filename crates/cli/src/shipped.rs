//! Files that ship with the tool, found relative to the program.

use std::path::{Path, PathBuf};

/// Environment variable with the folder of shipped files. It precedes the folders near the program.
const FOLDER: &str = "HASTEN_RESULTS";

/// Folders of shipped files, next to the program or above it: `results` and `page` in a checkout
/// and its target folder, `share/hasten` in an installation.
const PLACES: [&str; 3] = ["results", "page", "share/hasten"];

/// Returns the shipped file with this name, from the folder in the environment variable or else the
/// nearest one.
pub fn find(name: &str) -> Option<PathBuf> {
    folders().map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let named = std::env::var_os(FOLDER).map(PathBuf::from);
    let program = std::env::current_exe().unwrap_or_default();
    let above: Vec<PathBuf> = program.ancestors().skip(1).map(Path::to_owned).collect();
    let places = above.into_iter().flat_map(|dir| PLACES.map(|place| dir.join(place)));
    named.into_iter().chain(places)
}
