//! `hw fusesoc`: writes FuseSoC files (`.core`, CAPI2) next to each `core.toml`, one per unit and
//! one for the files that units share, and `rtl/Bender.yml` for the same files. Each source file
//! belongs to exactly one description, so that a design may depend on several of them.

mod bender;
mod package;
mod text;

use crate::core::cores::{Core, Unit};
use crate::core::generated;
use crate::core::head::Head;
use crate::core::options::Options;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use package::Package;
use std::path::{Path, PathBuf};

/// Version in every description: that of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Licence of everything under `rtl/`.
const LICENCE: &str = "Apache-2.0 WITH SHL-2.1";

/// Writes the files, or names the stale ones with `--check`. All cores are read, because a file of
/// the chosen core may belong to another core's description.
pub fn run(options: &Options) -> Result<(), Failure> {
    let rtl = checkout::root()?.join("rtl");
    // Parameters and defaults come from the module: a point of core.toml is one choice among
    // several.
    let parameters = |core: &Core, unit: &Unit| Ok(Head::of(core, unit)?.numbers());
    let packages = package::all(&Core::chosen(&Options::default())?, &parameters)?;
    let chosen =
        |package: &&Package| options.core.as_ref().is_none_or(|name| *name == package.name.folder);
    let mut files: Vec<_> =
        packages.iter().filter(chosen).map(|package| described(&rtl, package)).collect();
    files.push((rtl.join("Bender.yml"), bender::manifest(&packages)));
    generated::keep("hw fusesoc", &files, "files", options)
}

fn described(rtl: &Path, package: &Package) -> (PathBuf, String) {
    let file = format!("{}.core", package.name.top);
    (rtl.join(&package.name.folder).join(file), text::description(package))
}
