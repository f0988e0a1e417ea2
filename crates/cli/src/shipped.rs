//! Files that ship with the tool, found from where the program lies.

use std::path::{Path, PathBuf};

/// Names the folder of shipped files, where they are not found from the program.
const FOLDER: &str = "HASTEN_RESULTS";

/// Folders of shipped files, beside the program or above it: `results` and `page` as a checkout and
/// its target folder have them, `share/hasten` of the place that it is installed in.
const PLACES: [&str; 3] = ["results", "page", "share/hasten"];

/// Returns the shipped file of this name: in the folder that is named, or the nearest.
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
